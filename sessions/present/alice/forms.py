"""Forms of the table of アリス: found by name, open to those whose commands they issue."""

from __future__ import annotations

from sessions.present import Piece
from sessions.present import forms as shared
from sessions.present.alice import gm_forms, player_forms
from sessions.present.alice.form_parts import FORMS, Given
from sessions.present.alice.stage import Stage
from sessions.selectors.table import TableView

__all__ = ["FORMS", "forecast", "form", "gm_forms", "player_forms"]


def form(name: str, view: TableView, given: Given) -> Piece | None:
    """The form of that name for this viewer; None for one there is not, or that is not theirs."""
    make, stage = FORMS.get(name), Stage(view)
    if make is None or view.is_spectator or not stage.actors:
        return None
    sheet = make(stage, given)
    known = {shape.name for shape in view.commands}
    if sheet is None or not all(one.command in known for one in sheet.forms):
        return None
    return sheet.piece(view, given)


def forecast(name: str, view: TableView, given: Given) -> Piece | None:
    return shared.forecast(name, view, given)
