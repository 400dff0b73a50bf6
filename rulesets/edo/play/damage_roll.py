"""The damage of one strike: what it is made of, thrown, and how likely each amount is (rules §7.8, §7.9)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rulesets.edo.arms import Arm
from rulesets.edo.play import modes
from rulesets.edo.play.flow import Flow
from rulesets.edo.play.person import Person
from rulesets.edo.play.state import Strike
from rulesets.edo.play.words import reason, words
from rulesets.edo.rows import Weapon
from rulesets.engine.odds import Dist, constant, die
from rulesets.engine.outcome import Die, Modifier, Outcome, Reason


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
