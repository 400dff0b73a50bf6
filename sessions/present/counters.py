"""The clocks of a table as they are drawn: one slice for each step."""

from __future__ import annotations

from itertools import pairwise
from math import cos, pi, sin
from typing import Any

from sessions.present import Piece
from sessions.selectors.counters import Counter, counters_at
from sessions.selectors.table import TableView

RADIUS, CENTRE = 21, 24


def panel(view: TableView, head: str) -> Piece | None:
    """All clocks for GMs, with what turns them; for others those that are shown, if there are any."""
    if not view.is_open:
        return None
    found = [one for one in counters_at(view.session, view.seq) if view.is_gm or one.shown]
    if not found and not view.is_gm:
        return None
    return Piece("sessions/panels/counters.html", {"counters": [_row(one) for one in found]})


def _row(counter: Counter) -> dict[str, Any]:
    return {
        "id": counter.id,
        "title": counter.title,
        "size": counter.size,
        "filled": counter.filled,
        "shown": counter.shown,
        "full": counter.full,
        "slices": [(path, n < counter.filled) for n, path in enumerate(slices(counter.size))],
    }


def slices(size: int) -> list[str]:
    """SVG paths of a disc in equal slices, clockwise from the top; lengths are attributes, never styles."""
    at = [
        f"{CENTRE + RADIUS * sin(2 * pi * n / size):.1f} {CENTRE - RADIUS * cos(2 * pi * n / size):.1f}"
        for n in range(size + 1)
    ]
    return [f"M{CENTRE} {CENTRE}L{a}A{RADIUS} {RADIUS} 0 0 1 {b}Z" for a, b in pairwise(at)]
