"""Facts applied to the state. An event holds the new values themselves, so a replay asks no rule and throws no die."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rulesets.engine.play import Event
from rulesets.engine.playing.facts import UnknownEvent, decoded, table_after
from rulesets.ninja.play.registry import EVENTS
from rulesets.ninja.play.state import ActorState, State


def evolve(state: State, event: Event) -> State:
    """The state after a fact. Raises `UnknownEvent`, `KeyError` for an actor or field that is not there."""
    entry = EVENTS.get(event.kind)
    if entry is None:
        raise UnknownEvent(event.kind)
    actors = dict(state.actors)
    for actor_id, values in event.data.get("set", {}).items():
        actors[actor_id] = _changed(actors.get(actor_id), values)
    return replace(state, **{"actors": actors, **table_after(State, state, event.data)})


def _changed(actor: ActorState | None, values: Mapping[str, Any]) -> ActorState:
    """An actor with new values; one that joins brings a `cast`."""
    found = decoded(ActorState, values)
    return replace(actor, **found) if actor is not None else ActorState(**found)
