"""Commands and events by name; see `rulesets.engine.playing.registry`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesets.engine.play import CommandField
from rulesets.engine.playing.registry import GM_ONLY, TABLE, Registry
from rulesets.ninja.play.words import known, words

if TYPE_CHECKING:
    from rulesets.ninja.play.desk import Desk
    from rulesets.ninja.play.reading import Asked
    from rulesets.ninja.play.state import State

__all__ = ["COMMANDS", "EVENTS", "GM_ONLY", "ODDS", "TABLE", "command", "event", "odds_of"]

COMMON_CODES = ("P17", "P18", "P20", "P21", "P22", "P23", "P40")


def _reading_codes(fields: tuple[CommandField, ...]) -> tuple[str, ...]:
    """What reading some fields may be refused with: words too long, dice that are none, too few or too many."""
    typed = any(field.type in ("text", "actor") for field in fields)
    dice = any(field.name == "faces" for field in fields)
    return (*(("P25",) if typed else ()), *(("P24", "P42", "P43") if dice else ()))


REGISTRY: Registry[Desk, Asked, State] = Registry(words, known, COMMON_CODES, _reading_codes, ("P16", "P30"))
COMMANDS, EVENTS, ODDS = REGISTRY.commands, REGISTRY.events, REGISTRY.odds
command, event, odds_of = REGISTRY.command, REGISTRY.event, REGISTRY.odds_of
