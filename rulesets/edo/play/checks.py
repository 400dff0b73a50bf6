"""行為判定: planned, thrown, thrown again, made to succeed (rules §5.2, §6.2, §6.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulesets.edo.play.desk import Desk
from rulesets.edo.play.person import Means, Person
from rulesets.edo.play.state import Check
from rulesets.edo.play.words import reason, words
from rulesets.edo.tables import Edo
from rulesets.engine.outcome import Change, Die, Modifier, Outcome, Reason, keep_marks
from rulesets.engine.play import ALL, Audience
from rulesets.engine.text import Text

KEEP = 2
BEST = 12  # two sixes: what a roll can add at most


@dataclass(frozen=True, slots=True)
class Plan:
    """A roll before it is made. `against` are the summands of the difficulty, None = no difficulty (opposed rolls)."""

    who: str
    kind: str
    title: Reason
    means: Means
    against: tuple[Modifier, ...] | None
    penalties: tuple[Modifier, ...] = ()

    @property
    def difficulty(self) -> int | None:
        return None if self.against is None else sum(part.value for part in self.against)

    @property
    def value(self) -> int:
        """What is added to the dice; conditions count here when there is no difficulty (E49)."""
        return self.means.value + sum(part.value for part in self.penalties)

    @property
    def possible(self) -> bool:
        """Whether the best dice reach the difficulty (§6.3)."""
        return self.difficulty is None or self.value + BEST >= self.difficulty


def plan(
    person: Person,
    kind: str,
    means: Means,
    against: Iterable[Modifier] | None,
    *,
    title: Reason | None = None,
    conditions: bool = True,
) -> Plan:
    """A roll with the actor's conditions: added to the difficulty, or taken off the total without one (§5.4, E49)."""
    found = person.conditions() if conditions else ()
    name = title or Reason(means.name, "§5.2")
    if against is not None:
        return Plan(person.id, kind, name, means, (*against, *found))
    if person.tables.rule.conditions_in_opposed == "ignore":
        return Plan(person.id, kind, name, means, None)
    taken = tuple(Modifier(part.key, -part.value, "total", part.reason) for part in found)
    return Plan(person.id, kind, name, means, None, taken)


@dataclass(frozen=True, slots=True)
class Made:
    """A roll that was made: the check to keep, its outcome, and new values of the roller."""

    check: Check
    outcome: Outcome
    values: Mapping[str, Any]


def throw(desk: Desk, planned: Plan, *, check_id: str = "", audience: Audience = ALL) -> Made:
    """Throw the dice of a plan."""
    empty = Outcome(
        kind=planned.kind,
        title=planned.title,
        target=planned.difficulty,
        modifiers=(*planned.means.parts, *planned.penalties, *(planned.against or ())),
    )
    check = Check(
        id=check_id or desk.new_id("r"),
        who=planned.who,
        kind=planned.kind,
        what=planned.means.what,
        dice=planned.means.dice,
        value=planned.value,
        difficulty=planned.difficulty,
        audience=audience,
        outcome=empty.as_json(),
    )
    return _thrown(desk, check, {})


def again(desk: Desk, check: Check, cost: int) -> Made:
    """The reroll of a failed roll: the old dice are void (§6.3)."""
    person = desk.person(check.who)
    lost = 0 if desk.tables.rule.keep_point_from_discarded_roll else check.gained
    kp = max(0, person.actor.kp - cost - lost)
    why = reason("use.reroll", "§6.3")
    return _thrown(desk, replace(check, rerolls=check.rerolls + 1), {"kp": kp}, (_kp_change(person, kp, why),))


def _thrown(desk: Desk, check: Check, values: Mapping[str, Any], changes: tuple[Change, ...] = ()) -> Made:
    person = desk.person(check.who)
    why = reason("dice.three" if check.dice == 3 else "dice.two", "§5.2")
    thrown = desk.throw(check.dice, why)
    faces = tuple(die.face for die in thrown)
    dice = tuple(replace(die, kept=kept) for die, kept in zip(thrown, keep_marks(faces, KEEP), strict=True))
    total = check.value + sum(die.face for die in dice if die.kept)
    success = None if check.difficulty is None else total >= check.difficulty
    kp = values.get("kp", person.actor.kp)
    gained, notes = gain(person, faces, kp)
    if gained:
        pair = reason("kp.pair", "§6.2")
        changes = (*changes, Change(check.who, "kp", kp, kp + gained, pair))
        values = {**values, "kp": kp + gained}
    base = Outcome.from_json(check.outcome)
    outcome = replace(_judged(base, total, success), dice=dice, changes=changes, notes=notes)
    made = replace(
        check,
        faces=faces,
        total=total,
        success=success,
        gained=gained,
        told=desk.told,
        turned=False,
        outcome=outcome.as_json(),
    )
    return Made(made, outcome, values)


