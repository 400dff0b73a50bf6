"""Loose dice `3B6>=4`, reroll dice `6R6>=5`, rising dice `4U6[6]` (interop/bcdice.md §2)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from fractions import Fraction

from rulesets.engine.commands import chances as odds
from rulesets.engine.commands.faces import Faces
from rulesets.engine.commands.refusals import MAX_RANDOM, RollRefused
from rulesets.engine.commands.results import Comparison, Notice, Result, RollSet, compare, listed, steps
from rulesets.engine.commands.sums import NO_DICE
from rulesets.engine.expression import Expr, check_dice, whole
from rulesets.engine.odds import Chance, Odds
from rulesets.engine.text import Text

STOPPED = Notice(
    "stopped",
    Text(f"{MAX_RANDOM}個に達したので振り足しを止めました。", f"Stopped at {MAX_RANDOM} dice."),
)


@dataclass(frozen=True, slots=True)
class Pool:
    """`times` dice of `sides`."""

    times: Expr
    sides: Expr

    def check(self) -> int:
        """The number of dice, within the limits."""
        return check_dice(whole(self.times), whole(self.sides))

    @property
    def numbers(self) -> tuple[int, int]:
        """Dice and sides."""
        return whole(self.times), whole(self.sides)


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison with a number; the comparison may be left to the rest of the command."""

    number: Expr
    comparison: Comparison | None = None


AGAIN = Text("振り足しあり", "Some die thrown again")
PLAIN = Text("振り足しなし", "No die thrown again")


def successes(count: int) -> Text:
    return Text(f"成功数{count}", f"{count} success{'' if count == 1 else 'es'}")


def _spelled(pools: tuple[Pool, ...], letter: str) -> str:
    return "+".join(f"{times}{letter}{sides}" for times, sides in (pool.numbers for pool in pools))


# ---------------------------------------------------------------- loose dice


@dataclass(frozen=True, slots=True)
class LooseSet(RollSet):
    """Faces shown one by one, with the number of those that meet the comparison."""

    kind = "loose"
    faces: tuple[int, ...]
    comparison: Comparison | None = None
    target: int | None = None
    successes: int | None = None


@dataclass(frozen=True, slots=True)
class LooseCommand:
    pools: tuple[Pool, ...]
    comparison: Comparison | None = None
    target: Expr | None = None

    @property
    def kind(self) -> str:
        return "loose"

    def check(self) -> int:
        if self.target is not None:
            whole(self.target)
        return sum(pool.check() for pool in self.pools)

    def roll(self, faces: Faces) -> Result:
        thrown = tuple(face for pool in self.pools for face in faces.many(*pool.numbers))
        echo = _spelled(self.pools, "B")
        if self.comparison is None or self.target is None:
            text, result = steps(f"({echo})", listed(thrown)), LooseSet(thrown)
        else:
            goal = whole(self.target)
            found = sum(compare(face, self.comparison, goal) for face in thrown)
            text = steps(f"({echo}{self.comparison}{goal})", listed(thrown), successes(found))
            result = LooseSet(thrown, self.comparison, goal, found)
        return Result(text, (result,), total=result.successes, notices=() if thrown else (NO_DICE,))

    def chances(self) -> Odds:
        self.check()
        if self.comparison is None or self.target is None:
            raise RollRefused("odds_none", read=_spelled(self.pools, "B"))
        goal = whole(self.target)
        chance = []
        for pool in self.pools:
            times, sides = pool.numbers
            chance += [Fraction(odds.faces_meeting(sides, self.comparison, goal), sides)] * times
        return odds.of_successes(chance)


# ---------------------------------------------------------------- reroll dice


@dataclass(frozen=True, slots=True)
class RerollSet(RollSet):
    """Groups in throwing order: first those typed, then one for the extra dice of each group."""

    kind = "reroll"
    groups: tuple[tuple[int, ...], ...]
    faces: tuple[int, ...]
    again: str
    comparison: Comparison | None
    target: int | None
    successes: int


@dataclass(frozen=True, slots=True)
class RerollCommand:
    """`again` says which faces are thrown once more; it defaults to the comparison of the command."""

    pools: tuple[Pool, ...]
    comparison: Comparison | None = None
    target: Expr | None = None
    again: Condition | None = None

    @property
    def kind(self) -> str:
        return "reroll"

    def _again(self) -> tuple[Comparison, int]:
        if self.again is not None:
            return self.again.comparison or self.comparison or ">=", whole(self.again.number)
        if self.comparison is None or self.target is None:
            raise RollRefused("reroll_condition")
        return self.comparison, whole(self.target)

    def check(self) -> int:
        count = sum(pool.check() for pool in self.pools)
        if self.target is not None:
            whole(self.target)
        comparison, number = self._again()
        expected = Fraction(0)
        for pool in self.pools:
            times, sides = pool.numbers
            again = odds.faces_meeting(sides, comparison, number)
            if again == sides:
                raise RollRefused("reroll_condition")
            expected += Fraction(times * sides, sides - again)
        check_endless(expected)
        return count

    def roll(self, faces: Faces) -> Result:
        comparison, number = self._again()
        waiting = deque(pool.numbers for pool in self.pools)
        groups: list[tuple[int, ...]] = []
        stopped = False
        while waiting:
            times, sides = waiting.popleft()
            if faces.full(times):
                stopped = True
                break
            group = tuple(faces.many(times, sides))
            groups.append(group)
            more = sum(compare(face, comparison, number) for face in group)
            if more:
                waiting.append((more, sides))
        thrown = tuple(face for group in groups for face in group)
        goal = whole(self.target) if self.target is not None else None
        found = 0
        if self.comparison is not None and goal is not None:
            found = sum(compare(face, self.comparison, goal) for face in thrown)
        sign = "" if comparison == self.comparison else comparison
        tail = "" if goal is None else f"{self.comparison}{goal}"
        echo = f"({_spelled(self.pools, 'R')}[{sign}{number}]{tail})"
        notices = ((STOPPED,) if stopped else ()) + (() if thrown else (NO_DICE,))
        return Result(
            text=steps(echo, " + ".join(listed(group) for group in groups), successes(found)),
            sets=(RerollSet(tuple(groups), thrown, f"{comparison}{number}", self.comparison, goal, found),),
            total=found,
            notices=notices,
        )

    def chances(self) -> Odds:
        self.check()
        if self.comparison is None or self.target is None:
            raise RollRefused("odds_none", read=_spelled(self.pools, "R"))
        comparison, number = self._again()
        goal = whole(self.target)
        none = Fraction(1)
        for pool in self.pools:
            times, sides = pool.numbers
            faces = range(1, sides + 1)
            again = [face for face in faces if compare(face, comparison, number)]
            hits = odds.faces_meeting(sides, self.comparison, goal)
            misses_again = sum(not compare(face, self.comparison, goal) for face in again)
            misses = sides - hits - misses_again
            none *= Fraction(misses, sides - misses_again) ** times
        return odds.of_none(none)


