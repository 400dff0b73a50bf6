"""The common commands alone: what BCDice calls `DiceBot`."""

from __future__ import annotations

from functools import lru_cache

from rulesets.engine.commands.grammar import Grammar
from rulesets.engine.commands.language import Language
from rulesets.engine.suggest import Example

NAMES = ("DiceBot",)
EXAMPLES = tuple(
    Example(text)
    for text in (
        "2D6",
        "2D6+1",
        "2D6>=8",
        "2D6+1>=8",
        "1D100<=50",
        "D66",
        "3B6>=4",
        "4D6KH3",
        "6R6>=5",
        "4U6[6]",
        "5TY6",
        "choice[A,B]",
        "choice A B",
        "x3 2D6",
        "S2D6",
        "C(1+2)",
        "2D6,2D6",
        "?2D6>=8",
    )
)


@lru_cache(maxsize=1)
def language(name: str = NAMES[0]) -> Language:
    """The language of a table without a game of ours; built once."""
    return Language(name, Grammar(), EXAMPLES)
