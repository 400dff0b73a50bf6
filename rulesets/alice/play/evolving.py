"""Facts applied to the state: new values of characters and table, then cards moved from zone to zone.

A move is `[what, from, to, end]`: `what` are the cards, or how many from the top (from the bottom when negative), so
that an event which everybody hears can move cards nobody may see; `end` is where they come to lie, `top` or `bottom`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulesets.alice.play.registry import EVENTS
from rulesets.alice.play.state import ActorState, State
from rulesets.engine.cards import Zones
from rulesets.engine.play import Event
from rulesets.engine.playing.facts import UnknownEvent, decoded, table_after


def evolve(state: State, event: Event) -> State:
    """The state after a fact. Raises `UnknownEvent`, `KeyError` for a field and `NotThere` for a card not there."""
    entry = EVENTS.get(event.kind)
    if entry is None:
        raise UnknownEvent(event.kind)
    actors = dict(state.actors)
    for actor_id, values in event.data.get("set", {}).items():
        actors[actor_id] = _changed(actors.get(actor_id), values)
    after = replace(state, **{"actors": actors, **table_after(State, state, event.data)})
    moves = event.data.get("moves", ())
    if moves:
        piles = after.piles
        for move in moves:
            piles = moved(piles, move)
        after = replace(after, zones={name: pile for name, pile in piles.piles.items() if pile})
    return entry.evolve(after, event.data) if entry.evolve is not None else after


def moved(piles: Zones, move: Sequence[Any]) -> Zones:
    what, source, target, end = move
    if isinstance(what, int):
        pile = piles[source]
        what = pile[:what] if what >= 0 else pile[what:]
    return piles.move(what, source, target, to=end)


def _changed(actor: ActorState | None, values: Mapping[str, Any]) -> ActorState:
    """A character with new values; one that joins brings a `cast`."""
    found = decoded(ActorState, values)
    return replace(actor, **found) if actor is not None else ActorState(**found)
