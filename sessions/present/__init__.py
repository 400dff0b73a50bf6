"""How a table looks: what a game's own `present/<slug>.py` provides, and how its pieces become page and fragments.

A game's module has the functions of `Presenter`; whatever it leaves out comes from `generic`, which needs nothing but
what every game tells about itself. One template each for page and stream, so that both agree.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.html import format_html

from sessions.selectors.log import Entry
from sessions.selectors.table import TableView

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Piece:
    """A template with what it is filled with. Pieces with equal contexts look the same: only others are sent again.

    A panel's root is `<section id="panel-{{ name }}" data-live>`, an entry's begins with
    `sessions/entries/_open.html`.
    The context is joined by `session`, `campaign`, `lang`, `viewer_is_gm`, `viewer_is_spectator`, `table` (the view).
    `place` is where on the page a panel stands (see `PLACES`).
    """

    template: str
    context: Mapping[str, Any] = field(default_factory=dict)
    place: str = "now"


# Where panels stand: under the scene in the band; what is to be done now; one tile for each person; beside it.
PLACES = ("band", "now", "people", "side")


class Presenter(Protocol):
    """What `sessions/present/<slug>.py` may define at module level; and `TILES = True`, if each person has a tile."""

    def places(self) -> Mapping[str, str]:
        """Panels that have their place on every page of the game, filled or empty, in order: name -> place."""
        ...

    def panels(self, view: TableView) -> Mapping[str, Piece]:
        """The game's panels of this viewer's page, by name, in the order of the page. Drawn from the state alone.

        A panel that is not in `places` comes and goes: its root has `data-append="<place>"`, and `data-after="…"`
        unless `after` is None: the id of the panel it comes behind.
        """
        ...

    def form(self, name: str, view: TableView, given: Mapping[str, str]) -> Piece | None:
        """A form that is asked for with a press (`attack`, `wound`), with what is chosen already; None: none such."""
        ...

    def forecast(self, name: str, view: TableView, given: Mapping[str, str]) -> Piece | None:
        """What a form would lead to, as it is filled in now: chances, cost; None: nothing to say."""
        ...

    def entry(self, entry: Entry, view: TableView) -> Piece | None:
        """One row of the log that the game told; None: no row."""
        ...

    def line(self, entry: Entry, view: TableView) -> str:
        """The same row as plain text, for the log as a text file."""
        ...


@cache
def _module(slug: str) -> Any:
    name = f"{__name__}.{slug}"
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        return None


def presenter(slug: str) -> _WithFallback:
    """The game's presenter, with the generic one behind it."""
    return _WithFallback(_module(slug))


class _WithFallback:
    def __init__(self, own: Any) -> None:
        self._own = own

    @property
    def has_tiles(self) -> bool:
        """Whether the game shows a tile for each person, under a heading `<slug>/session/people_head.html`."""
        return bool(getattr(self._own, "TILES", False))

    def places(self) -> Mapping[str, str]:
        found: Mapping[str, str] = self._ask("places")()
        return found

    def panels(self, view: TableView) -> Mapping[str, Piece]:
        found: Mapping[str, Piece] = self._ask("panels")(view)
        return found

    def form(self, name: str, view: TableView, given: Mapping[str, str]) -> Piece | None:
        found: Piece | None = self._ask("form")(name, view, given)
        return found

    def forecast(self, name: str, view: TableView, given: Mapping[str, str]) -> Piece | None:
        found: Piece | None = self._ask("forecast")(name, view, given)
        return found

    def entry(self, entry: Entry, view: TableView) -> Piece | None:
        found: Piece | None = self._ask("entry")(entry, view)
        return found

    def line(self, entry: Entry, view: TableView) -> str:
        return str(self._ask("line")(entry, view))

    def _ask(self, name: str) -> Any:
        from sessions.present import generic

        return getattr(self._own, name, None) or getattr(generic, name)


# ---------------------------------------------------------------- drawing


def draw_panel(
    name: str, piece: Piece | None, view: TableView, request: HttpRequest | None = None, after: str | None = None
) -> str:
    """The HTML of a panel; without a piece its empty place, so that it may appear there live. `after`: the id of the
    panel behind which it stands where it comes live, "" for the first."""
    if piece is None:
        return format_html('<div id="panel-{}" data-live hidden></div>', name)
    return _draw(piece, view, request, {"name": name, "after": after})


def draw_gone(name: str) -> str:
    """The fragment that takes a panel off the page."""
    return format_html('<div id="panel-{}" data-live data-gone hidden></div>', name)


def draw_piece(piece: Piece, view: TableView, request: HttpRequest | None = None, **more: Any) -> str:
    """The HTML of a form or a forecast."""
    return _draw(piece, view, request, more)


def draw_entry(entry: Entry, view: TableView, *, new: bool, request: HttpRequest | None = None) -> str:
    """The HTML of a log row, "" when there is none. `new`: it may be added to the log; else it only replaces itself."""
    try:
        piece = entry_piece(entry, view)
        if piece is None:
            return ""
        return _draw(piece, view, request, {"entry": entry, "new": new})
    except Exception:  # one odd event must not blank the log (reliability F21)
        logger.exception("entry %s of %s cannot be drawn", entry.seq, view.session.topic)
        return _draw(Piece(UNREADABLE), view, request, {"entry": entry, "new": new})


def entry_piece(entry: Entry, view: TableView) -> Piece | None:
    """The game's piece for its own events, the session's for the rest."""
    from sessions.present import rows

    if entry.unreadable:
        return Piece(UNREADABLE)
    return presenter(entry.game).entry(entry, view) if entry.game else rows.entry(entry, view)


UNREADABLE = "sessions/entries/unreadable.html"


def _draw(piece: Piece, view: TableView, request: HttpRequest | None, more: Mapping[str, Any]) -> str:
    context = {
        "session": view.session,
        "campaign": view.session.campaign,
        "lang": view.lang,
        "viewer_is_gm": view.is_gm,
        "viewer_is_spectator": view.is_spectator,
        "table": view,
        **more,
        **piece.context,
    }
    with translation.override(view.lang):
        html: str = render_to_string(piece.template, context, request=request)
    return html
