"""Chat commands of 八百八町浮世草子: skill rolls, opposed rolls, damage (rules/edo.md §5, §6.2, §7.9).

Written `E…` or `EDO…`; described for players in docs/commands/edo-rolls.md. The common dice commands work as well.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from lark import Token, v_args

from rulesets.edo.roll_action import Opposed, Test
from rulesets.edo.roll_damage import Damage
from rulesets.edo.roll_words import MARKS, WORDS, Misplaced
from rulesets.engine.commands import common
from rulesets.engine.commands.grammar import CommonTree, Grammar
from rulesets.engine.commands.language import Language
from rulesets.engine.expression import Expr
from rulesets.engine.suggest import Example

# Slug and BCDice ids whose lines these commands read; BCDice has no bot for this game.
NAMES = ("edo",)


@v_args(inline=True)
class EdoTree(CommonTree):
    """Nodes of `rolls.lark`."""

    def edo_three(self, _e: Token) -> int:
        return 3

    def edo_number(self, number: Any, _e: Token) -> int:
        return int(number)

    def edo_mark(self, word: Any) -> str:
        return MARKS.get(str(word), str(word))

    def edo_marks(self, *parts: Any) -> tuple[str, ...]:
        return tuple(parts[1:-1])

    def edo_value(self, dice: int, value: Expr, marks: tuple[str, ...] = ()) -> Test | Damage:
        return Damage(dice, value, marks) if value.has_dice else Test(dice, value, marks)

    def edo_plain(self, total: Test | Damage) -> Test | Damage:
        return total

    def edo_judged(
        self, total: Test | Damage, compare: Any, target: Expr, marks: tuple[str, ...] = ()
    ) -> Test | Damage:
        if isinstance(total, Damage):
            return replace(total, comparison=str(compare))
        return replace(total, comparison=str(compare), difficulty=target, marks=total.marks + marks)

    def edo_armoured(self, total: Test | Damage, _colon: Token, armour: Expr, marks: tuple[str, ...] = ()) -> Any:
        if isinstance(total, Damage):
            return replace(total, armour=armour, marks=total.marks + marks)
        return Misplaced("edo_armour")

    def edo_against(self, left: Any, _vs: Token, right: Any) -> Any:
        if isinstance(left, Test) and isinstance(right, Test):
            return Opposed(left, right)
        return Misplaced("edo_damage")


EXAMPLES = tuple(
    Example(text)
    for text in (
        "E12>=15",
        "E12",
        "2E5>=15",
        "E12[主役]>=15",
        "EDO12>=15",
        "E12vsE10",
        "E1D6+2",
        "E1D6+2:4",
        "?E12>=15",
    )
)


@lru_cache(maxsize=1)
def language(name: str = NAMES[0]) -> Language:
    """The commands of this game and the common ones; built once."""
    own = (Path(__file__).parent / "rolls.lark").read_text(encoding="utf-8")
    grammar = Grammar(own, WORDS, EdoTree(), joining={"VS": "0123456789E"})
    return Language(name, grammar, (*EXAMPLES, *common.EXAMPLES))
