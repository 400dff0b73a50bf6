"""The build document (interop/json-api.md §4.4): its shape, and the way to flat fields and back.

    {"role":"co_lead","abilities":{"mind":7,"gi":7,"body":6},
     "skills":[{"id":"geino","level":2,"speciality":"踊り","base":"gi"}],
     "endurance_bought":2,"school":null,"style_skill":"kenjutsu","style_name":"…","perks":["iai"],
     "names":{"family":"…","office":"…","given":"…","stage":null},"status":"ronin","occupation":"kenkaku",
     "possessions":[{"id":"daito"},{"text":"…"}],"money_dice":[3]}

`school` is a list where the group allows several schools. A missing key and null mean the same: not chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, StringConstraints, field_validator, model_validator

from rulesets.edo.rows import ABILITIES, OWN_SCHOOLS
from rulesets.edo.sheet import MAX_ROWS, NAME_PARTS, TEXT_MAX, Sheet, row_parts, sort_of
from rulesets.edo.tables import TABLES
from rulesets.engine.documents import StrictDoc, Unfit, document_problems
from rulesets.engine.problems import Problem, Value
from rulesets.engine.text import Text
from rulesets.protocol import Fields

# What the columns of a saved sheet hold.
Count = Annotated[int, Field(ge=0, le=32767)]
Face = Annotated[int, Field(ge=1, le=6)]
Id = Annotated[str, StringConstraints(min_length=1, max_length=40)]


class AbilitiesDoc(StrictDoc):
    mind: Count
    gi: Count
    body: Count


class SkillDoc(StrictDoc):
    id: Id
    level: Count
    speciality: Annotated[str, StringConstraints(max_length=TEXT_MAX["speciality"])] | None = None
    base: Id | None = None

    @model_validator(mode="after")
    def _fits(self) -> SkillDoc:
        skill = TABLES.base.skills.get(self.id)
        if skill is None:
            raise _refused("skill", value=self.id)
        if self.speciality and not skill.many:
            raise _refused("speciality", value=self.id)
        if self.base is not None and (not skill.base_by_gm or self.base not in ABILITIES):
            raise _refused("base", value=self.base)
        return self


class NamesDoc(StrictDoc):
    family: Annotated[str, StringConstraints(max_length=TEXT_MAX["names"])] | None = None
    office: Annotated[str, StringConstraints(max_length=TEXT_MAX["names"])] | None = None
    given: Annotated[str, StringConstraints(max_length=TEXT_MAX["names"])] | None = None
    stage: Annotated[str, StringConstraints(max_length=TEXT_MAX["names"])] | None = None


class PossessionDoc(StrictDoc):
    id: Id | None = None
    text: Annotated[str, StringConstraints(max_length=TEXT_MAX["possessions"])] | None = None

    @model_validator(mode="after")
    def _something(self) -> PossessionDoc:
        if not self.id and not self.text:
            raise _refused("possession")
        return self


class BuildDoc(StrictDoc):
    role: Id | None = None
    abilities: AbilitiesDoc
    skills: Annotated[list[SkillDoc], Field(max_length=MAX_ROWS)] = []
    endurance_bought: Count | None = None
    school: Id | Annotated[list[Id], Field(max_length=20)] | None = None
    style_skill: Id | None = None
    style_name: Annotated[str, StringConstraints(max_length=TEXT_MAX["style_name"])] | None = None
    perks: Annotated[list[Id], Field(max_length=MAX_ROWS)] = []
    names: NamesDoc = NamesDoc()
    status: Annotated[str, StringConstraints(max_length=TEXT_MAX["status"])] | None = None
    occupation: Annotated[str, StringConstraints(max_length=TEXT_MAX["occupation"])] | None = None
    possessions: Annotated[list[PossessionDoc], Field(max_length=MAX_ROWS)] = []
    money_dice: Annotated[list[Face], Field(max_length=9)] = []

    @field_validator("role")
    @classmethod
    def _role(cls, role: str | None) -> str | None:
        if role is not None and role not in TABLES.base.roles:
            raise _refused("role", value=role)
        return role

    @field_validator("perks")
    @classmethod
    def _perks(cls, perks: list[str]) -> list[str]:
        for perk in perks:
            if perk not in TABLES.base.perks:
                raise _refused("perk", value=perk)
        return perks

    @field_validator("school")
    @classmethod
    def _school(cls, school: str | list[str] | None) -> str | list[str] | None:
        for one in _list(school):
            if one not in TABLES.base.schools and one not in OWN_SCHOOLS:
                raise _refused("school", value=one)
        return school

    @field_validator("style_skill")
    @classmethod
    def _style_skill(cls, row: str | None) -> str | None:
        if row is not None and row_parts(row)[0] not in TABLES.base.skills:
            raise _refused("style_skill", value=row)
        return row


_WORDS: Mapping[str, Text] = {
    "skill": Text("「{value}」という技能はありません。", "There is no skill “{value}”."),
    "speciality": Text("「{value}」に種類は付けられません。", "“{value}” has no kinds."),
    "base": Text("基本能力値「{value}」はここでは選べません。", "The base ability “{value}” cannot be chosen here."),
    "possession": Text("持ち物には id か text が要ります。", "A possession needs an id or a text."),
    "role": Text("「{value}」という役格はありません。", "There is no role “{value}”."),
    "perk": Text("「{value}」という特典はありません。", "There is no perk “{value}”."),
    "school": Text("「{value}」という流派はありません。", "There is no school “{value}”."),
    "style_skill": Text("「{value}」という技能はありません。", "There is no skill “{value}”."),
}


def _refused(reason: str, **params: object) -> Unfit:
    return Unfit(_WORDS[reason], **params)


def check_document(build: Mapping[str, Any]) -> list[Problem]:
    """What keeps a foreign document from being read; `path` is a JSON pointer into the build. Never raises."""
    return document_problems(BuildDoc, build)


# ---------------------------------------------------------------- document -> fields


def _list(value: object) -> list[Any]:
    if isinstance(value, list | tuple):
        return list(value)
    return [] if value is None else [value]


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def from_build(build: Mapping[str, Any]) -> Fields:
    """Flat fields; what a field cannot hold is left out (`check_document` has named it)."""
    found: dict[str, Any] = {
        key: build.get(key) for key in ("role", "style_skill", "style_name", "status", "occupation")
    }
    abilities, names = _table(build.get("abilities")), _table(build.get("names"))
    found |= {f"abilities.{ability}": abilities.get(ability) for ability in ABILITIES}
    found |= _skill_fields(build)
    found["endurance_bought"] = build.get("endurance_bought") or None
    found |= {f"schools.{school}": True for school in _list(build.get("school"))}
    found |= _perk_fields(build)
    found |= {f"names.{part}": names.get(part) for part in NAME_PARTS}
    for number, item in enumerate(_list(build.get("possessions"))[:MAX_ROWS], 1):
        thing = _table(item)
        found |= {f"possessions.{number}.{part}": thing.get(part) for part in ("id", "text")}
    found |= {f"money_dice.{n}": face for n, face in enumerate(_list(build.get("money_dice"))[:9], 1)}
    return {key: value for key, value in found.items() if _holds(key, value)}


def _holds(key: str, value: object) -> bool:
    return value is not None and value != "" and isinstance(value, int | str) and sort_of(key) is not None


def _skill_fields(build: Mapping[str, Any]) -> dict[str, Any]:
    """Rows get their skill's id; kinds, foreign languages and repeats get a number as well."""
    found: dict[str, Any] = {}
    numbers: dict[str, int] = {}
    plain: set[str] = set()
    for item in _list(build.get("skills"))[:MAX_ROWS]:
        entry = _table(item)
        skill_id = entry.get("id")
        skill = TABLES.base.skills.get(skill_id) if isinstance(skill_id, str) else None
        if skill is None:
            continue
        if skill.speciality or entry.get("speciality") or skill.id in plain:
            numbers[skill.id] = numbers.get(skill.id, 0) + 1
            row = f"{skill.id}~{numbers[skill.id]}"
        else:
            plain.add(skill.id)
            row = skill.id
        found |= {f"skills.{row}.{part}": entry.get(part) for part in ("level", "speciality", "base")}
    return found


