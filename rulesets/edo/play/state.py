"""The live state of a table (rules §10): frozen, plain data inside, JSON there and back.

Distances are in whole ken (0 = same square), reach in half ken as in the tables. Everything an event may set is a field
of `ActorState` or `State`; `decode` reads one such field from JSON. The records are in `actor_state` and
`table_state`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import TypeAdapter

from rulesets.edo.play.actor_state import (
    ActorState,
    ArmState,
    Care,
    Cast,
    Choke,
    FirstAid,
    Life,
    LifeState,
    Needs,
    Plain,
    Posture,
    RoundUse,
)
from rulesets.edo.play.table_state import (
    Check,
    Contest,
    Defence,
    Exchange,
    Fight,
    Mode,
    Phase,
    Reply,
    Request,
    Shot,
    Strike,
    Wish,
)
from rulesets.edo.tables import HOUSE_RULES, Edo
from rulesets.engine.playing.facts import decode, encode

__all__ = [
    "ActorState",
    "ArmState",
    "Care",
    "Cast",
    "Check",
    "Choke",
    "Clock",
    "Contest",
    "Defence",
    "Exchange",
    "Fight",
    "FirstAid",
    "Life",
    "LifeState",
    "Mode",
    "Needs",
    "Phase",
    "Posture",
    "Reply",
    "Request",
    "RoundUse",
    "Scene",
    "Shot",
    "State",
    "Strike",
    "Wish",
    "decode",
    "encode",
    "from_json",
    "pair",
    "square",
    "to_json",
]


@dataclass(frozen=True)
class Scene(Plain):
    number: int = 0
    title: str = ""
    text: str = ""


@dataclass(frozen=True)
class Clock(Plain):
    """The story's time: day from 1, hour 0–23 of that day."""

    day: int = 1
    hour: int = 8

    @property
    def hours(self) -> int:
        """Hours since the start of day 1."""
        return (self.day - 1) * 24 + self.hour


@dataclass(frozen=True)
class State(Plain):
    """Everything at one table. `step` counts the answers of open operations; `next_id` names what comes next."""

    house_rules: Mapping[str, Any]
    actors: Mapping[str, ActorState]
    scene: Scene = Scene()
    clock: Clock = Clock()
    evening: int = 1
    scenario_open: bool = True
    fight: Fight | None = None
    exchange: Exchange | None = None
    contest: Contest | None = None
    step: int = 0
    distances: Mapping[str, int] = field(default_factory=dict)
    requests: Mapping[str, Request] = field(default_factory=dict)
    wishes: Mapping[str, Wish] = field(default_factory=dict)
    rolls: Mapping[str, Check] = field(default_factory=dict)
    next_id: int = 1

    @cached_property
    def tables(self) -> Edo:
        return HOUSE_RULES.tables(self.house_rules)

    def group(self, group_id: str) -> tuple[ActorState, ...]:
        """The members of a mob, or the one actor of that id; () for an unknown id."""
        if group_id in self.actors:
            return (self.actors[group_id],)
        return tuple(actor for actor in self.actors.values() if actor.cast.group == group_id)

    def distance(self, one: str, other: str, told: int | None = None) -> int | None:
        """Ken between two actors: from squares (`3,4`, diagonals count 1: C29), else as told now or before; None = not
        agreed."""
        squares = square(self.actors[one].place), square(self.actors[other].place)
        if squares[0] is not None and squares[1] is not None:
            return max(abs(squares[0][0] - squares[1][0]), abs(squares[0][1] - squares[1][1]))
        return self.distances.get(pair(one, other)) if told is None else told


def pair(one: str, other: str) -> str:
    """The key of a distance."""
    return "|".join(sorted((one, other)))


def square(place: str) -> tuple[int, int] | None:
    """A place typed as a square of the grid, `3,4`; None for words."""
    left, comma, right = place.partition(",")
    if not comma:
        return None
    try:
        found = int(left.strip()), int(right.strip())
    except ValueError:
        return None
    return found if all(-999 <= value <= 999 for value in found) else None


# ---------------------------------------------------------------- JSON


_STATE: TypeAdapter[State] = TypeAdapter(State)


def to_json(state: State) -> dict[str, Any]:
    """The state as plain JSON data: what a snapshot stores."""
    found: dict[str, Any] = _STATE.dump_python(state, mode="json")
    return found


def from_json(data: Mapping[str, Any]) -> State:
    """The state of a snapshot. Raises `pydantic.ValidationError` for what `to_json` did not write."""
    return _STATE.validate_python(data)
