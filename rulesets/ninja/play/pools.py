"""Dice and difficulty of a test with every reason (rules §4.1–§4.3, §4.6, §6.5), and the throw itself."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rulesets.engine.outcome import Die, Modifier, Outcome, Reason
from rulesets.ninja import ladder
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.words import reason, words


@dataclass(frozen=True)
class Plan:
    """What a test rolls. `parts` are the reasons of dice (`to` dice) and difficulty (`to` difficulty)."""

    who: str
    dice: int
    rank: int
    parts: tuple[Modifier, ...]
    title: Reason

    @property
    def level(self) -> ladder.Level:
        return ladder.Level(self.rank)


@dataclass(frozen=True)
class Made:
    """A throw: its faces, its successes, its outcome."""

    faces: tuple[int, ...]
    successes: int
    outcome: Outcome


def plan(
    person: Person,
    key: str,
    base: int,
    title: Reason,
    *,
    shifts: tuple[Modifier, ...] = (),
    more: tuple[Modifier, ...] = (),
) -> Plan:
    """Dice of a derived value and what is added, at a base rank with all shifts summed first and applied once."""
    label = person.tables.label(key) if key in person.tables.labels else words("part.best")
    parts = [Modifier(key, person.dice(key), "dice", Reason(label, "§4.3")), *more]
    dice = max(0, sum(part.value for part in parts))
    if dice == 0 and not person.tables.rule.zero_pool_fails:
        parts.append(Modifier("least", 1, "dice", reason("part.least", "§4.2", True)))
        dice = 1
    rank = ladder.shifted(base, (shift.value for shift in shifts), ladder.floor_of(person.tables))
    return Plan(person.id, dice, rank, (*parts, *(shift for shift in shifts if shift.value)), title)


def shift(key: str, value: int, rule: str, inferred: bool = False) -> Modifier:
    return Modifier(key, value, "difficulty", reason(f"part.{key}", rule, inferred))


def own_shifts(person: Person, typed: int = 0) -> tuple[Modifier, ...]:
    """Shifts on an own, voluntary action of this moment: cartwheel, focus, what the GM adds (§6.5)."""
    rule, actor = person.tables.rule, person.actor
    found = []
    if actor.cartwheel_penalty:
        found.append(shift("cartwheel", rule.cartwheel_penalty, "§5.5"))
    if actor.focus:
        found.append(shift("focus", rule.focus_shift, "§4.10", True))
    if typed:
        found.append(shift("typed", typed, "§4.1"))
    return tuple(found)


def throw(desk: Desk, planned: Plan, *, mark_sixes: int = 0) -> Made:
    """Throw a plan. `mark_sixes`: from so many sixes on they are marked as a critical."""
    dice = desk.throw(planned.dice, planned.title)
    return judged(planned, dice, mark_sixes=mark_sixes)


def judged(planned: Plan, dice: tuple[Die, ...], *, mark_sixes: int = 0) -> Made:
    faces = tuple(die.face for die in dice)
    target, sixes = planned.level.target, faces.count(ladder.SIDES)
    critical = bool(mark_sixes) and sixes >= mark_sixes
    shown = tuple(replace(die, kept=die.face >= target, mark=_mark(die.face, target, critical)) for die in dice)
    found = ladder.successes(faces, planned.rank)
    outcome = Outcome(
        "test",
        planned.title,
        degree="success" if found else "failure",
        degree_label=words("degree.success" if found else "degree.failure"),
        total=found,
        dice=shown,
        modifiers=planned.parts,
        notes=(Reason(words("note.level", level=planned.level.shown), "§4.1"),),
    )
    return Made(faces, found, outcome)


def _mark(face: int, target: int, critical: bool) -> str:
    if face == ladder.SIDES:
        return "critical" if critical else "six"
    return "success" if face >= target else ""


def quick(desk: Desk, person: Person, count: int) -> tuple[Modifier, ...]:
    """即応ダイス declared for a test (§4.6). Refuses P58 without so many, and beyond the limit of the group (E09)."""
    if not count:
        return ()
    most = desk.tables.rule.quick_dice_most
    have = min(person.actor.quick, most) if most else person.actor.quick
    if count > have:
        desk.refuse("P58", label=desk.tables.label("quick_dice"), n=have)
    return (Modifier("quick", min(count, person.actor.quick), "dice", reason("part.quick", "§4.6")),)
