"""What came with a command, read by its shape: typed, bounded, unknown fields refused."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rulesets.edo.play.words import refusal, rule_of, words
from rulesets.engine.play import CommandField, CommandShape, Refused

TEXT_MAX = 500
FACES_MAX = 40
TREES = frozenset({"build", "play"})  # fields that may hold a whole document


class Refuse(Exception):
    """Leaves a handler with a refusal; nothing that was emitted before counts."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.code)
        self.refused = refused


def refused(code: str, *, overridable: bool = False, **params: object) -> Refuse:
    """A refusal to raise. `overridable`: the GM may set it aside."""
    return Refuse(Refused(code, refusal(code, **params), params, overridable, rule_of(code)))


@dataclass(frozen=True)
class Asked:
    """The fields of a command. A field left out is None (`flag`: False, `text`: "")."""

    shape: CommandShape
    values: Mapping[str, Any]

    def number(self, name: str) -> int | None:
        value = self.values.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def flag(self, name: str) -> bool:
        return bool(self.values.get(name))

    def text(self, name: str) -> str:
        return str(self.values.get(name) or "")

    def needed(self, name: str) -> int:
        """A number that the shape makes required."""
        number = self.number(name)
        if number is None:
            raise refused("P21", label=_label(self.shape, name))
        return number

    def listed(self, name: str) -> tuple[str, ...]:
        """Ids written with commas between them."""
        return tuple(dict.fromkeys(part for part in (p.strip() for p in self.text(name).split(",")) if part))

    @property
    def faces(self) -> tuple[int, ...] | None:
        """Dice of the real table, typed in order; None = thrown here."""
        typed = self.text("faces")
        if not typed:
            return None
        plain = unicodedata.normalize("NFKC", typed).replace("、", ",").replace(" ", ",")
        parts = [part for part in plain.split(",") if part]
        if not parts or len(parts) > FACES_MAX or any(part not in ("1", "2", "3", "4", "5", "6") for part in parts):
            raise refused("P24")
        return tuple(int(part) for part in parts)


def read(shape: CommandShape, data: Mapping[str, Any]) -> Asked:
    """The typed fields of a command. Raises `Refuse` P20–P23."""
    fields = {field.name: field for field in shape.fields}
    for name in data:
        if name not in fields:
            raise refused("P22", value=str(name)[:40])
    return Asked(shape, {name: _value(field, data.get(name)) for name, field in fields.items()})


def _value(field: CommandField, value: Any) -> Any:
    if value is None or value == "":
        if field.required:
            raise refused("P21", label=field.label)
        return None
    if field.type == "int":
        return _whole(field, value)
    if field.type == "bool":
        if not isinstance(value, bool):
            raise refused("P23", label=field.label, value=str(value)[:40])
        return value
    if field.type == "choice":
        if not isinstance(value, str) or value not in dict(field.choices):
            raise refused("P23", label=field.label, value=str(value)[:40])
        return value
    return _text(field, value)


def _whole(field: CommandField, value: Any) -> int:
    low, high = field.min if field.min is not None else -999, field.max if field.max is not None else 9999
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise refused("P20", label=field.label, min=low, max=high)
    return value


def _text(field: CommandField, value: Any) -> Any:
    if field.name in TREES and isinstance(value, Mapping):
        return dict(value)
    if not isinstance(value, str):
        raise refused("P23", label=field.label, value=str(value)[:40])
    text = unicodedata.normalize("NFC", value).strip()
    if len(text) > TEXT_MAX or any(unicodedata.category(char) in ("Cc", "Cs") and char != "\n" for char in text):
        raise refused("P25", label=field.label, max=TEXT_MAX)
    if not text and field.required:
        raise refused("P21", label=field.label)
    return text


def _label(shape: CommandShape, name: str) -> object:
    return next((field.label for field in shape.fields if field.name == name), words("field.value"))


# ---------------------------------------------------------------- fields that many commands share


def number(name: str, low: int, high: int, *, required: bool = True) -> CommandField:
    return CommandField(name, "int", words(f"field.{name}"), required, low, high)


def flag(name: str) -> CommandField:
    return CommandField(name, "bool", words(f"field.{name}"), required=False)


def text(name: str, *, required: bool = False) -> CommandField:
    return CommandField(name, "text", words(f"field.{name}"), required)


def actor(name: str = "actor", *, required: bool = True) -> CommandField:
    return CommandField(name, "actor", words(f"field.{name}"), required)


def choice(name: str, *values: str, required: bool = True) -> CommandField:
    """A choice; the words of a value are the row `choice.<name>.<value>`."""
    choices = tuple((value, words(f"choice.{name}.{value}")) for value in values)
    return CommandField(name, "choice", words(f"field.{name}"), required, choices=choices)


FACES = text("faces")
