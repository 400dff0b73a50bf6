"""What a strike does: wounds, dying and not dying, morale, parries that do not help (rules §6.3, §7.4, §7.5, §7.8)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.edo.arms import Arm
from rulesets.edo.play import modes
from rulesets.edo.play.checks import Plan, against, plan
from rulesets.edo.play.daily import care_after_hit
from rulesets.edo.play.damage_roll import Blow, blow_of, roll
from rulesets.edo.play.flow import Flow
from rulesets.edo.play.holds import freed
from rulesets.edo.play.kp import bar
from rulesets.edo.play.masks import secret
from rulesets.edo.play.person import Person
from rulesets.edo.play.state import Life, State, Strike
from rulesets.edo.play.words import reason, words
from rulesets.edo.rows import Ranged, Weapon
from rulesets.engine.outcome import Change, Outcome
from rulesets.engine.text import Text


def _hurts(arm: Arm) -> bool:
    return arm.dice > 0


def _plain(arm: Arm) -> bool:
    return _hurts(arm) and (isinstance(arm, Ranged) or not arm.requires)


def _has_back(arm: Arm) -> bool:
    return _hurts(arm) and isinstance(arm, Weapon) and not arm.unarmed


# ---------------------------------------------------------------- dealt


def deal(flow: Flow, hit: Blow | None = None) -> None:
    """The damage of a strike that nobody stopped. `hit`: what it was when it landed, if that is no more so."""
    found = roll(flow, hit or blow_of(flow))
    flow.put(damage=found.amount, result="landed")
    said = words("log.hit", name=flow.attacker.name, target=flow.target.name, n=found.amount)
    hurt(flow, flow.strike.target, found.amount, found.outcome, said)


def hurt(flow: Flow, who: str, amount: int, outcome: Outcome, said: Text) -> None:
    """Take damage off somebody's endurance and say what it did (§7.4 APPLY). Death may still be averted."""
    person = flow.desk.person(who)
    values = wounded(person, amount, flow.desk.state.clock.hours)
    after = person.endurance - amount
    changes = (Change(who, "endurance", person.endurance, after, reason("change.wound", "§7.9")),) if amount else ()
    outcome = replace(outcome, changes=(*outcome.changes, *changes))
    by = flow.strike.attacker if flow.ex.strikes else ""
    flow.emit("damage", said, outcome=outcome, actor=by or who, target=who, of=who, actors={who: values})
    if amount and after <= 0 and not person.actor.life.gone:
        fatal(flow, who)


def wounded(person: Person, amount: int, hour: int) -> dict[str, Any]:
    """New values after a wound at that hour of the clock, treatment included (§8.1, §8.3)."""
    if amount <= 0:
        return {}
    care = care_after_hit(person, amount, hour)
    found: dict[str, Any] = {"wounds": person.actor.wounds + amount}
    if care != person.actor.care:
        found["care"] = care
    return found


def fatal(flow: Flow, who: str) -> None:
    person = flow.desk.person(who)
    if bar(person, "survive") is None:
        flow.move(phase="survive")
        flow.ask(who, "survive")
        return
    die_now(flow, who)


def die_now(flow: Flow, who: str) -> None:
    """Dead, and out of every grip."""
    person = flow.desk.person(who)
    said = words("log.dead", name=person.name)
    flow.emit("died", said, actor=who, actors=freed(flow.desk.state, who, life=Life("dead")))


