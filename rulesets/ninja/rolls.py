"""Chat commands of ニンジャスレイヤーTRPG, both editions' dice bots and our own forms (interop/bcdice.md §4, §5, §8).

Described for players in docs/commands/ninja-rolls.md. The common dice commands work as well.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from lark import Token, v_args

from rulesets.engine.commands import common
from rulesets.engine.commands.grammar import CommonTree, Grammar
from rulesets.engine.commands.language import Language
from rulesets.engine.commands.pools import LooseCommand, Pool
from rulesets.engine.expression import Expr, Number
from rulesets.engine.suggest import Example
from rulesets.ninja import ladder
from rulesets.ninja.roll_marks import CountMark, Mark, PatternMark, ShiftMark, digits
from rulesets.ninja.roll_old import OldCommand
from rulesets.ninja.roll_pool import OneSet, PoolCommand
from rulesets.ninja.roll_tables import RowCommand, ShockCommand, WasshoiCommand
from rulesets.ninja.roll_words import WORDS

# Slug and BCDice ids whose lines these commands read.
NAMES = ("ninja", "NinjaSlayer2", "NinjaSlayer")
FIRST_EDITION = "NinjaSlayer"
_KINDS: dict[str, Any] = {"S": "satsubatsu", "C": "critical"}


def _rank(letter: Any) -> int:
    found = ladder.parse(str(letter))
    assert found is not None  # the grammar lets nothing else through
    return found.rank


def _parts(children: tuple[Any, ...], kind: type[Any]) -> tuple[Any, ...]:
    return tuple(child for child in children if isinstance(child, kind))


@v_args(inline=True)
class NinjaTree(CommonTree):
    """Nodes of `rolls.lark`."""

    # pools

    def ninja_word(self, letter: Token) -> Token:
        return letter

    def ninja_one(self, letter: Token, count: Expr) -> OneSet:
        return OneSet(_rank(letter), count)

    def ninja_ultra(self, _uh: Token, step: Expr, _colon: Token, count: Expr) -> OneSet:
        return OneSet(ladder.U_HARD, count, step)

    def ninja_same(self, _comma: Token, count: Expr) -> tuple[str, Expr]:
        return "same", count

    def ninja_other(self, _comma: Token, one: OneSet) -> OneSet:
        return one

    def ninja_empty(self, _comma: Token) -> tuple[str, None]:
        return "same", None

    def ninja_plain(self, *parts: Any) -> PoolCommand:
        return PoolCommand(_sets(parts), _parts(parts, Mark))  # type: ignore[arg-type]

    def ninja_evade(self, *parts: Any) -> PoolCommand:
        at = next(place for place, part in enumerate(parts) if isinstance(part, Token))
        rest = (*parts[:at], *parts[at + 2 :])
        return PoolCommand(_sets(rest), _parts(rest, Mark), parts[at + 1])  # type: ignore[arg-type]

    # brackets

    def ninja_count(self, _open: Token, letter: Token, *rest: Token) -> Mark:
        face = int(rest[0]) if len(rest) > 1 else ladder.SIDES
        return CountMark(_KINDS[str(letter)], ">=", face, str(letter))

    def ninja_pattern(self, _open: Token, letter: Token, faces: Token, *_rest: Token) -> Mark:
        return PatternMark(_KINDS[str(letter)], digits(faces), f"{letter}{faces}+")

    def ninja_patterns(
        self, _open: Token, letter: Token, easy: Token, _slash: Token, hard: Token, *_rest: Token
    ) -> Mark:
        return PatternMark("satsubatsu", digits(easy), f"{letter}{easy}/{hard}+", digits(hard))

    def ninja_compare(self, _open: Token, compare: Any, face: Token, _close: Token) -> Mark:
        return CountMark("extra", str(compare), int(face), str(compare))  # type: ignore[arg-type]

    def ninja_compare_all(self, _open: Token, compare: Any, faces: Token, *_rest: Token) -> Mark:
        return PatternMark("extra", digits(faces), f"{compare}{faces}+", (), str(compare))  # type: ignore[arg-type]

    def ninja_shift(self, _open: Token, sign: Token, by: Token, _close: Token) -> Mark:
        return ShiftMark(int(by) if str(sign) == "+" else -int(by))

    # the first edition

    def ninja_typed(self, _open: Token, typed: Token, *_close: Token) -> int:
        return int(typed) if str(typed).isdecimal() else ladder.Level(_rank(typed)).target

    def ninja_first(self, letters: Token, count: Expr, target: int = 4) -> OldCommand:
        return OldCommand(str(letters), count, target)  # type: ignore[arg-type]

    def ninja_first_evade(self, _ev: Token, count: Expr, *rest: Any) -> OldCommand:
        target = rest[0] if isinstance(rest[0], int) else 4
        return OldCommand("EV", count, target, rest[-1])

    # tables

    def ninja_row(self, letters: Token, *rest: Token) -> RowCommand:
        return RowCommand(str(letters), int(rest[-1]) if rest else None)  # type: ignore[arg-type]

    def ninja_wasshoi(self, _ws: Token, dkk: Expr) -> WasshoiCommand:
        return WasshoiCommand(dkk)

    def ninja_shock(self, _nrs: Token, letter: Token, count: Expr, *rest: Token) -> ShockCommand:
        return ShockCommand(_rank(letter), count, int(rest[-1]) if rest else None)

    def ninja_shock_row(self, _nrs: Token, _at: Token, row: Token) -> ShockCommand:
        return ShockCommand(row=int(row))


def _sets(parts: tuple[Any, ...]) -> tuple[OneSet, ...]:
    """Sets of a line; those without a letter take the one before, empty ones at the end do not count."""
    found: list[OneSet] = []
    for part in parts:
        if isinstance(part, OneSet):
            found.append(part)
        elif isinstance(part, tuple):
            found.append(OneSet(found[-1].rank, part[1], found[-1].step))
    while len(found) > 1 and found[-1].count is None:
        found.pop()
    return tuple(found)


@v_args(inline=True)
class FirstTree(NinjaTree):
    """The first edition's bot judges loose dice by NORMAL (`6B6` is `6B6>=4`)."""

    def loose_plain(self, pools: tuple[Pool, ...]) -> LooseCommand:
        return LooseCommand(pools, ">=", Number(4))


EXAMPLES = tuple(
    Example(text)
    for text in (
        *("N6", "N6[S]", "H4", "E6", "K6", "UH4", "UH2:6", "N4,3[S]", "N6[+1]", "N4/3", "N6[S66/666+]"),
        *("SB", "SB@3", "WS5", "WSE", "NRS_N4", "NJ4", "EV4[N]/2", "AT6[H]", "EL4", "?N6"),
    )
)


@lru_cache(maxsize=3)
def language(name: str = NAMES[0]) -> Language:
    """The commands of this game and the common ones; built once for each name."""
    own = (Path(__file__).parent / "rolls.lark").read_text(encoding="utf-8")
    tree = FirstTree() if name == FIRST_EDITION else NinjaTree()
    return Language(name, Grammar(own, WORDS, tree), (*EXAMPLES, *common.EXAMPLES))
