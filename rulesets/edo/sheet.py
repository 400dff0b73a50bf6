"""Flat build fields read as a sheet: typed where they can be typed, raw where a person still has to repair them.

Keys (rules §4; documents: interop/json-api.md §4.4):

    role · abilities.{mind,gi,body} · skills.<row>.{level,speciality,base} · endurance_bought · schools.<id> ·
    perks.<id> · style_skill · style_name · names.{family,office,given,stage} · status · occupation ·
    possessions.<n>.{id,text} · money_dice.<n>

`<row>` is a skill's id, or `id~n` for skills with a speciality and for a (forbidden) repeat.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from rulesets.edo.rows import ABILITIES, OWN_SCHOOLS, AbilityId, Perk, Role, School, Skill, Speciality
from rulesets.edo.tables import TABLES, Edo
from rulesets.engine.problems import Value
from rulesets.engine.text import Text, same
from rulesets.protocol import Fields

Sort = Literal["number", "flag", "choice", "text"]

NAME_PARTS: tuple[str, ...] = ("family", "office", "given", "stage")
MAX_ROWS = 99
# Longest text of a field; the rows of a saved sheet have the same room.
TEXT_MAX = {"names": 100, "status": 100, "occupation": 100, "style_name": 100, "possessions": 200, "speciality": 100}

_NUMBERED = r"(?:~[1-9][0-9]?)?"
_SKILL_KEY = re.compile(rf"skills\.([a-z]+)({_NUMBERED})\.(level|speciality|base)")
_PERK_KEY = re.compile(rf"perks\.([a-z0-9_]+)({_NUMBERED})")
_SCHOOL_KEY = re.compile(r"schools\.([a-z0-9_]{1,40})")
_POSSESSION_KEY = re.compile(r"possessions\.([1-9][0-9]?)\.(id|text)")
_MONEY_KEY = re.compile(r"money_dice\.([1-9])")
_PLAIN: Mapping[str, Sort] = {
    "role": "choice",
    "endurance_bought": "number",
    "style_skill": "choice",
    "style_name": "text",
    "status": "choice",
    "occupation": "choice",
    **{f"abilities.{ability}": "number" for ability in ABILITIES},
    **{f"names.{part}": "text" for part in NAME_PARTS},
}


def sort_of(key: str) -> Sort | None:
    """What kind of value a field holds; None for a key that no Edo draft has."""
    if key in _PLAIN:
        return _PLAIN[key]
    if match := _SKILL_KEY.fullmatch(key):
        return _skill_sort(match[1], match[3])
    if match := _PERK_KEY.fullmatch(key):
        return "flag" if match[1] in TABLES.base.perks else None
    if match := _SCHOOL_KEY.fullmatch(key):
        return "flag" if match[1] in TABLES.base.schools or match[1] in OWN_SCHOOLS else None
    if match := _POSSESSION_KEY.fullmatch(key):
        return "choice" if match[2] == "id" else "text"
    return "number" if _MONEY_KEY.fullmatch(key) else None


def _skill_sort(skill_id: str, part: str) -> Sort | None:
    skill = TABLES.base.skills.get(skill_id)
    if skill is None:
        return None
    if part == "level":
        return "number"
    if part == "speciality":
        return "text" if skill.many else None
    return "choice" if skill.base_by_gm else None


def row_parts(row: str) -> tuple[str, int]:
    """Skill id and number of a row key: `geino~2` -> ("geino", 2); a plain row has number 0."""
    skill_id, _, number = row.partition("~")
    return skill_id, int(number) if number.isdecimal() else 0


def text_limit(key: str) -> int:
    head, _, rest = key.partition(".")
    return TEXT_MAX["speciality"] if rest.endswith("speciality") else TEXT_MAX.get(head, 100)


def whole(value: Value) -> int | None:
    """A whole number, and no truth value, or None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


@dataclass(frozen=True)
class SkillEntry:
    """One skill of the sheet. `level` counts (0 while it cannot be read), `typed` is what stands in the field."""

    row: str
    skill: Skill
    typed: Value
    level: int
    speciality: str
    known: Speciality | None
    base: AbilityId
    base_typed: Value

    @property
    def path(self) -> str:
        return f"skills.{self.row}.level"

    @property
    def foreign(self) -> bool:
        """An entry of a language other than Japanese."""
        return self.skill.foreign_entries and (bool(self.speciality) or "~" in self.row)

    @property
    def needs_kind(self) -> bool:
        return self.skill.speciality or self.foreign

    @property
    def label(self) -> Text:
        """`剣術`, `芸能技能（踊り）`, `読み書き(蘭語)`; a kind that is not chosen yet is left out."""
        if not self.needs_kind or not self.speciality:
            return self.skill.name
        name, kind = self.skill.name, self.known.name if self.known else same(self.speciality)
        if self.foreign:
            return Text(f"{name.ja}({kind.ja})", f"{name.en} ({kind.en})")
        return Text(f"{name.ja}（{kind.ja}）", f"{name.en} ({kind.en})")

    @property
    def once_key(self) -> tuple[str, str] | None:
        """What may be there only once: the skill, for kinds the skill with its kind. None while the kind is open."""
        if not self.needs_kind:
            return self.skill.id, ""
        kind = self.known.id if self.known else self.speciality
        return (self.skill.id, kind) if kind else None


