"""Attacks that are no plain blow: grapple, throw, choke, joint lock, 当身, and fists on a blade (rules §7.10).

Each is a mode of the exchange: what it is rolled against, how it may be resisted, and what it does when nobody stopped
it. A grip is `holds` of the holder and `held_by` of the held; successes of a choke are counted on the holder.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

from rulesets.edo.arms import Arm
from rulesets.edo.odds import roll
from rulesets.edo.play import modes
from rulesets.edo.play.checks import Plan, plan
from rulesets.edo.play.damage import deal, fatal, hurt
from rulesets.edo.play.damage_roll import blow_of
from rulesets.edo.play.flow import Flow
from rulesets.edo.play.holds import freed
from rulesets.edo.play.kp import Bar
from rulesets.edo.play.modes import ModeEntry, body_plus, evasion
from rulesets.edo.play.person import Person
from rulesets.edo.play.state import Choke, Fight, Life, State, Strike
from rulesets.edo.play.strikes import base_of_defence
from rulesets.edo.play.words import reason, words
from rulesets.edo.rows import Weapon
from rulesets.engine.odds import Chance, at_least, shifted
from rulesets.engine.outcome import Change, Die, Modifier, Outcome, Reason

GRAPPLING, DODGING = "jujutsu", "taisabaki"
# Bare attacks that may knock somebody out: fists and feet, or grappling's own blow.
ATEMI = ("punch", "kick", "grapple")
ChokeMode = Literal["faint", "kill", "lock"]
CHOKES: dict[str, ChokeMode] = {"choke_faint": "faint", "choke_kill": "kill", "lock": "lock"}


# ---------------------------------------------------------------- who may try


def free_to_grapple(attacker: Person, target: Person) -> Bar | None:
    """P46 for one who is held already, P74 when either is busy with somebody else."""
    if attacker.actor.holds == target.id:
        return Bar("P46", {})
    if attacker.actor.holds:
        return Bar("P74", {"name": attacker.name})
    return Bar("P74", {"name": target.name}) if target.actor.held_by else None


def holding(attacker: Person, target: Person) -> Bar | None:
    """P12: throws, chokes and locks need a grip on the target."""
    return Bar("P12", {}) if attacker.actor.holds != target.id else None


def _is(*ids: str) -> Callable[[Arm], bool]:
    return lambda arm: arm.id in ids


# ---------------------------------------------------------------- grapple and throw


def _gripped(flow: Flow) -> None:
    attacker, target = flow.attacker, flow.target
    values: dict[str, dict[str, Any]] = {attacker.id: {"holds": target.id, "choke": None}}
    values[target.id] = {"held_by": attacker.id}
    said = words("log.gripped", name=attacker.name, target=target.name)
    _tell(flow, "grip", said, values)


def _thrown(flow: Flow) -> None:
    """Down (a rider off the horse), out of the grip (E31), and hurt (§7.9)."""
    attacker, target, hit = flow.attacker, flow.target, blow_of(flow)
    down: dict[str, Any] = {"posture": "prone", "mounted": False}
    ends = flow.desk.tables.rule.throw_ends_grapple
    values = freed(flow.desk.state, target.id, **down) if ends else {target.id: down}
    change = Change(target.id, "posture", target.actor.posture, "prone", reason("why.thrown", "§7.10"))
    changes = (change,) if target.actor.posture != "prone" else ()
    outcome = Outcome("throw", reason("title.throw", "§7.10"), changes=changes)
    said = words("log.thrown", name=attacker.name, target=target.name)
    _tell(flow, "grip", said, values, outcome)
    deal(flow, hit)


def _tell(flow: Flow, kind: str, said: Any, values: dict[str, dict[str, Any]], outcome: Outcome | None = None) -> None:
    strike = flow.strike
    flow.emit(kind, said, outcome=outcome, actor=strike.attacker, target=strike.target, actors=values)


# ---------------------------------------------------------------- choke and lock


def _choked(flow: Flow) -> None:
    """One more success in a row: enough of them, or a broken neck, end it (C08)."""
    attacker, target = flow.attacker, flow.target
    choke = successes(attacker, CHOKES[flow.strike.mode], flow.desk.state.fight)
    said = words(f"log.choke_{choke.mode}", name=attacker.name, target=target.name, n=choke.count)
    _tell(flow, "grip", said, {attacker.id: {"choke": choke}})
    check, numbers = flow.strike.hit, flow.desk.tables.number
    degree = (check.total or 0) - (check.difficulty or 0) if check is not None else 0
    if choke.mode == "kill" and (degree >= numbers("neck_break_degree") or choke.count >= numbers("choke_kill")):
        snapped = choke.count < numbers("choke_kill")
        _tell(flow, "grip", words("log.neck" if snapped else "log.strangled", target=target.name), {})
        fatal(flow, target.id)
    elif choke.mode == "faint" and choke.count >= numbers("choke_faint"):
        faint(flow, reason("why.choked", "§7.10"))


def _breaks_neck(attacker: Person, planned: Plan) -> tuple[Chance, ...]:
    """The chance of a success good enough to break the neck at once (C08)."""
    total = shifted(roll(planned.means.dice), planned.value)
    least = (planned.difficulty or 0) + attacker.tables.number("neck_break_degree")
    return (Chance("neck", words("odds.neck"), at_least(total, least)),)


def successes(holder: Person, mode: ChokeMode, fight: Fight | None) -> Choke:
    """The count after one more success: it starts at 1 for another declaration, or after a round without a try."""
    last, now = holder.actor.choke, fight.round if fight is not None else 0
    goes_on = last is not None and last.mode == mode and (fight is None or now - last.round <= 1)
    return Choke(mode, last.count + 1 if last is not None and goes_on else 1, now)


def _lost(flow: Flow) -> None:
    """A failure on the way: the count starts over."""
    if flow.attacker.actor.choke is not None:
        said = words("log.choke_lost", name=flow.attacker.name)
        _tell(flow, "grip", said, {flow.strike.attacker: {"choke": None}})


def lets_up(person: Person, mode: str) -> dict[str, Any]:
    """New values of somebody who attacks in another way: successes of a choke have to be consecutive."""
    return {"choke": None} if person.actor.choke is not None and mode not in CHOKES else {}


# ---------------------------------------------------------------- fainting


def faint(flow: Flow, why: Reason) -> None:
    """Unconscious for 2D6 minutes, and out of every grip (E31)."""
    target = flow.target
    dice = flow.desk.throw(2, reason("dice.minutes", "§7.10"))
    minutes = sum(die.face for die in dice)
    life = Life("unconscious", minutes=minutes)
    change = Change(target.id, "life", target.actor.life.state, life.state, why)
    outcome = Outcome("faint", why, total=minutes, dice=dice, changes=(change,))
    values = freed(flow.desk.state, target.id, life=life)
    flow.put(after=None)
    _tell(flow, "faint", words("log.fainted", name=target.name, n=minutes), values, outcome)


def _felled(flow: Flow) -> None:
    """当身: the target has to stay conscious."""
    flow.put(demand="faint")


@modes.demands("faint", "log.faint_roll")
def _faint_plan(state: State, strike: Strike) -> Plan:
    """The target's body against the attack's total."""
    target = Person(state.tables, state.actors[strike.target])
    title = reason("title.faint", "§7.10")
    return plan(target, "faint", target.means("body"), (base_of_defence(state, strike),), title=title)


@modes.after("faint")
def _faint_stands(flow: Flow) -> None:
    check = flow.strike.after
    if check is not None and not check.success:
        faint(flow, reason("why.atemi", "§7.10"))


def atemi_base(attacker: Person, target: Person, arm: Arm) -> tuple[Modifier, ...]:
    """As a normal attack: a kick is harder as ever, grappling's own blow is not."""
    parts = evasion(attacker, target, arm)
    return tuple(part for part in parts if part.key != "attack") if arm.id == "grapple" else parts


