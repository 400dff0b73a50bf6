"""What the pages of a table of アリス show. Everything is drawn from the projected state alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sessions.present import Piece
from sessions.present.alice import acts, desk, op, people
from sessions.present.alice.forms import forecast, form
from sessions.present.alice.log import entry, line
from sessions.present.alice.stage import Stage
from sessions.selectors.table import TableView

__all__ = ["entry", "forecast", "form", "line", "panels", "places"]


def places() -> Mapping[str, str]:
    return {
        "rail": "band",
        "op": "now",
        "lead": "now",
        "hand": "now",
        "transfers": "now",
        "acts": "now",
        "tiles": "now",
        "own": "side",
        "others": "side",
        "registry": "side",
        "piles": "side",
        "wings": "side",
    }


def panels(view: TableView) -> Mapping[str, Piece]:
    """The rail, the framed panel, hand and acts of players, the GM's tiles; what is public beside them."""
    if not view.state:
        return {}
    stage = Stage(view)
    found = {
        "rail": people.rail(stage),
        "op": op.op(stage),
        "lead": desk.lead(stage),
        "hand": people.hand(stage),
        "transfers": desk.transfers(stage),
        "acts": acts.acts(stage),
        "tiles": people.tiles(stage),
        "own": people.own(stage),
        "others": people.others(stage),
        "registry": people.registry(stage),
        "piles": desk.piles(stage),
        "wings": desk.wings(stage),
    }
    where = places()
    return {name: replace(piece, place=where[name]) for name, piece in found.items() if piece is not None}
