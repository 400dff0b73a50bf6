"""Live play of ウィッチクエスト: the object behind `SYSTEM.play` (rules §5–§10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulesets.engine.dice import CountedDice, DiceSource
from rulesets.engine.odds import Odds
from rulesets.engine.play import Actor, CarriedOver, Command, CommandShape, Event, Refused, Viewer
from rulesets.engine.playing.showing import event_view
from rulesets.engine.playing.telling import telling
from rulesets.witch.play import carry, evolving, setup
from rulesets.witch.play.desk import Desk
from rulesets.witch.play.reading import Refuse, read, refused
from rulesets.witch.play.registry import COMMANDS, EVENTS, ODDS, PARTS
from rulesets.witch.play.state import State, from_json, to_json


class WitchPlay:
    """Every command is a handler in `registry.COMMANDS`, every fact an entry of `registry.EVENTS`."""

    def start(self, setup_data: Mapping[str, Any]) -> State:
        """The state a table begins with; see `setup.start` for the shape."""
        return setup.start(setup_data)

    def decide(self, state: State, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        """What a command leads to: events, or a refusal that threw no die."""
        counted = CountedDice(dice)
        desk = Desk(state, command, actor, counted)
        try:
            entry = COMMANDS.get(command.name)
            if entry is None:
                raise refused("P41", value=command.name[:40])
            if actor.role not in entry.shape.roles:
                raise refused("P40")
            asked = read(entry.shape, command.data)
            if any(field.name == "faces" for field in entry.shape.fields):
                desk.tell(asked.faces)
            entry.handle(desk, asked)
            desk.finish()
        except Refuse as found:
            return found.refused
        desk.emit_overrides()
        return telling(desk.events, counted.thrown)

    def evolve(self, state: State, event: Event) -> State:
        return evolving.evolve(state, event)

    def project_event(self, event: Event, viewer: Viewer) -> Mapping[str, Any] | None:
        return event_view(EVENTS, event, viewer)

    def project_state(self, state: State, viewer: Viewer) -> Mapping[str, Any]:
        return PARTS.view(state, viewer)

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
        """What everybody would take home now (§8.2)."""
        return carry.close(state)


PLAY = WitchPlay()
