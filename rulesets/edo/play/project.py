"""What a viewer may know of events and of the state: nothing that is not named here or where it is registered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulesets.edo.play.registry import EVENTS
from rulesets.edo.play.state import State
from rulesets.edo.play.views import state_view
from rulesets.engine.play import Event, Viewer

ROLES = frozenset({"gm", "co_gm", "player", "spectator"})
# Shown of every registered kind: who, whom, one sentence, whether the dice were told.
_ALWAYS = ("actor", "target", "text", "told")


def is_gm(viewer: Viewer) -> bool:
    return viewer.role in ("gm", "co_gm")


def project_event(event: Event, viewer: Viewer) -> Mapping[str, Any] | None:
    """The facts of an event for one viewer; None for a kind, role or audience that is not known."""
    entry = EVENTS.get(event.kind)
    if entry is None or viewer.role not in ROLES or not viewer.sees(event.audience):
        return None
    if entry.show is not None:
        return entry.show(event.data, viewer)
    found = {key: event.data[key] for key in (*_ALWAYS, *entry.shows) if key in event.data}
    outcome = event.data.get("outcome")
    if outcome is not None:
        found["outcome"] = outcome if is_gm(viewer) else event.data.get("public", outcome)
    return found


def project_state(state: State, viewer: Viewer) -> Mapping[str, Any]:
    """The table as one viewer may see it; {} for a role that is not known."""
    return state_view(state, viewer) if viewer.role in ROLES else {}
