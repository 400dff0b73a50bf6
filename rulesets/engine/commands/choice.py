"""Choice: `choice[A,B]`, `choice(A,B)`, `choice A B`, `choice2[…]` (interop/bcdice.md §2).

The items are free text, so they are cut from the line by hand, from left to right once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from rulesets.engine.commands.faces import Faces
from rulesets.engine.commands.refusals import MAX_ITEMS, RollRefused
from rulesets.engine.commands.results import Notice, Result, RollSet, steps
from rulesets.engine.odds import Chance, Odds
from rulesets.engine.text import Text

_HEAD = re.compile(r"CHOICE([0-9]{0,4}) *([\[(【「〔]?)")
_CLOSING = {"[": "]】」〕", "【": "]】」〕", "「": "]】」〕", "〔": "]】」〕", "(": ")"}
_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})|([A-Za-z])-([A-Za-z])")
ONE_ITEM = Notice("one_item", Text("候補が1つです。", "There is only one item."))


@dataclass(frozen=True, slots=True)
class ChoiceSet(RollSet):
    kind = "choice"
    items: tuple[str, ...]
    chosen: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChoiceCommand:
    """`draws` of `items` without putting back. `style`: the brackets of the echo, "" for blanks."""

    items: tuple[str, ...]
    draws: int
    style: str

    @property
    def kind(self) -> str:
        return "choice"

    def check(self) -> int:
        if not self.items:
            raise RollRefused("choice_empty")
        if len(self.items) > MAX_ITEMS:
            raise RollRefused("choice_items", limit=MAX_ITEMS, had=len(self.items))
        if not 1 <= self.draws <= len(self.items):
            raise RollRefused("choice_draws", items=len(self.items), had=self.draws)
        return 0 if len(self.items) == 1 else self.draws

    def echo(self) -> str:
        number = self.draws if self.draws > 1 else ""
        if not self.style:
            return f"choice{number} {' '.join(self.items)}"
        return f"choice{number}{self.style[0]}{','.join(self.items)}{self.style[1]}"

    def roll(self, faces: Faces) -> Result:
        if len(self.items) == 1:
            only = Text(f"{self.items[0]}（候補が1つです）", f"{self.items[0]} (the only item)")
            return Result(steps(f"({self.echo()})", only), (ChoiceSet(self.items, self.items),), notices=(ONE_ITEM,))
        left, chosen = list(self.items), []
        for _ in range(self.draws):
            chosen.append(left.pop(faces.one(len(left)) - 1))
        joined = (", " if self.style else " ").join(chosen)
        return Result(steps(f"({self.echo()})", joined), (ChoiceSet(self.items, tuple(chosen)),))

    def chances(self) -> Odds:
        self.check()
        each = Fraction(self.draws, len(self.items))
        return Odds(outcomes=(), also=(Chance("each", Text("それぞれ", "Each item"), each),))


def read(text: str, folded: str, start: int) -> tuple[ChoiceCommand, int] | None:
    """A choice that begins at `start`, with the place where it ends; None when there is none.

    `folded` is `text` folded. Raises `RollRefused` (`choice_open`, `choice_empty`) for a choice that cannot be read.
    """
    head = _HEAD.match(folded, start)
    if head is None:
        return None
    number, opening, at_once = head.end(1), head[2], head.end(1) == head.start(2)
    draws = int(head[1] or 1)
    if opening:
        closing = re.compile(f"[{re.escape(_CLOSING[opening])}]").search(folded, head.end())
        if closing is None:
            raise RollRefused("choice_open")
        # After a blank a bracket may also be part of the first item: `choice [A] B`.
        if at_once or not folded[closing.end() :].strip():
            items = _expanded(_split(text[head.end() : closing.start()]))
            return ChoiceCommand(items, draws, "()" if opening == "(" else "[]"), closing.end()
    if at_once and number < len(text) and folded[number] not in " \n":
        return None
    items = tuple(
        text[number + found.start() : number + found.end()] for found in re.finditer(r"[^ \n]+", folded[number:])
    )
    return ChoiceCommand(_expanded(_split(items[0]) if len(items) == 1 else list(items)), draws, ""), len(text)


def _split(inner: str) -> list[str]:
    """Items parted by `,`; where there is none, by the Japanese commas `、` and `，`."""
    parts = inner.split(",")
    if len(parts) == 1:
        parts = re.split("[、，]", inner)
    return [part for part in (part.strip().strip("\u3000").strip() for part in parts) if part]


def _expanded(items: list[str]) -> tuple[str, ...]:
    """A single item `1-6` or `A-F` stands for all from the first to the last."""
    if len(items) != 1:
        return tuple(items)
    span = _RANGE.fullmatch(items[0])
    if span is None:
        return tuple(items)
    if span[1]:
        low, high = int(span[1]), int(span[2])
        if high - low >= MAX_ITEMS:
            raise RollRefused("choice_items", limit=MAX_ITEMS, had=high - low + 1)
        found = tuple(str(number) for number in range(low, high + 1))
    else:
        first, last = ord(span[3]), ord(span[4])
        found = tuple(chr(code) for code in range(first, last + 1)) if span[3].isupper() == span[4].isupper() else ()
    return found or tuple(items)
