"""Pools of the second edition as chat commands: `N6[S]`, `N4,H3`, `UH2:6`, `N4/3` (rules/ninja.md §4, §6.4)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rulesets.engine.commands.faces import Faces
from rulesets.engine.commands.results import ARROW, FAILURE, SUCCESS, Result, RollSet, listed
from rulesets.engine.expression import Expr, check_dice, whole
from rulesets.engine.odds import Chance, Odds
from rulesets.engine.outcome import Die, Modifier, Outcome
from rulesets.engine.text import Text
from rulesets.ninja import chances, ladder, odds
from rulesets.ninja.roll_marks import Mark, ShiftMark
from rulesets.ninja.roll_words import COUNTER, EVADED, HIT, REASONS, joined, refused, successes

NO_SUCCESS = Text("成功なし", "no success")


@dataclass(frozen=True, slots=True)
class PoolSet(RollSet):
    """One set of dice at one difficulty. `against`: the attack's successes, `counter` whether they were beaten."""

    kind = "ninja_pool"
    difficulty: str
    target: int
    faces: tuple[int, ...]
    successes: int
    marks: tuple[dict[str, Any], ...]
    against: int | None
    counter: bool | None
    tree: Outcome


@dataclass(frozen=True, slots=True)
class OneSet:
    """Dice at a printed difficulty; `count` None is an empty set. `step`: n of `UHn`."""

    rank: int
    count: Expr | None
    step: Expr | None = None

    def base(self) -> int:
        if self.step is None:
            return self.rank
        step = whole(self.step)
        if not 1 <= step <= 99:
            raise refused("ninja_ultra", had=step)
        return ladder.U_HARD + step - 1

    def dice(self) -> int:
        return 0 if self.count is None else whole(self.count)


@dataclass(frozen=True, slots=True)
class PoolCommand:
    sets: tuple[OneSet, ...]
    marks: tuple[Mark, ...] = ()
    against: Expr | None = None

    @property
    def kind(self) -> str:
        return "ninja_pool"

    def check(self) -> int:
        for mark in self.marks:
            if not isinstance(mark, ShiftMark):
                mark.check()
        if self.against is not None:
            whole(self.against)
            if len(self.sets) > 1:
                raise refused("ninja_sets")
        total = 0
        for one in self.sets:
            one.base()
            total += check_dice(one.dice(), ladder.SIDES)
        check_dice(total, ladder.SIDES)
        return total

    def rank(self, one: OneSet) -> int:
        shifts = [mark.by for mark in self.marks if isinstance(mark, ShiftMark)]
        return ladder.shifted(one.base(), shifts)

    def roll(self, faces: Faces) -> Result:
        lines: list[Text | str] = []
        found: list[PoolSet] = []
        for one in self.sets:
            made, text = self._thrown(one, faces)
            found.append(made)
            lines.append(text)
        total = sum(made.successes for made in found)
        margin = None
        if self.against is not None:
            margin = total - whole(self.against)
        degree = "success" if total else "failure"
        return Result(joined(lines, " \n"), tuple(found), degree, total, margin)

    def _thrown(self, one: OneSet, faces: Faces) -> tuple[PoolSet, Text]:
        rank, base = self.rank(one), one.base()
        level = ladder.Level(rank)
        shown = tuple(faces.many(one.dice(), ladder.SIDES))
        count = ladder.successes(shown, rank)
        seen = [mark.look(shown) for mark in self.marks if not isinstance(mark, ShiftMark)]
        told: list[Text | str] = [successes(count)]
        if rank != base:
            told.append(f"{ladder.Level(base).letter}→{level.letter}")
        told += [one_seen.words for one_seen in seen if one_seen.words is not None]
        against = None if self.against is None else whole(self.against)
        counter = None if against is None else count > against and count >= 1
        if against is not None:
            told.append(EVADED if count else HIT)
        if counter:
            told.append(COUNTER)
        echo = f"({one.dice()}B6>={level.target})" if level.need == 1 else f"({level.id}:{one.dice()})"
        text = joined([echo, listed(shown), joined(told, ", ")], ARROW)
        tree = self._tree(shown, base, rank, count)
        marks = tuple(one_seen.mark for one_seen in seen)
        return PoolSet(level.id, level.target, shown, count, marks, against, counter, tree), text

    def _tree(self, faces: tuple[int, ...], base: int, rank: int, count: int) -> Outcome:
        reason = REASONS["pool" if self.against is None else "evade"]
        target = ladder.Level(rank).target
        shift = Modifier("difficulty", rank - base, "difficulty", REASONS["shift"])
        return Outcome(
            kind="ninja_pool",
            title=reason,
            degree="success" if count else "failure",
            degree_label=SUCCESS if count else FAILURE,
            total=count,
            dice=tuple(Die(ladder.SIDES, face, reason, face >= target, _mark(face, target)) for face in faces),
            modifiers=(shift,) if rank != base else (),
        )

    def chances(self) -> Odds:
        self.check()
        if len(self.sets) == 1:
            one = self.sets[0]
            if self.against is not None:
                return odds.evade(one.dice(), self.rank(one), whole(self.against))
            return odds.test(one.dice(), self.rank(one))
        none = every = Fraction(1)
        for one in self.sets:
            hit = chances.success(one.dice(), self.rank(one))
            none, every = none * (1 - hit), every * hit
        outcomes = (
            Chance("all", odds.ALL, every),
            Chance("some", odds.SOME, 1 - every - none),
            Chance("none", odds.NONE, none),
        )
        return Odds(outcomes)


def _mark(face: int, target: int) -> str:
    return "six" if face == ladder.SIDES else "success" if face >= target else ""
