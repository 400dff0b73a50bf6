"""Counting blocks for odds: successes of a pool, patterns, splits, evasion (rules §12). Whole numbers throughout."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb

from rulesets.engine.odds import Dist, TooLarge, constant, pool
from rulesets.ninja.ladder import SIDES, Level

MOST_DICE = 200
MOST_GROUPS = 6


@lru_cache(maxsize=4096)
def successes(dice: int, rank: int) -> Dist[int]:
    """The successes of so many dice at a rank; an empty pool has none."""
    if dice <= 0:
        return constant(0)
    level = Level(rank)
    return pool(dice, SIDES, SIDES + 1 - level.target).map(lambda hits: max(0, hits - level.need + 1))


def success(dice: int, rank: int) -> Fraction:
    return successes(dice, rank).where(lambda count: count >= 1)


@lru_cache(maxsize=1024)
def pattern(dice: int, wanted: tuple[int, ...]) -> Fraction:
    """The chance that each face of a pattern is met by a die of its own.

    Dice are dealt to the distinct faces of the pattern from the highest down: `met[k]` counts ways in which k dice show
    at least the face looked at, each k large enough for what the pattern asks so far.
    """
    if dice > MOST_DICE:
        raise TooLarge
    ways = {0: 1}
    above = SIDES
    for face in sorted(set(wanted), reverse=True):
        asked = sum(one >= face for one in wanted)
        band = above - face + 1  # faces from here up to the last one looked at
        found: dict[int, int] = {}
        for placed, count in ways.items():
            for more in range(dice - placed + 1):
                if placed + more >= asked:
                    dealt = count * comb(dice - placed, more) * band**more
                    found[placed + more] = found.get(placed + more, 0) + dealt
        ways, above = found, face - 1
    total = sum(count * above ** (dice - placed) for placed, count in ways.items())
    return Fraction(total, SIDES**dice)


def sixes(dice: int, count: int) -> Fraction:
    """The chance of at least `count` sixes: サツバツ with two, ナムアミダブツ with three (§6.7)."""
    return pattern(max(0, dice), (SIDES,) * count)


def split(parts: Sequence[int], rank: int) -> tuple[Fraction, Fraction]:
    """The chance that all parts of a split attack hit, and that none does."""
    every = none = Fraction(1)
    for dice in parts:
        hit = success(dice, rank)
        every, none = every * hit, none * (1 - hit)
    return every, none


def evades(dice: int, rank: int, beat: int) -> tuple[Fraction, Fraction]:
    """The chance to evade at all, and with more successes than the attack had (a counter, §6.4)."""
    found = successes(dice, rank)
    return found.where(lambda count: count >= 1), found.where(lambda count: count > max(0, beat))


def best_plan(dice: int, ranks: Sequence[int]) -> tuple[Fraction, tuple[int, ...]]:
    """The split of evade dice over attacks that most likely evades them all: its chance and the dice of each (§12)."""
    if len(ranks) > MOST_GROUPS or dice > MOST_DICE:
        raise TooLarge
    best: dict[int, tuple[Fraction, tuple[int, ...]]] = {0: (Fraction(1), ())}
    for rank in ranks:
        found: dict[int, tuple[Fraction, tuple[int, ...]]] = {}
        for used, (chance, plan) in best.items():
            for more in range(dice - used + 1):
                reached = chance * success(more, rank), (*plan, more)
                if used + more not in found or reached[0] > found[used + more][0]:
                    found[used + more] = reached
        best = found
    return max(best.values(), key=lambda row: row[0])