# ---------------------------------------------------------------- rising dice


@dataclass(frozen=True, slots=True)
class RisingSet(RollSet):
    """One chain of faces for each die; `values` are their sums without the modifier."""

    kind = "rising"
    chains: tuple[tuple[int, ...], ...]
    values: tuple[int, ...]
    threshold: int
    modifier: int
    highest: int
    total: int
    comparison: Comparison | None = None
    target: int | None = None
    successes: int | None = None


@dataclass(frozen=True, slots=True)
class RisingCommand:
    pools: tuple[Pool, ...]
    threshold: Expr | None = None
    modifier: Expr | None = None
    comparison: Comparison | None = None
    target: Expr | None = None

    @property
    def kind(self) -> str:
        return "rising"

    def _modifier(self) -> int:
        return whole(self.modifier) if self.modifier is not None else 0

    def check(self) -> int:
        count = sum(pool.check() for pool in self.pools)
        if count < 1:
            raise RollRefused("too_few_dice", limit=1, had=count)
        self._modifier()
        if self.target is not None:
            whole(self.target)
        if self.threshold is None or whole(self.threshold) <= 1:
            raise RollRefused("rising_condition")
        threshold = whole(self.threshold)
        check_endless(
            sum(
                (Fraction(times * sides, min(sides, threshold - 1)) for times, sides in self._numbers()),
                Fraction(0),
            )
        )
        return count

    def _numbers(self) -> list[tuple[int, int]]:
        return [pool.numbers for pool in self.pools]

    def roll(self, faces: Faces) -> Result:
        threshold = whole(self.threshold) if self.threshold is not None else 0
        chains: list[tuple[int, ...]] = []
        stopped = False
        waiting = sum(times for times, _ in self._numbers())
        for times, sides in self._numbers():
            for _ in range(times):
                chain = [faces.one(sides)]
                waiting -= 1
                while chain[-1] >= threshold and not (stopped := stopped or faces.full(1 + waiting)):
                    chain.append(faces.one(sides))
                chains.append(tuple(chain))
        values = tuple(sum(chain) for chain in chains)
        modifier = self._modifier()
        highest, total = max(values) + modifier, sum(values) + modifier
        sign = f"{modifier:+d}" if modifier else ""
        goal = whole(self.target) if self.target is not None else None
        found = None
        last: Text | str = Text(f"{highest}/{total}(最大/合計)", f"{highest}/{total}(max/sum)")
        if self.comparison is not None and goal is not None:
            found = sum(compare(value + modifier, self.comparison, goal) for value in values)
            last = successes(found)
        tail = "" if goal is None else f"{self.comparison}{goal}"
        shown = ",".join(
            str(value) if len(chain) == 1 else f"{value}[{listed(chain)}]"
            for value, chain in zip(values, chains, strict=True)
        )
        result = RisingSet(tuple(chains), values, threshold, modifier, highest, total, self.comparison, goal, found)
        return Result(
            text=steps(f"({_spelled(self.pools, 'U')}[{threshold}]{sign}{tail})", f"{shown}{sign}", last),
            sets=(result,),
            total=total if found is None else found,
            notices=(STOPPED,) if stopped else (),
        )

    def chances(self) -> Odds:
        self.check()
        threshold = whole(self.threshold) if self.threshold is not None else 0
        if self.comparison is None or self.target is None:
            again = Fraction(1)
            for times, sides in self._numbers():
                again *= Fraction(min(sides, threshold - 1), sides) ** times
            return Odds((Chance("again", AGAIN, 1 - again), Chance("plain", PLAIN, again)))
        goal = whole(self.target) - self._modifier()
        chance: list[Fraction] = []
        for times, sides in self._numbers():
            chance += [odds.of_rising(sides, threshold, self.comparison, goal)] * times
        return odds.of_successes(chance)


def check_endless(expected: Fraction) -> None:
    """Refuse extra throws that would on average pass the limit of one command."""
    if expected > MAX_RANDOM:
        raise RollRefused("endless", had=int(expected), limit=MAX_RANDOM)
