"""Abilities: their ranges, the points of the scratch build, the recorded dice, the walls (rules §3.3, §3.4, §9.3)."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.engine.checking import Finding, Repair
from rulesets.engine.problems import Level
from rulesets.ninja.costs import spent_on
from rulesets.ninja.rows import ABILITIES, AbilityId
from rulesets.ninja.sheet import Sheet
from rulesets.ninja.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    if subject.npc:
        return
    method = subject.sheet.method
    if not method:
        yield Finding("B32", "method", repairs=(subject.goto("method"),))
    for ability in ABILITIES:
        yield from _range(subject, ability)
        yield from _wall(subject, ability)
    if method == "scratch":
        yield from _points(subject)
    if method == "random" and subject.tables.rule.dice_strict:
        yield from _dice(subject)


def bounds(subject: Subject, ability: AbilityId) -> tuple[int, int]:
    """Lowest and highest value at creation by the method (§3.1)."""
    rule, row = subject.tables.rule, subject.tables.abilities[ability]
    if subject.sheet.method == "random":
        return row.least, row.random_most
    return row.least, rule.scratch_max_jitsu if ability == "jitsu" else rule.scratch_max


def _range(subject: Subject, ability: AbilityId) -> Iterator[Finding]:
    path = f"abilities.{ability}"
    value = subject.sheet.base.get(ability)
    if value is None:
        if path not in subject.sheet.fields:
            yield Finding("B33", path, {"ability": subject.ability(ability)}, repairs=(subject.goto(path),))
        return
    low, high = bounds(subject, ability)
    if low <= value <= high:
        return
    code = "B04" if ability == "jitsu" else "B02" if subject.sheet.method == "random" else "B03"
    nearest = min(max(value, low), high)
    params = {"ability": subject.ability(ability), "min": low, "max": high}
    yield Finding(code, path, params, nearest, value, repairs=(subject.change(path, value, nearest),))


def _wall(subject: Subject, ability: AbilityId) -> Iterator[Finding]:
    sheet, tables = subject.sheet, subject.tables
    base = sheet.base.get(ability)
    if base is None:
        return
    wall = tables.wall(sheet.count(f"walls.{ability}"))
    cap = wall.cap_jitsu if ability == "jitsu" else wall.cap
    growth = sheet.count(f"growth.{ability}")
    value = base + growth
    if growth and value > cap:
        path = f"growth.{ability}"
        fix = subject.change(path, growth, max(0, growth - (value - cap)))
        params = {"ability": subject.ability(ability), "cap": cap}
        yield Finding("B19", path, params, cap, value, repairs=(fix,))
    fame = sheet.count("fame")
    if wall.level and fame < wall.fame:
        path = f"walls.{ability}"
        params = {"n": wall.level, "fame": wall.fame}
        yield Finding("B29", path, params, wall.fame, fame, repairs=(subject.remove(path),))


def _points(subject: Subject) -> Iterator[Finding]:
    sheet, rule = subject.sheet, subject.tables.rule
    budget, used = rule.scratch_points, spent_on(sheet)
    params = {"n": abs(used - budget), "used": used, "budget": budget}
    if used > budget:
        yield Finding("B05", "", params, budget, used, repairs=tuple(_moves(subject, used - budget, -1)))
    elif used < budget:
        level: Level | None = "error" if rule.scratch_must_spend_all else None
        fixes = tuple(_moves(subject, budget - used, 1))
        yield Finding("B06", "", params, budget, used, level=level, repairs=fixes)


def _moves(subject: Subject, points: int, sign: int) -> Iterator[Repair]:
    """Single abilities that take so many points up or down; for too many, the lowest change that is enough."""
    sheet = subject.sheet
    for ability in ABILITIES:
        value, cost = sheet.base.get(ability), subject.tables.abilities[ability].cost
        if value is None:
            continue
        steps = -(-points // cost) if sign < 0 else points // cost
        low, high = bounds(subject, ability)
        new = value + sign * steps
        if steps and low <= new <= high and not (ability == "jitsu" and (new == 0) != (value == 0)):
            yield subject.change(f"abilities.{ability}", value, new, weight=steps)


def rolled(sheet: Sheet) -> dict[AbilityId, int]:
    """Abilities as the recorded 4D6 give them: the fourth die less 3 is ジツ (§3.3)."""
    dice = [sheet.number(f"dice.{n}") for n in range(1, 5)]
    if any(face is None or not 1 <= face <= 6 for face in dice):
        return {}
    faces = [face or 0 for face in dice]
    return {"karate": faces[0], "neuron": faces[1], "wazamae": faces[2], "jitsu": max(0, faces[3] - 3)}


def _dice(subject: Subject) -> Iterator[Finding]:
    wanted = rolled(subject.sheet)
    for ability in ABILITIES:
        value, path = subject.sheet.base.get(ability), f"abilities.{ability}"
        if value is None or wanted.get(ability) == value:
            continue
        params = {"ability": subject.ability(ability), "n": wanted.get(ability, "–")}
        fixes = (subject.change(path, value, wanted[ability]),) if wanted else ()
        yield Finding("B23", path, params, wanted.get(ability), value, repairs=fixes)
