"""Where faces come from. Rules ask a `DiceSource`; they never make randomness of their own."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Protocol


class DiceSource(Protocol):
    """Gives faces one at a time."""

    def roll(self, sides: int) -> int:
        """A face from 1 to `sides`."""
        ...

    def shuffle(self, size: int) -> tuple[int, ...]:
        """A random order of 0 … size-1, first = top."""
        ...


class SystemDice:
    """Faces from the operating system: for rolls that no table has to verify (command line, odds demos)."""

    def roll(self, sides: int) -> int:
        return secrets.randbelow(sides) + 1

    def shuffle(self, size: int) -> tuple[int, ...]:
        order = list(range(size))
        secrets.SystemRandom().shuffle(order)
        return tuple(order)


class FacesMissing(Exception):
    """A scripted source was asked for more dice than it holds."""


class FacesLeft(Exception):
    """Scripted faces were not used up."""


class WrongFace(ValueError):
    """A scripted face does not exist on the die that was asked for."""


class ScriptedDice:
    """Faces given beforehand: for tests, scripts and the dice of the real table.

    Raises `FacesMissing` when empty, `WrongFace` for a face the die has not; `finish()` raises `FacesLeft`.
    """

    def __init__(self, faces: Sequence[int], orders: Sequence[Sequence[int]] = ()) -> None:
        self._faces = list(faces)
        self._orders = [tuple(order) for order in orders]
        self._next = 0
        self._next_order = 0

    def roll(self, sides: int) -> int:
        if self._next >= len(self._faces):
            raise FacesMissing(f"die {self._next + 1} (d{sides}) is not given")
        face = self._faces[self._next]
        if not 1 <= face <= sides:
            raise WrongFace(f"face {face} does not exist on a d{sides}")
        self._next += 1
        return face

    def shuffle(self, size: int) -> tuple[int, ...]:
        if self._next_order >= len(self._orders):
            raise FacesMissing(f"the order of pile {self._next_order + 1} ({size} cards) is not given")
        order = self._orders[self._next_order]
        if sorted(order) != list(range(size)):
            raise WrongFace(f"pile {self._next_order + 1} is no order of {size} cards")
        self._next_order += 1
        return order

    @property
    def left(self) -> int:
        """How many faces and orders were not asked for yet."""
        return len(self._faces) - self._next + len(self._orders) - self._next_order

    def finish(self) -> None:
        if self.left:
            raise FacesLeft(f"{self.left} scripted faces or orders were not used")
