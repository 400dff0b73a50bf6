"""The clocks of a table: what draws near, told in steps, as the log tells it at a moment.

Every change is an event `counter.set` that holds the clock as it is afterwards, so the newest that stands is the clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from live.models import Event
from sessions.kinds import COUNTER
from sessions.models import CommandRecord, GameSession


@dataclass(frozen=True, slots=True)
class Counter:
    """A clock of `size` steps, `filled` of them done. `id`: the number of its first event. Hidden ones are the GMs'."""

    id: int
    title: str
    size: int
    filled: int = 0
    shown: bool = False

    @property
    def full(self) -> bool:
        return self.filled >= self.size


def counters_at(session: GameSession, seq: int) -> list[Counter]:
    """The clocks that stand after event `seq`, in the order they were set up."""
    taken = CommandRecord.objects.filter(session=session, name=COUNTER, undone_by__lte=seq)
    undone = set(taken.values_list("first", flat=True))
    rows = Event.objects.filter(topic__name=session.topic, kind=COUNTER, seq__lte=seq).order_by("seq")
    newest: dict[int, Mapping[str, Any]] = {}
    for number, data in rows.values_list("seq", "data"):
        if number not in undone:
            newest[int(data["counter"])] = data
    return [
        Counter(key, str(data["title"]), int(data["size"]), int(data["filled"]), bool(data["shown"]))
        for key, data in sorted(newest.items())
        if data["did"] != "remove"
    ]
