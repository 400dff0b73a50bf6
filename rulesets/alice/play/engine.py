"""Live play of Alice: the object behind `SYSTEM.play` (rules §6–§10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulesets.alice.play import carry, evolving, setup
from rulesets.alice.play.desk import Desk
from rulesets.alice.play.reading import read
from rulesets.alice.play.registry import COMMANDS, EVENTS, ODDS
from rulesets.alice.play.state import State, from_json, to_json
from rulesets.alice.play.views import state_view
from rulesets.alice.words import refused
from rulesets.engine.dice import DiceSource
from rulesets.engine.odds import Odds
from rulesets.engine.play import Actor, CarriedOver, Command, CommandShape, Event, Refused, Viewer
from rulesets.engine.playing.reading import Refuse
from rulesets.engine.playing.registry import GM_ONLY
from rulesets.engine.playing.showing import event_view


class AlicePlay:
    """Every command is a handler in `registry.COMMANDS`, every fact an entry of `registry.EVENTS`."""

    def start(self, setup_data: Mapping[str, Any]) -> State:
        """The state a table begins with; see `setup.start` for the shape."""
        return setup.start(setup_data)

    def decide(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        """What a command leads to: events, or a refusal that shuffled nothing."""
        desk = Desk(state, command, actor, dice)
        try:
            entry = COMMANDS.get(command.name)
            if entry is None:
                raise refused("E_UNKNOWN_COMMAND", value=command.name[:40])
            if actor.role not in entry.shape.roles:
                raise refused("E_GM_ONLY" if entry.shape.roles == GM_ONLY else "E_NOT_AT_TABLE")
            entry.handle(desk, read(entry.shape, command.data))
        except Refuse as found:
            return found.refused
        desk.emit_overrides()
        return desk.events

    def evolve(self, state: State, event: Event) -> State:
        return evolving.evolve(state, event)

    def project_event(self, event: Event, viewer: Viewer) -> Mapping[str, Any] | None:
        return event_view(EVENTS, event, viewer)

    def project_state(self, state: State, viewer: Viewer) -> Mapping[str, Any]:
        return state_view(state, viewer)

    def odds(self, state: State, command: Command, viewer: Viewer) -> Odds | None:
        """Exact chances from what the viewer may know; None where nothing is left to chance or nothing may be known."""
        entry, count = COMMANDS.get(command.name), ODDS.get(command.name)
        if entry is None or count is None or viewer.role not in entry.shape.roles:
            return None
        try:
            return count(state, read(entry.shape, command.data), viewer)
        except Refuse:
            return None

    def commands(self) -> Sequence[CommandShape]:
        return [entry.shape for entry in COMMANDS.values()]

    def upcasters(self) -> Mapping[tuple[str, int], Callable[[Mapping[str, Any]], Mapping[str, Any]]]:
        return {}

    def dump(self, state: State) -> dict[str, Any]:
        """The state as plain JSON data, for snapshots."""
        return to_json(state)

    def load(self, data: Mapping[str, Any], setup_data: Mapping[str, Any]) -> State:
        """The state of a snapshot. Raises `ValueError` for what `dump` did not write."""
        return from_json(data)

    def close(self, state: State) -> Sequence[CarriedOver]:
        """What everybody would take home now (§10.3)."""
        return carry.close(state)


PLAY = AlicePlay()