def _judged(outcome: Outcome, total: int, success: bool | None) -> Outcome:
    if success is None or outcome.target is None:
        return replace(outcome, total=total, degree="", degree_label=None, margin=None)
    word = "success" if success else "failure"
    return replace(
        outcome, total=total, degree=word, degree_label=words(f"degree.{word}"), margin=total - outcome.target
    )


def gain(person: Person, faces: tuple[int, ...], kp: int) -> tuple[int, tuple[Reason, ...]]:
    """活劇点 earned by all dice thrown (§6.2), nothing beyond the limit (P13)."""
    if not person.gains or not any(faces.count(face) >= 2 for face in person.role.gain_pairs):
        return 0, ()
    if kp >= person.kp_limit:
        return 0, (Reason(person.tables.messages["P13"].text.format(n=person.kp_limit), "§6.1"),)
    return 1, ()


# ---------------------------------------------------------------- success without dice


def made_total(tables: Edo, difficulty: int) -> int:
    """The total of a success that was bought (E18)."""
    return difficulty + (2 if tables.rule.auto_success_total == "difficulty_plus_2" else 0)


def bought(desk: Desk, planned: Plan, cost: int, *, check_id: str = "", audience: Audience = ALL) -> Made:
    """Success without rolling: the total is the difficulty (§6.3, E18). The plan must have a difficulty."""
    person = desk.person(planned.who)
    difficulty = planned.difficulty or 0
    total = made_total(desk.tables, difficulty)
    kp = person.actor.kp - cost
    base = Outcome(
        kind=planned.kind,
        title=planned.title,
        target=difficulty,
        modifiers=planned.against or (),
        changes=(_kp_change(person, kp, reason("use.auto_success", "§6.3")),),
        notes=(reason("note.auto_success", "§6.3", inferred=True),),
    )
    outcome = _judged(base, total, True)
    check = Check(
        id=check_id or desk.new_id("r"),
        who=planned.who,
        kind=planned.kind,
        what=planned.means.what,
        dice=0,
        value=planned.value,
        difficulty=difficulty,
        total=total,
        success=True,
        auto=True,
        settled=True,
        audience=audience,
        outcome=outcome.as_json(),
    )
    return Made(check, outcome, {"kp": kp})


def turned(desk: Desk, check: Check, cost: int, difficulty: int | None = None) -> Made:
    """A failed roll becomes a success: its total is the difficulty (§6.3, E18)."""
    person = desk.person(check.who)
    needed = check.difficulty if difficulty is None else difficulty
    total = made_total(desk.tables, needed or 0)
    kp = person.actor.kp - cost
    base = Outcome.from_json(check.outcome)
    note = reason("note.turned", "§6.3", inferred=True, total=check.total)
    outcome = _judged(replace(base, target=needed), total, True)
    outcome = replace(
        outcome,
        dice=tuple(replace(die, kept=False) for die in base.dice),
        changes=(_kp_change(person, kp, reason("use.turn_failure", "§6.3")),),
        notes=(note,),
    )
    made = replace(check, total=total, success=True, turned=True, settled=True, outcome=outcome.as_json())
    return Made(made, outcome, {"kp": kp})


def _kp_change(person: Person, after: int, why: Reason) -> Change:
    return Change(person.id, "kp", person.actor.kp, after, why)


# ---------------------------------------------------------------- small words


def against(key: str, value: int, text: Text, rule: str, *, inferred: bool = False) -> Modifier:
    """One summand of a difficulty."""
    return Modifier(key, value, "target", Reason(text, rule, inferred))


def dice_of(outcome: Outcome) -> tuple[Die, ...]:
    return outcome.all_dice()
