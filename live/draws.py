"""Verifiable dice of a topic: its published roots and the record of every draw used (DESIGN §4)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from live.models import Draw, Event, FairRoot, Topic
from rulesets.engine import fair

if TYPE_CHECKING:
    from live.topics import Write

AHEAD = 64  # a new root is published when fewer unused keys than this are covered


def block_of(topic: Topic, first: int) -> fair.Block:
    """The tree over a block of the topic's keys."""
    return _block(bytes(topic.master), first)


@lru_cache(maxsize=16)
def _block(master: bytes, first: int) -> fair.Block:
    return fair.block(master, first)


def make_root(topic: Topic, first: int) -> FairRoot:
    """The root over the next block of keys, not stored yet."""
    block = block_of(topic, first)
    return FairRoot(topic=topic, first=first, size=block.size, root=block.root)


class TopicDice:
    """A `DiceSource` bound to one draw of a topic; every face and order is recorded with the draw."""

    def __init__(self, write: Write, audience: list[str]) -> None:
        self._write = write
        self._audience = audience
        self._draw: Draw | None = None
        self._source: fair.FairDice | None = None

    @property
    def number(self) -> int | None:
        """The number of the draw; None until the first die."""
        return self._draw.number if self._draw else None

    def show_to(self, audience: Sequence[str], event: Event | None = None) -> None:
        """Say who may verify the draw and which event shows it, before the write ends. Without a die: nothing."""
        if self._draw is not None:
            self._draw.audience = sorted(set(audience))
            if event is not None:
                self._draw.event_seq = event.seq

    def roll(self, sides: int) -> int:
        """A face from 1 to `sides`."""
        return self._begin().roll(sides)

    def shuffle(self, size: int) -> tuple[int, ...]:
        """A random order of 0 … size-1, first = top."""
        return self._begin().shuffle(size)

    def _begin(self) -> fair.FairDice:
        if self._source is None or not self._write.holds(self._draw):
            draw = self._draw = self._write.start_draw(self._audience)
            topic = self._write.topic
            key = fair.key_of(bytes(topic.master), draw.number)
            self._source = fair.FairDice(key, topic.name, draw.number, self._write.salts())
            # The same lists: what is asked later in the block is recorded too.
            draw.requests, draw.values = self._source.requests, self._source.values
        return self._source
