"""The live state of a table (rules §10): frozen, plain data inside, JSON there and back.

Zones (§10.1): `box` (before the deal), `ability:<id>`, `draw_pile`, `discard_pile`, `hand:<id>`, `hand:gm`,
`table_difficulty`, `table_played`, `sealed:<id>`, `alice_aside`; first = top or oldest.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from pydantic import TypeAdapter

from rulesets.alice.play.actor_state import ActorState, Cast, Commit, Pact, Plain
from rulesets.alice.play.op_state import Attempt, Op
from rulesets.alice.rows import Rules
from rulesets.alice.tables import HOUSE_RULES, Tables
from rulesets.engine.cards import Zones
from rulesets.engine.playing.facts import decode, encode

__all__ = [
    "ActorState",
    "AliceOut",
    "Attempt",
    "Cast",
    "Combat",
    "Commit",
    "Op",
    "Owed",
    "Pact",
    "Ruling",
    "Scene",
    "State",
    "Token",
    "Transfer",
    "decode",
    "encode",
    "from_json",
    "to_json",
]

Phase = Literal["setup", "play", "ended"]
DRAW, DISCARD, BOX, ALICES = "draw_pile", "discard_pile", "box", "alice_aside"
DIFFICULTY, PLAYED, GM_HAND = "table_difficulty", "table_played", "hand:gm"


def hand_of(who: str) -> str:
    return f"hand:{who}"


def ability_of(who: str) -> str:
    return f"ability:{who}"


def sealed_of(who: str) -> str:
    return f"sealed:{who}"


@dataclass(frozen=True)
class Scene(Plain):
    title: str = ""
    text: str = ""


@dataclass(frozen=True)
class Token(Plain):
    """A 道理 somebody knows (§7.9). `ready_from`: the round of the fight from which it is usable, 0 = at once."""

    id: str
    action: str
    holder: str
    ready_from: int = 0
    state: Literal["ready", "used", "void"] = "ready"


@dataclass(frozen=True)
class Ruling(Plain):
    """A class decided once in this game (§7.2)."""

    occupation: str
    action: str
    cls: str


@dataclass(frozen=True)
class Transfer(Plain):
    """A transfer that waits for the GM (§6.4); the card is among the giver's `offers`."""

    id: str
    giver: str
    receiver: str
    support: str


@dataclass(frozen=True)
class Owed(Plain):
    """Cards that could not be drawn (§3.5), in the order in which they arose. `hand`: the zone they belong into."""

    kind: Literal["refill", "refresh", "survival"]
    who: str
    count: int = 1


@dataclass(frozen=True)
class AliceOut(Plain):
    """An アリス of this scenario and the cards she took out of the deck (§3.4): the GM's alone."""

    id: str
    name: str
    cards: tuple[str, ...]
    notes: str = ""


@dataclass(frozen=True)
class Combat(Plain):
    """Rounds (§9.1). `turn` is a place in `order`; past its end it is the time to flee."""

    members: tuple[str, ...]
    round: int = 1
    order: tuple[str, ...] = ()
    turn: int = 0

    @property
    def fleeing(self) -> bool:
        return self.turn >= len(self.order)

    @property
    def now(self) -> str:
        return "" if self.fleeing else self.order[self.turn]


@dataclass(frozen=True)
class State(Plain):
    """Everything at one table. `seats`: PCs clockwise from the first 親; `step` counts answers to open operations."""

    house_rules: Mapping[str, Any]
    actors: Mapping[str, ActorState]
    seats: tuple[str, ...] = ()
    decks: int = 1
    zones: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    phase: Phase = "setup"
    day: int = 1
    morning: bool = False
    op: Op | None = None
    combat: Combat | None = None
    step: int = 0
    owed: tuple[Owed, ...] = ()
    transfers: Mapping[str, Transfer] = field(default_factory=dict)
    tokens: Mapping[str, Token] = field(default_factory=dict)
    registry: Mapping[str, Ruling] = field(default_factory=dict)
    alices: Mapping[str, AliceOut] = field(default_factory=dict)
    scene: Scene = Scene()
    story: str = ""
    party_group: str = ""
    evening: int = 1
    shuffles: int = 0
    next_id: int = 1

    @cached_property
    def tables(self) -> Tables:
        return HOUSE_RULES.tables(self.house_rules)

    @cached_property
    def piles(self) -> Zones:
        return Zones(self.zones)

    @property
    def rule(self) -> Rules:
        return self.tables.rule

    def zone(self, name: str) -> tuple[str, ...]:
        return self.zones.get(name, ())

    def hand(self, who: str) -> tuple[str, ...]:
        """The cards somebody may play from the hand: a GM character's is the GM's, if the group uses one (§13.3)."""
        return self.zone(self.hand_zone(who))

    def hand_zone(self, who: str) -> str:
        return GM_HAND if self.actors[who].npc else hand_of(who)

    def hand_size(self, who: str) -> int:
        """§6.1, §6.7: cards somebody holds between commands."""
        actor = self.actors[who]
        if actor.npc:
            return self.rule.hand_size if self.rule.gm_character_cards == "gm_hand" else 0
        if actor.dead:
            return 0
        delta = actor.hand_delta + sum(pact.hand_delta for pact in actor.pacts.values())
        return max(0, self.rule.hand_size + delta)

    @property
    def pcs(self) -> tuple[ActorState, ...]:
        """Players' characters in seat order."""
        return tuple(self.actors[who] for who in self.seats)

    def group(self, group_id: str) -> tuple[ActorState, ...]:
        """The members of an entry of several, or the one character of that id; () for an unknown id."""
        if group_id in self.actors:
            return (self.actors[group_id],)
        return tuple(actor for actor in self.actors.values() if actor.cast.group == group_id)


_STATE: TypeAdapter[State] = TypeAdapter(State)


def to_json(state: State) -> dict[str, Any]:
    """The state as plain JSON data: what a snapshot stores."""
    found: dict[str, Any] = _STATE.dump_python(state, mode="json")
    return found


def from_json(data: Mapping[str, Any]) -> State:
    """The state of a snapshot. Raises `pydantic.ValidationError` for what `to_json` did not write."""
    return _STATE.validate_python(data)
