"""What came with a command, read by its shape: typed, bounded, unknown fields refused. Each game brings its words."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rulesets.engine.cards import BadCard, card
from rulesets.engine.play import CommandField, CommandShape, Refused
from rulesets.engine.text import Text

TEXT_MAX = 500
CARDS_MAX = 20


class Refuse(Exception):
    """Leaves a handler with a refusal; nothing that was emitted before counts."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.code)
        self.refused = refused


@dataclass(frozen=True, slots=True)
class Codes:
    """A game's codes for a field that is missing, unknown, no such value, out of bounds, or too long to be read."""

    missing: str
    unknown: str
    value: str
    bounds: str
    long: str


@dataclass(frozen=True)
class Forms:
    """How one game reads fields and names them. `trees` are fields that may hold a whole document."""

    words: Callable[[str], Text]
    refused: Callable[..., Refuse]  # of a code and its parameters
    codes: Codes
    trees: frozenset[str] = frozenset({"build", "play"})

    # ------------------------------------------------------------ reading

    def values(self, shape: CommandShape, data: Mapping[str, Any]) -> dict[str, Any]:
        """The typed fields of a command by name; None for those left out. Raises `Refuse`."""
        fields = {field.name: field for field in shape.fields}
        for name in data:
            if name not in fields:
                raise self.refused(self.codes.unknown, value=str(name)[:40], key=str(name)[:40])
        return {name: self._value(field, data.get(name)) for name, field in fields.items()}

    def missing(self, field: CommandField) -> Refuse:
        return self.refused(self.codes.missing, label=field.label, field=field.label)

    def wrong(self, field: CommandField, value: object) -> Refuse:
        return self.refused(self.codes.value, label=field.label, field=field.label, value=str(value)[:40])

    def _value(self, field: CommandField, value: Any) -> Any:
        if value is None or value == "":
            if field.required:
                raise self.missing(field)
            return None
        if field.type == "int":
            return self._whole(field, value)
        if field.type == "bool":
            if not isinstance(value, bool):
                raise self.wrong(field, value)
            return value
        if field.type == "choice":
            if not isinstance(value, str) or value not in dict(field.choices):
                raise self.wrong(field, value)
            return value
        if field.type == "card":
            return self._card(field, value)
        if field.type == "cards":
            return self._cards(field, value)
        return self._text(field, value)

    def _whole(self, field: CommandField, value: Any) -> int:
        low, high = field.min if field.min is not None else -999, field.max if field.max is not None else 9999
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.refused(self.codes.bounds, label=field.label, min=low, max=high)
        return value

    def _card(self, field: CommandField, value: Any) -> str:
        try:
            return card(value).id
        except (BadCard, TypeError):
            raise self.wrong(field, value) from None

    def _cards(self, field: CommandField, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or len(value) > CARDS_MAX:
            raise self.wrong(field, value)
        found = tuple(self._card(field, one) for one in value)
        if len(set(found)) != len(found):
            raise self.wrong(field, ", ".join(found))
        return found

    def _text(self, field: CommandField, value: Any) -> Any:
        if field.name in self.trees and isinstance(value, Mapping):
            return dict(value)
        if not isinstance(value, str):
            raise self.wrong(field, value)
        text = unicodedata.normalize("NFC", value).strip()
        most = field.max or TEXT_MAX
        if len(text) > most or any(unicodedata.category(char) in ("Cc", "Cs") and char != "\n" for char in text):
            raise self.refused(self.codes.long, label=field.label, field=field.label, max=most)
        if not text and field.required:
            raise self.missing(field)
        return text

    # ------------------------------------------------------------ fields, named by the rows `field.<name>`

    def number(self, name: str, low: int, high: int, *, required: bool = True) -> CommandField:
        return CommandField(name, "int", self.words(f"field.{name}"), required, low, high)

    def flag(self, name: str) -> CommandField:
        return CommandField(name, "bool", self.words(f"field.{name}"), required=False)

    def text(self, name: str, *, required: bool = False, longest: int | None = None) -> CommandField:
        """Words; at most `longest` characters, else `TEXT_MAX`."""
        return CommandField(name, "text", self.words(f"field.{name}"), required, max=longest)

    def actor(self, name: str = "actor", *, required: bool = True) -> CommandField:
        return CommandField(name, "actor", self.words(f"field.{name}"), required)

    def card(self, name: str = "card", *, required: bool = True) -> CommandField:
        return CommandField(name, "card", self.words(f"field.{name}"), required)

    def cards(self, name: str = "cards", *, required: bool = True) -> CommandField:
        return CommandField(name, "cards", self.words(f"field.{name}"), required)

    def choice(self, name: str, *values: str, required: bool = True) -> CommandField:
        """A choice; the words of a value are the row `choice.<name>.<value>`."""
        choices = tuple((value, self.words(f"choice.{name}.{value}")) for value in values)
        return CommandField(name, "choice", self.words(f"field.{name}"), required, choices=choices)


@dataclass(frozen=True)
class Fields:
    """The fields of a command. A field left out is None (`flag`: False, `text`: "", `cards`: ())."""

    shape: CommandShape
    values: Mapping[str, Any]

    def number(self, name: str) -> int | None:
        value = self.values.get(name)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def flag(self, name: str) -> bool:
        return bool(self.values.get(name))

    def text(self, name: str) -> str:
        return str(self.values.get(name) or "")

    def listed(self, name: str) -> tuple[str, ...]:
        """Ids written with commas between them."""
        return tuple(dict.fromkeys(part for part in (p.strip() for p in self.text(name).split(",")) if part))

    def cards(self, name: str = "cards") -> tuple[str, ...]:
        return tuple(self.values.get(name) or ())
