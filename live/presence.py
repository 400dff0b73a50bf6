"""Who is at the table now: seats with an open stream, here or in another process. Never stored."""

from __future__ import annotations

from collections.abc import Iterable

from live.frames import Frame, json_frame

LEAVE_SECONDS = 3.0  # a seat that comes back within this time (a page change) never left
REMOTE_SECONDS = 12.0  # what another process said counts this long


class Presence:
    """The seats of one topic. `now` is the event loop's clock, seconds."""

    def __init__(self) -> None:
        self._left: dict[int, float] = {}  # seat -> when its last stream ended
        self._remote: dict[str, tuple[float, frozenset[int]]] = {}  # process -> (when, seats)
        self._shown: frozenset[int] | None = None
        self._frame: Frame | None = None

    def left(self, seat_id: int, now: float) -> None:
        self._left[seat_id] = now

    def heard(self, process: str, seats: Iterable[int], now: float) -> None:
        self._remote[process] = (now, frozenset(seats))

    def here(self, present: Iterable[int], now: float) -> frozenset[int]:
        """Seats of this process: with a stream now, or gone for a moment only."""
        here = set(present)
        for seat_id, when in list(self._left.items()):
            if seat_id in here or now - when >= LEAVE_SECONDS:
                del self._left[seat_id]
            else:
                here.add(seat_id)
        return frozenset(here)

    def changed(self, present: Iterable[int], now: float) -> bool:
        """Bring the shown seats up to date; whether they differ from before."""
        self._remote = {p: said for p, said in self._remote.items() if now - said[0] < REMOTE_SECONDS}
        seats = self.here(present, now).union(*(seats for _, seats in self._remote.values()))
        changed = seats != self._shown
        if changed:
            self._shown, self._frame = seats, None
        return changed

    def frame(self) -> Frame:
        """`{"online": ["seat:7"]}`. Made once: everybody who comes gets it."""
        if self._frame is None:
            online = [f"seat:{seat_id}" for seat_id in sorted(self._shown or ())]
            self._frame = json_frame("presence", {"online": online})
        return self._frame
