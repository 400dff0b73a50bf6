"""The live state of a table (rules §10): frozen, plain data inside, JSON there and back.

Everything an event may set is a field of `ActorState` or `State`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict, TypeAdapter

from rulesets.engine.problems import Value
from rulesets.protocol import Kind
from rulesets.witch.moon import Calendar
from rulesets.witch.tables import HOUSE_RULES, Witch

HelpState = Literal["none", "asked", "accepted", "declined", "withdrawn"]
AttemptKind = Literal["challenge", "spell"]
GrowthChoice = Literal["factor", "skill", "power", "hp"]
PARTY = "party"  # the key of the one pool where the whole party shares it


class Plain:
    """Refuses unknown keys when read back."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


# ---------------------------------------------------------------- characters


@dataclass(frozen=True)
class Cast(Plain):
    """Who an actor is: changes only when the GM takes over a newer sheet. `seat` "" = the GM's own (NPC)."""

    id: str
    name: str
    seat: str
    kind: Kind
    fields: Mapping[str, Value]


@dataclass(frozen=True)
class Growth(Plain):
    """One growth of a witch (§8.3). `target` is a factor, a skill's name or a column; the numbers are those before and
    after; `drawn` is the card of choice 3."""

    choice: GrowthChoice
    target: str
    before: int
    after: int
    sign: int
    shadow: int
    drawn: int | None = None
    at: str = ""


@dataclass(frozen=True)
class ActorState(Plain):
    """What is tracked of one character. `hp` and `mp` are current values; `brought` came from the table before.

    `true_name` is one given in play; `trusted` are the characters she told it. `out`: out cold until morning.
    """

    cast: Cast
    hidden: bool = False
    numbers_shown: bool = False
    hp: int = 0
    mp: int = 0
    xp: int = 0
    growths: tuple[Growth, ...] = ()
    bank: int = 0
    purchases: tuple[str, ...] = ()
    true_name: str = ""
    trusted: tuple[str, ...] = ()
    tail_name: str = ""
    tail_revealed: bool = False
    out: bool = False
    conditions: tuple[str, ...] = ()
    grown_on: str = ""
    nine_lives: Literal["", "ready", "used"] = ""
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
    def on_stage(self) -> bool:
        """Whoever is not hidden is there: this game has no stage."""
        return True

    @property
    def is_cat(self) -> bool:
        return self.cast.fields.get("kind") == "cat"


# ---------------------------------------------------------------- the table


@dataclass(frozen=True)
class Scene(Plain):
    number: int = 0
    title: str = ""
    text: str = ""


@dataclass(frozen=True)
class Pool(Plain):
    """Cat points of a pair for one scenario (§8.1). `corrected` is what the GM added (or took) by hand."""

    initial: int
    remaining: int
    used: Mapping[str, int] = field(default_factory=dict)  # by the witch whose cat spent them
    corrected: int = 0
    closed: bool = False

    @property
    def spent(self) -> int:
        return sum(self.used.values())


@dataclass(frozen=True)
class Help(Plain):
    """A request for a cat's help and its answer (§5.5): `asked` and `granted` count throws or dice."""

    id: str = ""
    state: HelpState = "none"
    asked: int = 0
    granted: int = 0


@dataclass(frozen=True)
class Attempt(Plain):
    """A challenge or a spell under way, or the last one of its actor.

    `what`: `factor:<id>` or `skill:<name>`, or the wish. `rated`: the GM has decided a spell's target and difficulty;
    `difficulty` None is rolled with the spell.
    """

    id: str
    kind: AttemptKind
    actor: str
    what: str
    scene: int = 0
    required: int = 1
    target: str = ""
    rated: bool = False
    difficulty: int | None = None
    help: Help = Help()
    done: bool = False
    success: bool | None = None
    throws: int = 0
    doubles: int = 0


@dataclass(frozen=True)
class Target(Plain):
    """Something a spell was or may be cast on. `belief` None is rolled; `rolled` in that scene; `secret`: the GM's."""

    id: str
    name: str
    category: str
    belief: int | None = None
    rolled: int | None = None
    secret: bool = False


@dataclass(frozen=True)
class Deck(Plain):
    """A pile of cards as a set: `left` in the order of their numbers, `shown` as drawn (`17`, `17r` reversed).

    The order of what is left does not exist, so nobody can look at it: each card is drawn by its own die.
    """

    left: tuple[int, ...]
    shown: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()  # drawn for the GM alone


@dataclass(frozen=True)
class Fight(Plain):
    """An optional fight (§5.7): one enemy, rounds of two dice for each fighter."""

    name: str
    hp_max: int
    hp: int
    damage: int
    round: int = 1
    thrown: Mapping[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class State(Plain):
    """Everything at one table. `next_id` names what comes next."""

    house_rules: Mapping[str, Any]
    actors: Mapping[str, ActorState]
    bonds: Mapping[str, str] = field(default_factory=dict)  # witch -> cat
    scene: Scene = Scene()
    evening: int = 1
    scenario: int = 0
    scenario_open: bool = False
    calendar: Calendar = field(default_factory=Calendar)
    meetings: Mapping[str, bool] = field(default_factory=dict)  # opened or shut by the GM, until the day changes
    pools: Mapping[str, Pool] = field(default_factory=dict)  # by witch, or one under PARTY
    attempts: Mapping[str, Attempt] = field(default_factory=dict)
    targets: Mapping[str, Target] = field(default_factory=dict)
    decks: Mapping[str, Deck] = field(default_factory=dict)
    fight: Fight | None = None
    next_id: int = 1

    @cached_property
    def tables(self) -> Witch:
        return HOUSE_RULES.tables(self.house_rules)

    @property
    def date_key(self) -> str:
        """What tells this day from others."""
        return self.calendar.real or str(self.calendar.ordinal)

    def group(self, actor_id: str) -> tuple[ActorState, ...]:
        """The one actor of an id; () for an unknown one."""
        return (self.actors[actor_id],) if actor_id in self.actors else ()

    def witch_of(self, cat: str) -> str:
        """The witch of a cat; "" for none."""
        return next((witch for witch, other in self.bonds.items() if other == cat), "")

    def pool_key(self, witch: str) -> str:
        return PARTY if self.tables.rule.pool_scope == "party" else witch

    def pool(self, witch: str) -> Pool | None:
        """The open pool of a witch; None outside a scenario."""
        found = self.pools.get(self.pool_key(witch))
        return found if found is not None and not found.closed else None

    def open_attempt(self, actor: str) -> Attempt | None:
        return next((one for one in self.attempts.values() if one.actor == actor and not one.done), None)


_STATE: TypeAdapter[State] = TypeAdapter(State)


def to_json(state: State) -> dict[str, Any]:
    """The state as plain JSON data: what a snapshot stores."""
    found: dict[str, Any] = _STATE.dump_python(state, mode="json")
    return found


def from_json(data: Mapping[str, Any]) -> State:
    """The state of a snapshot. Raises `pydantic.ValidationError` for what `to_json` did not write."""
    return _STATE.validate_python(data)
