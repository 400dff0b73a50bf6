"""Facts applied to the state. An event holds the new values themselves, so a replay asks no rule and throws no die.

`set` holds new values of actors by id and field, `world` new values of the table by field, as JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
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
