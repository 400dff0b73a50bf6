"""The live core of one process: rooms, the bus, heartbeats. Everything runs in one event loop; database and
rendering work runs in a few threads of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.conf import settings

from live import bus, reading
from live.frames import GONE, HEARTBEAT, RESYNC, json_frame
from live.redis_bus import RedisBus
from live.room import Room
from live.sink import Sink

logger = logging.getLogger(__name__)
P = ParamSpec("P")
R = TypeVar("R")

HEARTBEAT_SECONDS = 4.0
PRESENCE_SECONDS = 0.5
POLL_SECONDS = 2.0  # how often the numbers are compared while no bus connects this process to others
QUIET_POLL_SECONDS = 15.0  # and while one does, in case a message got lost
RECHECK_SECONDS = 60.0  # sessions end and accounts are blocked without an event
MAX_GAP = 500  # a page further behind is loaded anew
THREADS = 2


class Hub:
    """One for each process; see `start`, `stop`, `join`, `leave`."""

    def __init__(self) -> None:
        self.rooms: dict[str, Room] = {}
        self.closing = False
        self._redis: RedisBus | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._readers: ThreadPoolExecutor | None = None
        self._doormen: ThreadPoolExecutor | None = None
        self._gap = asyncio.Event()  # the bus may have lost messages
        self._unlisten: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Begin, in the running event loop."""
        self.closing = False
        loop = asyncio.get_running_loop()
        # People who come must not keep those who are there waiting: two sets of threads.
        self._readers = ThreadPoolExecutor(THREADS, "live-reader")
        self._doormen = ThreadPoolExecutor(THREADS, "live-door")

        def woken(name: str, seq: int) -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: the process ends
                loop.call_soon_threadsafe(self._wake_here, name, seq)

        self._unlisten = bus.listen(woken)
        if settings.REDIS_URL:
            self._redis = RedisBus(settings.REDIS_URL, self._wake, self._heard_presence, self._gap.set)
            self._redis.start()
        for work in (self._heartbeats, self._watch_presence, self._poll, self._recheck):
            self._tasks.append(loop.create_task(work()))

    def end_streams(self) -> None:
        """End every stream and let nobody in: browsers come back by themselves when a server answers again."""
        self.closing = True
        for room in list(self.rooms.values()):
            room.end_all()

    async def stop(self) -> None:
        self.end_streams()
        self._unlisten()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._redis is not None:
            await self._redis.stop()
        for pool in (self._readers, self._doormen):
            if pool is not None:
                pool.shutdown(wait=False, cancel_futures=True)
        self._tasks, self._redis = [], None
        self.rooms.clear()

    # ------------------------------------------------------------ coming and going

    async def join(self, sink: Sink, name: str, after: int | None) -> None:
        """Let a viewer follow a topic from number `after` on (None: from now). Refusals end the stream."""
        if self.closing:
            sink.end()
            return
        room = self.rooms.get(name)
        if room is None:
            room = self.rooms[name] = Room(self, name)
        room.joining += 1
        try:
            await self._let_in(room, sink, after)
        except asyncio.CancelledError:
            raise
        except Exception:
            logger.exception("nobody can be let into %s", name)
            sink.end()  # the browser tries again
        finally:
            room.joining -= 1
            self.drop_if_empty(room)

    async def _let_in(self, room: Room, sink: Sink, after: int | None) -> None:
        while True:
            epoch = room.epoch
            admission = await room.admit(sink.credential)
            if room.epoch == epoch:
                break
        viewer = admission.viewer
        if self.closing or sink.ended:
            sink.end()
            return
        if viewer is None:
            sink.end(GONE)
            return
        if room.seq is None:
            room.begin(admission.topic_id, admission.seq)
        served = room.seq or 0
        after = admission.seq if after is None else after
        if after > admission.seq or served - after > MAX_GAP or sink.behind:
            sink.end(RESYNC)
            return
        room.add(sink, viewer)
        hello = json_frame("hello", {"seq": admission.seq, "viewer": viewer.user_id, "rights": viewer.rights})
        if after >= served:
            sink.push(hello + room.presence.frame())
            return
        sink.hold()
        missed = await room.catch_up(viewer, after, served)
        sink.release([hello, missed, room.presence.frame()])

    def leave(self, sink: Sink, name: str) -> None:
        sink.forget()
        room = self.rooms.get(name)
        if room is not None:
            room.remove(sink)
            self.drop_if_empty(room)

    def drop_if_empty(self, room: Room) -> None:
        if room.empty and self.rooms.get(room.name) is room:
            del self.rooms[room.name]
            if self._redis is not None:
                self._redis.say_presence(room.name, [])

    # ------------------------------------------------------------ waking

    def _wake_here(self, name: str, seq: int) -> None:
        if self._redis is not None:
            self._redis.say_seq(name, seq)
        self._wake(name, seq)

    def _wake(self, name: str, seq: int) -> None:
        room = self.rooms.get(name)
        if room is not None:
            room.woken(seq)

    async def _poll(self) -> None:
        connected = False
        next_quiet = 0.0
        now = asyncio.get_running_loop().time
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await self._gap.wait()
            gap = self._gap.is_set()
            self._gap.clear()
            if self._redis is not None and self._redis.connected != connected:
                connected, gap = self._redis.connected, True
                logger.warning("the bus between processes is %s", "connected" if connected else "broken; polling")
            if gap or not connected or now() >= next_quiet:
                next_quiet = now() + QUIET_POLL_SECONDS
                await self._compare()

    async def _compare(self) -> None:
        watched = [name for name, room in self.rooms.items() if room.seq is not None]
        if not watched:
            return
        try:
            numbers = await self.in_reader(reading.numbers, watched)
        except Exception as error:
            logger.warning("numbers cannot be read: %s", error)
            return
        for name in watched:
            room = self.rooms.get(name)
            if room is None:
                continue
            if name in numbers:
                room.woken(numbers[name])
            else:
                room.end_all(GONE)

    # ------------------------------------------------------------ clockwork

    async def _heartbeats(self) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            for room in list(self.rooms.values()):
                if self._redis is not None:
                    self._redis.say_presence(room.name, sorted(self._here(room)))
                for sink in list(room.sinks()):
                    if not sink.behind:
                        sink.push(HEARTBEAT)

    async def _watch_presence(self) -> None:
        now = asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(PRESENCE_SECONDS)
            for room in list(self.rooms.values()):
                if room.presence.changed(room.seats(), now()):
                    room.broadcast(room.presence.frame())
                    if self._redis is not None:
                        self._redis.say_presence(room.name, sorted(self._here(room)))

    def _here(self, room: Room) -> frozenset[int]:
        return room.presence.here(room.seats(), asyncio.get_running_loop().time())

    def _heard_presence(self, process: str, name: str, seats: list[int]) -> None:
        room = self.rooms.get(name)
        if room is not None:
            room.presence.heard(process, seats, asyncio.get_running_loop().time())

    async def _recheck(self) -> None:
        while True:
            await asyncio.sleep(RECHECK_SECONDS)
            for room in list(self.rooms.values()):
                await room.authorise_again()

    # ------------------------------------------------------------ threads

    async def in_reader(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run database work of the rooms in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, lambda: work(*args, **kwargs))

    async def at_door(self, work: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run database work for people who come in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._doormen, lambda: work(*args, **kwargs))


hub = Hub()
