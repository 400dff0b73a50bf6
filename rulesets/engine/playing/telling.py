"""Which events tell the dice of a command, so that whoever hears them all may verify the throw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulesets.engine.play import Event


def telling(events: Sequence[Event], thrown: int) -> list[Event]:
    """The events, those marked that tell the dice of the command. Unless all `thrown` dice are told none is marked: a
    key opens every die of its command."""
    told = [_dice(event.data.get("outcome", {})) for event in events]
    if sum(told) != thrown:
        return list(events)
    return [replace(event, shows_dice=True) if dice else event for event, dice in zip(events, told, strict=True)]


def _dice(outcome: Mapping[str, Any]) -> int:
    """How many dice of an outcome were thrown here, not told."""
    return sum(bool(die["sides"]) for die in outcome.get("dice", ())) + sum(map(_dice, outcome.get("parts", ())))
