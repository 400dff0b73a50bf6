"""Chat commands: the game has no dice, so the common commands alone are read (interop/bcdice.md)."""

from __future__ import annotations

from functools import lru_cache

from rulesets.engine.commands import common
from rulesets.engine.commands.grammar import Grammar
from rulesets.engine.commands.language import Language

NAMES = ("alice",)


@lru_cache(maxsize=1)
def language(name: str = NAMES[0]) -> Language:
    """The language of a table of this game; built once."""
    return Language(name, Grammar(), common.EXAMPLES)
