"""Points of the scratch build (rules §3.4). A random result is priced the same way, for comparison (§3.3)."""

from __future__ import annotations

from rulesets.engine.problems import CostLine
from rulesets.ninja.rows import AbilityId
from rulesets.ninja.sheet import Sheet


def price(sheet: Sheet, ability: AbilityId) -> int:
    """Points for an ability as created; 0 while it is open or negative."""
    return max(0, sheet.base.get(ability, 0)) * sheet.tables.abilities[ability].cost


def cost_lines(sheet: Sheet) -> tuple[CostLine, ...]:
    """One line for each ability that can be read; none for an NPC, which follows no budget (§8)."""
    if sheet.method == "npc":
        return ()
    return tuple(
        CostLine(ability, "abilities", sheet.tables.abilities[ability].name, price(sheet, ability), path, "§3.4")
        for ability in sheet.base
        for path in (f"abilities.{ability}",)
    )


def spent_on(sheet: Sheet) -> int:
    return sum(line.points for line in cost_lines(sheet))
