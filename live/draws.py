"""Verifiable dice of a topic: master, published roots, and the record of every draw used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from live.models import Draw, FairRoot, Topic
from rulesets.engine.dice import DiceSource, SystemDice

if TYPE_CHECKING:
    from live.topics import Write

BLOCK = 4096  # keys under one root
AHEAD = 64  # a new root is published when fewer unused keys than this are covered


def make_root(topic: Topic, first: int) -> FairRoot:
    """The root over the next block of keys, not stored yet."""
    return FairRoot(topic=topic, first=first, size=BLOCK, root="")


class TopicDice:
    """A `DiceSource` bound to one draw of a topic; every face and order is recorded with the draw."""

    def __init__(self, write: Write, audience: list[str]) -> None:
        self._write = write
        self._audience = audience
        self._draw: Draw | None = None
        self._source: DiceSource | None = None

    @property
    def number(self) -> int | None:
        """The number of the draw; None until the first die."""
        return self._draw.number if self._draw else None

    def roll(self, sides: int) -> int:
        """A face from 1 to `sides`."""
        draw, source = self._begin()
        face = source.roll(sides)
        draw.requests.append(sides)
        draw.values.append(face)
        return face

    def shuffle(self, size: int) -> tuple[int, ...]:
        """A random order of 0 … size-1, first = top."""
        draw, source = self._begin()
        order = source.shuffle(size)
        draw.requests.append({"shuffle": size})
        draw.values.append(list(order))
        return order

    def _begin(self) -> tuple[Draw, DiceSource]:
        if self._draw is None or self._source is None:
            self._draw = self._write.start_draw(self._audience)
            self._source = SystemDice()
        return self._draw, self._source
