"""What a game adds to a character's pages. `characters/present/<slug>.py` offers the functions of `Presenter`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, cast

from characters.models import CreationRecord
from characters.present.board import Board
from rulesets import services
from rulesets.engine.problems import Report, Value
from rulesets.protocol import Preset


@dataclass(frozen=True, slots=True)
class Phase:
    """A step of building. `state`: done, now or "" (later)."""

    label: str
    target: str
    state: str


@dataclass(frozen=True, slots=True)
class CostRow:
    """Points spent on one kind of thing: 「能力値　44＋65＋14」 123."""

    label: str
    detail: str
    points: int
    inferred: bool = False


@dataclass(frozen=True, slots=True)
class Around:
    """What a page knows beside the fields. `rolled` are records of dice by field key."""

    npc: bool
    is_gm: bool
    rolled: Mapping[str, CreationRecord]
    rolled_steps: frozenset[str]
    show_all: bool = False
    told: str = ""
    told_error: str = ""


@dataclass(frozen=True, slots=True)
class PresetRow:
    """A ready-made NPC as a choice."""

    id: str
    name: str
    icon: str
    role: str
    abilities: str
    skills: str
    note: str
    points: int
    count: int


class Presenter(Protocol):
    """A game's part of the pages. Everything returned is for that game's own templates."""

    SLIP: str

    def builder(self, board: Board, around: Around) -> Any:
        """`.slip`, `.template`, `.phases` and whatever the template asks for."""
        ...

    def sheet(self, board: Board, around: Around) -> Any:
        """`.slip`, `.sheet_template`, `.print_template` and whatever they ask for."""
        ...

    def subtitle(self, fields: Mapping[str, Value], tables: Any, lang: str) -> str:
        """Who this is in a few words, for the line under the name."""
        ...

    def costs(self, report: Report, fields: Mapping[str, Value], tables: Any, lang: str) -> Sequence[CostRow]: ...

    def stat_keys(self, report: Report) -> Sequence[str]:
        """Derived values worth a tile, in order; `+` in front shows the sign."""
        ...

    def order(self, key: str, tables: Any) -> tuple[Any, ...]:
        """Where a field belongs in a list of differences."""
        ...

    def named(self, fields: Mapping[str, Value], name: str) -> Mapping[str, Value]:
        """The changes that give a character this one name."""
        ...

    def preset(self, preset: Preset, report: Report, tables: Any, lang: str) -> PresetRow: ...


def presenter(slug: str) -> Presenter:
    """The game's presenter. Raises `UnknownSystem` for a slug no game has."""
    services.get(slug)
    return cast(Presenter, import_module(f"characters.present.{slug}"))
