"""What is tracked of one character (rules §10.2): ability cards and damage, flags of the round, locks of days."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict

from rulesets.alice.character import Character, character_of
from rulesets.protocol import Kind

Status = Literal["active", "dying", "dead"]
Way = Literal["", "hand", "flip", "luck", "fixed", "concede"]
PactKind = Literal["healing_vow", "coexistence_pact"]


class Plain:
    """Refuses unknown keys when read back."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


@dataclass(frozen=True)
class Cast(Plain):
    """Who a character is: changes only when the GM takes over a newer sheet. `seat` "" = the GM's own.

    Several of one entry share `group` (its id) and are counted by `number`, from 1.
    """

    id: str
    name: str
    seat: str
    kind: Kind
    build: Mapping[str, Any]
    group: str = ""
    number: int = 0

    @cached_property
    def character(self) -> Character:
        return character_of(self.build, self.kind)


@dataclass(frozen=True)
class Pact(Plain):
    """A pact with an アリス (§6.7)."""

    kind: PactKind
    alice: str
    hand_delta: int = 0
    note: str = ""


@dataclass(frozen=True)
class Commit(Plain):
    """What somebody chose secretly in a sealed race (§7.8); a hand card lies in the zone `sealed:<id>`."""

    way: Way
    boosted: bool = False
    ace: str = ""


@dataclass(frozen=True)
class ActorState(Plain):
    """One character.

    `ranks`: ability ranks by suit, `cards` the physical ability cards (a suit that is missing has a virtual one);
    `boosts`: suits whose picture boost is used; `held_by`: who holds the opponents back for this one's flight;
    `heals`: an ace has come up and the GM names the ability that heals;
    `lasts`: day of the last recovery attempt, by suit or under "" for all; `offers`: cards offered, by transfer.
    """

    cast: Cast
    ranks: Mapping[str, str]
    cards: Mapping[str, str] = field(default_factory=dict)
    on_stage: bool = True
    hidden: bool = False
    numbers_shown: bool = False
    stages: Mapping[str, int] = field(default_factory=dict)
    boosts: tuple[str, ...] = ()
    hand_delta: int = 0
    pacts: Mapping[str, Pact] = field(default_factory=dict)
    status: Status = "active"
    busy: bool = False
    acted: bool = False
    defences: int = 0
    escaped: bool = False
    fled: bool = False
    held_by: str = ""
    sheltered: bool = True
    heals: bool = False
    resting_since: int | None = None
    lasts: Mapping[str, int] = field(default_factory=dict)
    sleepless: bool = False
    refreshed: bool = False
    empathy_lock: Mapping[str, int] = field(default_factory=dict)
    acquire_lock: Mapping[str, int] = field(default_factory=dict)
    reason_tried: Mapping[str, int] = field(default_factory=dict)
    sealed: Commit | None = None
    offers: Mapping[str, str] = field(default_factory=dict)
    belongings: str = ""
    brought: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.cast.id

    @property
    def name(self) -> str:
        return self.cast.name

    @property
    def seat(self) -> str:
        return self.cast.seat

    @property
    def npc(self) -> bool:
        return self.cast.kind == "npc"

    @property
    def dead(self) -> bool:
        return self.status == "dead"

    @property
    def character(self) -> Character:
        """What does not change in play (§5.3, §13.1)."""
        return self.cast.character

    def stage(self, suit: str) -> int:
        return self.stages.get(suit, 0)

    @property
    def incapacitated(self) -> bool:
        """§8.2: stage 3 among ♠♣♥; a minor GM character is out earlier (§13.1). The dead do nothing either."""
        return self.dead or any(self.stage(suit) >= self.character.out_at for suit in ("S", "C", "H"))
