"""Tables and special tests as chat commands: `SB`, `WSE@3`, `WS8`, `NRS_E4` (rules §4.11, §4.12, §6.7, §7.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rulesets.engine.commands.faces import Faces
from rulesets.engine.commands.refusals import RollRefused
from rulesets.engine.commands.results import Result, RollSet, listed, steps
from rulesets.engine.expression import Expr, check_dice, whole
from rulesets.engine.odds import Odds
from rulesets.engine.text import Text
from rulesets.ninja import ladder, odds
from rulesets.ninja.roll_words import joined, refused, successes
from rulesets.ninja.rows import Critical, Entry, Shock
from rulesets.ninja.tables import TABLES

TableRow = Critical | Entry | Shock
_TITLES = {
    "SB": (Text("サツバツ表", "Satsubatsu table"), Text("サツバツ!!", "Satsubatsu!!")),
    "WSE": (
        Text("死神のエントリー決定表", "Table of the reaper's entry"),
        Text("ニンジャスレイヤー=サンのエントリー!!", "Ninja Slayer enters!!"),
    ),
}
NRS_ROWS = 7


@dataclass(frozen=True, slots=True)
class RowSet(RollSet):
    kind = "table_row"
    table: str
    faces: tuple[int, ...]
    row: int
    id: str


@dataclass(frozen=True, slots=True)
class WasshoiSet(RollSet):
    kind = "wasshoi"
    faces: tuple[int, ...]
    total: int
    dkk: int
    appears: bool


@dataclass(frozen=True, slots=True)
class ShockSet(RollSet):
    kind = "nrs"
    difficulty: str
    faces: tuple[int, ...]
    successes: int


def _row(rows: Mapping[str, TableRow], number: int) -> TableRow:
    return next(row for row in rows.values() if row.roll == number)


def _words(row: TableRow) -> Text:
    return Text(f"{row.name.ja}：{row.note.ja}", f"{row.name.en}: {row.note.en}")


@dataclass(frozen=True, slots=True)
class RowCommand:
    """A row of サツバツ or of the entry, thrown or named."""

    table: Literal["SB", "WSE"]
    row: int | None = None

    @property
    def kind(self) -> str:
        return "table_row"

    def check(self) -> int:
        if self.row is not None and not 1 <= self.row <= ladder.SIDES:
            raise refused("ninja_row", most=ladder.SIDES, had=self.row)
        return 0 if self.row is not None else 1

    def roll(self, faces: Faces) -> Result:
        base = TABLES.base
        rows: Mapping[str, TableRow] = base.criticals if self.table == "SB" else base.entries
        thrown: tuple[int, ...] = ()
        number = self.row or 0
        if self.row is None:
            number = faces.one(ladder.SIDES)
            thrown = (number,)
        found = _row(rows, number)
        title = _TITLES[self.table][0 if thrown else 1]
        head = Text(f"{title.ja}({number})", f"{title.en}({number})")
        return Result(steps(head, _words(found)), (RowSet(self.table, thrown, number, found.id),), total=number)

    def chances(self) -> Odds:
        raise RollRefused("odds_none", read=self.table)


@dataclass(frozen=True, slots=True)
class WasshoiCommand:
    """2D6 ≤ DKK: he appears, which for the players is a failure."""

    dkk: Expr

    @property
    def kind(self) -> str:
        return "wasshoi"

    def check(self) -> int:
        dkk = whole(self.dkk)
        if not 1 <= dkk <= 12:
            raise refused("ninja_wasshoi", had=dkk)
        return 2

    def roll(self, faces: Faces) -> Result:
        dkk = whole(self.dkk)
        thrown = tuple(faces.many(2, ladder.SIDES))
        total = sum(thrown)
        appears = total <= dkk
        sign, said = ("<=", "判定成功!!") if appears else (">", "判定失敗")
        en = "he appears!!" if appears else "he stays away"
        shown = f"({thrown[0]}+{thrown[1]})"
        last = Text(f"{total}({sign}{dkk}) {said}", f"{total}({sign}{dkk}) {en}")
        title = Text("Wasshoi!判定(2D6)", "Wasshoi! (2D6)")
        made = WasshoiSet(thrown, total, dkk, appears)
        text = steps(title, shown, last)
        if appears:
            text = joined([text, Text("ニンジャスレイヤーのエントリー！", "Ninja Slayer enters!")], " \n")
        return Result(text, (made,), "failure" if appears else "success", total, dkk - total)

    def chances(self) -> Odds:
        self.check()
        return odds.wasshoi(whole(self.dkk))


@dataclass(frozen=True, slots=True)
class ShockCommand:
    """NRS: a pool that fails throws on the table; `row` names it instead; without `count` only the row is read."""

    rank: int = 0
    count: Expr | None = None
    row: int | None = None

    @property
    def kind(self) -> str:
        return "nrs"

    def check(self) -> int:
        if self.row is not None and not 1 <= self.row <= NRS_ROWS:
            raise refused("ninja_row", most=NRS_ROWS, had=self.row)
        if self.count is None:
            return 0
        if self.rank == ladder.KIDS:
            raise refused("ninja_nrs")
        return check_dice(whole(self.count), ladder.SIDES)

    def roll(self, faces: Faces) -> Result:
        if self.count is None:
            return self._failed(faces, (), None)
        dice, target = whole(self.count), ladder.Level(self.rank).target
        shown = tuple(faces.many(dice, ladder.SIDES))
        found = ladder.successes(shown, self.rank)
        made = ShockSet(ladder.Level(self.rank).id, shown, found)
        words = Text("NRS克服!!", "overcome!!") if found else Text("NRS発症!!", "shock!!")
        head = Text(f"NRS判定({dice}B6>={target})", f"NRS ({dice}B6>={target})")
        text = steps(head, listed(shown), joined([successes(found), words], " "))
        if found:
            return Result(text, (made,), "success", found)
        return self._failed(faces, (made,), text)

    def _failed(self, faces: Faces, before: tuple[RollSet, ...], text: Text | None) -> Result:
        """D3 at EASY, D6 at NORMAL, D6+1 from HARD on (§4.12)."""
        thrown: tuple[int, ...] = ()
        dice = ""
        if self.row is not None:
            number = self.row
        else:
            sides, more = (3, 0) if self.rank == ladder.EASY else (6, 0 if self.rank == ladder.NORMAL else 1)
            thrown = (faces.one(sides),)
            number = thrown[0] + more
            dice = f"(1D{sides}{'+1' if more else ''}) ＞ "
        found = _row(TABLES.base.shocks, number)
        words = _words(found)
        last = Text(f"NRS発狂{dice}({number}) ＞ {words.ja}", f"NRS table {dice}({number}) ＞ {words.en}")
        whole_text = last if text is None else joined([text, last], " \n")
        return Result(whole_text, (*before, RowSet("NRS", thrown, number, found.id)), "failure", number)

    def chances(self) -> Odds:
        self.check()
        if self.count is None:
            raise RollRefused("odds_none", read="NRS")
        return odds.nrs(whole(self.count), self.rank)
