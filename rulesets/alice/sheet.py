"""Flat build fields read as a sheet: typed where they can be typed, raw where a person still has to repair them.

Keys (rules §5.3, for GM characters §13.1; documents: interop/json-api.md §4.4):

    name · age · sex · background · occupation · current_job · job_visibility · belongings · ability_source ·
    cards.{S,C,H,D} · expert · related · out_at · luck_spend · boost · notes

The last six are a GM character's. `cards` hold ranks (`7`, `J`), a GM character's also `0` and `1`; `expert` and
`related` are tags with ・ between them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from rulesets.alice.cards import ABILITY_RANKS, GM_VALUES, SUITS
from rulesets.alice.rows import SuitId
from rulesets.alice.tables import Tables
from rulesets.engine.problems import Value
from rulesets.protocol import Fields, Kind

Sort = Literal["number", "flag", "choice", "rank", "text"]

SOURCES = ("draft", "carried", "late_join", "manual")
VISIBILITIES = ("gm", "group")
NUMBERS: Mapping[str, tuple[int, int]] = {"age": (0, 999), "out_at": (1, 3)}
TEXT_MAX: Mapping[str, int] = {
    **{"name": 100, "sex": 40, "occupation": 40, "current_job": 100, "expert": 200, "related": 200},
    **{"background": 2000, "belongings": 2000, "notes": 2000},
}
CHOICES: Mapping[str, tuple[str, ...]] = {"ability_source": SOURCES, "job_visibility": VISIBILITIES}
FLAGS = ("luck_spend", "boost")
GM_ONLY = ("expert", "related", "out_at", *FLAGS, "notes")

_PLAIN: Mapping[str, Sort] = {
    **dict.fromkeys(TEXT_MAX, "text"),
    **dict.fromkeys(NUMBERS, "number"),
    **dict.fromkeys(CHOICES, "choice"),
    **dict.fromkeys(FLAGS, "flag"),
    **{f"cards.{suit}": "rank" for suit in SUITS},
}
_TAGS = re.compile(r"[・、,／/]")


def sort_of(key: str) -> Sort | None:
    """What kind of value a field holds; None for a key that no Alice draft has."""
    return _PLAIN.get(key)


def tags(text: str) -> tuple[str, ...]:
    """The tags of `戦闘・追跡`, each once."""
    return tuple(dict.fromkeys(part.strip() for part in _TAGS.split(text) if part.strip()))


def whole(value: Value) -> int | None:
    """A whole number, and no truth value, or None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


class Sheet:
    """Fields under one campaign's tables. Never raises, whatever the fields hold."""

    def __init__(self, fields: Fields, tables: Tables, kind: Kind = "pc") -> None:
        self.fields = {key: value for key, value in fields.items() if value is not None}
        self.tables = tables
        self.kind = kind

    @property
    def npc(self) -> bool:
        return self.kind == "npc"

    def text(self, key: str) -> str:
        """A text field, trimmed; "" when it is empty or no text."""
        value = self.fields.get(key)
        return value.strip() if isinstance(value, str) else ""

    @property
    def values(self) -> tuple[str, ...]:
        """What an ability may be: a card of the draft, for a GM character any value of the notation."""
        return GM_VALUES if self.npc else ABILITY_RANKS

    @cached_property
    def cards(self) -> dict[SuitId, str]:
        """Abilities that can be read, in order."""
        found = {suit: self.text(f"cards.{suit}") for suit in SUITS}
        return {suit: rank for suit, rank in found.items() if rank in self.values}

    @property
    def missing(self) -> tuple[SuitId, ...]:
        """Suits in which nothing stands."""
        return tuple(suit for suit in SUITS if self.fields.get(f"cards.{suit}") in (None, ""))

    @property
    def source(self) -> str:
        return self.text("ability_source")
