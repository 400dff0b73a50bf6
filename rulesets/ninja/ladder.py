"""The scale of difficulties, successes and face patterns (rules §4.1, §4.2, §4.5)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rulesets.ninja.tables import Ninja

SIDES = 6
KIDS, EASY, NORMAL, HARD, U_HARD = 1, 2, 3, 4, 5
_NAMES = ("KIDS", "EASY", "NORMAL", "HARD", "U_HARD")
_LETTERS = ("K", "E", "N", "H", "UH")
RANKS: Mapping[str, int] = {name: rank for rank, name in enumerate(_NAMES, 1)}
_ALIASES: Mapping[str, int] = {
    **RANKS,
    **{letter: rank for rank, letter in enumerate(_LETTERS, 1)},
    **dict.fromkeys(("U", "UHARD", "ULTRAHARD"), U_HARD),
}
_MORE = re.compile(r"(?:UHARD|ULTRAHARD|UH)([2-9]|[1-9][0-9])")
HIGHEST = U_HARD + 98


@dataclass(frozen=True, slots=True)
class Level:
    """One rank: a die counts from `target` on, and `need` such dice make the first success.

    Ranks 1–5 are KIDS … U-HARD; rank n+4 is UHn (UH2 = 6).
    """

    rank: int

    @property
    def target(self) -> int:
        return min(self.rank + 1, SIDES)

    @property
    def need(self) -> int:
        return max(1, self.rank - U_HARD + 1)

    @property
    def id(self) -> str:
        return _NAMES[self.rank - 1] if self.rank <= U_HARD else f"UH{self.need}"

    @property
    def letter(self) -> str:
        """`K E N H UH UH2 …`, as printed behind 脚力."""
        return _LETTERS[self.rank - 1] if self.rank <= U_HARD else f"UH{self.need}"

    @property
    def shown(self) -> str:
        return "U-HARD" if self.rank == U_HARD else self.id


def level(name: str) -> Level:
    """The level of an id such as `U_HARD` or `UH3`. Raises `KeyError`."""
    found = parse(name)
    if found is None:
        raise KeyError(name)
    return found


def parse(typed: str) -> Level | None:
    """The level a person means: `N`, `hard`, `U-HARD`, `ULTRA HARD`, `UH3`; None for anything else."""
    plain = re.sub(r"[-_ 　]", "", unicodedata.normalize("NFKC", typed)).upper()
    if plain in _ALIASES:
        return Level(_ALIASES[plain])
    if plain in ("UHARD1", "UH1"):
        return Level(U_HARD)
    more = _MORE.fullmatch(plain)
    return Level(U_HARD + int(more[1]) - 1) if more else None


def floor_of(tables: Ninja) -> int:
    """The lowest rank that modifiers can reach (E01)."""
    return RANKS[tables.rule.difficulty_floor]


def shifted(rank: int, shifts: Iterable[int], least: int = KIDS) -> int:
    """A rank after all shifts, summed first and applied once (§4.1); what was printed below `least` stays there."""
    return min(max(rank + sum(shifts), min(least, rank)), HIGHEST)


def counting(faces: Sequence[int], rank: int) -> int:
    """How many dice reach the target."""
    target = Level(rank).target
    return sum(face >= target for face in faces)


def successes(faces: Sequence[int], rank: int) -> int:
    """Successes of a roll: counting dice, at UHn those beyond the first n-1 (§4.2)."""
    return max(0, counting(faces, rank) - Level(rank).need + 1)


def meets(faces: Iterable[int], pattern: Iterable[int]) -> bool:
    """Whether each face of a pattern is met by a die of its own, higher ones counting for lower (§4.5)."""
    dice, wanted = sorted(faces, reverse=True), sorted(pattern, reverse=True)
    return len(dice) >= len(wanted) and all(die >= face for die, face in zip(dice, wanted, strict=False))


def half_up(number: int) -> int:
    return -(-number // 2)


def d3(face: int) -> int:
    """A D3 by a D6."""
    return -(-face // 2)


def d2(face: int) -> int:
    """A D2 by a D6."""
    return -(-face // 3)