def _perk_fields(build: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    counts: dict[str, int] = {}
    for perk in _list(build.get("perks"))[:MAX_ROWS]:
        if isinstance(perk, str):
            counts[perk] = counts.get(perk, 0) + 1
            found[f"perks.{perk}" + (f"~{counts[perk]}" if counts[perk] > 1 else "")] = True
    return found


# ---------------------------------------------------------------- fields -> document


def to_build(fields: Fields) -> dict[str, Any]:
    """The document of fields, in the order of the rules. Raw text of a draft stays where a number belongs."""
    sheet = Sheet(fields, TABLES.base)
    flat = sheet.fields
    ticked = [key.removeprefix("schools.") for key in flat if key.startswith("schools.")]
    schools = [*sheet.chosen_schools, *(school for school in ticked if school not in sheet.chosen_schools)]
    return {
        "role": flat.get("role"),
        "abilities": {ability: flat.get(f"abilities.{ability}") for ability in ABILITIES},
        "skills": [_skill(sheet, entry.row) for entry in sheet.skills],
        "endurance_bought": flat.get("endurance_bought", 0),
        "school": schools if len(schools) > 1 else schools[0] if schools else None,
        "style_skill": flat.get("style_skill"),
        "style_name": flat.get("style_name"),
        "perks": [perk.id for _, perk in sheet.perk_rows],
        "names": {part: flat.get(f"names.{part}") for part in NAME_PARTS},
        "status": flat.get("status"),
        "occupation": flat.get("occupation"),
        "possessions": [_possession(item.id, item.text) for item in sheet.possessions],
        "money_dice": list(sheet.money_dice.values()),
    }


def _skill(sheet: Sheet, row: str) -> dict[str, Value]:
    found: dict[str, Value] = {"id": row_parts(row)[0]}
    return found | {part: sheet.fields.get(f"skills.{row}.{part}") for part in ("level", "speciality", "base")}


def _possession(item: Value, text: Value) -> dict[str, Value]:
    return {key: value for key, value in (("id", item), ("text", text)) if value is not None}