def survives(flow: Flow, who: str) -> None:
    """実は生きていた: two points, endurance 1 once awake; for everybody else it looks like death (§6.3)."""
    person = flow.desk.person(who)
    price = person.tables.kp_uses["survive"].cost or 0
    left = max(0, person.endurance_max - person.actor.hunger_loss - 1)
    kp = person.actor.kp - price
    changes = (
        Change(who, "kp", person.actor.kp, kp, reason("use.survive", "§6.3")),
        Change(who, "endurance", person.endurance, 1, reason("use.survive", "§6.3")),
    )
    outcome = Outcome("survive", reason("use.survive", "§6.3"), changes=changes)
    actors = freed(flow.desk.state, who, kp=kp, wounds=left, life=Life("seeming_dead"))
    if secret(flow.desk.state, who):
        said = words("log.dead", name=person.name)
        flow.desk.emit(
            "survived", words("log.survived", name=person.name), actor=who, outcome=outcome, audience=("gm",)
        )
        flow.emit("died", said, actor=who, actors=actors)
        return
    flow.emit("survived", words("log.survived", name=person.name), actor=who, outcome=outcome, actors=actors)


# ---------------------------------------------------------------- morale (§7.5)


def tests_morale(person: Person, amount: int) -> bool:
    """Supporting NPCs who were wounded and live; mooks only where the group says so (E29)."""
    minor = person.role.id == "support" or (person.mook and person.tables.rule.mook_morale)
    return person.actor.npc and minor and amount > 0 and person.endurance > 0 and person.actor.life.able


@modes.demands("morale", "log.morale")
def _morale_plan(state: State, strike: Strike) -> Plan:
    """Mind against 10 and the damage of this hit (C19)."""
    person, amount = Person(state.tables, state.actors[strike.target]), strike.damage or 0
    parts = (
        against("wound_base", person.tables.number("wound_base"), words("part.base"), "§7.5"),
        against("damage", amount, words("part.this_hit"), "§7.5"),
    )
    return plan(person, "morale", person.means("mind"), parts, title=reason("title.morale", "§7.5"))


@modes.after("morale")
def _morale_stands(flow: Flow) -> None:
    check = flow.strike.after
    if check is not None and not check.success:
        person = flow.target
        said = words("log.broken", name=person.name)
        actors = freed(flow.desk.state, person.id, life=Life("incapacitated"))
        flow.emit("life", said, actor=person.id, actors=actors, life="incapacitated")


# ---------------------------------------------------------------- parried all the same (§7.8)


@modes.on_parried
def _through(flow: Flow) -> None:
    """Damage through the parry, and weapons broken by a critical: one damage roll serves both."""
    attacker = flow.attacker
    skill = attacker.arm_means(flow.strike.arm).what
    through = attacker.has(skill, "damage_through_parry")
    breaks = attacker.has(skill, "weapon_break") and flow.strike.defence_arm
    if not (through or breaks) or not modes.MODES[flow.strike.mode].damages:
        return
    found = roll(flow, blow_of(flow, parried=True))
    outcome = found.outcome
    if breaks and found.critical:
        outcome = _broken(flow, outcome)
    if through:
        flow.put(damage=found.amount)
        said = words("log.through", name=attacker.name, target=flow.target.name, n=found.amount)
        hurt(flow, flow.strike.target, found.amount, outcome, said)
        return
    outcome = replace(outcome, total=None, modifiers=(), notes=(*outcome.notes, reason("note.break_only", "§7.8")))
    flow.emit("damage", words("log.break_try"), outcome=outcome, actor=attacker.id, target=flow.strike.target)


def _broken(flow: Flow, outcome: Outcome) -> Outcome:
    target, key = flow.target, flow.strike.defence_arm
    state = target.actor.arms.get(key)
    if state is None:
        return outcome
    name = target.arms[key].name
    arms = {**target.actor.arms, key: replace(state, broken=True, ready=False)}
    said = words("log.weapon_broken", name=target.name, weapon=name)
    flow.emit("broken", said, actor=target.id, actors={target.id: {"arms": arms}})
    change = Change(target.id, "weapon", name.ja, None, reason("effect.weapon_break", "§7.8"))
    return replace(outcome, changes=(*outcome.changes, change))


modes.mode(modes.ModeEntry("", _plain, deal))
modes.mode(modes.ModeEntry("minejuchi", _has_back, deal))
