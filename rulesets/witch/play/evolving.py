"""Facts applied to the state. An event holds the new values themselves, so a replay asks no rule and throws no die.

`set` and `world` replace whole fields; `put` holds entries of the table's mappings by name and key (None: taken away).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from rulesets.engine.play import Event
from rulesets.engine.playing.facts import UnknownEvent, decoded
from rulesets.witch.play.registry import EVENTS
from rulesets.witch.play.state import ActorState, Attempt, Deck, Pool, State, Target

# mappings of the table whose entries change one by one
_ENTRIES: Mapping[str, TypeAdapter[Any]] = {
    "attempts": TypeAdapter(Attempt),
    "targets": TypeAdapter(Target),
    "pools": TypeAdapter(Pool),
    "decks": TypeAdapter(Deck),
}


def evolve(state: State, event: Event) -> State:
    """The state after a fact. Raises `UnknownEvent`, `KeyError` for an actor or field that is not there."""
    if event.kind not in EVENTS:
        raise UnknownEvent(event.kind)
    actors = dict(state.actors)
    for actor_id, values in event.data.get("set", {}).items():
        found = decoded(ActorState, values)
        actors[actor_id] = replace(actors[actor_id], **found) if actor_id in actors else ActorState(**found)
    world: dict[str, Any] = decoded(State, event.data.get("world", {}))
    for name, entries in event.data.get("put", {}).items():
        world[name] = _entries(getattr(state, name), name, entries)
    return replace(state, **{"actors": actors, **world})


def _entries(there: Mapping[str, Any], name: str, entries: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(there)
    for key, value in entries.items():
        if value is None:
            found.pop(key, None)
        else:
            found[key] = _ENTRIES[name].validate_python(value)
    return found


def encoded_entries(put: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Entries as JSON."""
    return {
        name: {
            key: None if one is None else _ENTRIES[name].dump_python(one, mode="json") for key, one in entries.items()
        }
        for name, entries in put.items()
        if entries
    }
