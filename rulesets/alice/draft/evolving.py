"""Facts applied to the draft. Events say what happened, so a replay asks no rule and shuffles nothing."""

from __future__ import annotations

from rulesets.alice.draft.registry import EVENTS
from rulesets.alice.draft.state import Draft
from rulesets.engine.play import Event
from rulesets.engine.playing.facts import UnknownEvent


def evolve(state: Draft, event: Event) -> Draft:
    """The draft after a fact. Raises `UnknownEvent`."""
    entry = EVENTS.get(event.kind)
    if entry is None:
        raise UnknownEvent(event.kind)
    return state if entry.evolve is None else entry.evolve(state, event.data)
