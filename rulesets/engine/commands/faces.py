"""The dice of one command, thrown and written down."""

from __future__ import annotations

from rulesets.engine.commands.refusals import MAX_RANDOM
from rulesets.engine.commands.results import Die
from rulesets.engine.dice import DiceSource


class Faces:
    """Throws dice of a source and keeps every face in throwing order."""

    def __init__(self, source: DiceSource) -> None:
        self._source = source
        self.dice: list[Die] = []

    def one(self, sides: int) -> int:
        """A face from 1 to `sides`."""
        face = self._source.roll(sides)
        self.dice.append(Die(sides, face))
        return face

    def many(self, times: int, sides: int) -> list[int]:
        return [self.one(sides) for _ in range(times)]

    def d66(self, times: int) -> list[int]:
        """Two six-sided dice each, read as tens and ones."""
        return [self.one(6) * 10 + self.one(6) for _ in range(times)]

    def full(self, more: int) -> bool:
        """Whether `more` dice would pass the limit of one command."""
        return len(self.dice) + more > MAX_RANDOM
