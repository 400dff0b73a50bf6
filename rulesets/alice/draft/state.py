"""The state of a draft (§4.2): frozen, plain data inside, JSON there and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from pydantic import TypeAdapter

from rulesets.alice.cards import SUITS, suit_of
from rulesets.alice.draft.order import suit_at
from rulesets.alice.rows import SuitId
from rulesets.alice.tables import HOUSE_RULES, Tables
from rulesets.engine.cards import Zones

Phase = Literal["SEATING", "PARENT_SELECT", "AWAIT_REVEAL", "OFFERING", "COMPLETE"]
How = Literal["claimed", "forced", "late_join"]

OPEN, ACES, SECOND, ALICE = "draft_open", "aces_aside", "second_deck", "alice_aside"
STEPPED = ("PARENT_SELECT", "AWAIT_REVEAL", "OFFERING")


def pile_of(suit: str) -> str:
    return f"suit_pile:{suit}"


def abilities_of(seat: str) -> str:
    return f"ability:{seat}"


def carried_by(actor: str) -> str:
    return f"carried:{actor}"


@dataclass(frozen=True)
class Continuing:
    """A character from an earlier game: the four ranks stay, the player drafts nothing (§3.6)."""

    actor: str
    seat: str
    name: str
    ranks: Mapping[str, str]


@dataclass(frozen=True)
class Assigned:
    """One card that went to a player: a row of the draft's own log (§4.3)."""

    n: int
    parent: str
    card: str
    queue: tuple[str, ...]
    passed: tuple[str, ...]
    to: str
    how: How


@dataclass(frozen=True)
class Draft:
    """Everything of one draft. `names`: people by seat; `seats`: who takes part, clockwise; `characters`: PCs by seat.

    `step` counts what open operations were answered; `asked_at` is the time since which the present answer is awaited.
    `piles`: every card of the game by zone, empty before the draft has begun. `virtual`: suits in which a continuing
    character has no physical card.
    """

    house_rules: Mapping[str, Any]
    names: Mapping[str, str]
    seats: tuple[str, ...]
    characters: Mapping[str, str] = field(default_factory=dict)
    carried: tuple[Continuing, ...] = ()
    phase: Phase = "SEATING"
    decks: int = 0
    piles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    virtual: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    contenders: tuple[str, ...] = ()
    hands: Mapping[str, str] = field(default_factory=dict)
    winner: str = ""
    first: int = 0
    parent: int = 0
    queue: tuple[str, ...] = ()
    passed: tuple[str, ...] = ()
    log: tuple[Assigned, ...] = ()
    late: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    paused: bool = False
    step: int = 0
    asked_at: str = ""
    alices: tuple[str, ...] = ()
    story_setting: str = ""
    party_group: str = ""

    @cached_property
    def tables(self) -> Tables:
        return HOUSE_RULES.tables(self.house_rules)

    @cached_property
    def zones(self) -> Zones:
        return Zones(self.piles)

    @property
    def k(self) -> int:
        """Finished reveals, 0 … 4n."""
        return len(self.log)

    @property
    def suit(self) -> SuitId:
        """The suit of the card that is or will be turned next."""
        return suit_at(self.k)

    @property
    def open_step(self) -> int | None:
        """The step an answer has to name; None while nothing waits for an answer."""
        return self.step if self.phase in STEPPED else None

    @property
    def card(self) -> str:
        """The open card, "" without one."""
        return next(iter(self.zones[OPEN]), "")

    @property
    def asked(self) -> str:
        """Whose answer is awaited now, "" for nobody."""
        if self.phase == "PARENT_SELECT":
            return self.winner
        if self.phase == "AWAIT_REVEAL":
            return self.parent_seat
        return self.queue[len(self.passed)] if self.phase == "OFFERING" else ""

    @property
    def parent_seat(self) -> str:
        return self.seats[self.parent] if self.phase in ("AWAIT_REVEAL", "OFFERING") else ""

    @property
    def continuing(self) -> tuple[Continuing, ...]:
        """Characters from earlier games whose players do not draft."""
        return tuple(one for one in self.carried if one.seat not in self.seats)

    def abilities(self, seat: str) -> dict[SuitId, str]:
        """Card ids by suit, in order."""
        found = {suit_of(card): card for card in self.zones[abilities_of(seat)]}
        return {suit: found[suit] for suit in SUITS if suit in found}

    def name(self, seat: str) -> str:
        return self.names.get(seat, seat)


_STATE: TypeAdapter[Draft] = TypeAdapter(Draft)


def to_json(state: Draft) -> dict[str, Any]:
    """The state as plain JSON data: what a snapshot stores. It holds what players must not see."""
    found: dict[str, Any] = _STATE.dump_python(state, mode="json")
    return found


def from_json(data: Mapping[str, Any]) -> Draft:
    """The state of a snapshot. Raises `ValueError` for what `to_json` did not write."""
    return _STATE.validate_python(data)
