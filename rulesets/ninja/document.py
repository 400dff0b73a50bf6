"""The build document (interop/json-api.md §4.4): its shape, and the way to flat fields and back.

    {"name":"アッシュクロウ","method":"scratch","abilities":{"karate":4,"neuron":3,"wazamae":4,"jitsu":0},
     "growth":{},"walls":{},"jitsu_kind":null,"start_skill":"triple_legs","skills":[{"id":"kill9","place":"memory"}],
     "knowledge_skills":["危険生物（特にサメ）"],"start_item":"katana","equipment":[{"id":"bracer"}],"equipped":null,
     "cyberware":[{"id":"cyber_eye","origin":"start"}],"background":null,"background_skills":[],"affiliation":"ソウカイヤ",
     "karma_good":false,"money":0,"fame":1,"dkk":0,"loan":12,"auto_skills":[],"dice":[],"rolls":{},"npc":null}

Knowledge and background skills are written with their Japanese names, read also by id. A missing key and null mean the
same: not chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from pydantic import Field, StringConstraints, field_validator, model_validator

from rulesets.engine.documents import StrictDoc, Unfit, document_problems
from rulesets.engine.problems import Problem, Value
from rulesets.engine.text import Text
from rulesets.ninja.rows import ABILITIES, PARTS, TARGETS
from rulesets.ninja.sheet import (
    COUNTS,
    MAX_ROWS,
    METHODS,
    NPC_FLAGS,
    NPC_KINDS,
    NPC_NUMBERS,
    ORIGINS,
    PLACES,
    STEPS,
    TEXT_MAX,
    Sheet,
    row_parts,
    sort_of,
)
from rulesets.ninja.tables import TABLES
from rulesets.protocol import Fields

Count = Annotated[int, Field(ge=0, le=32767)]
Signed = Annotated[int, Field(ge=-99, le=99)]
Face = Annotated[int, Field(ge=1, le=66)]
Id = Annotated[str, StringConstraints(min_length=1, max_length=40)]
Named = Annotated[str, StringConstraints(min_length=1, max_length=160)]
_NO_CHOICE = Text("「{value}」という選択肢はありません。", "There is no choice “{value}”.")
_NO_THING = Text("id か text が要ります。", "An id or a text is needed.")


def _one_of(value: str | None, known: Iterable[str]) -> None:
    if value is not None and value not in known:
        raise Unfit(_NO_CHOICE, value=value)


class AbilitiesDoc(StrictDoc):
    karate: Count | None = None
    neuron: Count | None = None
    wazamae: Count | None = None
    jitsu: Count | None = None


class SkillDoc(StrictDoc):
    id: Id
    place: Id = "owned"

    @model_validator(mode="after")
    def _fits(self) -> SkillDoc:
        _one_of(self.id, TABLES.base.skills)
        _one_of(self.place, PLACES)
        return self


class ThingDoc(StrictDoc):
    id: Id | None = None
    text: Annotated[str, StringConstraints(max_length=TEXT_MAX["equipment"])] | None = None
    part: Id | None = None
    target: Id | None = None
    value: Signed | None = None

    @model_validator(mode="after")
    def _fits(self) -> ThingDoc:
        if not self.id and not self.text:
            raise Unfit(_NO_THING)
        _one_of(self.part, PARTS)
        _one_of(self.target, TARGETS)
        return self


class EquipmentDoc(ThingDoc):
    slots: Count | None = None

    @model_validator(mode="after")
    def _known(self) -> EquipmentDoc:
        _one_of(self.id, TABLES.base.items)
        return self


class CyberwareDoc(ThingDoc):
    load: Count | None = None
    origin: Id | None = None

    @model_validator(mode="after")
    def _known(self) -> CyberwareDoc:
        _one_of(self.id, TABLES.base.cyberware)
        _one_of(self.origin, ORIGINS)
        return self


class BuildDoc(StrictDoc):
    name: Annotated[str, StringConstraints(max_length=TEXT_MAX["name"])] | None = None
    method: Id | None = None
    abilities: AbilitiesDoc = AbilitiesDoc()
    growth: AbilitiesDoc = AbilitiesDoc()
    walls: AbilitiesDoc = AbilitiesDoc()
    jitsu_kind: Id | None = None
    start_skill: Id | None = None
    skills: Annotated[list[SkillDoc], Field(max_length=MAX_ROWS)] = []
    knowledge_skills: Annotated[list[Named], Field(max_length=MAX_ROWS)] = []
    start_item: Id | None = None
    equipment: Annotated[list[EquipmentDoc], Field(max_length=MAX_ROWS)] = []
    equipped: Id | None = None
    cyberware: Annotated[list[CyberwareDoc], Field(max_length=MAX_ROWS)] = []
    background: Id | None = None
    background_skills: Annotated[list[Named], Field(max_length=MAX_ROWS)] = []
    affiliation: Annotated[str, StringConstraints(max_length=TEXT_MAX["affiliation"])] | None = None
    karma_good: bool | None = None
    money: Count | None = None
    fame: Count | None = None
    dkk: Count | None = None
    loan: Count | None = None
    auto_skills: Annotated[list[Id], Field(max_length=20)] = []
    dice: Annotated[list[Face], Field(max_length=4)] = []
    rolls: dict[Id, Face] = {}
    npc: dict[Id, Count | bool | Id] | None = None

    @field_validator("method", "jitsu_kind", "start_skill", "start_item", "background", "equipped")
    @classmethod
    def _choice(cls, value: str | None, info: Any) -> str | None:
        _one_of(value, _known(info.field_name))
        return value

    @field_validator("knowledge_skills", "background_skills")
    @classmethod
    def _lore(cls, names: list[str]) -> list[str]:
        for name in names:
            _one_of(_lore_id(name)[0], TABLES.base.lore)
        return names

    @field_validator("auto_skills")
    @classmethod
    def _auto(cls, names: list[str]) -> list[str]:
        for name in names:
            _one_of(name, TABLES.base.auto_skills)
        return names

    @field_validator("rolls")
    @classmethod
    def _rolls(cls, rolls: dict[str, int]) -> dict[str, int]:
        for step in rolls:
            _one_of(step, STEPS)
        return rolls

    @field_validator("npc")
    @classmethod
    def _npc(cls, npc: dict[str, Any] | None) -> dict[str, Any] | None:
        for key, value in (npc or {}).items():
            _one_of(key, (*NPC_NUMBERS, *NPC_FLAGS, "kind", "preset"))
            if not _npc_fits(key, value):
                raise Unfit(_NO_CHOICE, value=str(value)[:40])
        return npc


def _npc_fits(key: str, value: object) -> bool:
    if key in NPC_FLAGS:
        return isinstance(value, bool)
    if key in NPC_NUMBERS:
        return isinstance(value, int) and not isinstance(value, bool)
    return value in (NPC_KINDS if key == "kind" else TABLES.base.presets)


def _known(key: str) -> Iterable[str]:
    base = TABLES.base
    return {
        "method": METHODS,
        "jitsu_kind": base.jitsu,
        "start_skill": base.skills,
        "start_item": base.items,
        "background": base.backgrounds,
        "equipped": base.items,
    }[key]


def _lore_id(name: str) -> tuple[str, str]:
    """Id and speciality of `危険生物（特にサメ）`; a name nobody knows stays as it is."""
    plain, bracket, rest = name.partition("（")
    note = rest.removesuffix("）") if bracket else ""
    for row_id, words in TABLES.base.lore.items():
        if plain in (row_id, words.ja, words.ja.removeprefix("知識："), words.en):
            return row_id, note
    return plain, note


def check_document(build: Mapping[str, Any]) -> list[Problem]:
    """What keeps a foreign document from being read; `path` is a JSON pointer into the build. Never raises."""
    return document_problems(BuildDoc, build)


# ---------------------------------------------------------------- document -> fields


def _list(value: object) -> list[Any]:
    return list(value)[:MAX_ROWS] if isinstance(value, list | tuple) else []


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


_SAME_KEYS = (
    *("name", "method", "jitsu_kind", "start_skill", "start_item", "equipped", "background", "affiliation"),
    *("karma_good", *COUNTS),
)


def from_build(build: Mapping[str, Any]) -> Fields:
    """Flat fields; what a field cannot hold is left out (`check_document` has named it)."""
    found: dict[str, Any] = {key: build.get(key) for key in _SAME_KEYS}
    for head in ("abilities", "growth", "walls"):
        found |= {f"{head}.{ability}": _table(build.get(head)).get(ability) for ability in ABILITIES}
    found |= _skill_fields(_list(build.get("skills")))
    for n, name in enumerate(_list(build.get("knowledge_skills")), 1):
        if isinstance(name, str):
            found[f"knowledge.{n}"], found[f"knowledge_note.{n}"] = _lore_id(name)
    for n, name in enumerate(_list(build.get("background_skills")), 1):
        found[f"background_skills.{n}"] = _lore_id(name)[0] if isinstance(name, str) else None
    for head in ("equipment", "cyberware"):
        for n, thing in enumerate(_list(build.get(head)), 1):
            found |= {f"{head}.{n}.{part}": value for part, value in _table(thing).items()}
    found |= {f"auto.{skill}": True for skill in _list(build.get("auto_skills")) if isinstance(skill, str)}
    found |= {f"dice.{n}": face for n, face in enumerate(_list(build.get("dice"))[:4], 1)}
    found |= {f"rolls.{step}": face for step, face in _table(build.get("rolls")).items()}
    found |= {f"npc.{key}": value for key, value in _table(build.get("npc")).items()}
    return {key: value for key, value in found.items() if _holds(key, value)}


def _holds(key: str, value: object) -> bool:
    return value is not None and value != "" and isinstance(value, int | str) and sort_of(key) is not None


def _skill_fields(rows: list[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    counts: dict[str, int] = {}
    for row in rows:
        skill = _table(row).get("id")
        if isinstance(skill, str):
            counts[skill] = counts.get(skill, 0) + 1
            key = skill if counts[skill] == 1 else f"{skill}~{counts[skill]}"
            found[f"skills.{key}"] = _table(row).get("place", "owned")
    return found


# ---------------------------------------------------------------- fields -> document


def to_build(fields: Fields) -> dict[str, Any]:
    """The document of fields, in the order of the rules. Raw text of a draft stays where a number belongs."""
    sheet = Sheet(fields, TABLES.base)
    flat = sheet.fields
    npc = {key.removeprefix("npc."): flat[key] for key in sorted(flat) if key.startswith("npc.")}
    return {
        "name": flat.get("name"),
        "method": flat.get("method"),
        **{head: _abilities(flat, head) for head in ("abilities", "growth", "walls")},
        **{key: flat.get(key) for key in ("jitsu_kind", "start_skill")},
        "skills": [_skill(held.path, flat) for held in sheet.skills if held.path != "start_skill"],
        "knowledge_skills": [_lore_name(row, sheet.text(_note_key(key))) for key, row in sheet.lore],
        "start_item": flat.get("start_item"),
        "equipment": [_thing(flat, "equipment", n) for n in sheet.rows("equipment")],
        "equipped": flat.get("equipped"),
        "cyberware": [_thing(flat, "cyberware", n) for n in sheet.rows("cyberware")],
        "background": flat.get("background"),
        "background_skills": [_lore_name(row, "") for _, row in sheet.background_lore],
        **{key: flat.get(key) for key in ("affiliation", "karma_good", *COUNTS)},
        "auto_skills": [key.removeprefix("auto.") for key in flat if key.startswith("auto.") and flat[key] is True],
        "dice": [flat[f"dice.{n}"] for n in range(1, 5) if f"dice.{n}" in flat],
        "rolls": {step: flat[f"rolls.{step}"] for step in STEPS if f"rolls.{step}" in flat},
        "npc": npc or None,
    }


def _abilities(flat: Mapping[str, Value], head: str) -> dict[str, Value]:
    return {ability: flat[f"{head}.{ability}"] for ability in ABILITIES if f"{head}.{ability}" in flat}


def _skill(path: str, flat: Mapping[str, Value]) -> dict[str, Value]:
    return {"id": row_parts(path.removeprefix("skills."))[0], "place": flat[path]}


def _note_key(key: str) -> str:
    return f"knowledge_note.{key.rpartition('.')[2]}"


def _lore_name(row: str, note: str) -> str:
    words = TABLES.base.lore.get(row)
    name = row if words is None else words.ja.removeprefix("知識：")
    return f"{name}（{note}）" if note else name


def _thing(flat: Mapping[str, Value], head: str, n: int) -> dict[str, Value]:
    start = f"{head}.{n}."
    return {key.removeprefix(start): value for key, value in flat.items() if key.startswith(start)}
