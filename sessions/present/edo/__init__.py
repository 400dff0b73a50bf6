"""What the pages of a table of 八百八町浮世草子 show. Everything is drawn from the projected state alone."""

from __future__ import annotations

from collections.abc import Mapping

from sessions.present import Piece
from sessions.present.edo import acts, ask, band, desk, people
from sessions.present.edo.forms import forecast, form
from sessions.present.edo.log import entry, line
from sessions.present.edo.stage import Stage
from sessions.selectors.table import TableView

__all__ = ["TILES", "entry", "forecast", "form", "line", "panels", "places"]

TILES = True


def places() -> Mapping[str, str]:
    return {
        "rail": "band",
        "ask": "now",
        "others": "now",
        "acts": "now",
        "own": "side",
        "requests": "side",
        "wings": "side",
        "clock": "side",
        "people-head": "",  # the page includes it at the head of its tiles
    }


def panels(view: TableView) -> Mapping[str, Piece]:
    """The rail, the framed panel, acts and values of players, the GM's requests, wings and clock, a tile for each."""
    stage = Stage(view)
    found = {
        "rail": band.rail(stage),
        **ask.pieces(stage),
        "acts": acts.acts(stage),
        "own": people.own(stage),
        "requests": desk.requests(stage),
        "wings": desk.wings(stage),
        "clock": desk.clock(stage),
        "people-head": Piece("edo/session/people_head.html", {"open": view.is_open}, ""),
        **dict(people.tiles(stage)),
    }
    return {name: piece for name, piece in found.items() if piece is not None}
