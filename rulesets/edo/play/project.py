"""What a viewer may know of events and of the state; see `rulesets.engine.playing.showing`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulesets.edo.play.registry import EVENTS
from rulesets.edo.play.state import State
from rulesets.edo.play.views import state_view
from rulesets.engine.play import Event, Viewer
from rulesets.engine.playing.showing import event_view


def project_event(event: Event, viewer: Viewer) -> Mapping[str, Any] | None:
    """The facts of an event for one viewer; None for a kind, role or audience that is not known."""
    return event_view(EVENTS, event, viewer)


def project_state(state: State, viewer: Viewer) -> Mapping[str, Any]:
    """The table as one viewer may see it; {} for a role that is not known."""
    return state_view(state, viewer)
