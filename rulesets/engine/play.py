"""Live play: what goes into a game's `decide`, `evolve` and `project`, and what comes out.

A game gives an object of the shape `Play`. Everything in it is pure: time comes with the command, randomness from
outside, and the same state and events give the same state again. Events hold facts, so a replay needs neither dice nor
the rules of the day; an event of an old `schema` is brought up to date by the game's upcasters, kept for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeVar

from rulesets.engine.dice import DiceSource
from rulesets.engine.odds import Odds
from rulesets.engine.outcome import Reason
from rulesets.engine.text import Text

Role = Literal["gm", "co_gm", "player", "spectator", "timer"]
# who may see something: `all` (every seat), `gm`, `seat:<id>`; the GM is not included by default
Audience = tuple[str, ...]
ALL: Audience = ("all",)
GM: Audience = ("gm",)
# nobody at the table, while it is open: the order of a pile, which only a replay needs
HIDDEN: Audience = ("hidden",)

# Commands the table itself issues for the GM who pressed something, to games whose `commands` list them, with data:
SHEET_REFRESH = "sheet.refresh"  # the entry of `start`'s `cast` as it is now
CAST_JOIN = "cast.join"  # such an entry of somebody who was not there at the start
EVENING_START = "evening.start"  # {number}
EVENING_END = "evening.end"  # {number}
SCENE_SET = "scene.set"  # {title, text}
BY_THE_TABLE = frozenset({SHEET_REFRESH, CAST_JOIN, EVENING_START, EVENING_END, SCENE_SET})


def seat_token(seat: str) -> str:
    """The audience token of one seat."""
    return f"seat:{seat}"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who issues a command. `seat` is the seat's id; "" for the timer."""

    seat: str
    role: Role

    @property
    def is_gm(self) -> bool:
        return self.role in ("gm", "co_gm")


@dataclass(frozen=True, slots=True)
class Command:
    """What somebody wants to do.

    `at` is the server's time (UTC, `2026-05-09T12:03:44Z`). `expected_step` names the step of the open operation it
    answers, None if it answers none. `override` is the GM's reason for setting a soft refusal aside.
    """

    name: str
    data: Mapping[str, Any]
    at: str
    expected_step: int | None = None
    override: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """One fact that came of a command. What differs for different eyes is told in several events.

    `shows_dice`: this event tells faces of the command's dice; whoever sees every event that says so may verify the
    throw, for these events together tell all of its dice. When no event says so, only those who see every event of the
    command may, the others when the table closes.
    `throw` is the game's own name for the throw an event tells of: a later event of the same name, told to more people,
    lets these verify it too (the opening of a secret roll).
    """

    kind: str
    data: Mapping[str, Any]
    audience: Audience = ALL
    schema: int = 1
    shows_dice: bool = False
    throw: str = ""


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a command does nothing. `overridable`: the GM may set it aside with a reason."""

    code: str
    message: Text
    params: Mapping[str, object] = field(default_factory=dict)
    overridable: bool = False
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Whose eyes something is projected for. `tokens` are the audiences the viewer belongs to."""

    tokens: frozenset[str]
    role: Role
    seat: str = ""

    def sees(self, audience: Iterable[str]) -> bool:
        return not self.tokens.isdisjoint(audience)


FieldType = Literal["int", "bool", "text", "choice", "actor", "card", "cards"]


@dataclass(frozen=True, slots=True)
class CommandField:
    """One thing a command needs. `choices` are the allowed words of a `choice`; a text has at most `max` characters."""

    name: str
    type: FieldType
    label: Text
    required: bool = True
    min: int | None = None
    max: int | None = None
    choices: tuple[tuple[str, Text], ...] = ()


@dataclass(frozen=True, slots=True)
class CommandShape:
    """A command that a game knows: what the API, the palette and the scripted player read.

    `codes` are the refusals it may meet. `retractable`: it never rolls and shows nothing that was hidden, so a player
    may take it back while nothing came after. `answers`: it carries the step of the open operation it answers.
    """

    name: str
    label: Text
    roles: frozenset[Role]
    fields: tuple[CommandField, ...] = ()
    when: Text | None = None
    codes: tuple[str, ...] = ()
    retractable: bool = False
    answers: bool = False


