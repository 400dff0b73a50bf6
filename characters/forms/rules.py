"""What the house rules page sends: one row's controls, read by the row's schema and merged with what stands there now.

Controls are named `v` (a single value), `v:row` (a table of one column) or `v:row.column`; `base` carries the row as it
was shown, so that only what the person changed is changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from characters.actions.errors import ActionRefused
from characters.forms.hidden import hidden_json
from rulesets import services
from rulesets.protocol import HouseRule

PREFIX = "v"


@dataclass(frozen=True, slots=True)
class Cell:
    """One value of a rule: its control's name after the prefix, its schema and its default."""

    name: str
    row: str
    column: str
    schema: Mapping[str, Any]
    default: Any

    @property
    def control(self) -> str:
        return f"{PREFIX}:{self.name}" if self.name else PREFIX


def cells(rule: HouseRule) -> Iterator[Cell]:
    """Every value of a rule in the order it is shown."""
    if rule.schema["type"] != "table":
        yield Cell("", "", "", rule.schema, rule.default)
        return
    columns = rule.schema["columns"]
    for row in rule.schema["rows"]:
        for column in columns:
            single = len(columns) == 1
            name = row["id"] if single else f"{row['id']}.{column['id']}"
            default = rule.default[row["id"]] if single else rule.default[row["id"]][column["id"]]
            yield Cell(name, row["id"], column["id"], column, default)


def cell_value(rule: HouseRule, cell: Cell, value: Any) -> Any:
    """One cell out of a rule's whole value; the default where a broken override has no such cell."""
    if not cell.name:
        return value
    row = value.get(cell.row, cell.default) if isinstance(value, Mapping) else cell.default
    if len(rule.schema["columns"]) == 1:
        return row
    return row.get(cell.column, cell.default) if isinstance(row, Mapping) else cell.default


def typed_controls(rule: HouseRule, data: Mapping[str, str]) -> dict[str, str]:
    """What was typed, by control name. A tick box that was not sent means no."""
    typed: dict[str, str] = {}
    for cell in cells(rule):
        if cell.control in data:
            typed[cell.name] = data[cell.control]
        elif cell.schema["type"] == "bool":
            typed[cell.name] = ""
    return typed


def parse(slug: str, rule: HouseRule, data: Mapping[str, str]) -> Any:
    """The value of a row from its controls; text that is no number stays text for the check to report."""
    return services.parse_house_rule(slug, rule.key, typed_controls(rule, data))


def base_of(rule: HouseRule) -> str:
    """The row as it is shown, for the hidden field `base`."""
    return json.dumps(rule.value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def read_base(rule: HouseRule, sent: str) -> Any:
    """The row as the person saw it; the default when the field is missing or was tampered with."""
    try:
        return hidden_json(sent)
    except ValueError:
        return rule.default


def merged(rule: HouseRule, base: Any, typed: Any, now: Any) -> Any:
    """`now` with the cells the person changed. Raises ActionRefused when somebody else changed one of them as well."""
    result: Any = now
    for cell in cells(rule):
        old, new, current = (cell_value(rule, cell, value) for value in (base, typed, now))
        if new == old:
            continue
        if current not in (old, new):
            raise ActionRefused(
                _("ほかのGMが先にここを変えました。いまの値を見て、よければもう一度押してください。"),
                code="changed_meanwhile",
                field=rule.key,
            )
        result = with_cell(rule, cell, result, new)
    return result


def with_cell(rule: HouseRule, cell: Cell, value: Any, new: Any) -> Any:
    """A rule's whole value with one cell replaced."""
    if not cell.name:
        return new
    table = dict(value) if isinstance(value, Mapping) else dict(rule.default)
    if len(rule.schema["columns"]) == 1:
        table[cell.row] = new
    else:
        table[cell.row] = {**table.get(cell.row, {}), cell.column: new}
    return table
