"""One viewer's end of the stream: written to directly while the client keeps up, from a bounded queue when not."""

from __future__ import annotations

import asyncio
import contextlib
import types
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable
from typing import Any

from live.frames import NOTHING, RESYNC, Frame
from live.kinds import Viewer

Send = Callable[[dict[str, Any]], Coroutine[Any, Any, None]]

QUEUE_BYTES = 896 * 1024  # together with the server's own write buffer at most 1 MiB is kept for a slow viewer
LAST_WORD_SECONDS = 20  # how long a viewer that was given up may take to read its last frame


class Sink:
    """Takes finished frames and sends their plain bytes or, `packed`, the packed ones. Everything happens in the event
    loop's thread.

    `push` calls the server's `send` itself: no task, no queue, no copy, as long as the socket takes the bytes. When it
    does not, this viewer (and no other) gets a queue and a task. Beyond QUEUE_BYTES the queue is dropped and the stream
    ends with `resync`: a viewer is never thinned out silently.
    """

    __slots__ = ("_held", "_queue", "_queued", "_send", "_tasks", "credential", "ended", "packed", "viewer")

    def __init__(self, send: Send, credential: Any = None, *, packed: bool = False) -> None:
        self._send = send
        self.packed = packed
        self._queue: deque[tuple[bytes, bool]] | None = None
        self._queued = 0
        self._held = False
        self._tasks: set[asyncio.Task[None]] | None = None
        self.credential = credential
        self.viewer: Viewer | None = None
        self.ended = False

    @property
    def behind(self) -> bool:
        """Whether frames wait for this viewer."""
        return self._queue is not None

    def _bytes(self, frame: Frame) -> bytes:
        return frame.packed if self.packed else frame.plain

    def push(self, frame: Frame) -> None:
        if not self.ended and frame:
            self._write(self._bytes(frame), True)

    def end(self, frame: Frame = NOTHING) -> None:
        """Send a last frame and close the stream. What still waited is dropped: a viewer that was removed gets no more
        of it, any other resumes from the last number it has."""
        if self._held:
            frame = RESYNC if self.ended else frame
            self._held, self._queue, self.ended = False, None, True
            self._write(self._bytes(frame), False)
        elif not self.ended:
            self.ended = True
            if self._queue is not None:
                self._queue.clear()
            self._write(self._bytes(frame), False)

    def hold(self) -> None:
        """Queue every frame until `release` or `end`: something earlier has to be sent first. Not while `behind`."""
        self._held, self._queue, self._queued = True, deque(), 0

    def release(self, first: Iterable[Frame]) -> None:
        """Send `first`, then what was queued since `hold`."""
        if not self._held:
            return
        waiting = [*(self._queue or ())]
        if not self.ended:
            waiting[:0] = [(self._bytes(frame), True) for frame in first if frame]
        self._held, self._queue = False, None
        for data, more in waiting:
            self._write(data, more)

    def _write(self, data: bytes, more: bool) -> None:
        if self._queue is not None:
            self._enqueue(data, more)
            return
        sending = self._send({"type": "http.response.body", "body": data, "more_body": more})
        try:
            waiting_for = sending.send(None)
        except StopIteration:
            return
        except Exception:
            self.ended = True
            self.abort()
            return
        self._queue, self._queued = deque(), len(data)
        self._start(self._drain(_continued(sending, waiting_for)))
        if not more:
            self._last_word()

    def _enqueue(self, data: bytes, more: bool) -> None:
        queue = self._queue
        if queue is None:
            return
        if more and self._queued + len(data) > QUEUE_BYTES:
            queue.clear()
            data, more = self._bytes(RESYNC), False
            self.ended = True
        queue.append((data, more))
        self._queued += len(data)
        if not more:
            self._last_word()

    async def _drain(self, first: Awaitable[None]) -> None:
        try:
            await first
            while self._queue:
                data, more = self._queue.popleft()
                self._queued -= len(data)
                await self._send({"type": "http.response.body", "body": data, "more_body": more})
        except Exception:
            self.ended = True
            self.abort()
        finally:
            self._queue = None

    def _last_word(self) -> None:
        # A client that does not even read its last frame must not keep its buffers for ever.
        async def cut() -> None:
            await asyncio.sleep(LAST_WORD_SECONDS)
            if self.behind:
                self.abort()

        self._start(cut())

    def abort(self) -> None:
        """Cut the connection and drop unsent bytes. ASGI has no word for it; uvicorn's sender knows its socket."""
        transport = getattr(getattr(self._send, "__self__", None), "transport", None)
        if transport is not None:
            with contextlib.suppress(Exception):
                transport.abort()

    def forget(self) -> None:
        """The connection is gone: stop what still runs for it."""
        self.ended = True
        for task in tuple(self._tasks or ()):
            task.cancel()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        if self._tasks is None:
            self._tasks = set()
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


@types.coroutine
def _continued(coroutine: Coroutine[Any, Any, None], waiting_for: Any) -> Generator[Any, Any, None]:
    """Go on with a coroutine that was started by hand and now waits for `waiting_for`."""
    while True:
        failure: BaseException | None = None
        value: Any = None
        try:
            value = yield waiting_for
        except BaseException as error:
            failure = error
        try:
            waiting_for = coroutine.send(value) if failure is None else coroutine.throw(failure)
        except StopIteration:
            return