@dataclass(frozen=True, slots=True)
class CarriedChange:
    """One value of a sheet that the end of the table changes: what it is in words, and why. `words`: both values in
    words, where they are no number and no yes or no."""

    key: str
    label: Text
    before: int | str | bool | None
    after: int | str | bool | None
    reason: Reason
    words: tuple[Text, Text] | None = None


@dataclass(frozen=True, slots=True)
class CarriedOver:
    """What one character takes home. `play` is all of it, as the next table's `cast` entry gives it back to `start`."""

    actor: str
    changes: tuple[CarriedChange, ...]
    play: Mapping[str, Any]


S = TypeVar("S")


class Play(Protocol[S]):
    """Live play of one game. `S` is its state: immutable, holding the tables it was started with."""

    def start(self, setup: Mapping[str, Any]) -> S:
        """The state a table begins with.

        `setup` is plain JSON data: `house_rules` (a partial override), `seats`: [{`seat`, `role`, `name`}] and `cast`:
        [{`id` (the actor's id in commands and events), `kind`: `pc` | `npc`, `name`, `seat` (of its player; "" for an
        NPC), `count` (how many of this NPC), `build` (the document of §4.4), `hidden` (only the GMs know it is there),
        `play` (what it took home from the table before, {} at first)}].
        """
        ...

    def dump(self, state: S) -> Mapping[str, Any]:
        """The state as plain JSON data (no fractions, keys are strings), without the tables."""
        ...

    def load(self, data: Mapping[str, Any], setup: Mapping[str, Any]) -> S:
        """The state that `dump` wrote, at the table that began with `setup`. Raises ValueError or KeyError when it was
        written by another version: the table then folds its events again."""
        ...

    def close(self, state: S) -> Sequence[CarriedOver]:
        """What the rules carry back to the sheets if the table ended now; characters with no change may be left out."""
        ...

    def decide(self, state: S, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        """What a command leads to. Uses dice only when it is not refused; changes nothing."""
        ...

    def evolve(self, state: S, event: Event) -> S:
        """The state after a fact."""
        ...

    def project_event(self, event: Event, viewer: Viewer) -> Mapping[str, Any] | None:
        """What a viewer may know of an event whose audience they are in; None: nothing. Unknown kinds show nothing."""
        ...

    def project_state(self, state: S, viewer: Viewer) -> Mapping[str, Any]:
        """What a viewer may know of the state. `step` in it is the number of the open operation, None without one."""
        ...

    def odds(self, state: S, command: Command, viewer: Viewer) -> Odds | None:
        """Exact chances of a command from what the viewer may know; None when nothing is left to chance."""
        ...

    def commands(self) -> Sequence[CommandShape]:
        """Every command of the game."""
        ...

    def upcasters(self) -> Mapping[tuple[str, int], Callable[[Mapping[str, Any]], Mapping[str, Any]]]:
        """For (kind, schema) the function that makes the data of the next schema."""
        ...


def up_to_date(play: Play[Any], event: Event) -> Event:
    """An event in today's schema."""
    upcasters = play.upcasters()
    while upcast := upcasters.get((event.kind, event.schema)):
        event = replace(event, data=upcast(event.data), schema=event.schema + 1)
    return event


def replay(play: Play[S], state: S, events: Iterable[Event]) -> S:
    """The state after stored events, old schemas included."""
    for event in events:
        state = play.evolve(state, up_to_date(play, event))
    return state


def carry_out(
    play: Play[S], state: S, command: Command, actor: Actor, dice: DiceSource
) -> tuple[S, Sequence[Event]] | Refused:
    """Decide a command and apply what comes of it."""
    decided = play.decide(state, command, actor, dice)
    if isinstance(decided, Refused):
        return decided
    return replay(play, state, decided), decided


def shown(play: Play[Any], event: Event, viewer: Viewer) -> Mapping[str, Any] | None:
    """What reaches a viewer of an event: nothing unless they are in its audience, then what the game lets through."""
    return play.project_event(up_to_date(play, event), viewer) if viewer.sees(event.audience) else None
