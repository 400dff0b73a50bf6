"""The build document of a witch or a cat (rules §3.9, §4.7; interop/json-api.md §4.4), and the way to fields and back.

    {"kind":"witch","common_name":"ミナ","true_name":null,"gender":null,"age":13,"birthday":{"month":4,"day":9},
     "factors":{"strength":3,…},"skills":[{"name":"ほうき乗り","factor":"agility","value":8,"dice":2,"rolled":[4,4]}],
     "hp":{"max":13},"sign_card":7,"shadow_card":12,"magic_power":{"0":3,"1":4,…},"name_letters":null,
     "partner":"…","rolled":{"factors":[3,…],"hp":[4,3],"cards":[7,12],"power":[…]}}
    {"kind":"cat","whisker_name":"ススケ","tail_name":null,"age":1,"birthday":{…},"sex":"male","color":"common",
     "pattern":"tabby","factors":{…},"hp":{"max":10},"mp":{"max":9},"spells":["soft_paws"],"partner":"…","rolled":{…}}

`rolled` holds the dice of the creation as evidence. What changes in play is no part of it. A missing key and null mean
the same: not chosen. A document without `kind` is a witch's.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator

from rulesets.engine.problems import Problem, Value
from rulesets.engine.text import Text
from rulesets.protocol import Fields
from rulesets.witch.rows import COLUMNS
from rulesets.witch.sheet import MAX_SKILLS, ROLLED, SKILL_NAME_MAX, TEXT_MAX, Sheet, faces_of, faces_text, sort_of
from rulesets.witch.tables import TABLES

# What the columns of a saved sheet hold.
Count = Annotated[int, Field(ge=0, le=32767)]
Face = Annotated[int, Field(ge=0, le=29)]
Id = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Faces = Annotated[list[Face], Field(max_length=120)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class BirthdayDoc(_Strict):
    month: Count | None = None
    day: Count | None = None


class PoolDoc(_Strict):
    max: Count | None = None


class SkillDoc(_Strict):
    name: Annotated[str, StringConstraints(max_length=SKILL_NAME_MAX)] | None = None
    factor: Id | None = None
    value: Count | None = None
    dice: Count | None = None
    rolled: Faces | None = None


class _Doc(_Strict):
    age: Count | None = None
    birthday: BirthdayDoc = BirthdayDoc()
    factors: dict[Id, Count | None] = {}
    hp: PoolDoc = PoolDoc()
    partner: Annotated[str, StringConstraints(max_length=TEXT_MAX["partner"])] | None = None
    rolled: dict[str, Faces] = {}


class WitchDoc(_Doc):
    kind: Literal["witch"] | None = None
    common_name: Annotated[str, StringConstraints(max_length=TEXT_MAX["common_name"])] | None = None
    true_name: Annotated[str, StringConstraints(max_length=TEXT_MAX["true_name"])] | None = None
    gender: Annotated[str, StringConstraints(max_length=TEXT_MAX["gender"])] | None = None
    name_letters: Annotated[str, StringConstraints(max_length=60)] | None = None
    skills: Annotated[list[SkillDoc], Field(max_length=MAX_SKILLS)] = []
    sign_card: Count | None = None
    shadow_card: Count | None = None
    magic_power: dict[str, Count | None] = {}

    @field_validator("factors")
    @classmethod
    def _factors(cls, factors: dict[str, Any]) -> dict[str, Any]:
        return _known(factors, TABLES.base.factors, "factor")

    @field_validator("magic_power")
    @classmethod
    def _columns(cls, power: dict[str, Any]) -> dict[str, Any]:
        return _known(power, {str(column): None for column in COLUMNS}, "column")

    @field_validator("rolled")
    @classmethod
    def _rolled(cls, rolled: dict[str, Any]) -> dict[str, Any]:
        return _known(rolled, dict.fromkeys(ROLLED["witch"]), "rolled")


class CatDoc(_Doc):
    kind: Literal["cat"]
    whisker_name: Annotated[str, StringConstraints(max_length=TEXT_MAX["whisker_name"])] | None = None
    tail_name: Annotated[str, StringConstraints(max_length=TEXT_MAX["tail_name"])] | None = None
    sex: Id | None = None
    color: Id | None = None
    pattern: Id | None = None
    mp: PoolDoc = PoolDoc()
    spells: Annotated[list[Id], Field(max_length=60)] = []

    @field_validator("factors")
    @classmethod
    def _factors(cls, factors: dict[str, Any]) -> dict[str, Any]:
        return _known(factors, TABLES.base.cat_factors, "factor")

    @field_validator("spells")
    @classmethod
    def _spells(cls, spells: list[str]) -> list[str]:
        _known(dict.fromkeys(spells), TABLES.base.cat_spells, "spell")
        if len(set(spells)) < len(spells):
            raise _Refused("twice")
        return spells

    @field_validator("rolled")
    @classmethod
    def _rolled(cls, rolled: dict[str, Any]) -> dict[str, Any]:
        return _known(rolled, dict.fromkeys(ROLLED["cat"]), "rolled")


class _Refused(ValueError):
    """A value that names nothing, with the key of its sentence."""

    def __init__(self, reason: str, **params: object) -> None:
        super().__init__(reason)
        self.reason, self.params = reason, params


def _known(given: dict[str, Any], known: Mapping[str, Any], what: str) -> dict[str, Any]:
    for key in given:
        if key not in known:
            raise _Refused(what, value=key[:40])
    return given


_WORDS: Mapping[str, Text] = {
    "factor": Text("「{value}」というファクターはありません。", "There is no factor “{value}”."),
    "column": Text(
        "魔法力に「{value}」という欄はありません（0〜28）。", "Magic power has no column “{value}” (0 to 28)."
    ),
    "rolled": Text("「{value}」という出目の控えはありません。", "There are no dice kept for “{value}”."),
    "spell": Text("「{value}」という猫の魔法はありません。", "There is no cat spell “{value}”."),
    "twice": Text("同じ猫の魔法が二度あります。", "A cat spell is there twice."),
    "kind": Text("kind は witch か cat です。", "kind is witch or cat."),
    "extra_forbidden": Text("「{value}」という項目はありません。", "There is no item “{value}”."),
    "missing": Text("この項目がありません。", "This item is missing."),
    "int_type": Text("整数で書いてください。", "Give a whole number."),
    "string_type": Text("文字で書いてください。", "Give text."),
    "list_type": Text("リストで書いてください。", "Give a list."),
    "model_type": Text("項目の組（オブジェクト）で書いてください。", "Give an object."),
    "string_too_long": Text("{max_length}文字までです。", "At most {max_length} characters."),
    "string_too_short": Text("空にはできません。", "This must not be empty."),
    "too_long": Text("{max_length}個までです。", "At most {max_length} entries."),
    "greater_than_equal": Text("{ge}以上にしてください。", "Must be {ge} or more."),
    "less_than_equal": Text("{le}以下にしてください。", "Must be {le} or less."),
}
_OTHER = Text("この値は読めません。", "This value cannot be read.")
_SAME_AS = {"model_attributes_type": "model_type", "dict_type": "model_type"}


def check_document(build: Mapping[str, Any]) -> list[Problem]:
    """What keeps a foreign document from being read; `path` is a JSON pointer into the build. Never raises."""
    kind = build.get("kind")
    if kind not in (None, "witch", "cat"):
        return [Problem("D01", "error", "/kind", _WORDS["kind"], "")]
    try:
        (CatDoc if kind == "cat" else WitchDoc).model_validate(build)
    except ValidationError as error:
        return [_problem(item) for item in error.errors(include_url=False, include_input=False)]
    except RecursionError:
        return [Problem("D01", "error", "", _OTHER, "")]
    return []


def _problem(item: Any) -> Problem:
    place = [str(part) for part in item["loc"]]
    pointer = "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in place)
    context = item.get("ctx", {})
    raised = context.get("error")
    if isinstance(raised, _Refused):
        return Problem("D02", "error", pointer, _WORDS[raised.reason].format(**raised.params), "", raised.params)
    kind = _SAME_AS.get(item["type"], item["type"])
    params = {key: value for key, value in context.items() if isinstance(value, int | float | str)}
    params["value"] = place[-1] if place else ""
    code = "D03" if kind == "extra_forbidden" else "D01"
    return Problem(code, "error", pointer, _WORDS.get(kind, _OTHER).format(**params), "", params)


# ---------------------------------------------------------------- document -> fields


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []


_TEXTS = {
    "witch": ("common_name", "true_name", "gender", "name_letters", "sign_card", "shadow_card"),
    "cat": ("whisker_name", "tail_name", "sex", "color", "pattern"),
}


def from_build(build: Mapping[str, Any]) -> Fields:
    """Flat fields; what a field cannot hold is left out (`check_document` has named it)."""
    kind = "cat" if build.get("kind") == "cat" else "witch"
    birthday = _table(build.get("birthday"))
    found: dict[str, Any] = {"kind": kind, "age": build.get("age"), "partner": build.get("partner")}
    found |= {f"birthday.{part}": birthday.get(part) for part in ("month", "day")}
    found |= {key: build.get(key) for key in _TEXTS[kind]}
    found |= {f"factors.{row}": value for row, value in _table(build.get("factors")).items()}
    found["hp"] = _table(build.get("hp")).get("max")
    if kind == "witch":
        found |= {f"power.{column}": value for column, value in _table(build.get("magic_power")).items()}
        for number, row in enumerate(_list(build.get("skills"))[:MAX_SKILLS], 1):
            found |= _skill_fields(number, _table(row))
    else:
        found["mp"] = _table(build.get("mp")).get("max")
        found |= {f"spells.{spell}": True for spell in _list(build.get("spells")) if isinstance(spell, str)}
    found |= {f"rolled.{what}": _evidence(faces) for what, faces in _table(build.get("rolled")).items()}
    return {key: value for key, value in found.items() if _holds(key, value)}


def _skill_fields(number: int, row: Mapping[str, Any]) -> dict[str, Any]:
    found = {f"skills.{number}.{part}": row.get(part) for part in ("name", "factor", "value", "dice")}
    found[f"skills.{number}.rolled"] = _evidence(row.get("rolled"))
    return found


def _evidence(faces: object) -> str | None:
    found = [face for face in _list(faces) if isinstance(face, int) and not isinstance(face, bool)]
    return faces_text(found) if found else None


def _holds(key: str, value: object) -> bool:
    return value is not None and value != "" and isinstance(value, int | str) and sort_of(key) is not None


# ---------------------------------------------------------------- fields -> document


def to_build(fields: Fields) -> dict[str, Any]:
    """The document of fields, in the order of the rules. Raw text of a draft stays where a number belongs."""
    sheet = Sheet(fields, TABLES.base)
    kind = sheet.kind or "witch"
    found: dict[str, Any] = {"kind": kind, "age": fields.get("age"), "partner": fields.get("partner")}
    found["birthday"] = {part: fields.get(f"birthday.{part}") for part in ("month", "day")}
    found |= {key: fields.get(key) for key in _TEXTS[kind]}
    found["factors"] = _under("factors", fields)
    found["hp"] = {"max": fields.get("hp")}
    if kind == "witch":
        found["skills"] = [_skill(row.number, fields) for row in sheet.skills]
        found["magic_power"] = _under("power", fields)
    else:
        found["mp"] = {"max": fields.get("mp")}
        found["spells"] = list(sheet.spells)
    rolled = {what: sheet.faces(what) for what in ROLLED[kind]}
    found["rolled"] = {what: list(faces) for what, faces in rolled.items() if faces is not None}
    return found


def _under(head: str, fields: Fields) -> dict[str, Value]:
    """Cells below `head.`, in the order of their tables."""
    ids = (
        [str(column) for column in COLUMNS]
        if head == "power"
        else list(dict.fromkeys([*TABLES.base.factors, *TABLES.base.cat_factors]))
    )
    found = {row: fields.get(f"{head}.{row}") for row in ids}
    return {row: value for row, value in found.items() if value not in (None, "")}


def _skill(number: int, fields: Fields) -> dict[str, Any]:
    found: dict[str, Any] = {
        part: fields.get(f"skills.{number}.{part}") for part in ("name", "factor", "value", "dice")
    }
    faces = faces_of(fields.get(f"skills.{number}.rolled"))
    return found | ({"rolled": list(faces)} if faces is not None else {})
