"""House rules as a form sends them: typed text into the values of an override."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rulesets.engine.problems import Value
from rulesets.protocol import HouseRule

_WIDE = str.maketrans("０１２３４５６７８９＋－−", "0123456789+--")


def parse_form(rule: HouseRule, typed: Mapping[str, str]) -> Any:
    """The value of a house rule from form controls, in the shape of an override.

    Names of controls: `""` for a single value; `row` in a table with one column, `row.column` with several. A control
    that is not there keeps the default; a tick box that is not sent must be sent as "" by the caller to mean no.
    Text that is no number stays text: `check_house_rules` then reports it.
    """
    schema = rule.schema
    if schema["type"] != "table":
        return parse_typed(schema, typed[""]) if "" in typed else rule.default
    columns = schema["columns"]
    shaped: dict[str, Any] = {}
    for row in schema["rows"]:
        row_id = row["id"]
        if len(columns) == 1:
            default = rule.default[row_id]
            shaped[row_id] = parse_typed(columns[0], typed[row_id]) if row_id in typed else default
            continue
        shaped[row_id] = {}
        for column in columns:
            name = f"{row_id}.{column['id']}"
            default = rule.default[row_id][column["id"]]
            shaped[row_id][column["id"]] = parse_typed(column, typed[name]) if name in typed else default
    return shaped


def parse_typed(schema: Mapping[str, Any], typed: str) -> Value:
    """One value from what a person typed or chose, by the kind of value; unreadable text comes back as text."""
    text = typed.strip()
    kind = schema["type"]
    if kind == "text":
        return typed.replace("\r\n", "\n").strip()
    if not text and schema.get("optional"):
        return None
    if kind == "bool":
        return {"": False, "0": False, "false": False, "off": False, "1": True, "true": True, "on": True}.get(
            text.lower(), text
        )
    if kind == "int":
        digits = text.translate(_WIDE)
        return int(digits) if re.fullmatch(r"[+-]?[0-9]{1,9}", digits) else text
    for choice in schema["choices"]:
        if str(choice["value"]) == text:
            value: Value = choice["value"]
            return value
    return text
