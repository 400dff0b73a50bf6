"""Facts applied to the state. An event holds the new values themselves, so a replay asks no rule and throws no die.

`set` holds new values of actors by id and field, `world` new values of the table by field, as JSON. Of fields that are
collections (rolls, requests) an event tells what changed: `entries` by field and key, `gone` the keys that went.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, get_type_hints

from pydantic import TypeAdapter


class UnknownEvent(KeyError):
    """An event of a kind that this game does not have."""


_ADAPTERS: dict[tuple[type[Any], str], TypeAdapter[Any]] = {}


def _field(owner: type[Any], name: str) -> TypeAdapter[Any]:
    key = owner, name
    if key not in _ADAPTERS:
        hints = get_type_hints(owner)
        if name not in hints or name.startswith("_"):
            raise KeyError(name)
        _ADAPTERS[key] = TypeAdapter(hints[name])
    return _ADAPTERS[key]


def encode(owner: type[Any], name: str, value: Any) -> Any:
    """One field's value as JSON. Raises `KeyError` for a field that does not exist."""
    return _field(owner, name).dump_python(value, mode="json")


def decode(owner: type[Any], name: str, value: Any) -> Any:
    """One field's value from JSON."""
    return _field(owner, name).validate_python(value)


def encoded(owner: type[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Several fields' values as JSON."""
    return {name: encode(owner, name, value) for name, value in values.items()}


def decoded(owner: type[Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Several fields' values from JSON."""
    return {name: decode(owner, name, value) for name, value in values.items()}


def told_of_table(owner: type[Any], before: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """New values of the table's fields as an event tells them; of a collection only what differs from `before`."""
    told: dict[str, Any] = {}
    for name, value in values.items():
        was = getattr(before, name)
        if not (isinstance(value, Mapping) and isinstance(was, Mapping)):
            told.setdefault("world", {})[name] = encode(owner, name, value)
            continue
        entries = {key: item for key, item in value.items() if key not in was or was[key] != item}
        gone = [key for key in was if key not in value]
        if [*_merged(was, entries, gone)] != [*value]:  # put into another order: told whole
            told.setdefault("world", {})[name] = encode(owner, name, value)
            continue
        if entries:
            told.setdefault("entries", {})[name] = encode(owner, name, entries)
        if gone:
            told.setdefault("gone", {})[name] = gone
    return told


def table_after(owner: type[Any], before: Any, data: Mapping[str, Any]) -> dict[str, Any]:
    """The table's new values by field, from what `told_of_table` made. Raises `KeyError` for an unknown field."""
    entries, gone = decoded(owner, data.get("entries", {})), data.get("gone", {})
    merged = {
        name: _merged(getattr(before, name), entries.get(name, {}), gone.get(name, ())) for name in {**entries, **gone}
    }
    return {**merged, **decoded(owner, data.get("world", {}))}


def _merged(was: Mapping[str, Any], entries: Mapping[str, Any], gone: Collection[str]) -> dict[str, Any]:
    return {key: item for key, item in was.items() if key not in gone} | dict(entries)
