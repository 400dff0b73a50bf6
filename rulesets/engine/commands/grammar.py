"""The LALR grammar of one game's commands and the tree it builds.

`Grammar.reader()` is fed token by token, so that the longest command of a line is found in one pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedInput
from lark.lexer import Lexer as LarkLexer

from rulesets.engine.commands.base import Command, Incomplete
from rulesets.engine.commands.lexer import Lexeme, Lexer
from rulesets.engine.commands.pools import Condition, LooseCommand, Pool, RerollCommand, RisingCommand
from rulesets.engine.commands.sums import SumCommand
from rulesets.engine.commands.tables import CalculatorCommand, D66Command, TallyCommand
from rulesets.engine.expression import (
    Binary,
    Dice,
    Divide,
    Expr,
    Group,
    Keep,
    Negative,
    Number,
    Power,
    tidy_signs,
)

COMMON = (Path(__file__).parent.parent / "expression.lark").read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Secret:
    """A command behind `S`."""

    command: Any


@dataclass(frozen=True, slots=True)
class _Threshold:
    number: Expr


@dataclass(frozen=True, slots=True)
class _Modifier:
    number: Expr


class _NoLexer(LarkLexer):
    """Tokens are fed by hand."""

    def __init__(self, conf: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any) -> Any:
        return iter(())


@v_args(inline=True)
class CommonTree(Transformer[Token, Any]):
    """Nodes of the common commands; a game's tree derives from it."""

    def open(self, command: Any) -> Any:
        return command

    def secret(self, _s: Token, command: Any) -> Secret:
        return Secret(command)

    # sum dice

    def sum_plain(self, formula: Expr) -> Command | Incomplete:
        return self._sum(formula, None, None)

    def sum_target(self, formula: Expr, compare: Token, target: Expr) -> Command | Incomplete:
        return self._sum(formula, compare, target)

    def sum_undecided(self, formula: Expr, compare: Token, _mark: Token) -> Command | Incomplete:
        return self._sum(formula, compare, "?")

    @staticmethod
    def _sum(formula: Expr, compare: Any, target: Any) -> Command | Incomplete:
        if not formula.has_dice:
            return Incomplete()
        if target is None and formula == Dice(None, None, None, d66=True):
            return D66Command()
        return SumCommand(tidy_signs(formula), compare and str(compare), target)  # type: ignore[arg-type]

    # pools

    def pool_first(self, times: Expr, _letter: Token, sides: Expr) -> tuple[Pool, ...]:
        return (Pool(times, sides),)

    def pool_more(
        self, pools: tuple[Pool, ...], _plus: Token, times: Expr, _letter: Token, sides: Expr
    ) -> tuple[Pool, ...]:
        return (*pools, Pool(times, sides))

    def loose_plain(self, pools: tuple[Pool, ...]) -> Command:
        return LooseCommand(pools)

    def loose_target(self, pools: tuple[Pool, ...], compare: Any, target: Expr) -> Command:
        return LooseCommand(pools, str(compare), target)  # type: ignore[arg-type]

    def reroll_plain(self, pools: tuple[Pool, ...], again: Condition | None = None) -> Command:
        return RerollCommand(pools, again=again)

    def reroll_target(self, pools: tuple[Pool, ...], compare: Any, target: Expr) -> Command:
        return RerollCommand(pools, str(compare), target)  # type: ignore[arg-type]

    def reroll_condition_target(self, pools: tuple[Pool, ...], again: Condition, compare: Any, target: Expr) -> Command:
        return RerollCommand(pools, str(compare), target, again)  # type: ignore[arg-type]

    def reroll_target_at(self, pools: tuple[Pool, ...], compare: Any, target: Expr, again: Condition) -> Command:
        return RerollCommand(pools, str(compare), target, again)  # type: ignore[arg-type]

    def condition_number(self, _open: Token, number: Expr, _close: Token) -> Condition:
        return Condition(number)

    def condition_compare(self, _open: Token, compare: Any, number: Expr, _close: Token) -> Condition:
        return Condition(number, str(compare))  # type: ignore[arg-type]

    def condition_at(self, _at: Token, number: Expr) -> Condition:
        return Condition(number)

    def condition_at_compare(self, _at: Token, compare: Any, number: Expr) -> Condition:
        return Condition(number, str(compare))  # type: ignore[arg-type]

    def rising_plain(self, pools: tuple[Pool, ...], *parts: Any) -> Command:
        return self._rising(pools, None, None, parts)

    def rising_target(self, pools: tuple[Pool, ...], *parts: Any) -> Command:
        place = next(i for i, part in enumerate(parts) if isinstance(part, Token))
        return self._rising(pools, str(parts[place]), parts[place + 1], (*parts[:place], *parts[place + 2 :]))

    @staticmethod
    def _rising(pools: tuple[Pool, ...], compare: Any, target: Expr | None, parts: Sequence[Any]) -> Command:
        threshold = next((part.number for part in parts if isinstance(part, _Threshold)), None)
        modifier = next((part.number for part in parts if isinstance(part, _Modifier)), None)
        return RisingCommand(pools, threshold, modifier, compare, target)

    def threshold_number(self, _open: Token, number: Expr, _close: Token) -> _Threshold:
        return _Threshold(number)

    def threshold_at(self, _at: Token, number: Expr) -> _Threshold:
        return _Threshold(number)

    def modifier_plus(self, _sign: Token, number: Expr) -> _Modifier:
        return _Modifier(number)

    def modifier_minus(self, _sign: Token, number: Expr) -> _Modifier:
        return _Modifier(Negative(number))

    def modifier_more(self, before: _Modifier, _sign: Token, number: Expr) -> _Modifier:
        return _Modifier(Binary("+", before.number, number))

    def modifier_less(self, before: _Modifier, _sign: Token, number: Expr) -> _Modifier:
        return _Modifier(Binary("-", before.number, number))

    # tally, calculator, D66

    def tally_seen(self, times: Expr, _ty: Token, sides: Expr) -> Command:
        return TallyCommand(Pool(times, sides), zeros=False)

    def tally_all(self, times: Expr, _tz: Token, sides: Expr) -> Command:
        return TallyCommand(Pool(times, sides), zeros=True)

    def calculate(self, _c: Token, formula: Expr) -> Command:
        return CalculatorCommand(formula)

    def d66_ordered(self, _d66: Token, order: Any) -> Command:
        return D66Command(str(order))  # type: ignore[arg-type]

    # formulas

    def plus(self, left: Expr, _sign: Token, right: Expr) -> Expr:
        return Binary("+", left, right)

    def minus(self, left: Expr, _sign: Token, right: Expr) -> Expr:
        return Binary("-", left, right)

    def times(self, left: Expr, _sign: Token, right: Expr) -> Expr:
        return Binary("*", left, right)

    def divide_down(self, left: Expr, _sign: Token, right: Expr) -> Expr:
        return Divide(left, right, "down")

    def divide_up(self, left: Expr, _sign: Token, right: Expr, _letter: Token) -> Expr:
        return Divide(left, right, "up")

    def divide_nearest(self, left: Expr, _sign: Token, right: Expr, _letter: Token) -> Expr:
        return Divide(left, right, "nearest")

    def divide_floor(self, left: Expr, _sign: Token, right: Expr, _letter: Token) -> Expr:
        return Divide(left, right, "floor")

    def positive(self, _sign: Token, body: Expr) -> Expr:
        return body

    def negative(self, _sign: Token, body: Expr) -> Expr:
        return Negative(body)

    def power(self, base: Expr, _sign: Token, exponent: Expr) -> Expr:
        return Power(base, exponent)

    def dice(self, times: Expr, _d: Token, sides: Expr, keep: Keep | None = None) -> Expr:
        return Dice(times, sides, keep)

    def dice_default(self, times: Expr, _d: Token) -> Expr:
        return Dice(times, None)

    def dice_default_keep(self, times: Expr, _d: Token, keep: Keep) -> Expr:
        return Dice(times, None, keep)

    def one_die(self, _d: Token, sides: Expr, keep: Keep | None = None) -> Expr:
        return Dice(None, sides, keep)

    def d66(self, times: Expr, _d66: Token, keep: Keep | None = None) -> Expr:
        return Dice(times, None, keep, d66=True)

    def one_d66(self, _d66: Token, keep: Keep | None = None) -> Expr:
        return Dice(None, None, keep, d66=True)

    def keep_one(self, kind: Any) -> Keep:
        return Keep(kind.type, Number(1))

    def keep_many(self, kind: Any, count: Expr) -> Keep:
        return Keep(kind.type, count)

    def keep_extreme(self, kind: Any) -> Keep:
        return Keep("KH" if kind.type == "MAX" else "KL", Number(1))

    def number(self, digits: Any) -> Expr:
        return Number(int(digits))

    def group(self, _open: Token, body: Expr, _close: Token) -> Expr:
        return Group(body)


