"""Alice's commands and events by name; see `rulesets.engine.playing.registry`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesets.alice.play.words import known, words
from rulesets.alice.words import reading_codes
from rulesets.engine.play import CommandField
from rulesets.engine.playing.registry import GM_ONLY, TABLE, Registry

if TYPE_CHECKING:
    from rulesets.alice.play.desk import Desk
    from rulesets.alice.play.reading import Asked
    from rulesets.alice.play.state import State

__all__ = ["COMMANDS", "EVENTS", "GM_ONLY", "ODDS", "TABLE", "command", "event", "odds_of"]

# Refusals every command may meet: see `desk.py` and `engine.py`.
COMMON = ("E_GM_ONLY", "E_NOT_AT_TABLE", "E_UNKNOWN_INPUT", "E_WRONG_PHASE")


def _reading_codes(fields: tuple[CommandField, ...]) -> tuple[str, ...]:
    who = any(field.type == "actor" for field in fields)
    return (*reading_codes(fields), "E_FIELD_REQUIRED", *(("E_NOT_YOUR_PC", "E_UNKNOWN_ACTOR") if who else ()))


REGISTRY: Registry[Desk, Asked, State] = Registry(
    words, known, COMMON, _reading_codes, ("E_STALE_VERSION", "E_WRONG_STATE")
)
COMMANDS, EVENTS, ODDS = REGISTRY.commands, REGISTRY.events, REGISTRY.odds
command, event, odds_of = REGISTRY.command, REGISTRY.event, REGISTRY.odds_of
