"""Tally `5TY6`, ordered `D66A`, calculator `C(1+2)`, version (interop/bcdice.md §2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from rulesets.engine.commands.faces import Faces
from rulesets.engine.commands.pools import Pool
from rulesets.engine.commands.refusals import MAX_TALLY_SIDES, RollRefused
from rulesets.engine.commands.results import Notice, Result, RollSet, listed, steps
from rulesets.engine.expression import Expr, Group, whole
from rulesets.engine.odds import Chance, Dist, Odds
from rulesets.engine.text import Text

# ---------------------------------------------------------------- tally


@dataclass(frozen=True, slots=True)
class TallySet(RollSet):
    """How often each face came up; faces that did not only when asked for (`TZ`)."""

    kind = "tally"
    faces: tuple[int, ...]
    counts: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class TallyCommand:
    pool: Pool
    zeros: bool

    @property
    def kind(self) -> str:
        return "tally"

    def check(self) -> int:
        times, sides = self.pool.numbers
        if not 1 <= sides <= MAX_TALLY_SIDES:
            raise RollRefused("tally_sides", limit=MAX_TALLY_SIDES, had=sides)
        if times < 1:
            raise RollRefused("too_few_dice", limit=1, had=times)
        return self.pool.check()

    def _echo(self) -> str:
        times, sides = self.pool.numbers
        return f"{times}T{'Z' if self.zeros else 'Y'}{sides}"

    def roll(self, faces: Faces) -> Result:
        times, sides = self.pool.numbers
        thrown = tuple(faces.many(times, sides))
        found = Counter(thrown)
        counts = {face: found[face] for face in range(1, sides + 1) if self.zeros or found[face]}
        shown = ", ".join(f"[{face}]×{count}" for face, count in counts.items())
        return Result(steps(f"({self._echo()})", listed(thrown), shown), (TallySet(thrown, counts),))

    def chances(self) -> Odds:
        self.check()
        times, sides = self.pool.numbers
        none = Fraction(sides - 1, sides) ** times
        return Odds(
            (
                Chance("some", Text("ある目が1つ以上", "A given face at least once"), 1 - none),
                Chance("none", Text("ある目が出ない", "A given face never"), none),
            )
        )


# ---------------------------------------------------------------- D66

Order = Literal["", "A", "S", "D", "N"]


@dataclass(frozen=True, slots=True)
class D66Set(RollSet):
    """Two dice as tens and ones. `order`: `as rolled`, `ascending`, `descending`."""

    kind = "d66"
    faces: tuple[int, ...]
    value: int
    order: str


@dataclass(frozen=True, slots=True)
class D66Command:
    """`A` and `S` ascending, `D` descending, `N` and nothing as rolled."""

    order: Order = ""

    @property
    def kind(self) -> str:
        return "d66"

    def check(self) -> int:
        return 2

    def _value(self, first: int, second: int) -> int:
        if self.order in ("A", "S"):
            first, second = min(first, second), max(first, second)
        elif self.order == "D":
            first, second = max(first, second), min(first, second)
        return first * 10 + second

    def roll(self, faces: Faces) -> Result:
        thrown = tuple(faces.many(2, 6))
        value = self._value(*thrown)
        word = {"A": "ascending", "S": "ascending", "D": "descending"}.get(self.order, "as rolled")
        return Result(steps(f"(D66{self.order})", str(value)), (D66Set(thrown, value, word),), total=value)

    def chances(self) -> Odds:
        pairs = Dist({(a, b): 1 for a in range(1, 7) for b in range(1, 7)})
        return Odds(outcomes=(), dist=pairs.map(lambda pair: self._value(*pair)))


# ---------------------------------------------------------------- calculator and version


@dataclass(frozen=True, slots=True)
class CalculationSet(RollSet):
    kind = "calculation"
    value: int


@dataclass(frozen=True, slots=True)
class CalculatorCommand:
    formula: Expr

    @property
    def kind(self) -> str:
        return "calculation"

    def check(self) -> int:
        whole(self.formula)
        self.formula.check()
        return 0

    def _echo(self) -> str:
        inner = self.formula.body if isinstance(self.formula, Group) else self.formula
        return f"c({inner.echo(up='C')})"

    def roll(self, faces: Faces) -> Result:
        value = whole(self.formula)
        return Result(steps(self._echo(), str(value)), (CalculationSet(value),), total=value)

    def chances(self) -> Odds:
        raise RollRefused("odds_none", read=self._echo())


@dataclass(frozen=True, slots=True)
class VersionCommand:
    """Says which BCDice these commands follow; bots ask for it."""

    @property
    def kind(self) -> str:
        return "version"

    def check(self) -> int:
        return 0

    def roll(self, faces: Faces) -> Result:
        own = Notice(
            "own_dice",
            Text(
                "BCDice 3.16.1 と同じコマンドを、このサイト自身のダイスで振ります。",
                "The commands are those of BCDice 3.16.1; the dice are this site's own.",
            ),
        )
        return Result(steps("BCDice 3.16.1"), (), notices=(own,))

    def chances(self) -> Odds:
        raise RollRefused("odds_none", read="BCDiceVersion")
