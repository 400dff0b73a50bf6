"""Forms for every act of the game: weapon, target, kind of attack, distance, the GM's shift, each in its own words."""

from __future__ import annotations

from collections.abc import Mapping

from sessions.present import Piece
from sessions.present import forms as shared
from sessions.present.edo.forms import body, fight, gm, rolls
from sessions.present.edo.forms.base import FORMS
from sessions.present.edo.stage import Stage
from sessions.selectors.table import TableView

__all__ = ["body", "fight", "forecast", "form", "gm", "rolls"]


def form(name: str, view: TableView, given: Mapping[str, str]) -> Piece | None:
    """The form of that name for this viewer; None for one there is not, or that is not theirs."""
    make = FORMS.get(name)
    stage = Stage(view)
    if make is None or view.is_spectator or not stage.actors:
        return None
    sheet = make(stage, given)
    known = {shape.name for shape in view.commands}
    if sheet is None or not all(one.command in known for one in sheet.forms):
        return None
    return sheet.piece(view, given)


def forecast(name: str, view: TableView, given: Mapping[str, str]) -> Piece | None:
    """Chances of a command, told beside its form."""
    return shared.forecast(name, view, given)
