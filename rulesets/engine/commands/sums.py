"""Sum dice: `2D6+1`, `4D6KH3`, `(2D6+1)*2>=15` (interop/bcdice.md §2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulesets.engine.commands import chances as odds
from rulesets.engine.commands.faces import Faces
from rulesets.engine.commands.results import (
    FAILURE,
    SUCCESS,
    Comparison,
    Notice,
    Result,
    RollSet,
    compare,
    steps,
)
from rulesets.engine.expression import Dice, Expr, Throw, whole
from rulesets.engine.odds import Odds
from rulesets.engine.text import Text

NO_DICE = Notice("no_dice_thrown", Text("0個なので何も振っていません。", "Zero dice: nothing was thrown."))


@dataclass(frozen=True, slots=True)
class SumSet(RollSet):
    """The dice of a formula; `total` is the value of the whole formula."""

    kind = "sum"
    expression: str
    throws: tuple[Throw, ...]
    faces: tuple[int, ...]
    total: int
    comparison: Comparison | None = None
    target: int | None = None
    met: bool | None = None


@dataclass(frozen=True, slots=True)
class SumCommand:
    """A formula with at least one die. `target` is None without a judgement, "?" when it is still open."""

    formula: Expr
    comparison: Comparison | None = None
    target: Expr | Literal["?"] | None = None

    @property
    def kind(self) -> str:
        return "sum"

    def check(self) -> int:
        self.formula.check()
        if not isinstance(self.target, str) and self.target is not None:
            whole(self.target)
            self.target.check()
        return self.formula.dice_count()

    def goal(self) -> int | None:
        return None if self.target is None or isinstance(self.target, str) else whole(self.target)

    def echo(self) -> str:
        goal = self.target if isinstance(self.target, str) else self.goal()
        return f"({self.formula.echo()}{self.comparison or ''}{'' if goal is None else goal})"

    def roll(self, faces: Faces) -> Result:
        value = self.formula.roll(faces)
        total, goal, judged = value.number, self.goal(), None
        if self.comparison is not None and goal is not None:
            judged = compare(total, self.comparison, goal)
        # One plain die needs no list of faces: `(1D100) ＞ 8`.
        single = isinstance(self.formula, Dice) and self.formula.keep is None and len(value.throws[0].faces) <= 1
        parts: list[Text | str] = [self.echo(), *([] if single else [value.shown]), str(total)]
        if judged is not None:
            parts.append(SUCCESS if judged else FAILURE)
        thrown = tuple(face for throw in value.throws for face in throw.faces)
        return Result(
            text=steps(*parts),
            sets=(SumSet(self.formula.echo(), value.throws, thrown, total, self.comparison, goal, judged),),
            degree="" if judged is None else "success" if judged else "failure",
            total=total,
            margin=margin(total, self.comparison, goal),
            notices=() if thrown else (NO_DICE,),
        )

    def chances(self) -> Odds:
        self.check()
        return odds.of_value(odds.of_formula(self.formula), self.comparison, self.goal())


def margin(total: int, comparison: Comparison | None, goal: int | None) -> int | None:
    """By how much an upward or downward target was passed; negative when missed, None for `=` and `<>`."""
    if goal is None or comparison is None:
        return None
    if comparison in (">=", ">"):
        return total - goal
    return goal - total if comparison in ("<=", "<") else None
