"""The sheet under check with everything around it, and the repairs every check offers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from rulesets.engine.checking import Repair, Words
from rulesets.engine.text import Text
from rulesets.ninja import fields as labels
from rulesets.ninja.derived import Values
from rulesets.ninja.rows import AbilityId
from rulesets.ninja.sheet import Sheet
from rulesets.ninja.tables import Ninja
from rulesets.protocol import Context


@dataclass(frozen=True)
class Subject:
    sheet: Sheet
    context: Context

    @property
    def tables(self) -> Ninja:
        return self.sheet.tables

    @property
    def npc(self) -> bool:
        """NPCs follow no rule of creation (§8)."""
        return self.context.kind == "npc"

    @cached_property
    def values(self) -> Values:
        return Values(self.sheet)

    @cached_property
    def words(self) -> Words:
        return Words(self.tables.label)

    def label(self, key: str) -> Text:
        return labels.field_label(key, self.tables)

    def ability(self, ability: AbilityId) -> Text:
        return self.tables.abilities[ability].name

    def remove(self, key: str) -> Repair:
        return Repair(self.words.remove(self.label(key)), {key: None})

    def change(self, key: str, old: object, new: int, weight: int = 1) -> Repair:
        return Repair(self.words.change(self.label(key), old, new), {key: new}, weight=weight)

    def goto(self, key: str) -> Repair:
        return self.words.goto(key)
