"""Damage, what it does, and dying (rules §7.8, §7.9, §6.3 `survive`, §7.5 morale)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from rulesets.edo.arms import Arm
from rulesets.edo.play import modes
from rulesets.edo.play.checks import against, plan
from rulesets.edo.play.daily import care_after_hit
from rulesets.edo.play.flow import Flow
from rulesets.edo.play.kp import bar
from rulesets.edo.play.masks import health_of, secret
from rulesets.edo.play.person import Person
from rulesets.edo.play.state import Life, Strike
from rulesets.edo.play.words import reason, words
from rulesets.edo.rows import Ranged, Weapon
from rulesets.engine.odds import Dist, constant, die
from rulesets.engine.outcome import Change, Die, Modifier, Outcome, Reason
from rulesets.engine.text import Text


@dataclass(frozen=True, slots=True)
class Blow:
    """What decides the damage of one strike beside the dice."""

    attacker: Person
    target: Person
    arm: Arm
    skill: str
    first: bool = False
    far: bool = False
    minejuchi: bool = False
    parried: bool = False

    @property
    def faces(self) -> frozenset[int]:
        """Damage dice that are critical; none without an edge or with the back of the blade."""
        if not self.arm.can_crit or self.minejuchi:
            return frozenset()
        found = self.attacker.effects(self.skill, "crit_face")
        return frozenset({6, *(source.effect.value for source in found)})


def blow_of(flow: Flow, *, parried: bool = False) -> Blow:
    return blow(flow.attacker, flow.target, flow.strike, parried=parried)


def blow(attacker: Person, target: Person, strike: Strike, *, parried: bool = False) -> Blow:
    return Blow(
        attacker,
        target,
        attacker.arms[strike.arm],
        attacker.arm_means(strike.arm).what,
        first=strike.first,
        far=strike.shot is not None and strike.shot.far,
        minejuchi=strike.mode == "minejuchi",
        parried=parried,
    )


def computed(hit: Blow, face: int, more: int) -> tuple[int, tuple[Modifier, ...]]:
    """Damage that gets through for a die and the sum of its critical dice, with every step (§7.9, E23)."""
    total, steps = face + more, []
    for step in _steps(hit, face, more):
        after = step.change(total)
        if after != total:
            steps.append(Modifier(step.key, after - total, "damage", step.why))
        total = after
    return total, tuple(steps)


@dataclass(frozen=True, slots=True)
class _Step:
    key: str
    why: Reason
    add: int = 0
    times: int = 1
    halves: int = 0
    floor: bool = False

    def change(self, total: int) -> int:
        if self.floor:
            return max(0, total)
        return (total + self.add) * self.times >> self.halves


def _steps(hit: Blow, face: int, more: int) -> Iterator[_Step]:
    x, y, arm = hit.attacker, hit.target, hit.arm
    tables, guess = x.tables, False
    floor = _Step("floor", reason("part.floor", "§7.9", inferred=True), floor=True)
    yield _Step("weapon", Reason(words("part.weapon", weapon=arm.name), "§7.6"), arm.add)
    if isinstance(arm, Weapon) and arm.uses_body:
        yield _Step("extra_damage", reason("part.extra_damage", "§4.6", n=x.body, inferred=guess), x.extra_damage)
    if isinstance(arm, Weapon) and arm.kenpo_half:
        yield _Step("kenpo_half", reason("part.kenpo_half", "§7.6"), x.level("kenpo") // 2)
    yield floor
    if hit.first:
        for source in x.effects(hit.skill, "damage_times"):
            yield _Step("first_strike", Reason(source.name, "§7.8"), times=source.effect.value)
    if hit.far:
        yield _Step("far", Reason(tables.numbers["far_damage"].name, "§7.7"), tables.number("far_damage"))
    if y.actor.mounted and isinstance(arm, Weapon):
        row = modes.mounted_row(y, arm.reach)
        why = reason("part.mounted", "§7.12", reach=row.name)
        yield _Step("mounted", why, row.damage_add, halves=int(row.damage_half))
    if hit.minejuchi:
        yield _Step("minejuchi", reason("part.minejuchi", "§7.10"), halves=1)
    yield floor
    if hit.parried:
        yield _Step("target_body", reason("part.target_body", "§7.8", n=y.body), -y.body)
        yield floor
    yield _armour(hit, face, more)
    yield floor


def _armour(hit: Blow, face: int, more: int) -> _Step:
    """Armour: doubled far away, halved by 鹿島, void against a critical 6 (E25 for a critical 3)."""
    y, tables = hit.target, hit.attacker.tables
    value = y.worn.value * (tables.number("far_armour_times") if hit.far else 1)
    if hit.attacker.has(hit.skill, "target_armour_half"):
        value //= 2
    void = face in hit.faces and (face == 6 or tables.rule.crit_on_three_ignores_armour)
    return _Step("armour", Reason(y.worn.name, "§7.11"), 0 if void else -value)


# ---------------------------------------------------------------- thrown


@dataclass(frozen=True, slots=True)
class Dealt:
    amount: int
    critical: bool
    outcome: Outcome


def roll(flow: Flow, hit: Blow) -> Dealt:
    """Throw the damage of a strike: a critical adds one die, more only where the group chains them (E24)."""
    first = flow.desk.die(Reason(words("part.damage_die", weapon=hit.arm.name), "§7.9"))
    critical = first.face in hit.faces
    dice: list[Die] = [replace(first, mark="critical") if critical else first]
    chain, more = critical, 0
    while chain:
        extra = flow.desk.die(reason("part.critical", "§7.9"))
        more += extra.face
        chain = hit.attacker.tables.rule.crit_chain and extra.face in hit.faces
        dice.append(extra)
    amount, steps = computed(hit, first.face, more)
    notes: tuple[Reason, ...] = ()
    if critical and first.face == 6 and hit.target.worn.value:
        notes = (reason("note.armour_void", "§7.11"),)
    outcome = Outcome(
        kind="damage",
        title=Reason(words("log.damage", weapon=hit.arm.name), "§7.9"),
        degree="critical" if critical else "",
        degree_label=words("degree.critical") if critical else None,
        total=amount,
        dice=tuple(dice),
        modifiers=steps,
        notes=notes,
    )
    return Dealt(amount, critical, outcome)


def distribution(hit: Blow) -> Dist[int]:
    """How likely each amount is, for forecasts."""

    def more(face: int) -> Dist[tuple[int, int]]:
        if face not in hit.faces:
            return constant((face, 0))
        return _chain(hit, 4).map(lambda extra: (face, extra))

    return die(6).then(more).map(lambda found: computed(hit, *found)[0]).reduced()


def _chain(hit: Blow, depth: int) -> Dist[int]:
    if not hit.attacker.tables.rule.crit_chain or depth == 0:
        return die(6)
    deeper = _chain(hit, depth - 1)
    return die(6).then(lambda f: deeper.map(lambda extra: f + extra) if f in hit.faces else constant(f))


# ---------------------------------------------------------------- dealt


def deal(flow: Flow) -> None:
    """The damage of a strike that nobody stopped."""
    found = roll(flow, blow_of(flow))
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
    values = {**released(flow, who), who: {"life": Life("dead"), "holds": "", "held_by": "", "choke": None}}
    said = words("log.dead", name=person.name)
    flow.emit("died", said, actor=who, actors=values)


def released(flow: Flow, who: str) -> dict[str, dict[str, Any]]:
    """Whoever held or was held by somebody is free."""
    actor = flow.desk.state.actors[who]
    found: dict[str, dict[str, Any]] = {}
    if actor.holds:
        found[actor.holds] = {"held_by": ""}
    if actor.held_by:
        found[actor.held_by] = {"holds": "", "choke": None}
    return found


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
    values: dict[str, Any] = {"kp": kp, "wounds": left, "life": Life("seeming_dead")}
    values |= {"holds": "", "held_by": "", "choke": None}
    actors = {**released(flow, who), who: values}
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


def morale(flow: Flow) -> None:
    """Throw the morale roll of whoever was just wounded."""
    person, amount = flow.target, flow.strike.damage or 0
    parts = (
        against("wound_base", person.tables.number("wound_base"), words("part.base"), "§7.5"),
        against("damage", amount, words("part.this_hit"), "§7.5"),
    )
    planned = plan(person, "morale", person.means("mind"), parts, title=reason("title.morale", "§7.5"))
    made = flow.throw(planned)
    flow.put(after=made.check)
    said = words("log.morale", name=person.name)
    flow.emit("rolled", said, outcome=made.outcome, of=person.id, actor=person.id, actors={person.id: made.values})


@modes.after("morale")
def _morale_stands(flow: Flow) -> None:
    check = flow.strike.after
    if check is not None and not check.success:
        person = flow.target
        said = words("log.broken", name=person.name)
        actors = {
            **released(flow, person.id),
            person.id: {"life": Life("incapacitated"), "holds": "", "held_by": "", "choke": None},
        }
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


__all__ = ["Blow", "Ranged", "blow", "computed", "deal", "distribution", "health_of", "hurt", "released", "survives"]
