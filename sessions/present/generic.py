"""What a page shows of any game, from nothing but what the game tells about itself: playable, if not pretty."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulesets.engine.commands.results import plain
from rulesets.engine.play import CommandField, CommandShape
from sessions.present import Piece
from sessions.present.rows import both
from sessions.selectors.log import Entry
from sessions.selectors.table import TableView

MAX_DEPTH = 6


@dataclass(frozen=True, slots=True)
class Control:
    """One field of a command as a form control. `choices` are (value, words)."""

    name: str
    label: str
    type: str
    required: bool
    min: int | None
    max: int | None
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CommandForm:
    """A command as a form. `step` is sent with it, so that an answer to something else is refused."""

    name: str
    label: str
    when: str
    controls: tuple[Control, ...]
    step: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """One value of the state: its key, how deep it lies, and what it says ("" for a heading)."""

    key: str
    depth: int
    text: str


def places() -> Mapping[str, str]:
    return {"commands": "now", "state": "side"}


def panels(view: TableView) -> Mapping[str, Piece]:
    """The state as a list, and every command this person may issue as a form."""
    state = Piece("sessions/panels/state.html", {"rows": rows_of(view.state, view.lang), "lost": view.lost}, "side")
    forms = command_forms(view) if view.is_open else ()
    return {"commands": Piece("sessions/panels/commands.html", {"forms": forms}), "state": state}


def form(name: str, view: TableView, given: Mapping[str, str]) -> Piece | None:
    """The form of the command of that name, if this viewer's role may issue it."""
    found = next((one for one in command_forms(view) if one.name == name), None)
    return Piece("sessions/forms/command.html", {"form": found, "given": given}) if found is not None else None


def forecast(name: str, view: TableView, given: Mapping[str, str]) -> Piece | None:
    return None


def entry(entry: Entry, view: TableView) -> Piece | None:
    return Piece("sessions/entries/event.html", {"kind": entry.kind, "line": line(entry, view)})


def line(entry: Entry, view: TableView) -> str:
    """The words a game gives with an event (`text`: {ja, en}), else its data as they are."""
    words = both(entry.data.get("text"), view.lang)
    if words:
        return words
    return json.dumps(plain(entry.data), ensure_ascii=False, sort_keys=True) if entry.data else entry.kind


def command_forms(view: TableView) -> tuple[CommandForm, ...]:
    """The commands of this viewer's role."""
    return tuple(_form(shape, view) for shape in view.commands)


def _form(shape: CommandShape, view: TableView) -> CommandForm:
    when = shape.when.pick(view.lang) if shape.when is not None else ""
    controls = tuple(_control(field, view) for field in shape.fields)
    return CommandForm(shape.name, shape.label.pick(view.lang), when, controls, view.step)


def _control(field: CommandField, view: TableView) -> Control:
    if field.type == "choice":
        choices = tuple((value, words.pick(view.lang)) for value, words in field.choices)
    else:
        choices = view.actors if field.type == "actor" else ()
    return Control(field.name, field.label.pick(view.lang), field.type, field.required, field.min, field.max, choices)


def rows_of(state: Mapping[str, Any], lang: str) -> tuple[Row, ...]:
    """A state as rows of a list, nested values under their key."""
    return tuple(_rows(plain(state), lang, 0))


def _rows(value: Mapping[str, Any], lang: str, depth: int) -> list[Row]:
    found: list[Row] = []
    for key, item in value.items():
        nested = _nested(item) if depth < MAX_DEPTH and not both(item, lang) else None
        if nested is None:
            found.append(Row(str(key), depth, both(item, lang) or ("" if item is None else json.dumps(item))))
        else:
            found.append(Row(str(key), depth, ""))
            found += _rows(nested, lang, depth + 1)
    return found


def _nested(value: Any) -> Mapping[str, Any] | None:
    if isinstance(value, Mapping):
        return value
    if isinstance(value, Sequence) and not isinstance(value, str):
        return {str(number): item for number, item in enumerate(value, 1)}
    return None
