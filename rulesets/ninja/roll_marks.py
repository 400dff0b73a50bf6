"""What stands in brackets behind a pool: `[S]` `[C5]` `[S65/665+]` `[>=5]` `[+1]` (interop/bcdice.md §5, §8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rulesets.engine.commands.results import Comparison, compare, listed
from rulesets.engine.text import Text
from rulesets.ninja.ladder import SIDES, meets
from rulesets.ninja.roll_words import CRITICAL, EXTRA, EXTRA_MET, NAMU, SATSUBATSU, refused

Kind = Literal["satsubatsu", "critical", "extra"]
_LABELS: dict[Kind, Text] = {"satsubatsu": SATSUBATSU, "critical": CRITICAL, "extra": EXTRA}


@dataclass(frozen=True, slots=True)
class Seen:
    """What a mark found: words for the line ("" when nothing is said), and the mark of the result object."""

    words: Text | None
    mark: dict[str, Any]


@dataclass(frozen=True, slots=True)
class CountMark:
    """Counts dice that meet a comparison with one face."""

    kind: Kind
    comparison: Comparison
    face: int
    form: str = ""

    def check(self) -> None:
        if not 1 <= self.face <= SIDES:
            if self.face > SIDES and all(digit in "123456" for digit in str(self.face)):
                raise refused("ninja_plus", form=f"{self.form}{self.face}")
            raise refused("ninja_face", had=self.face)

    def look(self, faces: Sequence[int]) -> Seen:
        found = sorted((face for face in faces if compare(face, self.comparison, self.face)), reverse=True)
        label = _LABELS[self.kind]
        words = Text(*(f"{text}:{len(found)}[{listed(found)}]" for text in (label.ja, label.en))) if found else None
        needed = {"needed": [self.face], "comparison": self.comparison}
        return Seen(words, {"kind": self.kind, **needed, "met": bool(found), "faces": found, "count": len(found)})


@dataclass(frozen=True, slots=True)
class PatternMark:
    """Each face met by a die of its own. `hardest` is tried first and makes サツバツ a ナムアミダブツ."""

    kind: Kind
    needed: tuple[int, ...]
    form: str
    hardest: tuple[int, ...] = ()
    comparison: Comparison = ">="

    def check(self) -> None:
        for face in (*self.needed, *self.hardest):
            if not 1 <= face <= SIDES:
                raise refused("ninja_face", had=face)

    def look(self, faces: Sequence[int]) -> Seen:
        if self.hardest and self._met(faces, self.hardest):
            return self._seen("namuamidabutsu", NAMU, self.hardest, faces)
        label = EXTRA_MET if self.kind == "extra" else _LABELS[self.kind]
        return self._seen(self.kind, label, self.needed, faces)

    def _met(self, faces: Sequence[int], needed: tuple[int, ...]) -> bool:
        if self.comparison == ">=":
            return meets(faces, needed)
        left, wanted = sorted(faces), sorted(needed)
        for face in wanted:
            fits = next((die for die in left if compare(die, self.comparison, face)), None)
            if fits is None:
                return False
            left.remove(fits)
        return True

    def _seen(self, kind: str, label: Text, needed: tuple[int, ...], faces: Sequence[int]) -> Seen:
        met = self._met(faces, needed)
        words = Text(f"{label.ja}[{self.form}]", f"{label.en}[{self.form}]") if met else None
        shown = sorted(faces, reverse=True)[: len(needed)] if met else []
        return Seen(words, {"kind": kind, "needed": list(needed), "met": met, "faces": shown})


@dataclass(frozen=True, slots=True)
class ShiftMark:
    """Moves the difficulty by ranks."""

    by: int


Mark = CountMark | PatternMark | ShiftMark


def digits(number: str) -> tuple[int, ...]:
    return tuple(int(digit) for digit in number)
