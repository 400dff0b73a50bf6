"""What everything costs (rules §4.1–§4.3, §4.6, §4.7, summed in §4.10)."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.edo.sheet import Sheet, SkillEntry
from rulesets.edo.tables import Edo
from rulesets.engine.problems import CostLine
from rulesets.engine.tables import Scale, inferred
from rulesets.engine.text import Text
from rulesets.protocol import Fields


def cost_at(scale: Scale, value: int) -> int:
    """Cost of a value; below the table nothing, above it as its last step (such values are errors anyway)."""
    return 0 if value < scale.first else scale[min(value, scale.last)]


def skill_cost(tables: Edo, level: int) -> int:
    """Total cost of a skill level; 0 for a skill that is not learned."""
    return cost_at(tables.skill_cost, level)


def ability_cost(tables: Edo, value: int) -> int:
    """Total cost of an ability value; values an NPC may have below the table cost nothing (E36)."""
    return cost_at(tables.ability_cost, value)


def cost_lines(sheet: Sheet) -> tuple[CostLine, ...]:
    """Every thing that is paid for. The points of all lines add up to `spent`."""
    return (*_role(sheet), *_abilities(sheet), *_skills(sheet), *_schools(sheet), *_perks(sheet), *_endurance(sheet))


def spent_on(fields: Fields, tables: Edo) -> int:
    return sum(line.points for line in cost_lines(Sheet(fields, tables)))


def _role(sheet: Sheet) -> Iterator[CostLine]:
    role = sheet.role
    if role is not None:
        yield CostLine("role", "role", role.name, role.cost, "role", "§4.1", role.inferred_in("cost"))


def _abilities(sheet: Sheet) -> Iterator[CostLine]:
    scale = sheet.tables.ability_cost
    for ability, value in sheet.abilities.items():
        name = sheet.tables.abilities[ability].name
        label = Text(f"{name.ja}{value}", f"{name.en} {value}")
        key = f"abilities.{ability}"
        guess = value in scale and scale.inferred_at(value)
        yield CostLine(key, "abilities", label, ability_cost(sheet.tables, value), key, "§4.2", guess)


def _skills(sheet: Sheet) -> Iterator[CostLine]:
    scale = sheet.tables.skill_cost
    for entry in sheet.skills:
        if entry.level:
            guess = entry.level in scale and scale.inferred_at(entry.level)
            points = skill_cost(sheet.tables, entry.level)
            yield CostLine(f"skills.{entry.row}", "skills", with_level(sheet, entry), points, entry.path, "§4.3", guess)


def with_level(sheet: Sheet, entry: SkillEntry) -> Text:
    return sheet.tables.label("skill_with_level").format(skill=entry.label, n=entry.level)


def _endurance(sheet: Sheet) -> Iterator[CostLine]:
    if sheet.bought:
        each = sheet.tables.rule.endurance_cost
        label = Text(f"耐久点 {sheet.bought}×{each}", f"endurance {sheet.bought} × {each}")
        guess = sheet.tables.rules.inferred_in("endurance_cost")
        yield CostLine("endurance", "endurance", label, sheet.bought * each, "endurance_bought", "§4.6", guess)


def _schools(sheet: Sheet) -> Iterator[CostLine]:
    for school in sheet.schools:
        key = f"schools.{school.id}"
        yield CostLine(key, "school", school.name, school.cost, key, "§4.7", inferred(school.source_of("cost")))


def _perks(sheet: Sheet) -> Iterator[CostLine]:
    """Perks one by one; a drawback's refund never pays for anything else, so the sum stops at 0."""
    total = 0
    for key, perk in sheet.perk_rows:
        total += perk.cost
        yield CostLine(key, "own_style", perk.name, perk.cost, key, "§4.7", perk.inferred_in("cost"))
    if total < 0:
        yield CostLine("own_style.lost", "own_style", sheet.tables.label("surplus_lost"), -total, "", "§4.7")


def lost_refund(sheet: Sheet) -> int:
    """Points of drawbacks that pay for nothing (V21)."""
    return max(0, -sum(perk.cost for _, perk in sheet.perk_rows))
