"""What somebody may have meant: near commands by edit distance, with the numbers they typed (interop/bcdice.md §8)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rulesets.engine.commands.refusals import UNREADABLE, RollRefused
from rulesets.engine.normalise import fold_keeping_case

MOST = 3
CONSIDERED = 60
LOOKED_AT = 40
# Any number but the 66 of a D66.
_NUMBER = re.compile(r"(?<![D0-9])[0-9]{1,6}|(?<=D)(?!66(?![0-9]))[0-9]{1,6}", re.IGNORECASE)
_REPEATED = re.compile(r"(S?(?:x|rep|repeat)[0-9]+) +(.+)", re.IGNORECASE)
# Habits from other tools, with what they are called here.
_HABITS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?<=[0-9)]) *[xX] *(?=[0-9(])"), "*"),
    (re.compile(r"[dD]%"), "D100"),
    (re.compile(r"(?<=[0-9])[dD][fF]"), "D3"),
    (re.compile(r"^[rR](?:oll)? *(?=[0-9dD])|^/r(?:oll)? *"), ""),
    (re.compile(r"(?<=[0-9])[wW](?=[0-9])"), "D"),
    (re.compile(r"[kK](?=[0-9]*$)"), "KH"),
    (re.compile(r"[.。;；!！]+$"), ""),
)


@dataclass(frozen=True, slots=True)
class Example:
    """A command as it is usually written, with numbers that stand for any number: `2D6>=8`."""

    text: str
    weight: int = 0


def distance(one: str, other: str, limit: int) -> int:
    """Edits (insert, drop, change, swap neighbours) from one text to the other; `limit` + 1 if there are more."""
    if abs(len(one) - len(other)) > limit:
        return limit + 1
    before_last: list[int] = []
    last = list(range(len(other) + 1))
    for i, left in enumerate(one, 1):
        row = [i]
        for j, right in enumerate(other, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                cost = min(cost, before_last[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
        before_last, last = last, row
    return min(last[-1], limit + 1)


class Suggester:
    """Finds readable lines near to one that is not. `readable` says whether a line would be rolled."""

    def __init__(self, examples: Sequence[Example], readable: Callable[[str], bool]) -> None:
        self._examples = [(_shape(example.text), example) for example in examples]
        self._readable = readable

    def near(self, typed: str, refused: RollRefused) -> tuple[str, ...]:
        """Up to three lines, best first: what was read of it, known habits mended, then near commands."""
        found: list[str] = []
        for candidate in self._candidates(typed, refused):
            if candidate and candidate != typed.strip() and candidate not in found and self._readable(candidate):
                found.append(candidate)
                if len(found) == MOST:
                    break
        return tuple(found)

    def _candidates(self, typed: str, refused: RollRefused) -> Iterator[str]:
        line = " ".join(fold_keeping_case(typed[:LOOKED_AT]).split())
        read, rest = refused.params.get("read"), refused.params.get("rest")
        whole = len(typed.strip()) <= LOOKED_AT
        if whole:
            for pattern, mended in _HABITS:
                if pattern.search(line):
                    yield pattern.sub(mended, line)
        if isinstance(read, str) and isinstance(rest, str) and refused.code == "leftover":
            yield f"{read} {rest}"
        if refused.code == "no_dice":
            yield f"C({refused.params.get('typed')})"
        if refused.code == "incomplete":
            yield line.rstrip("+-*/<>=!@[( ")
            yield line + ")" if line.count("(") > line.count(")") else line + "]"
        repeated = _REPEATED.match(line)
        if repeated is not None:
            yield from (f"{repeated[1]} {near}" for near in self._by_distance(repeated[2]))
        elif refused.code in UNREADABLE:
            yield from self._by_distance(line)

    def _by_distance(self, line: str) -> Iterator[str]:
        """Examples by edits between the shapes (numbers alike), the typed numbers put in."""
        shape, numbers = _shape(line), _NUMBER.findall(line)
        words = shape.split(" ")[0]
        ranked: list[tuple[int, int, str]] = []
        for order, (example_shape, example) in enumerate(self._examples[:CONSIDERED]):
            limit = max(1, len(example_shape) // 3)
            edits = min(distance(shape[: LOOKED_AT // 2], example_shape, limit), distance(words, example_shape, limit))
            if edits <= limit:
                ranked.append((edits + example.weight, order, _filled(example.text, numbers)))
        for _, _, text in sorted(ranked):
            yield text


def _shape(text: str) -> str:
    return _NUMBER.sub("#", text.upper())


def _filled(example: str, numbers: Sequence[str]) -> str:
    """The example with its numbers replaced by typed ones, in order, as far as they go."""
    left = list(numbers)
    return _NUMBER.sub(lambda found: left.pop(0) if left else found[0], example)


def near_names(typed: str, known: Sequence[str]) -> tuple[str, ...]:
    """Up to three known names at most two edits away, letter case aside."""
    ranked = sorted((distance(typed.lower()[:LOOKED_AT], name.lower(), 2), name) for name in known)
    return tuple(name for edits, name in ranked if edits <= 2)[:MOST]
