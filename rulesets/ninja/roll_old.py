"""The first edition's commands, still used by bots and palettes: `NJ4[H]`, `EV4[N]/2`, `AT6`, `EL4` (bcdice.md §4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from rulesets.engine.commands.faces import Faces
from rulesets.engine.commands.pools import successes
from rulesets.engine.commands.results import Result, RollSet, listed, steps
from rulesets.engine.expression import Expr, check_dice, whole
from rulesets.engine.odds import Odds
from rulesets.engine.text import Text
from rulesets.ninja import ladder, odds
from rulesets.ninja.roll_words import COUNTER, refused

OldKind = Literal["NJ", "EV", "AT", "EL"]
SATSUBATSU = Text("サツバツ!!", "Satsubatsu!!")


@dataclass(frozen=True, slots=True)
class OldSet(RollSet):
    """`total` are the successes, with the sixes once more for `EL`."""

    kind = "ninja_first_edition"
    command: str
    target: int
    faces: tuple[int, ...]
    successes: int
    total: int
    counter: bool | None
    marks: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class OldCommand:
    command: OldKind
    count: Expr
    target: int = 4
    against: Expr | None = None

    @property
    def kind(self) -> str:
        return "ninja_first_edition"

    def check(self) -> int:
        if not 2 <= self.target <= ladder.SIDES:
            raise refused("ninja_difficulty", had=self.target)
        if self.against is not None:
            whole(self.against)
        return check_dice(whole(self.count), ladder.SIDES)

    def roll(self, faces: Faces) -> Result:
        dice = whole(self.count)
        shown = tuple(faces.many(dice, ladder.SIDES))
        found = sum(face >= self.target for face in shown)
        sixes = [face for face in shown if face == ladder.SIDES]
        total, counter = found, None
        parts: list[Text | str] = [f"({dice}B6>={self.target})", listed(shown), successes(found)]
        marks: tuple[dict[str, Any], ...] = ()
        if self.command == "EL" and sixes:
            total = found + len(sixes)
            counted = successes(found)
            parts[-1] = Text(f"{counted.ja} + {len(sixes)}", f"{counted.en} + {len(sixes)}")
            parts.append(str(total))
        if self.command == "AT":
            met = len(sixes) >= 2
            marks = ({"kind": "satsubatsu", "needed": [6, 6], "met": met, "faces": sixes},)
            parts += [SATSUBATSU] if met else []
        if self.command == "EV" and self.against is not None:
            counter = found > whole(self.against)
            parts += [COUNTER] if counter else []
        made = OldSet(self.command, self.target, shown, found, total, counter, marks)
        degree = ("success" if found else "failure") if self.command == "NJ" else ""
        return Result(steps(*parts), (made,), degree, total)

    def chances(self) -> Odds:
        self.check()
        rank, dice = self.target - 1, whole(self.count)
        if self.against is not None:
            return odds.evade(dice, rank, whole(self.against))
        return odds.test(dice, rank)
