"""Forms that open with a press: what a control is, the same for every game. One template draws them all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal
from urllib.parse import parse_qsl, urlencode

from sessions.actions.reading import read_fields
from sessions.present import Piece
from sessions.selectors.table import TableView

Kind = Literal["hidden", "pick", "seg", "number", "text", "area", "check", "boxes", "select"]


@dataclass(frozen=True)
class Choice:
    """One of several. `percent` a chance, `closed` why it is not open; `mark` lets other controls follow it; `rare`: it
    is folded away behind the others."""

    value: str
    label: str
    about: str = ""
    percent: str = ""
    closed: str = ""
    checked: bool = False
    icon: str = ""
    mark: str = ""
    rare: bool = False


@dataclass(frozen=True)
class Control:
    """One question of a form. `follows`: shown only while a choice with this mark is taken (where the browser can)."""

    kind: Kind
    name: str
    label: str = ""
    value: Any = ""
    hint: str = ""
    choices: Sequence[Choice] = ()
    min: int | None = None
    max: int | None = None
    required: bool = False
    placeholder: str = ""
    cost: str = ""
    follows: str = ""
    many: bool = False  # boxes: all ticked at first

    @property
    def usual(self) -> list[Choice]:
        """What stands open: everything but the rare, or the rare too when nothing else is there."""
        return [one for one in self.choices if not one.rare] or list(self.choices)

    @property
    def folded(self) -> list[Choice]:
        return [one for one in self.choices if one not in self.usual]

    @property
    def unfolds(self) -> bool:
        """Whether one of the rare is taken."""
        return any(one.checked for one in self.folded)

    def filled(self, sent: Mapping[str, Sequence[str]]) -> Control:
        """The control as it was when the form was sent."""
        values = sent.get(self.name, ())
        if self.kind == "hidden":
            return self
        if self.choices:
            return replace(self, choices=[replace(one, checked=one.value in values) for one in self.choices])
        return replace(self, value=bool(values) if self.kind == "check" else "".join(values[:1]))


@dataclass(frozen=True)
class CommandForm:
    """A form that issues one command. `forecast`: its chances are told as it is filled in. `refused`: why not, when it
    was sent and stands here again."""

    command: str
    submit: str
    controls: Sequence[Control] = ()
    title: str = ""
    about: str = ""
    tone: str = "primary"
    forecast: bool = False
    refused: Mapping[str, Any] | None = None

    def is_of(self, command: str, sent: Mapping[str, Sequence[str]]) -> bool:
        """Whether this is the form that was sent."""
        fixed = (control for control in self.controls if control.kind == "hidden")
        return self.command == command and all(str(one.value) in sent.get(one.name, ()) for one in fixed)


@dataclass(frozen=True)
class Sheet:
    """What opens: one form, several acts about the same thing (`rows`: each a line with its button), or links to
    forms (`links`: as the game's acts are)."""

    name: str
    title: str
    forms: Sequence[CommandForm] = ()
    about: str = ""
    rows: bool = False
    links: Sequence[Any] = ()

    def piece(self, view: TableView, given: Mapping[str, str]) -> Piece:
        first = next((form for form in self.forms if form.forecast), None)
        told = forecast(first.command, view, {**_first_values(first), **given}) if first is not None else None
        facts = {"sheet": self, "step": view.step, "told": told.context if told else None}
        return Piece("sessions/forms/sheet.html", facts | {"origin": urlencode({"do": self.name, **given})})

    @property
    def opened(self) -> int:
        """Which of several forms is unfolded, from 1: the one that was refused, else the first."""
        return next((n for n, form in enumerate(self.forms, 1) if form.refused), 1)

    def again(self, command: str, sent: Mapping[str, Sequence[str]], refused: Mapping[str, Any]) -> Sheet | None:
        """The sheet with the form that was sent as it was, the refusal at its place; None: it has no such form now."""
        forms = list(self.forms)
        found = next((n for n, form in enumerate(forms) if form.is_of(command, sent)), None)
        if found is None:
            return None
        controls = [control.filled(sent) for control in forms[found].controls]
        forms[found] = replace(forms[found], controls=controls, refused=refused)
        return replace(self, forms=forms)


def refused_form(
    piece: Piece, command: str, sent: Mapping[str, Sequence[str]], refused: Mapping[str, Any]
) -> Piece | None:
    """A form that was sent and refused: filled in as it was, the refusal at its place; None: that cannot be."""
    sheet = piece.context.get("sheet")
    if not isinstance(sheet, Sheet):
        return replace(piece, context={**piece.context, "refused": refused})
    again = sheet.again(command, sent, refused) if "sheet" in sent else None
    return replace(piece, context={**piece.context, "sheet": again}) if again is not None else None


def hidden(name: str, value: Any) -> Control:
    return Control("hidden", name, value=value)


def _first_values(form: CommandForm) -> dict[str, str]:
    """The fields of a form as it is when it opens."""
    found: dict[str, str] = {}
    for control in form.controls:
        taken = next((choice for choice in control.choices if choice.checked), None)
        if control.name.startswith("pick"):
            found |= dict(parse_qsl(taken.value)) if taken is not None else {}
        elif control.choices:
            found |= {control.name: taken.value} if taken is not None and control.kind != "boxes" else {}
        elif control.kind != "check" and control.value not in ("", None):
            found[control.name] = str(control.value)
    return found


def forecast(command: str, view: TableView, given: Mapping[str, str]) -> Piece | None:
    """The exact chances of a command as a form is filled in; None where nothing can be told."""
    shape = next((shape for shape in view.commands if shape.name == command), None)
    if shape is None:
        return None
    known = {control.name for control in shape.fields}
    data = {key[6:]: value for key, value in given.items() if key.startswith("field.") and key[6:] in known}
    odds = view.odds(command, read_fields(shape, data))
    if odds is None:
        return None
    facts: dict[str, Any] = odds.as_json()
    rows = list(facts["outcomes"].values())
    context = {"rows": rows, "also": list(facts.get("also", {}).values()), "mean": _mean(facts), "command": command}
    return Piece("sessions/forms/forecast.html", context)


def _mean(facts: Mapping[str, Any]) -> str:
    """The average of the total where nothing else is told."""
    if facts["outcomes"] or "mean" not in facts:
        return ""
    above, _slash, below = str(facts["mean"]).partition("/")
    return f"{int(above) / int(below):.1f}"
