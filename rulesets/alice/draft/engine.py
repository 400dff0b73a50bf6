"""The draft as a live play: the object behind `SYSTEM.draft`, of the shape `rulesets.engine.play.Play` (§4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulesets.alice.cards import rank_of
from rulesets.alice.draft import evolving, starting, views
from rulesets.alice.draft.desk import Desk
from rulesets.alice.draft.registry import COMMANDS, EVENTS
from rulesets.alice.draft.state import Draft, from_json, to_json
from rulesets.alice.draft.words import FORMS, words
from rulesets.alice.fields import field_label
from rulesets.alice.words import refused
from rulesets.engine.dice import DiceSource
from rulesets.engine.odds import Odds
from rulesets.engine.outcome import Reason
from rulesets.engine.play import (
    Actor,
    CarriedChange,
    CarriedOver,
    Command,
    CommandShape,
    Event,
    Refused,
    Viewer,
)
from rulesets.engine.playing.reading import Fields, Refuse
from rulesets.engine.playing.showing import event_view


class DraftPlay:
    """Every command is a handler in `registry.COMMANDS`, every fact an entry of `registry.EVENTS`."""

    def start(self, setup: Mapping[str, Any]) -> Draft:
        """The draft a topic begins with; see `starting.start`."""
        return starting.start(setup)

    def decide(self, state: Draft, command: Command, actor: Actor, dice: DiceSource) -> Sequence[Event] | Refused:
        """What a command leads to: events, or the first refusal of §4.5 that applies."""
        desk = Desk(state, command, actor, dice)
        try:
            entry = COMMANDS.get(command.name)
            if entry is None:
                raise refused("E_UNKNOWN_COMMAND", value=command.name[:40])
            desk.guard(entry.shape)
            entry.handle(desk, Fields(entry.shape, FORMS.values(entry.shape, command.data)))
        except Refuse as found:
            return found.refused
        return desk.events

    def evolve(self, state: Draft, event: Event) -> Draft:
        return evolving.evolve(state, event)

    def project_event(self, event: Event, viewer: Viewer) -> Mapping[str, Any] | None:
        return event_view(EVENTS, event, viewer)

    def project_state(self, state: Draft, viewer: Viewer) -> Mapping[str, Any]:
        return views.project_state(state, viewer)

    def odds(self, state: Draft, command: Command, viewer: Viewer) -> Odds | None:
        """Nothing is asked of chance that a player could weigh: the next card is as likely as any."""
        return None

    def commands(self) -> Sequence[CommandShape]:
        return [entry.shape for entry in COMMANDS.values()]

    def upcasters(self) -> Mapping[tuple[str, int], Callable[[Mapping[str, Any]], Mapping[str, Any]]]:
        return {}

    def dump(self, state: Draft) -> Mapping[str, Any]:
        """The state as plain JSON data, for snapshots."""
        return to_json(state)

    def load(self, data: Mapping[str, Any], setup: Mapping[str, Any]) -> Draft:
        """The state of a snapshot. Raises `ValueError` for what `dump` did not write."""
        return from_json(data)

    def close(self, state: Draft) -> Sequence[CarriedOver]:
        """The four cards of everybody, once the draft is complete.

        `actor` is the player's PC of the setup, or the seat when there was none. `play` is
        `{"ability_source": "draft" | "late_join", "cards": {"S": "7", …}}`, as the build document takes it.
        """
        if state.phase != "COMPLETE":
            return []
        drafted = [_carried(state, seat, "draft") for seat in state.seats]
        return [*drafted, *(_carried(state, seat, "late_join") for seat in state.late)]


def _carried(state: Draft, seat: str, source: str) -> CarriedOver:
    why = Reason(words(f"reason.{source}"), "§3.6" if source == "late_join" else "§4.1")
    cards = {suit: rank_of(card) for suit, card in state.abilities(seat).items()}
    key = "ability_source"
    changes = [CarriedChange(key, field_label(key, state.tables), None, source, why)]
    changes += [
        CarriedChange(f"cards.{suit}", field_label(f"cards.{suit}", state.tables), None, rank, why)
        for suit, rank in cards.items()
    ]
    return CarriedOver(state.characters.get(seat, seat), tuple(changes), {key: source, "cards": cards})


DRAFT = DraftPlay()