@dataclass(frozen=True)
class Possession:
    """A thing: a row of the lists (`id`), free words (`text`), or a row with words."""

    number: int
    id: Value
    text: Value

    @property
    def path(self) -> str:
        return f"possessions.{self.number}.{'id' if self.id is not None else 'text'}"

    def keys(self) -> tuple[str, str]:
        return f"possessions.{self.number}.id", f"possessions.{self.number}.text"


class Sheet:
    """Fields under one campaign's tables. Never raises, whatever the fields hold."""

    def __init__(self, fields: Fields, tables: Edo) -> None:
        self.fields = {key: value for key, value in fields.items() if value is not None}
        self.tables = tables

    def text(self, key: str) -> str:
        """A text field, trimmed; "" when it is empty or no text."""
        value = self.fields.get(key)
        return value.strip() if isinstance(value, str) else ""

    @cached_property
    def role(self) -> Role | None:
        return self.tables.roles.get(self.text("role"))

    @cached_property
    def abilities(self) -> dict[AbilityId, int]:
        """Abilities that are whole numbers, in order; values out of range included."""
        found = {ability: whole(self.fields.get(f"abilities.{ability}")) for ability in ABILITIES}
        return {ability: value for ability, value in found.items() if value is not None}

    @cached_property
    def bought(self) -> int:
        """Endurance bought, 0 while it cannot be read or is negative."""
        return max(0, whole(self.fields.get("endurance_bought")) or 0)

    @cached_property
    def skills(self) -> tuple[SkillEntry, ...]:
        """Every row in the order of the rules, repeats and kinds by number."""
        rows = {match[1] + match[2] for key in self.fields if (match := _SKILL_KEY.fullmatch(key))}
        order = {skill_id: place for place, skill_id in enumerate(self.tables.skills)}
        known = [row for row in rows if row_parts(row)[0] in order]
        return tuple(self._entry(row) for row in sorted(known, key=lambda row: _place(row, order)))

    def _entry(self, row: str) -> SkillEntry:
        skill = self.tables.skills[row_parts(row)[0]]
        typed = self.fields.get(f"skills.{row}.level")
        speciality = self.text(f"skills.{row}.speciality") if skill.many else ""
        known = self.tables.kinds.get((skill.id, speciality))
        base_typed = self.fields.get(f"skills.{row}.base") if skill.base_by_gm else None
        proposed = known.base if known is not None else skill.base
        base = next((ability for ability in ABILITIES if ability == base_typed), proposed)
        level = max(0, whole(typed) or 0)
        return SkillEntry(row, skill, typed, level, speciality, known, base, base_typed)

    def entry(self, row: str) -> SkillEntry | None:
        return next((entry for entry in self.skills if entry.row == row), None)

    def level(self, skill_id: str) -> int:
        """Level of a skill without a kind (literacy: of Japanese); 0 = not learned."""
        levels = (entry.level for entry in self.skills if entry.skill.id == skill_id and not entry.foreign)
        return max(levels, default=0)

    def effective(self, entry: SkillEntry) -> int | None:
        """Base ability + level; None while the ability is open."""
        ability = self.abilities.get(entry.base)
        return None if ability is None else ability + entry.level

    @cached_property
    def martial(self) -> tuple[SkillEntry, ...]:
        return tuple(entry for entry in self.skills if entry.skill.group == "martial")

    @cached_property
    def chosen_schools(self) -> tuple[str, ...]:
        """Ids of ticked schools, known or not, in the order of the lists."""
        ticked = {match[1] for key in self._ticked if (match := _SCHOOL_KEY.fullmatch(key))}
        order = [*self.tables.all_schools, *sorted(ticked)]
        return tuple(sorted(ticked, key=order.index))

    @cached_property
    def schools(self) -> tuple[School, ...]:
        known = self.tables.all_schools
        return tuple(known[school] for school in self.chosen_schools if school in known)

    @cached_property
    def perk_rows(self) -> tuple[tuple[str, Perk], ...]:
        """Field key and perk of every ticked perk; a repeat has a key with `~n`."""
        found = [(key, match[1], match[2]) for key in self._ticked if (match := _PERK_KEY.fullmatch(key))]
        order = list(self.tables.perks)
        rows = [(key, perk, number) for key, perk, number in found if perk in self.tables.perks]
        rows.sort(key=lambda row: (order.index(row[1]), row[2]))
        return tuple((key, self.tables.perks[perk]) for key, perk, _ in rows)

    @property
    def _ticked(self) -> list[str]:
        return [key for key, value in self.fields.items() if value is True]

    @property
    def has_style(self) -> bool:
        return bool(self.schools or self.perk_rows)

    @cached_property
    def possessions(self) -> tuple[Possession, ...]:
        numbers = {int(match[1]) for key in self.fields if (match := _POSSESSION_KEY.fullmatch(key))}
        rows = (
            Possession(n, self.fields.get(f"possessions.{n}.id"), self.fields.get(f"possessions.{n}.text"))
            for n in sorted(numbers)
        )
        return tuple(rows)

    @cached_property
    def money_dice(self) -> dict[str, Value]:
        """Faces of starting cash by field key, in order."""
        return {key: self.fields[key] for key in sorted(self.fields) if _MONEY_KEY.fullmatch(key)}


def _place(row: str, order: Mapping[str, int]) -> tuple[int, int]:
    skill_id, number = row_parts(row)
    return order[skill_id], number