# ---------------------------------------------------------------- fists on a blade


@modes.on_parried
def _fist_on_blade(flow: Flow) -> None:
    """Bare hands stopped by a weapon: half of its damage, no body bonus, then armour (E48)."""
    arm, blade = flow.arm, flow.target.arms.get(flow.strike.defence_arm)
    if not (isinstance(arm, Weapon) and arm.unarmed and isinstance(blade, Weapon)) or blade.unarmed:
        return
    dice, amount, steps = blade_bite(flow, blade)
    title = Reason(words("title.fist_on_blade", weapon=blade.name), "§7.10", inferred=True)
    outcome = Outcome("damage", title, total=amount, dice=dice, modifiers=steps)
    said = words("log.fist_on_blade", name=flow.attacker.name, weapon=blade.name)
    hurt(flow, flow.strike.attacker, amount, outcome, said)


def blade_bite(flow: Flow, blade: Weapon) -> tuple[tuple[Die, ...], int, tuple[Modifier, ...]]:
    """Dice, damage and its steps of a fist that was parried by a weapon."""
    first = flow.desk.die(Reason(words("part.damage_die", weapon=blade.name), "§7.10"))
    critical = flow.desk.tables.rule.fist_on_blade == "half_with_crit" and blade.can_crit and first.face == 6
    dice = (replace(first, mark="critical"), flow.desk.die(reason("part.critical", "§7.9"))) if critical else (first,)
    rolled = sum(die.face for die in dice)
    whole = max(0, rolled + blade.add)
    armour = 0 if critical else flow.attacker.worn.value
    amount = max(0, whole // 2 - armour)
    found = (
        Modifier("weapon", whole - rolled, "damage", Reason(words("part.weapon", weapon=blade.name), "§7.6")),
        Modifier("half", whole // 2 - whole, "damage", reason("part.half", "§7.10", inferred=True)),
        Modifier("armour", amount - whole // 2, "damage", Reason(flow.attacker.worn.name, "§7.11")),
    )
    return dice, amount, tuple(step for step in found if step.value)


# ---------------------------------------------------------------- the modes

modes.mode(
    ModeEntry(
        "grapple",
        _is("grapple"),
        bar=free_to_grapple,
        defence="resist",
        resists=(GRAPPLING, DODGING),
        landed=_gripped,
        damages=False,
    )
)
modes.mode(
    ModeEntry(
        "throw",
        _is("throw"),
        base=body_plus,
        bar=holding,
        defence="resist",
        resists=(GRAPPLING,),
        landed=_thrown,
    )
)
_CHOKE = ModeEntry(
    "choke_faint",
    _is("grapple"),
    base=body_plus,
    bar=holding,
    defence="resist",
    landed=_choked,
    missed=_lost,
    damages=False,
)
modes.mode(_CHOKE)
modes.mode(replace(_CHOKE, id="choke_kill", chances=_breaks_neck))
modes.mode(replace(_CHOKE, id="lock"))
modes.mode(ModeEntry("atemi", _is(*ATEMI), base=atemi_base, landed=_felled, damages=False))
