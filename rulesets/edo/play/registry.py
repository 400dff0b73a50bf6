"""Where commands and events are registered: one small function each, found by name, unknown names refused.

    @command("posture", fields=(ACTOR, …), codes=("P15", "P37"), rule="§7.2")
    def posture(desk: Desk, asked: Asked) -> None: ...

    @event("posture", shows=("posture",))

A command's words are the rows `command.<name>` (label) and `when.<name>` (when it may be used) of the play labels. An
event's data holds what happened; `set` and `world` (new values of actors and of the table) are applied by `evolve` and
never shown. What a viewer gets is `actor`, `target`, `text`, `outcome`, `told` and the keys named in `shows`: nothing
else, and nothing at all of an event that is not registered here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rulesets.edo.play.words import known, words
from rulesets.engine.odds import Odds
from rulesets.engine.play import CommandField, CommandShape, Role, Viewer

if TYPE_CHECKING:
    from rulesets.edo.play.desk import Desk
    from rulesets.edo.play.reading import Asked
    from rulesets.edo.play.state import State

GM_ONLY: frozenset[Role] = frozenset({"gm", "co_gm"})
TABLE: frozenset[Role] = frozenset({"gm", "co_gm", "player"})

Handler = Callable[["Desk", "Asked"], None]
OddsOf = Callable[["State", "Asked", Viewer], "Odds | None"]
Show = Callable[[Mapping[str, Any], Viewer], Mapping[str, Any] | None]
# Codes every command may be refused with: see `reading.py` and `desk.py`.
COMMON_CODES = ("P17", "P18", "P20", "P21", "P22", "P23", "P40")


@dataclass(frozen=True)
class CommandEntry:
    """A command: its shape, its handler, the section of the rules it follows."""

    shape: CommandShape
    handle: Handler
    rule: str = ""


@dataclass(frozen=True)
class EventEntry:
    kind: str
    shows: tuple[str, ...] = ()
    show: Show | None = None
    evolve: Callable[[State, Mapping[str, Any]], State] | None = None


@dataclass(frozen=True)
class _Registries:
    commands: dict[str, CommandEntry] = field(default_factory=dict)
    events: dict[str, EventEntry] = field(default_factory=dict)
    odds: dict[str, OddsOf] = field(default_factory=dict)


_FOUND = _Registries()
COMMANDS: Mapping[str, CommandEntry] = _FOUND.commands
EVENTS: Mapping[str, EventEntry] = _FOUND.events
ODDS: Mapping[str, OddsOf] = _FOUND.odds


def command(
    name: str,
    *fields: CommandField,
    roles: frozenset[Role] = TABLE,
    codes: tuple[str, ...] = (),
    rule: str = "",
    answers: bool = False,
    retractable: bool = False,
) -> Callable[[Handler], Handler]:
    """Register a command. Its handler refuses before it rolls, and emits the events.

    `answers`: it carries the step of the open operation; `retractable`: it never rolls and opens nothing hidden.
    """

    def register(handle: Handler) -> Handler:
        if name in _FOUND.commands:
            raise ValueError(f"the command {name} is there twice")
        when = words(f"when.{name}") if known(f"when.{name}") else None
        told = tuple(sorted({*COMMON_CODES, *codes, *_reading_codes(fields), *(("P16", "P30") if answers else ())}))
        shape = CommandShape(name, words(f"command.{name}"), roles, fields, when, told, retractable, answers)
        _FOUND.commands[name] = CommandEntry(shape, handle, rule)
        return handle

    return register


def _reading_codes(fields: tuple[CommandField, ...]) -> tuple[str, ...]:
    """What reading some fields may be refused with: words too long, dice that are none, too few or too many."""
    typed = any(field.type in ("text", "actor") for field in fields)
    dice = any(field.name == "faces" for field in fields)
    return (*(("P25",) if typed else ()), *(("P24", "P42", "P43") if dice else ()))


def odds_of(name: str) -> Callable[[OddsOf], OddsOf]:
    """Register the exact chances of a command."""

    def register(count: OddsOf) -> OddsOf:
        if name in _FOUND.odds:
            raise ValueError(f"the odds of {name} are there twice")
        _FOUND.odds[name] = count
        return count

    return register


def event(
    kind: str,
    *,
    shows: tuple[str, ...] = (),
    show: Show | None = None,
    evolve: Callable[[State, Mapping[str, Any]], State] | None = None,
) -> None:
    """Register an event kind. `evolve` runs after `set` and `world` were applied; most kinds need none."""
    if kind in _FOUND.events:
        raise ValueError(f"the event {kind} is there twice")
    _FOUND.events[kind] = EventEntry(kind, shows, show, evolve)
