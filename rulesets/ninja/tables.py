"""The game's tables: what the files in `data/` hold together, and what must fit across them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

from rulesets.engine.house_rules import HouseRuleRow, HouseRules
from rulesets.engine.tables import Fault, Message, Rows, Settings, TableSet, Wording
from rulesets.engine.text import Text
from rulesets.ninja.rows import (
    Ability,
    AutoSkill,
    Background,
    Condition,
    Critical,
    Cyberware,
    Difficulty,
    DkkEvent,
    Downtime,
    Entry,
    Heat,
    Item,
    Jitsu,
    Knowledge,
    LoadStep,
    NamePart,
    Negotiation,
    PresetRow,
    Shock,
    Skill,
    Style,
    TestKind,
    Wall,
)
from rulesets.ninja.rules import Rules


@dataclass(frozen=True)
class Ninja:
    """All tables of the game under one campaign's house rules."""

    abilities: Rows[Ability]
    difficulties: Rows[Difficulty]
    tests: Rows[TestKind]
    auto_skills: Rows[AutoSkill]
    styles: Rows[Style]
    walls: Rows[Wall]
    downtime: Rows[Downtime]
    jitsu: Rows[Jitsu]
    skills: Rows[Skill]
    items: Rows[Item]
    cyberware: Rows[Cyberware]
    cyber_load: Rows[LoadStep]
    name_parts: Rows[NamePart]
    knowledge_groups: Rows[Wording]
    knowledge: Rows[Knowledge]
    negotiation: Rows[Negotiation]
    backgrounds: Rows[Background]
    criticals: Rows[Critical]
    entries: Rows[Entry]
    shocks: Rows[Shock]
    conditions: Rows[Condition]
    heat: Rows[Heat]
    dkk_events: Rows[DkkEvent]
    presets: Rows[PresetRow]
    rules: Settings[Rules]
    messages: Rows[Message]
    reasons: Rows[Wording]
    labels: Rows[Wording]
    play_labels: Rows[Wording]
    house_rules: Rows[HouseRuleRow]
    house_groups: Rows[Wording]

    @property
    def rule(self) -> Rules:
        return self.rules.values

    def label(self, label_id: str) -> Text:
        return self.labels[label_id].text

    @cached_property
    def lore(self) -> Mapping[str, Text]:
        """Knowledge and negotiation skills by id: `知識：銃器`, `交渉：威圧`."""
        known = {row.id: Text(f"知識：{row.name.ja}", f"Knowledge: {row.name.en}") for row in self.knowledge.values()}
        return known | {row.id: row.name for row in self.negotiation.values()}

    @cached_property
    def start_skills(self) -> Mapping[int, Skill]:
        return {row.roll: row for row in self.skills.values() if row.roll is not None}

    @cached_property
    def start_items(self) -> Mapping[int, Item]:
        return {row.roll: row for row in self.items.values() if row.roll is not None}

    @cached_property
    def start_cyberware(self) -> Mapping[int, Cyberware]:
        return {row.roll: row for row in self.cyberware.values() if row.roll is not None}

    def wall(self, level: int) -> Wall:
        """The wall of a level; the highest known one beyond it."""
        rows = list(self.walls.values())
        return next((row for row in rows if row.level == level), rows[-1])

    def load_step(self, load: int) -> LoadStep | None:
        """The step of cyber load that applies, None below the first."""
        return next((row for row in reversed(list(self.cyber_load.values())) if row.least <= load), None)


# ---------------------------------------------------------------- what must fit together


def _missing(table: str, row: str, cell: str, ids: Iterable[str], known: Iterable[str]) -> Iterator[Fault]:
    for wrong in sorted(set(ids) - set(known)):
        yield Fault(table, row, cell, f"{wrong!r} names nothing")


def _rolls(table: str, rolls: Iterable[int], wanted: Iterable[int]) -> Iterator[Fault]:
    if sorted(rolls) != sorted(wanted):
        yield Fault(table, "", "roll", "every face exactly once")


_D66 = [10 * tens + ones for tens in range(1, 7) for ones in range(1, 7)]
_CAPS_FALL = Text("上限は壁を破るほど高いか同じにしてください。", "Caps must not fall from one wall to the next.")


def cross_check(tables: Ninja) -> Iterator[Fault]:
    """Ids that name nothing, faces without a row, caps that fall."""
    weapons = {"melee", "katana", "shoot", "any"}
    for style in tables.styles.values():
        yield from _missing("styles", style.id, "weapons", style.weapons, weapons)
        yield from _missing("styles", style.id, "needs_skill", filter(None, [style.needs_skill]), tables.skills)
    for skill in tables.knowledge.values():
        yield from _missing("knowledge", skill.id, "group", [skill.group], tables.knowledge_groups)
    for row in tables.backgrounds.values():
        yield from _missing("backgrounds", row.id, "skills", row.skills, tables.lore)
        yield from _missing("backgrounds", row.id, "items", row.items, tables.items)
        yield from _missing("backgrounds", row.id, "gains", row.gains, tables.skills)
        yield from _missing("backgrounds", row.id, "cyber", row.cyber, tables.cyberware)
    for preset in tables.presets.values():
        yield from _missing("presets", preset.id, "skills", preset.skills, tables.skills)
        yield from _missing("presets", preset.id, "weapons", preset.weapons, tables.items)
    yield from _rolls("jitsu", (row.roll for row in tables.jitsu.values() if row.roll), range(1, 6))
    for table, rolls in (
        ("skills", tables.start_skills),
        ("items", tables.start_items),
        ("cyberware", tables.start_cyberware),
    ):
        yield from _rolls(table, rolls, range(1, 7))
    yield from _rolls("criticals", (row.roll for row in tables.criticals.values()), range(1, 7))
    yield from _rolls("entries", (row.roll for row in tables.entries.values()), range(1, 7))
    yield from _rolls("shocks", (row.roll for row in tables.shocks.values()), range(1, 8))
    yield from _rolls("knowledge", (row.roll for row in tables.knowledge.values()), _D66)
    yield from _rolls("backgrounds", (row.roll for row in tables.backgrounds.values()), _D66)
    for half in ("a", "b"):
        yield from _rolls("name_parts", (row.roll for row in tables.name_parts.values() if row.table == half), _D66)
    walls = list(tables.walls.values())
    for lower, higher in pairwise(walls):
        for cell in ("cap", "cap_jitsu", "fame"):
            if getattr(higher, cell) < getattr(lower, cell):
                yield Fault("walls", higher.id, cell, "falls", message=_CAPS_FALL)


TABLES: TableSet[Ninja] = TableSet(Path(__file__).parent / "data", Ninja, cross_check)
HOUSE_RULES: HouseRules[Ninja] = HouseRules(TABLES)
