"""The followers of one topic in this process, and the one reader that serves them all."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from live import reading
from live.frames import GONE, NOTHING, RESYNC, Frame
from live.kinds import Viewer
from live.presence import Presence
from live.sink import Sink

if TYPE_CHECKING:
    from live.hub import Hub

logger = logging.getLogger(__name__)
P = ParamSpec("P")
R = TypeVar("R")

RETRY_SECONDS = (0.2, 2.0)  # first and longest pause after a failed read


class Room:
    """`seq` is the number up to which every stream has been served, `target` the newest number heard of.

    `epoch` counts the re-authorisations: who was let in under an older one must be asked again before joining.
    """

    def __init__(self, hub: Hub, name: str) -> None:
        self.hub = hub
        self.name = name
        self.topic_id = 0
        self.seq: int | None = None
        self.target = 0
        self.epoch = 0
        self.joining = 0
        self.presence = Presence()
        self.groups: dict[str, dict[Sink, None]] = {}
        self._reader: asyncio.Task[None] | None = None
        self._at_door: dict[reading.Credential, asyncio.Future[reading.Admission]] = {}
        self._doorman: asyncio.Task[None] | None = None
        self._catch_ups: dict[tuple[str, int, int], asyncio.Task[Frame]] = {}

    def sinks(self) -> Iterator[Sink]:
        for group in self.groups.values():
            yield from group

    def seats(self) -> set[int]:
        """Seats with an open stream here."""
        return {s.viewer.seat_id for s in self.sinks() if s.viewer is not None and s.viewer.seat_id is not None}

    @property
    def empty(self) -> bool:
        return not self.groups and not self.joining and self._reader is None

    def begin(self, topic_id: int, seq: int) -> None:
        """Start serving from `seq` on; what was heard of meanwhile is read at once."""
        self.topic_id, self.seq = topic_id, seq
        self.woken(self.target)

    def add(self, sink: Sink, viewer: Viewer) -> None:
        sink.viewer = viewer
        self.groups.setdefault(viewer.group, {})[sink] = None

    def remove(self, sink: Sink) -> None:
        if sink.viewer is None:
            return
        group = self.groups.get(sink.viewer.group, {})
        if sink in group:
            del group[sink]
            if not group:
                del self.groups[sink.viewer.group]
            if sink.viewer.seat_id is not None:
                self.presence.left(sink.viewer.seat_id, asyncio.get_running_loop().time())

    def broadcast(self, frame: Frame) -> None:
        for sink in list(self.sinks()):
            sink.push(frame)

    def end_all(self, frame: Frame = NOTHING) -> None:
        for sink in list(self.sinks()):
            sink.end(frame)

    # ------------------------------------------------------------ reading

    def woken(self, seq: int) -> None:
        """The topic has reached `seq`: read what is new, unless that is happening already."""
        self.target = max(self.target, seq)
        if self.seq is not None and self.target > self.seq and self._reader is None:
            self._reader = asyncio.get_running_loop().create_task(self._read())
            self._reader.add_done_callback(self._reader_done)

    def _reader_done(self, task: asyncio.Task[None]) -> None:
        self._reader = None
        if not task.cancelled() and task.exception() is not None:
            logger.error("the reader of %s failed", self.name, exc_info=task.exception())
        elif not task.cancelled() and self.seq is not None and self.target > self.seq:
            self.woken(self.target)
        self.hub.drop_if_empty(self)

    async def _read(self) -> None:
        while self.seq is not None and self.target > self.seq and (self.groups or self.joining):
            after = self.seq
            viewers = {name: viewer for name in self.groups if (viewer := self._viewer_of(name)) is not None}
            batch = await self._insist(reading.read_batch, self.name, self.topic_id, after, viewers)
            if not batch.events:
                self.target = after  # somebody else's number, or a topic that is gone
                return
            if batch.membership:
                await self.authorise_again()
            while missing := [name for name in self.groups if name not in batch.frames]:
                for name in missing:
                    viewer = self._viewer_of(name)
                    if viewer is not None:
                        batch.frames[name] = await self._insist(reading.render_for, self.name, batch, viewer)
            # No await between the last look at the groups and here: nobody joins in between.
            self.seq = batch.seq
            self._catch_ups = {key: task for key, task in self._catch_ups.items() if not task.done()}
            for name, sinks in list(self.groups.items()):
                frame = batch.frames[name]
                if frame:
                    for sink in list(sinks):
                        sink.push(frame)

    def _viewer_of(self, group: str) -> Viewer | None:
        sinks = self.groups.get(group)
        return next(iter(sinks)).viewer if sinks else None

    async def _insist(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Do database work until it succeeds: a viewer is behind rather than in the wrong."""
        pause, longest = RETRY_SECONDS
        while True:
            try:
                return await self.hub.in_reader(work, *args, **kwargs)
            except Exception as error:
                if not self.groups and not self.joining:
                    raise
                logger.warning("%s cannot be read (%s); trying again", self.name, error)
            await asyncio.sleep(pause)
            pause = min(pause * 2, longest)

    async def catch_up(self, viewer: Viewer, after: int, upto: int) -> Frame:
        """What a viewer of a group missed; made once for all of them who come back together."""
        key = (viewer.group, after, upto)
        task = self._catch_ups.get(key)
        if task is None:
            task = asyncio.get_running_loop().create_task(
                self.hub.in_reader(reading.catch_up, self.name, self.topic_id, after, upto, viewer)
            )
            self._catch_ups[key] = task
        return await asyncio.shield(task)

    # ------------------------------------------------------------ rights

    async def admit(self, asking: reading.Credential) -> reading.Admission:
        """Ask Django about somebody who comes. Those who come while it is busy (a restart) are asked about together."""
        answer = self._at_door.get(asking)
        if answer is None:
            answer = self._at_door[asking] = asyncio.get_running_loop().create_future()
        if self._doorman is None:
            self._doorman = asyncio.get_running_loop().create_task(self._ask())
        return await asyncio.shield(answer)

    async def _ask(self) -> None:
        try:
            while self._at_door:
                asking, self._at_door = self._at_door, {}
                try:
                    answers = await self.hub.at_door(reading.admit, self.name, list(asking))
                except Exception as error:
                    for future in asking.values():
                        future.set_exception(error)
                    continue
                for one, future in asking.items():
                    future.set_result(answers[one])
        finally:
            self._doorman = None

    async def authorise_again(self) -> None:
        """Ask Django about everybody anew; streams of those with other rights end before anything else is sent."""
        self.epoch += 1
        everybody = list(self.sinks())
        if not everybody:
            return
        asking = {sink.credential for sink in everybody}
        answers = await self._insist(reading.admit, self.name, asking)
        for sink in everybody:
            viewer = answers[sink.credential].viewer
            if viewer is None:
                sink.end(GONE)
            elif sink.viewer is None or viewer.rights != sink.viewer.rights:
                sink.end(RESYNC)
            else:
                continue
            self.remove(sink)
