"""Dice written as text in house rules: `2d6+6`, `d6`, `4` (rules §1.3). Six-sided dice only."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from rulesets.engine.odds import Dist, shifted, sum_of
from rulesets.witch.rows import SIDES

_FORM = re.compile(r"(?:([1-9]?)d6)?(?:(?:(?<=6)([+-]))?([0-9]{1,2}))?", re.IGNORECASE | re.ASCII)


class BadDice(ValueError):
    """Text that names no dice."""


@dataclass(frozen=True, slots=True)
class Dice:
    """The sum of `count` dice and `add`."""

    count: int
    add: int

    @property
    def least(self) -> int:
        return self.count + self.add

    @property
    def most(self) -> int:
        return self.count * SIDES + self.add

    @property
    def dist(self) -> Dist[int]:
        return shifted(sum_of(self.count, SIDES), self.add)

    def __str__(self) -> str:
        if not self.count:
            return str(self.add)
        return f"{self.count}d6{self.add:+d}" if self.add else f"{self.count}d6"


@lru_cache(maxsize=256)
def dice(text: str) -> Dice:
    """The dice of a text. Raises `BadDice`."""
    typed = text.strip().lower()
    found = _FORM.fullmatch(typed)
    if not typed or found is None:
        raise BadDice(text)
    count, sign, number = found.groups()
    if "d6" not in typed:
        return Dice(0, int(number))
    if number and not sign:
        raise BadDice(text)
    return Dice(int(count or 1), int(f"{sign or ''}{number or 0}"))
