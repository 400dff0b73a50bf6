"""The fields of a command as the game wants them, whether they came as JSON or from the controls of a form.

Only what a form cannot say is translated: figures, check boxes, lists, fields left empty. What does not fit stays as it
is: the game refuses it at its field, with its own words.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from characters.actions.text import clean
from rulesets.engine.play import CommandField, CommandShape
from sessions.actions.errors import CommandRefused

MAX_FIELDS = 60
MAX_TEXT = 4000
MAX_DEPTH = 6
MAX_ITEMS = 500
_MAX_DIGITS = 12
_ON = frozenset({"on", "1", "true", "yes"})
_OFF = frozenset({"off", "0", "false", "no"})


def read_fields(shape: CommandShape, data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of one command. Raises CommandRefused (413/422) for data no command can mean."""
    if len(data) > MAX_FIELDS or not _bounded(data, MAX_DEPTH):
        raise CommandRefused(_("送られた内容が大きすぎます。"), code="too_large", status=413)
    fields = {field.name: field for field in shape.fields}
    read: dict[str, Any] = {}
    for name, value in data.items():
        key = clean(str(name))
        found = _value(fields.get(key), value)
        if found is not None:
            read[key] = found
    return read


def _value(field: CommandField | None, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = clean(value).strip()
    if field is None:
        return text
    if not text:
        return None
    if field.type == "int":
        return _number(text)
    if field.type == "bool":
        word = text.lower()
        return True if word in _ON else False if word in _OFF else text
    if field.type == "cards":
        return [part for part in (part.strip() for part in text.replace("、", ",").split(",")) if part]
    return text


def _number(text: str) -> int | str:
    """A whole number, typed in full width or with a sign too; other text stays text."""
    plain = unicodedata.normalize("NFKC", text).replace("−", "-").replace(",", "").strip()
    digits = plain[1:] if plain[:1] in ("-", "+") else plain
    return int(plain) if digits.isascii() and digits.isdigit() and len(digits) <= _MAX_DIGITS else text


def _bounded(value: object, depth: int) -> bool:
    if isinstance(value, str):
        return len(value) <= MAX_TEXT
    if isinstance(value, int) or value is None:
        return value is None or abs(value) < 10**_MAX_DIGITS
    items: list[object]
    if isinstance(value, Mapping):
        items = [*value.keys(), *value.values()]
    elif isinstance(value, list):
        items = value
    else:
        return False
    return depth > 0 and len(items) <= MAX_ITEMS and all(_bounded(item, depth - 1) for item in items)
