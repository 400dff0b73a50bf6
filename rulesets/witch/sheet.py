"""The flat fields of a witch or a cat, read with care: drafts may hold anything.

kind = witch | cat · age, birthday.month, birthday.day, partner, hp, factors.<id>
witch: common_name, true_name, gender, name_letters, skills.<1…20>.name / .factor / .value / .dice / .rolled,
       sign_card, shadow_card, power.<0…28> (0 is ＊)
cat:   whisker_name, tail_name, sex, color, pattern, mp, spells.<id> = true
rolled.factors / hp / mp / power / cards / color / sex: the dice of a creation step, kept as evidence (`"3,5,2"`)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from rulesets.engine.problems import Value
from rulesets.protocol import Fields
from rulesets.witch.rows import COLUMNS, Factor
from rulesets.witch.tables import TABLES, Witch

Sort = Literal["number", "text", "choice", "flag", "dice"]
Kind = Literal["witch", "cat"]

MAX_SKILLS = 20
TEXT_MAX = {"common_name": 60, "true_name": 60, "whisker_name": 60, "tail_name": 60, "gender": 20, "partner": 80}
SKILL_NAME_MAX = 40
DICE_MAX = 400
ROLLED = {"witch": ("factors", "hp", "power", "cards"), "cat": ("factors", "hp", "mp", "color", "sex")}
_BOTH: Mapping[str, Sort] = {
    "kind": "choice",
    "age": "number",
    "birthday.month": "number",
    "birthday.day": "number",
    "partner": "text",
    "hp": "number",
}
_OF: Mapping[Kind, Mapping[str, Sort]] = {
    "witch": {
        "common_name": "text",
        "true_name": "text",
        "gender": "text",
        "name_letters": "text",
        "sign_card": "number",
        "shadow_card": "number",
    },
    "cat": {
        "whisker_name": "text",
        "tail_name": "text",
        "sex": "choice",
        "color": "choice",
        "pattern": "choice",
        "mp": "number",
    },
}
_SKILL = re.compile(r"skills\.([1-9]|1[0-9]|20)\.(name|factor|value|dice|rolled)", re.ASCII)
_POWER = re.compile(r"power\.(0|[1-9]|1[0-9]|2[0-8])", re.ASCII)
_SKILL_SORTS: Mapping[str, Sort] = {
    "name": "text",
    "factor": "choice",
    "value": "number",
    "dice": "number",
    "rolled": "dice",
}
_FACES = re.compile(r"[0-9]{1,2}(,[0-9]{1,2})*", re.ASCII)


def _kinds_of(key: str) -> dict[Kind, Sort]:
    """Who may have a field, and what it holds."""
    if key in _BOTH:
        return dict.fromkeys(("witch", "cat"), _BOTH[key])
    found: dict[Kind, Sort] = {kind: _OF[kind][key] for kind in _OF if key in _OF[kind]}
    if found:
        return found
    head, _, rest = key.partition(".")
    base = TABLES.base
    if head == "factors":
        ids = {"witch": base.factors, "cat": base.cat_factors}
        return {kind: "number" for kind in _OF if rest in ids[kind]}
    if head == "rolled":
        return {kind: "dice" for kind in _OF if rest in ROLLED[kind]}
    if head == "spells" and rest in base.cat_spells:
        return {"cat": "flag"}
    if _POWER.fullmatch(key):
        return {"witch": "number"}
    skill = _SKILL.fullmatch(key)
    return {"witch": _SKILL_SORTS[skill[2]]} if skill else {}


def sort_of(key: str) -> Sort | None:
    """What a field holds; None for a key that is no field."""
    return next(iter(_kinds_of(key).values()), None)


def belongs_to(key: str, kind: str) -> bool:
    return kind in _kinds_of(key)


def text_limit(key: str) -> int:
    if key.startswith("skills.") and key.endswith(".name"):
        return SKILL_NAME_MAX
    return DICE_MAX if sort_of(key) == "dice" else TEXT_MAX.get(key, 60)


def whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def faces_of(text: object) -> tuple[int, ...] | None:
    """The faces of evidence such as `3,5,2`; None when there is none."""
    if not isinstance(text, str) or not _FACES.fullmatch(text):
        return None
    return tuple(int(face) for face in text.split(","))


def faces_text(faces: tuple[int, ...] | list[int]) -> str:
    return ",".join(map(str, faces))


@dataclass(frozen=True, slots=True)
class SkillRow:
    """A row of the skills as typed."""

    number: int
    name: str
    factor: Value
    value: Value
    dice: Value
    rolled: Value

    @property
    def path(self) -> str:
        return f"skills.{self.number}"


class Sheet:
    """A character's fields under some tables."""

    def __init__(self, fields: Fields, tables: Witch) -> None:
        self.fields = fields
        self.tables = tables

    @cached_property
    def kind(self) -> Kind | None:
        typed = self.fields.get("kind")
        return "witch" if typed == "witch" else "cat" if typed == "cat" else None

    def text(self, key: str) -> str:
        value = self.fields.get(key)
        return value.strip() if isinstance(value, str) else ""

    def number(self, key: str) -> int | None:
        return whole(self.fields.get(key))

    def faces(self, what: str) -> tuple[int, ...] | None:
        return faces_of(self.fields.get(f"rolled.{what}"))

    @property
    def name(self) -> str:
        return self.text("whisker_name" if self.kind == "cat" else "common_name")

    @property
    def factor_rows(self) -> Mapping[str, Factor]:
        return self.tables.factors_of(self.kind or "witch")

    @cached_property
    def factors(self) -> dict[str, int]:
        """The factors that have a value, in the order of their table."""
        found = {row: self.number(f"factors.{row}") for row in self.factor_rows}
        return {row: value for row, value in found.items() if value is not None}

    @cached_property
    def skills(self) -> tuple[SkillRow, ...]:
        """Rows of skills in which anything stands, by number."""
        found = []
        for number in range(1, MAX_SKILLS + 1):
            cells = {part: self.fields.get(f"skills.{number}.{part}") for part in _SKILL_SORTS}
            if any(value not in (None, "") for value in cells.values()):
                name = cells["name"].strip() if isinstance(cells["name"], str) else ""
                found.append(SkillRow(number, name, cells["factor"], cells["value"], cells["dice"], cells["rolled"]))
        return tuple(found)

    @cached_property
    def power(self) -> dict[int, int]:
        """The columns that have a number, ＊ (0) first."""
        found = {column: self.number(f"power.{column}") for column in COLUMNS}
        return {column: value for column, value in found.items() if value is not None}

    @property
    def spells(self) -> tuple[str, ...]:
        return tuple(row for row in self.tables.cat_spells if self.fields.get(f"spells.{row}") is True)

    @property
    def compared(self) -> tuple[int, ...]:
        """The columns among which the sign's must be the strongest (§13-9)."""
        return COLUMNS if self.tables.rule.compare_columns == "all29" else COLUMNS[1:]

    @property
    def strongest(self) -> tuple[int, ...]:
        found = {column: self.power[column] for column in self.compared if column in self.power}
        return tuple(column for column, value in found.items() if value == max(found.values()))

    @property
    def weakest(self) -> tuple[int, ...]:
        return tuple(column for column, value in self.power.items() if value == min(self.power.values()))
