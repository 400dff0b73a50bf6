"""Exact chances by counting: whole numbers inside, fractions at the edge, no floating point anywhere.

A `Dist` says in how many equally likely ways each result comes up. Small ones are put together into the question of a
game; the answer is an `Odds`. Everything used in play is far below the limits and takes less than 5 ms.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, combinations_with_replacement
from math import comb, factorial, gcd, lcm
from operator import add
from typing import Any, Generic, TypeVar

from rulesets.engine.text import Text

A = TypeVar("A", bound=Hashable)
B = TypeVar("B", bound=Hashable)
C = TypeVar("C", bound=Hashable)

MAX_WORK = 2_000_000  # steps of one calculation; about a second


class TooLarge(ValueError):
    """The question would take too long to count."""


class Dist(Generic[A]):
    """How many of `total` equally likely ways lead to each result. Immutable; ways are positive whole numbers."""

    __slots__ = ("_ways", "total")

    def __init__(self, ways: Mapping[A, int]) -> None:
        if not ways or any(count <= 0 for count in ways.values()):
            raise ValueError("a distribution needs results, each possible in at least one way")
        self._ways = dict(ways)
        self.total = sum(ways.values())

    @property
    def ways(self) -> Mapping[A, int]:
        """Ways by result, results in ascending order where they can be compared."""
        try:
            return dict(sorted(self._ways.items()))
        except TypeError:
            return dict(self._ways)

    def items(self) -> Iterator[tuple[A, int]]:
        return iter(self._ways.items())

    def chance(self, result: A) -> Fraction:
        return Fraction(self._ways.get(result, 0), self.total)

    def where(self, holds: Callable[[A], bool]) -> Fraction:
        """The chance that a result has a property."""
        return Fraction(sum(count for result, count in self._ways.items() if holds(result)), self.total)

    def map(self, change: Callable[[A], B]) -> Dist[B]:
        """Each result changed; equal ones are added together."""
        found: dict[B, int] = {}
        for result, count in self._ways.items():
            changed = change(result)
            found[changed] = found.get(changed, 0) + count
        return Dist(found)

    def then(self, follow: Callable[[A], Dist[B]]) -> Dist[B]:
        """What follows each result, when that depends on it (a critical throws one more die)."""
        follows = {result: follow(result) for result in self._ways}
        common = lcm(*(dist.total for dist in follows.values()))
        found: dict[B, int] = {}
        for result, count in self._ways.items():
            scale = count * (common // follows[result].total)
            for value, ways in follows[result].items():
                found[value] = found.get(value, 0) + ways * scale
        return Dist(found).reduced()

    def with_(self, other: Dist[B], join: Callable[[A, B], C]) -> Dist[C]:
        """Two independent distributions joined result by result."""
        if len(self._ways) * len(other._ways) > MAX_WORK:
            raise TooLarge
        found: dict[C, int] = {}
        for left, ways in self._ways.items():
            for right, other_ways in other._ways.items():
                joined = join(left, right)
                found[joined] = found.get(joined, 0) + ways * other_ways
        return Dist(found)

    def reduced(self) -> Dist[A]:
        """The same chances in the smallest whole numbers."""
        common = gcd(*self._ways.values())
        return Dist({result: count // common for result, count in self._ways.items()}) if common > 1 else self

    def __eq__(self, other: object) -> bool:
        """Equal ways, not only equal chances."""
        return isinstance(other, Dist) and self._ways == other._ways

    def __hash__(self) -> int:
        return hash(frozenset(self._ways.items()))

    def __repr__(self) -> str:
        return f"Dist({dict(self.ways)})"


# ---------------------------------------------------------------- dice


def constant(value: A) -> Dist[A]:
    return Dist({value: 1})


def die(sides: int) -> Dist[int]:
    _at_least_one(sides=sides)
    return Dist(dict.fromkeys(range(1, sides + 1), 1))


def shifted(dist: Dist[int], by: int) -> Dist[int]:
    return dist.map(lambda result: result + by)


def total_of(dists: Iterable[Dist[int]]) -> Dist[int]:
    """The sum of independent distributions."""
    found = constant(0)
    for dist in dists:
        found = found.with_(dist, add)
    return found


def sum_of(n: int, sides: int) -> Dist[int]:
    """The sum of n dice."""
    return repeated(die(sides), n)


def repeated(dist: Dist[int], n: int) -> Dist[int]:
    """The sum of n independent results of the same distribution.

    The ways are the coefficients of a polynomial; written side by side into one whole number, wide enough that none
    runs into the next, the n-th power of that number holds the ways of the sum.
    """
    if n < 0:
        raise ValueError("at least 0 dice")
    lowest = min(result for result, _ in dist.items())
    highest = max(result for result, _ in dist.items())
    steps = n * (highest - lowest) + 1
    width = (n * dist.total.bit_length() + 8) // 8  # bytes for the ways of one sum, at most total**n
    if steps * width > MAX_WORK:
        raise TooLarge
    packed = sum(ways << (result - lowest) * width * 8 for result, ways in dist.items()) ** n
    row = packed.to_bytes(steps * width, "little")
    found: dict[int, int] = {}
    for step in range(steps):
        ways = int.from_bytes(row[step * width : (step + 1) * width], "little")
        if ways:
            found[n * lowest + step] = ways
    return Dist(found)


def keep_highest(n: int, keep: int, sides: int) -> Dist[int]:
    """The sum of the `keep` highest of n dice (3dk2: `keep_highest(3, 2, 6)`)."""
    return _kept(n, keep, sides, range(sides, 0, -1))


def keep_lowest(n: int, keep: int, sides: int) -> Dist[int]:
    """The sum of the `keep` lowest of n dice."""
    return _kept(n, keep, sides, range(1, sides + 1))


def _kept(n: int, keep: int, sides: int, faces: Iterable[int]) -> Dist[int]:
    """Face by face in the order in which dice are kept: how many dice show it, of those not placed yet."""
    _at_least_one(sides=sides)
    if not 0 <= keep <= n:
        raise ValueError("keep between 0 and all dice")
    if n * n * sides * (keep * sides + 1) > MAX_WORK * 20:
        raise TooLarge
    states: dict[tuple[int, int], int] = {(n, 0): 1}  # (dice not placed yet, sum kept so far) -> ways
    for face in faces:
        found: dict[tuple[int, int], int] = {}
        for (left, total), ways in states.items():
            room = max(0, keep - (n - left))
            for showing in range(left + 1):
                state = (left - showing, total + face * min(showing, room))
                found[state] = found.get(state, 0) + ways * comb(left, showing)
        states = found
    return Dist({total: ways for (left, total), ways in states.items() if left == 0})


def pool(n: int, sides: int, hits: int) -> Dist[int]:
    """The number of dice among n that show one of `hits` faces (a pool with target 4 on d6: `pool(n, 6, 3)`)."""
    _at_least_one(sides=sides)
    if not 0 <= hits <= sides or n < 0:
        raise ValueError("hits are faces of the die")
    ways = {k: comb(n, k) * hits**k * (sides - hits) ** (n - k) for k in range(n + 1)}
    return Dist({k: count for k, count in ways.items() if count})


def faces_of(n: int, sides: int) -> Dist[tuple[int, ...]]:
    """What n dice show, highest first, whatever the order they fell in: for pairs and other patterns."""
    _at_least_one(sides=sides)
    if comb(n + sides - 1, n) > MAX_WORK // 20:
        raise TooLarge
    found: dict[tuple[int, ...], int] = {}
    for shown in combinations_with_replacement(range(sides, 0, -1), n):
        ways = factorial(n)
        for face in set(shown):
            ways //= factorial(shown.count(face))
        found[shown] = ways
    return Dist(found)


def _at_least_one(*, sides: int) -> None:
    if sides < 1:
        raise ValueError("a die has at least one side")


# ---------------------------------------------------------------- questions


def at_least(dist: Dist[int], target: int) -> Fraction:
    return dist.where(lambda result: result >= target)


def at_least_table(dist: Dist[int]) -> dict[int, Fraction]:
    """The chance to reach each result that is possible, ascending."""
    left = dist.total
    table: dict[int, Fraction] = {}
    for result, ways in dist.ways.items():
        table[result] = Fraction(left, dist.total)
        left -= ways
    return table


def mean(dist: Dist[int]) -> Fraction:
    return Fraction(sum(result * ways for result, ways in dist.items()), dist.total)


@dataclass(frozen=True, slots=True)
class Opposed:
    """Chances of one side against another; the three add up to 1."""

    win: Fraction
    tie: Fraction
    lose: Fraction


def opposed(one: Dist[int], other: Dist[int]) -> Opposed:
    """One result against an independent other; the larger wins."""
    results = list(other.ways)
    reached = [0, *accumulate(other.ways.values())]
    win = tie = 0
    for result, count in one.items():
        below = reached[bisect_left(results, result)]
        win += count * below
        tie += count * (reached[bisect_right(results, result)] - below)
    total = one.total * other.total
    return Opposed(Fraction(win, total), Fraction(tie, total), Fraction(total - win - tie, total))


# ---------------------------------------------------------------- answers


def percent(chance: Fraction) -> str:
    """A chance in percent with one decimal, halves up: `35.6`. `0` and `100` only when they are exact."""
    if not 0 <= chance <= 1:
        raise ValueError(f"no chance: {chance}")
    if chance in (0, 1):
        return "100" if chance else "0"
    tenths = (2000 * chance.numerator + chance.denominator) // (2 * chance.denominator)
    tenths = min(max(tenths, 1), 999)
    return f"{tenths // 10}.{tenths % 10}"


@dataclass(frozen=True, slots=True)
class Chance:
    """One thing that may happen. `key` is the word an outcome would carry (`success`, `critical` …)."""

    key: str
    label: Text
    chance: Fraction

    @property
    def percent(self) -> str:
        return percent(self.chance)

    def as_json(self) -> dict[str, Any]:
        return {
            "label": {"ja": self.label.ja, "en": self.label.en},
            "chance": f"{self.chance.numerator}/{self.chance.denominator}",
            "percent": self.percent,
        }


@dataclass(frozen=True, slots=True)
class Odds:
    """The answer to a question of a game.

    `outcomes` exclude each other and add up to 1 (refused otherwise); `also` are chances beside them (a point gained,
    two sixes among the dice). `dist` is the distribution of the total the question is about, if there is one.
    """

    outcomes: tuple[Chance, ...]
    also: tuple[Chance, ...] = ()
    dist: Dist[int] | None = None

    def __post_init__(self) -> None:
        if self.outcomes and sum(outcome.chance for outcome in self.outcomes) != 1:
            raise ValueError("the outcomes do not add up to 1")
        keys = [chance.key for chance in (*self.outcomes, *self.also)]
        if len(set(keys)) != len(keys):
            raise ValueError("two chances have the same key")

    def chance(self, key: str) -> Fraction:
        """The chance of one outcome or side event. Raises `KeyError`."""
        for chance in (*self.outcomes, *self.also):
            if chance.key == key:
                return chance.chance
        raise KeyError(key)

    def as_json(self) -> dict[str, Any]:
        """Chances as fractions (`"193/216"`) and percents (`"89.4"`); the distribution as ways out of a total."""
        told: dict[str, Any] = {"outcomes": {chance.key: chance.as_json() for chance in self.outcomes}}
        if self.also:
            told["also"] = {chance.key: chance.as_json() for chance in self.also}
        if self.dist is not None:
            average = mean(self.dist)
            told["counts"] = {str(result): ways for result, ways in self.dist.ways.items()}
            told["out_of"] = self.dist.total
            told["mean"] = f"{average.numerator}/{average.denominator}"
        return told
