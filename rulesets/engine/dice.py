"""Where faces come from. Rules ask a `DiceSource`; they never make randomness of their own."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from rulesets.engine.cards import NotThere, order_for

REST = "..."  # at the end of a listed pile: its other cards in the order in which they lay


class DiceSource(Protocol):
    """Gives faces one at a time."""

    def roll(self, sides: int) -> int:
        """A face from 1 to `sides`."""
        ...

    def shuffle(self, size: int) -> tuple[int, ...]:
        """A random order of 0 … size-1, first = top."""
        ...


class CountedDice:
    """Another source's dice, counted: `thrown` faces so far."""

    def __init__(self, source: DiceSource) -> None:
        self._source = source
        self.thrown = 0

    def roll(self, sides: int) -> int:
        self.thrown += 1
        return self._source.roll(sides)

    def shuffle(self, size: int) -> tuple[int, ...]:
        return self._source.shuffle(size)


@runtime_checkable
class CardSource(Protocol):
    """A source that is told which cards it lays out: the cards of a script have names."""

    def lay(self, cards: Sequence[str]) -> tuple[int, ...]:
        """An order of these cards, first = top."""
        ...


def lay_out(dice: DiceSource, cards: Sequence[str]) -> tuple[int, ...]:
    """The order in which a shuffled pile comes to lie (`cards.reordered`): drawn, or as a script lists its cards."""
    return dice.lay(cards) if isinstance(dice, CardSource) else dice.shuffle(len(cards))


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

    Shuffles come as `orders`, or as `piles`: the cards, top first; a pile may end with `REST`. Raises `FacesMissing`
    when empty, `WrongFace` for a face the die or a card the pile has not; `finish()` raises `FacesLeft`.
    """

    def __init__(
        self, faces: Sequence[int], orders: Sequence[Sequence[int]] = (), piles: Sequence[Sequence[str]] = ()
    ) -> None:
        self._faces = list(faces)
        self._orders = [tuple(order) for order in orders]
        self._piles = [list(pile) for pile in piles]
        self._next = 0
        self._next_order = 0
        self._next_pile = 0

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

    def lay(self, cards: Sequence[str]) -> tuple[int, ...]:
        if not self._piles:
            return self.shuffle(len(cards))
        if self._next_pile >= len(self._piles):
            raise FacesMissing(f"pile {self._next_pile + 1} ({len(cards)} cards) is not listed")
        listed = self._piles[self._next_pile]
        if listed[-1:] == [REST]:
            listed = listed[:-1] + [card for card in cards if card not in listed]
        try:
            order = order_for(cards, listed)
        except NotThere:
            raise WrongFace(f"pile {self._next_pile + 1} lists other cards than are shuffled") from None
        self._next_pile += 1
        return order

    @property
    def left(self) -> int:
        """How many faces, orders and piles were not asked for yet."""
        orders = len(self._orders) - self._next_order + len(self._piles) - self._next_pile
        return len(self._faces) - self._next + orders

    def finish(self) -> None:
        if self.left:
            raise FacesLeft(f"{self.left} scripted faces or orders were not used")
