"""Where the commands and events of a game are registered: one small function each, found by name.

    @command("posture", ACTOR, …, codes=("P15", "P37"), rule="§7.2")
    def posture(desk: Desk, asked: Asked) -> None: ...

    event("posture", shows=("posture",))

A command's words are the rows `command.<name>` (label) and `when.<name>` (when it may be used) of the game's labels. An
event's data holds what happened; values of the state in it are applied by `evolve` and never shown: a viewer gets the
keys named here and nothing of an event that is not registered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rulesets.engine.odds import Odds
from rulesets.engine.play import CommandField, CommandShape, Role, Viewer
from rulesets.engine.text import Text

GM_ONLY: frozenset[Role] = frozenset({"gm", "co_gm"})
TABLE: frozenset[Role] = frozenset({"gm", "co_gm", "player"})

D = TypeVar("D")  # what handlers work at
A = TypeVar("A")  # the fields of a command
S = TypeVar("S")  # the state of a table

Show = Callable[[Mapping[str, Any], Viewer], Mapping[str, Any] | None]


@dataclass(frozen=True)
class CommandEntry(Generic[D, A]):
    """A command: its shape, its handler, the section of the rules it follows."""

    shape: CommandShape
    handle: Callable[[D, A], None]
    rule: str = ""


@dataclass(frozen=True)
class EventEntry(Generic[S]):
    kind: str
    shows: tuple[str, ...] = ()
    show: Show | None = None
    evolve: Callable[[S, Mapping[str, Any]], S] | None = None


class Registry(Generic[D, A, S]):
    """The commands, events and odds of one game.

    `common` are refusals every command may meet, `reading` those that come with fields, `answering` those of a command
    that answers the open operation.
    """

    def __init__(
        self,
        words: Callable[[str], Text],
        known: Callable[[str], bool],
        common: Sequence[str],
        reading: Callable[[tuple[CommandField, ...]], Sequence[str]],
        answering: Sequence[str],
    ) -> None:
        self._words, self._known = words, known
        self._common, self._reading, self._answering = common, reading, answering
        self._commands: dict[str, CommandEntry[D, A]] = {}
        self._events: dict[str, EventEntry[S]] = {}
        self._odds: dict[str, Callable[[S, A, Viewer], Odds | None]] = {}

    @property
    def commands(self) -> Mapping[str, CommandEntry[D, A]]:
        return self._commands

    @property
    def events(self) -> Mapping[str, EventEntry[S]]:
        return self._events

    @property
    def odds(self) -> Mapping[str, Callable[[S, A, Viewer], Odds | None]]:
        return self._odds

    def command(
        self,
        name: str,
        *fields: CommandField,
        roles: frozenset[Role] = TABLE,
        codes: tuple[str, ...] = (),
        rule: str = "",
        answers: bool = False,
        retractable: bool = False,
    ) -> Callable[[Callable[[D, A], None]], Callable[[D, A], None]]:
        """Register a command. Its handler refuses before it rolls, and emits the events.

        `answers`: it carries the step of the open operation; `retractable`: it never rolls and opens nothing hidden.
        """

        def register(handle: Callable[[D, A], None]) -> Callable[[D, A], None]:
            if name in self._commands:
                raise ValueError(f"the command {name} is there twice")
            when = self._words(f"when.{name}") if self._known(f"when.{name}") else None
            answering = self._answering if answers else ()
            told = tuple(sorted({*self._common, *codes, *self._reading(fields), *answering}))
            label = self._words(f"command.{name}")
            shape = CommandShape(name, label, roles, fields, when, told, retractable, answers)
            self._commands[name] = CommandEntry(shape, handle, rule)
            return handle

        return register

    def odds_of(
        self, name: str
    ) -> Callable[[Callable[[S, A, Viewer], Odds | None]], Callable[[S, A, Viewer], Odds | None]]:
        """Register the exact chances of a command."""

        def register(count: Callable[[S, A, Viewer], Odds | None]) -> Callable[[S, A, Viewer], Odds | None]:
            if name in self._odds:
                raise ValueError(f"the odds of {name} are there twice")
            self._odds[name] = count
            return count

        return register

    def event(
        self,
        kind: str,
        *,
        shows: tuple[str, ...] = (),
        show: Show | None = None,
        evolve: Callable[[S, Mapping[str, Any]], S] | None = None,
    ) -> None:
        """Register an event kind. `evolve` runs after the values in it were applied; most kinds need none."""
        if kind in self._events:
            raise ValueError(f"the event {kind} is there twice")
        self._events[kind] = EventEntry(kind, shows, show, evolve)
