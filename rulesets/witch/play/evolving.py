"""Facts applied to the state. An event holds the new values themselves, so a replay asks no rule and throws no die."""

from __future__ import annotations

from dataclasses import replace

from rulesets.engine.play import Event
from rulesets.engine.playing.facts import UnknownEvent, decoded, table_after
from rulesets.witch.play.registry import EVENTS
from rulesets.witch.play.state import ActorState, State


def evolve(state: State, event: Event) -> State:
    """The state after a fact. Raises `UnknownEvent`, `KeyError` for an actor or field that is not there."""
    if event.kind not in EVENTS:
        raise UnknownEvent(event.kind)
    actors = dict(state.actors)
    for actor_id, values in event.data.get("set", {}).items():
        found = decoded(ActorState, values)
        actors[actor_id] = replace(actors[actor_id], **found) if actor_id in actors else ActorState(**found)
    return replace(state, **{"actors": actors, **table_after(State, state, event.data)})
