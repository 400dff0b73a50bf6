"""What a viewer may know of events and of the state: nothing that is not named where it is registered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from rulesets.engine.play import Event, Viewer
from rulesets.engine.playing.registry import EventEntry

ROLES = frozenset({"gm", "co_gm", "player", "spectator"})
# Shown of every registered kind: who, whom, one sentence, whether it was told from the real table.
_ALWAYS = ("actor", "target", "text", "told")

S = TypeVar("S")


def is_gm(viewer: Viewer) -> bool:
    return viewer.role in ("gm", "co_gm")


def event_view(entries: Mapping[str, EventEntry[S]], event: Event, viewer: Viewer) -> Mapping[str, Any] | None:
    """The facts of an event for one viewer; None for a kind, role or audience that is not known.

    `outcome` is shown as it is, or as `public` says to those who are no GM.
    """
    entry = entries.get(event.kind)
    if entry is None or viewer.role not in ROLES or not viewer.sees(event.audience):
        return None
    if entry.show is not None:
        return entry.show(event.data, viewer)
    found = {key: event.data[key] for key in (*_ALWAYS, *entry.shows) if key in event.data}
    outcome = event.data.get("outcome")
    if outcome is not None:
        found["outcome"] = outcome if is_gm(viewer) else event.data.get("public", outcome)
    return found


class Parts(Generic[S]):
    """The parts of a projected state. Only registered ones are shown, and only to roles that are known."""

    def __init__(self) -> None:
        self._shows: dict[str, Callable[[S, Viewer], Any]] = {}

    def part(self, name: str) -> Callable[[Callable[[S, Viewer], Any]], Callable[[S, Viewer], Any]]:
        def register(show: Callable[[S, Viewer], Any]) -> Callable[[S, Viewer], Any]:
            if name in self._shows:
                raise ValueError(f"the part {name} is there twice")
            self._shows[name] = show
            return show

        return register

    def view(self, state: S, viewer: Viewer) -> dict[str, Any]:
        if viewer.role not in ROLES:
            return {}
        return {name: show(state, viewer) for name, show in self._shows.items()}
