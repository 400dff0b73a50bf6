"""Reading and rolling a chat line for one game (interop/bcdice.md §1, §3, §8).

A line is: `?` (odds only), then commands parted by `,` or by line ends, then a comment. A command may have `S` (secret)
before it or be a repetition `x3 …`. What is no command is refused, never passed over.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from rulesets.engine.commands import choice
from rulesets.engine.commands.base import Command
from rulesets.engine.commands.chances import describe
from rulesets.engine.commands.faces import Faces
from rulesets.engine.commands.grammar import Grammar, Secret
from rulesets.engine.commands.head import Line, comment_behind, read_command, shorten
from rulesets.engine.commands.refusals import MAX_LINE, MAX_RANDOM, MAX_REPEAT, MAX_ROLLS, UNREADABLE, RollRefused
from rulesets.engine.commands.results import Notice, Roll, steps
from rulesets.engine.commands.tables import VersionCommand
from rulesets.engine.dice import DiceSource
from rulesets.engine.normalise import same_reading
from rulesets.engine.odds import TooLarge
from rulesets.engine.suggest import Example, Suggester
from rulesets.engine.text import Text

_REPEAT = re.compile(r"(S?) ?(REPEAT|REP|X)([0-9]+)(?:[ \n]+|$)")
_CHOICE = re.compile(r"(S?) ?(?=CHOICE)")
_VERSION = re.compile(r"BCDICEVERSION(?![0-9A-Z])")


@dataclass(frozen=True, slots=True)
class Item:
    """One command of a line. A repetition has `times` and what is repeated in `inner` instead of a command."""

    command: Command | None
    read_as: str
    secret: bool
    comment: str = ""
    notices: tuple[Notice, ...] = ()
    times: int = 1
    inner: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """A line that can be rolled. `odds` means that nothing shall be thrown."""

    typed: str
    items: tuple[Item, ...]
    odds: bool

    @property
    def read_as(self) -> str:
        return ("?" if self.odds else "") + ",".join(item.read_as for item in self.items)

    @property
    def comment(self) -> str:
        return " / ".join(item.comment for item in self.items if item.comment)


class Language:
    """The commands of one game. `name` is its slug or BCDice id; `examples` feed the suggestions."""

    def __init__(self, name: str, grammar: Grammar, examples: Sequence[Example]) -> None:
        self.name = name
        self.grammar = grammar
        self._suggester = Suggester(examples, self._readable)

    def roll(self, typed: str, dice: DiceSource) -> Roll:
        """Read and roll a line. Raises `RollRefused` before any die is thrown."""
        reading = self.read(typed)
        if reading.odds:
            return self._odds(reading)
        faces = Faces(dice)
        rolls = tuple(self._rolled(item, reading.typed, faces) for item in reading.items)
        return rolls[0] if len(rolls) == 1 else self._together(reading, rolls)

    def read(self, typed: str) -> Reading:
        """Read a line and check its limits. Raises `RollRefused` with suggestions."""
        try:
            reading = self._read(typed)
            total = sum(_checked(item) for item in reading.items)
            if total > MAX_RANDOM:
                raise RollRefused("too_many_random", limit=MAX_RANDOM, had=total)
        except RollRefused as refused:
            raise refused.offering(partial(self._suggester.near, typed, refused)) from None
        return reading

    # ------------------------------------------------------------ reading

    def _read(self, typed: str) -> Reading:
        text = typed.replace("\r\n", "\n").replace("\r", "\n").strip()
        if len(text) > MAX_LINE:
            raise RollRefused("line_too_long", limit=MAX_LINE)
        odds = text[:1] in ("?", "？")
        text = text[1:].strip() if odds else text
        if not text:
            raise RollRefused("empty")
        items = self._lines(text)
        if len(items) > MAX_ROLLS:
            raise RollRefused("too_many_rolls", limit=MAX_ROLLS)
        return Reading(typed.strip(), items, odds)

    def _lines(self, text: str) -> tuple[Item, ...]:
        """Every line a command of its own; else all of it one text in which a line end is a blank."""
        lines = [part for part in text.split("\n") if part.strip()]
        if 1 < len(lines) <= MAX_ROLLS:
            try:
                return tuple(item for part in lines for item in self._items(Line.of(part.strip())))
            except RollRefused:
                pass
        return self._items(Line.of(text))

    def _items(self, line: Line) -> tuple[Item, ...]:
        """The commands parted by commas; what follows a comma and is no command is comment."""
        item, end, comma = self._item(line, 0)
        items = [item]
        while comma:
            try:
                item, after, comma = self._item(line, _behind_blanks(line.folded, end + 1))
            except RollRefused:
                items[-1] = replace(
                    items[-1],
                    comment=line.typed[end:].strip(),
                    notices=(*items[-1].notices, comment_behind(line, end, items[-1].read_as)),
                )
                break
            items.append(item)
            end = after
            if len(items) > MAX_ROLLS:
                break
        return tuple(items)

    def _item(self, line: Line, start: int) -> tuple[Item, int, bool]:
        """One command, where it ends, and whether a comma follows."""
        repeat = _REPEAT.match(line.folded, start)
        if repeat is not None:
            return self._repetition(line, start, repeat), len(line.typed), False
        head = _CHOICE.match(line.folded, start)
        chosen = choice.read(line.typed, line.folded, head.end()) if head is not None else None
        if head is not None and chosen is not None:
            command, end = chosen
            comment = line.typed[end:].strip()
            return self._done(line, start, end, command, command.echo(), bool(head[1]), comment), end, False
        version = _VERSION.match(line.folded, start)
        if version is not None:
            end = version.end()
            item = self._done(line, start, end, VersionCommand(), "BCDiceVersion", False, line.typed[end:].strip())
            return item, end, False
        read = read_command(self.grammar, line, start)
        secret = isinstance(read.tree, Secret)
        command = read.tree.command if secret else read.tree
        spelling = read.read_as[1:] if secret else read.read_as
        comma = read.rest == "comma"
        comment = "" if comma else line.typed[read.end :].strip()
        item = self._done(line, start, read.end, command, spelling, secret, comment, read.notices)
        return item, read.end, comma

    def _done(
        self,
        line: Line,
        start: int,
        end: int,
        command: Command,
        spelling: str,
        secret: bool,
        comment: str,
        notices: tuple[Notice, ...] = (),
    ) -> Item:
        read_as = ("S" if secret else "") + spelling
        if not same_reading(line.typed[start:end], read_as):
            notices = (_read_as(read_as), *notices)
        return Item(command, read_as, secret, comment, notices)

    def _repetition(self, line: Line, start: int, head: re.Match[str]) -> Item:
        rest = line.typed[head.end() :].strip()
        spelling = f"{head[1]}{head[2].lower()}{head[3].lstrip('0') or '0'}"
        if not rest:
            missing = Text("繰り返すコマンドがありません", "nothing to repeat")
            raise RollRefused("incomplete", typed=spelling, missing=missing)
        times = int(head[3]) if len(head[3]) <= 6 else 10**6
        if not 1 <= times <= MAX_REPEAT:
            raise RollRefused("repeat_times", limit=MAX_REPEAT, had=times)
        inner_line = Line.of(rest)
        if _REPEAT.match(inner_line.folded):
            raise RollRefused("repeat_nested")
        try:
            inner = self._items(inner_line)
        except RollRefused as refused:
            if refused.code not in UNREADABLE:
                raise
            raise RollRefused("repeat_inner", typed=shorten(rest), why=refused.message) from refused
        if any(item.inner for item in inner):
            raise RollRefused("repeat_nested")
        read_as = f"{spelling} {','.join(item.read_as for item in inner)}"
        return Item(
            command=None,
            read_as=read_as,
            secret=bool(head[1]) or any(item.secret for item in inner),
            comment=" / ".join(item.comment for item in inner if item.comment),
            notices=tuple(notice for item in inner for notice in item.notices),
            times=times,
            inner=inner,
        )

    def _readable(self, text: str) -> bool:
        """Whether a line would be rolled."""
        try:
            return sum(_checked(item) for item in self._read(text).items) <= MAX_RANDOM
        except RollRefused:
            return False

    # ------------------------------------------------------------ rolling

    def _rolled(self, item: Item, typed: str, faces: Faces) -> Roll:
        if item.command is None:
            rolls = tuple(
                replace(self._rolled(part, part.read_as, faces), secret=item.secret)
                for _ in range(item.times)
                for part in item.inner
            )
            text = Text("\n\n".join(_numbered(rolls, "ja")), "\n\n".join(_numbered(rolls, "en")))
            return self._gathered("repeat", typed, item.read_as, item.comment, text, rolls, item.notices)
        first = len(faces.dice)
        result = item.command.roll(faces)
        return Roll(
            system=self.name,
            typed=typed,
            read_as=item.read_as,
            comment=item.comment,
            kind=item.command.kind,
            text=result.text,
            secret=item.secret,
            dice=tuple(faces.dice[first:]),
            sets=result.sets,
            degree=result.degree,
            total=result.total,
            margin=result.margin,
            notices=(*item.notices, *result.notices),
        )

    def _together(self, reading: Reading, rolls: tuple[Roll, ...]) -> Roll:
        text = Text("\n".join(roll.text.ja for roll in rolls), "\n".join(roll.text.en for roll in rolls))
        notices = tuple(notice for roll in rolls for notice in roll.notices)
        rolls = tuple(replace(roll, typed=roll.read_as) for roll in rolls)
        return self._gathered("several", reading.typed, reading.read_as, reading.comment, text, rolls, notices)

    def _gathered(
        self,
        kind: str,
        typed: str,
        read_as: str,
        comment: str,
        text: Text,
        rolls: tuple[Roll, ...],
        notices: tuple[Notice, ...],
    ) -> Roll:
        return Roll(
            system=self.name,
            typed=typed,
            read_as=read_as,
            comment=comment,
            kind=kind,
            text=text,
            secret=any(roll.secret for roll in rolls),
            dice=tuple(die for roll in rolls for die in roll.dice),
            sets=tuple(found for roll in rolls for found in roll.sets),
            notices=notices,
            rolls=rolls,
        )

    def _odds(self, reading: Reading) -> Roll:
        rolls = []
        for item in [part for whole in reading.items for part in (whole.inner or (whole,))]:
            if item.command is None:
                continue
            try:
                chances = item.command.chances()
            except TooLarge:
                raise RollRefused("odds_too_large", read=item.read_as) from None
            rolls.append(
                Roll(
                    system=self.name,
                    typed=reading.typed,
                    read_as=f"?{item.read_as}",
                    comment=item.comment,
                    kind="odds",
                    text=steps(f"({item.read_as})", describe(chances)),
                    secret=item.secret,
                    notices=item.notices,
                    chances=chances,
                )
            )
        if len(rolls) == 1:
            return replace(rolls[0], read_as=reading.read_as, comment=reading.comment)
        return self._together(reading, tuple(rolls))


def _checked(item: Item) -> int:
    """The dice an item throws at first. Raises `RollRefused` for what is beyond the limits."""
    if item.command is not None:
        return item.command.check()
    return item.times * sum(_checked(part) for part in item.inner)


def _numbered(rolls: Sequence[Roll], lang: str) -> list[str]:
    return [f"#{number}\n{roll.text.pick(lang)}" for number, roll in enumerate(rolls, 1)]


def _behind_blanks(folded: str, at: int) -> int:
    while at < len(folded) and folded[at] in " \n":
        at += 1
    return at


def _read_as(read_as: str) -> Notice:
    short = shorten(read_as)
    return Notice("read_as", Text(f"{short} と読みました。", f"Read as {short}."))
