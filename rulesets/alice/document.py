"""The build document (interop/json-api.md §4.4): its shape, and the way to flat fields and back.

    {"name":"アーカム","ability_source":"draft","cards":{"S":"J","C":"7","H":"K","D":"4"},"occupation":"書士",
     "current_job":null,"job_visibility":"group","age":19,"sex":"男","background":null,"belongings":null}

A GM character (§13.1) has beside these `"expert":["戦闘"],"related":[],"out_at":3,"luck_spend":false,"boost":false,
"notes":null`. A missing key and null mean the same: not chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, StringConstraints, field_validator

from rulesets.alice.cards import GM_VALUES, SUITS
from rulesets.alice.sheet import CHOICES, FLAGS, GM_ONLY, NUMBERS, TEXT_MAX, sort_of, tags
from rulesets.engine.documents import StrictDoc, Unfit, document_problems
from rulesets.engine.problems import Problem
from rulesets.engine.text import Text
from rulesets.protocol import Fields

SEPARATOR = "・"
_TAG_FIELDS = ("expert", "related")
_ORDER = (
    *("name", "ability_source", "cards", "occupation", "current_job", "job_visibility"),
    *("age", "sex", "background", "belongings"),
)
Rank = Annotated[str, StringConstraints(min_length=1, max_length=2)]
Tag = Annotated[str, StringConstraints(min_length=1, max_length=40)]


_NO_RANK = Text("「{value}」は能力値のカードではありません。", "“{value}” is no ability card.")
_NO_CHOICE = Text("「{value}」という選択肢はありません。", "There is no choice “{value}”.")


def _words(key: str) -> Any:
    return Annotated[str, StringConstraints(max_length=TEXT_MAX[key])]


class CardsDoc(StrictDoc):
    S: Rank | None = None
    C: Rank | None = None
    H: Rank | None = None
    D: Rank | None = None

    @field_validator("S", "C", "H", "D")
    @classmethod
    def _rank(cls, rank: str | None) -> str | None:
        if rank is not None and rank not in GM_VALUES:
            raise Unfit(_NO_RANK, value=rank)
        return rank


class BuildDoc(StrictDoc):
    name: _words("name") | None = None  # type: ignore[valid-type]
    ability_source: str | None = None
    cards: CardsDoc = CardsDoc()
    occupation: _words("occupation") | None = None  # type: ignore[valid-type]
    current_job: _words("current_job") | None = None  # type: ignore[valid-type]
    job_visibility: str | None = None
    age: Annotated[int, Field(ge=NUMBERS["age"][0], le=NUMBERS["age"][1])] | None = None
    sex: _words("sex") | None = None  # type: ignore[valid-type]
    background: _words("background") | None = None  # type: ignore[valid-type]
    belongings: _words("belongings") | None = None  # type: ignore[valid-type]
    expert: Annotated[list[Tag], Field(max_length=20)] = []
    related: Annotated[list[Tag], Field(max_length=20)] = []
    out_at: Annotated[int, Field(ge=NUMBERS["out_at"][0], le=NUMBERS["out_at"][1])] | None = None
    luck_spend: bool | None = None
    boost: bool | None = None
    notes: _words("notes") | None = None  # type: ignore[valid-type]

    @field_validator("ability_source", "job_visibility")
    @classmethod
    def _choice(cls, value: str | None, info: Any) -> str | None:
        if value is not None and value not in CHOICES[info.field_name]:
            raise Unfit(_NO_CHOICE, value=value)
        return value


def check_document(build: Mapping[str, Any]) -> list[Problem]:
    """What keeps a foreign document from being read; `path` is a JSON pointer into the build. Never raises."""
    return document_problems(BuildDoc, build)


# ---------------------------------------------------------------- document -> fields -> document


def from_build(build: Mapping[str, Any]) -> Fields:
    """Flat fields; what a field cannot hold is left out (`check_document` has named it)."""
    cards = build.get("cards")
    found: dict[str, Any] = {key: build.get(key) for key in (*_ORDER, *GM_ONLY) if key not in ("cards", *_TAG_FIELDS)}
    found |= {f"cards.{suit}": cards.get(suit) for suit in SUITS} if isinstance(cards, Mapping) else {}
    found |= {flag: True if build.get(flag) is True else None for flag in FLAGS}
    for key in _TAG_FIELDS:
        listed = build.get(key)
        if isinstance(listed, list | tuple):
            found[key] = SEPARATOR.join(tag for tag in listed if isinstance(tag, str))
    return {key: value for key, value in found.items() if _holds(key, value)}


def _holds(key: str, value: object) -> bool:
    return value is not None and value != "" and isinstance(value, int | str) and sort_of(key) is not None


def to_build(fields: Fields) -> dict[str, Any]:
    """The document of fields, in the order of the rules. Raw text of a draft stays where a number belongs."""
    flat = {key: value for key, value in fields.items() if value is not None and value != ""}
    found: dict[str, Any] = {key: flat.get(key) for key in _ORDER}
    found["cards"] = {suit: flat.get(f"cards.{suit}") for suit in SUITS}
    if any(key in flat for key in GM_ONLY):
        found |= {key: list(tags(str(flat.get(key, "")))) for key in _TAG_FIELDS}
        found |= {"out_at": flat.get("out_at"), "notes": flat.get("notes")}
        found |= {flag: flat.get(flag) is True for flag in FLAGS}
    return found
