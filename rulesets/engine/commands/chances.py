"""Exact odds of the common commands: what `?` before a command shows. Nothing is thrown."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from rulesets.engine.commands.refusals import RollRefused
from rulesets.engine.commands.results import ARROW, FAILURE, SUCCESS, Comparison, compare
from rulesets.engine.expression import Binary, Dice, Divide, Expr, Group, Negative, divide
from rulesets.engine.odds import (
    Chance,
    Dist,
    Odds,
    TooLarge,
    constant,
    keep_highest,
    keep_lowest,
    mean,
    percent,
    repeated,
)
from rulesets.engine.text import Text

# Steps of one calculation in a chat line: a few hundredths of a second.
WORK = 40_000
LONGEST_CHAIN = 400
AT_LEAST_ONE = Text("成功1つ以上", "At least one success")
NONE = Text("成功なし", "No success")


# ---------------------------------------------------------------- distributions


class _Work:
    """What one formula may cost: results joined with results, and dice packed into long numbers."""

    def __init__(self) -> None:
        self.left = WORK

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise TooLarge


def of_formula(formula: Expr) -> Dist[int]:
    """The distribution of a formula that passed `check`. Raises `TooLarge`."""
    return _of(formula, _Work())


def _of(formula: Expr, work: _Work) -> Dist[int]:
    if isinstance(formula, Group):
        return _of(formula.body, work)
    if isinstance(formula, Negative):
        return _of(formula.body, work).map(lambda value: -value)
    if isinstance(formula, Dice):
        return _of_dice(formula, work)
    if isinstance(formula, (Binary, Divide)):
        left, right = _of(formula.left, work), _of(formula.right, work)
        work.spend(_size(left) * _size(right))
        if isinstance(formula, Divide):
            rounding = formula.rounding
            return left.with_(right, lambda a, b: divide(a, b, rounding))
        return left.with_(right, formula.apply)
    return constant(formula.constant())


def _of_dice(dice: Dice, work: _Work) -> Dist[int]:
    times = dice.count()
    keep = max(0, min(times, dice.kept()))
    if dice.d66 and keep < times:
        raise TooLarge
    if keep == times:
        one = Dist({10 * a + b: 1 for a in range(1, 7) for b in range(1, 7)}) if dice.d66 else _die(dice.size())
        spread = 56 if dice.d66 else dice.size()
        work.spend(times * times * spread * one.total.bit_length() // 18)
        return one if times == 1 else repeated(one, times)
    sides = dice.size()
    work.spend(times * times * sides * (keep * sides + 1) // 4)
    highest = dice.keep is not None and dice.keep.kind in ("KH", "DL")
    return keep_highest(times, keep, sides) if highest else keep_lowest(times, keep, sides)


def _size(dist: Dist[int]) -> int:
    return sum(1 for _ in dist.items())


def _die(sides: int) -> Dist[int]:
    return Dist(dict.fromkeys(range(1, sides + 1), 1))


def faces_meeting(sides: int, comparison: Comparison, goal: int) -> int:
    """How many faces of a die meet a comparison."""
    if comparison in ("=", "<>"):
        hits = 1 if 1 <= goal <= sides else 0
        return hits if comparison == "=" else sides - hits
    if comparison in (">=", ">"):
        return max(0, min(sides, sides - goal + (1 if comparison == ">=" else 0)))
    return max(0, min(sides, goal - (1 if comparison == "<" else 0)))


def of_rising(sides: int, threshold: int, comparison: Comparison, goal: int) -> Fraction:
    """The chance that one rising die, all its throws added, meets a comparison."""
    if comparison in (">=", "<"):
        below = _rising_up_to(sides, threshold, goal - 1)
        return below if comparison == "<" else 1 - below
    if comparison in (">", "<="):
        below = _rising_up_to(sides, threshold, goal)
        return below if comparison == "<=" else 1 - below
    exact = _rising_up_to(sides, threshold, goal) - _rising_up_to(sides, threshold, goal - 1)
    return exact if comparison == "=" else 1 - exact


def _rising_up_to(sides: int, threshold: int, most: int) -> Fraction:
    """The chance that a rising die ends at `most` or below."""
    if most < 1:
        return Fraction(0)
    again = range(max(1, threshold), sides + 1)
    if most > LONGEST_CHAIN or most * len(again) > WORK:
        raise TooLarge
    ends = min(threshold - 1, sides)
    # reached[v]: the chance that the throws so far add up to v and another is due
    reached = [Fraction(1)] + [Fraction(0)] * most
    total = Fraction(0)
    for value in range(most + 1):
        if not reached[value]:
            continue
        total += reached[value] * Fraction(max(0, min(ends, most - value)), sides)
        for face in again:
            if value + face <= most:
                reached[value + face] += reached[value] / sides
    return total


# ---------------------------------------------------------------- answers


def of_value(dist: Dist[int], comparison: Comparison | None, goal: int | None) -> Odds:
    """A number that may be judged against a target."""
    if comparison is None or goal is None:
        return Odds(outcomes=(), dist=dist)
    met = dist.where(lambda value: compare(value, comparison, goal))
    return Odds((Chance("success", SUCCESS, met), Chance("failure", FAILURE, 1 - met)), dist=dist)


def of_successes(chances: list[Fraction]) -> Odds:
    """The number of successes among independent dice with these chances."""
    if not chances:
        raise RollRefused("odds_none", read="0")
    common = lcm(*(chance.denominator for chance in chances))
    if common.bit_length() * len(chances) ** 2 > WORK * 25:
        raise TooLarge
    ways = [1]
    for chance in chances:
        hit = chance.numerator * (common // chance.denominator)
        grown = [0] * (len(ways) + 1)
        for count, way in enumerate(ways):
            grown[count] += way * (common - hit)
            grown[count + 1] += way * hit
        ways = grown
    dist = Dist({count: way for count, way in enumerate(ways) if way})
    none = dist.chance(0)
    return Odds((Chance("some", AT_LEAST_ONE, 1 - none), Chance("none", NONE, none)), dist=dist.reduced())


def of_none(none: Fraction) -> Odds:
    """Extra throws may go on for ever, so only whether there is a success."""
    return Odds((Chance("some", AT_LEAST_ONE, 1 - none), Chance("none", NONE, none)))


def describe(odds: Odds) -> Text:
    """The odds as the last part of a chat line."""
    parts = [
        Text(
            f"{chance.label.ja} {shown(chance.chance)}",
            f"{chance.label.en} {shown(chance.chance)}",
        )
        for chance in (*odds.outcomes, *odds.also)
    ]
    if odds.dist is not None:
        values = [value for value, _ in odds.dist.items()]
        low, high, average = min(values), max(values), number(mean(odds.dist))
        parts.append(Text(f"{low}〜{high}（平均{average}）", f"{low} to {high} (mean {average})"))
    return Text(ARROW.join(part.ja for part in parts), ARROW.join(part.en for part in parts))


def shown(chance: Fraction) -> str:
    """`41.7% (15/36)`-like; the fraction is reduced."""
    if chance.denominator > 10**9:
        return f"{percent(chance)}%"
    return f"{percent(chance)}% ({chance.numerator}/{chance.denominator})"


def number(value: Fraction) -> str:
    """A mean with at most two decimals."""
    rounded = Fraction(round(value * 100), 100)
    return str(rounded.numerator) if rounded.denominator == 1 else f"{float(rounded):.2f}".rstrip("0")