@dataclass(slots=True)
class Reader:
    """A parser in the middle of a line."""

    _interactive: Any
    fed: list[Lexeme] = field(default_factory=list)

    def feed(self, lexeme: Lexeme) -> bool:
        """Take one more token; False when no command goes on like this (the reader is then spent)."""
        try:
            self._interactive.feed_token(Token(lexeme.type, lexeme.text))
        except UnexpectedInput:
            return False
        self.fed.append(lexeme)
        return True

    def accepts(self, lexeme: Lexeme) -> bool:
        """Whether a command could go on with this token."""
        if lexeme.type not in self._interactive.choices():
            return False
        return Reader(self._interactive.copy(deepcopy_values=False)).feed(lexeme)

    def whole(self) -> Any:
        """The tree if the tokens so far are a command, else None. The reader can still be fed."""
        if "$END" not in self._interactive.choices():
            return None
        try:
            tree = self._interactive.copy(deepcopy_values=False).feed_eof()
        except UnexpectedInput:
            return None
        inner = tree.command if isinstance(tree, Secret) else tree
        return None if isinstance(inner, Incomplete) else tree


class Grammar:
    """The common commands and, if given, those of a game."""

    def __init__(
        self,
        own: str = "",
        words: Mapping[str, tuple[str, str]] | None = None,
        tree: CommonTree | None = None,
        joining: Mapping[str, str] | None = None,
    ) -> None:
        """What a game adds to the common commands.

        `own`: grammar text (`%extend command: …`); `words`: what may be typed -> terminal and spelling; `tree`: its
        nodes; `joining`: terminals that go on behind a blank -> characters one of which must then follow them.
        """
        self.lexer = Lexer(words or {})
        self.joining = dict(joining or {})
        self._lark = Lark(
            COMMON + own,
            parser="lalr",
            lexer=_NoLexer,
            transformer=tree or CommonTree(),
            maybe_placeholders=False,
            keep_all_tokens=True,
        )

    def reader(self) -> Reader:
        return Reader(self._lark.parse_interactive())

    def read_again(self, lexemes: Sequence[Lexeme]) -> Any:
        """The tree of tokens that were accepted before, or None when they are no whole command."""
        reader = self.reader()
        for lexeme in lexemes:
            reader.feed(lexeme)
        return reader.whole()
