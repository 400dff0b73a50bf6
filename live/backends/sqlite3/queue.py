"""Who may write to a SQLite file: one connection at a time, in the order of asking.

SQLite lets one transaction write at a time but wakes waiting ones in no order, so some wait for seconds under load.
Here the threads of a process form a queue. Processes (management commands beside the server) take turns by locks on a
small file next to the database, which the operating system drops when a process dies.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
import weakref
from collections import deque
from pathlib import Path

from live.backends.sqlite3.filelock import RangeLock

DOOR, ROOM = 0, 1  # bytes of the lock file: who is next, who writes
CHECK_SECONDS = 0.5  # how often a waiting thread looks whether the holder still exists


class Gate:
    """One connection's place in the queue. `held` while it may write."""

    def __init__(self, queue: WriterQueue, timeout: float) -> None:
        self._queue = queue
        self._timeout = timeout
        self.held = False
        self.thread = 0

    def enter(self) -> None:
        """Wait for the turn. Raises sqlite3.OperationalError after the timeout."""
        if not self.held:
            self.thread = threading.get_ident()
            self._queue.acquire(self, self._timeout)
            self.held = True

    def leave(self) -> None:
        if self.held:
            self.held = False
            self._queue.release()


class _Ticket:
    def __init__(self, gate: Gate) -> None:
        self.gate = weakref.ref(gate)
        self.turn = threading.Lock()
        self.turn.acquire()
        self.called = False


class WriterQueue:
    """The queue of one database file in this process."""

    def __init__(self, path: Path) -> None:
        self._mutex = threading.Lock()
        self._waiting: deque[_Ticket] = deque()
        # Weak: a thread that died inside a transaction takes its connection and gate with it, and the queue moves on.
        self._holder: weakref.ref[Gate] | None = None
        self._file = RangeLock(path.with_name(path.name + "-writer"))

    def acquire(self, gate: Gate, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        with self._mutex:
            self._bury()
            if self._holder is None:
                self._holder = weakref.ref(gate)
                ticket = None
            else:
                self._refuse_own_thread(gate)
                ticket = _Ticket(gate)
                self._waiting.append(ticket)
        if ticket is not None:
            self._wait(ticket, deadline)
        try:
            self._take_file(deadline)
        except BaseException:
            self._pass_on()
            raise

    def release(self) -> None:
        try:
            self._file.unlock(ROOM)
        finally:
            self._pass_on()

    def _wait(self, ticket: _Ticket, deadline: float) -> None:
        try:
            while not ticket.turn.acquire(timeout=CHECK_SECONDS):
                with self._mutex:
                    self._bury()
                if time.monotonic() > deadline and not ticket.called:
                    raise sqlite3.OperationalError("the queue of writers did not move in time")
        except BaseException:
            with self._mutex:
                if not ticket.called:
                    self._waiting.remove(ticket)
                    raise
            self._pass_on()
            raise

    def _take_file(self, deadline: float) -> None:
        # Two steps: while one process writes, the next one stands at the door, and the first cannot overtake it
        # with its own queue. The door is only held while waiting.
        self._file.lock(DOOR, deadline)
        try:
            self._file.lock(ROOM, deadline)
        finally:
            self._file.unlock(DOOR)

    def _pass_on(self) -> None:
        with self._mutex:
            self._holder = None
            self._call_next()

    def _bury(self) -> None:
        if self._holder is not None and self._holder() is None:
            self._file.unlock(ROOM)
            self._holder = None
            self._call_next()

    def _call_next(self) -> None:
        while self._waiting:
            ticket = self._waiting.popleft()
            if ticket.gate() is not None:
                self._holder = ticket.gate
                ticket.called = True
                ticket.turn.release()
                return

    def _refuse_own_thread(self, gate: Gate) -> None:
        holder = self._holder() if self._holder else None
        if holder is not None and holder.held and holder.thread == gate.thread:
            raise sqlite3.OperationalError("this thread already writes to this file through another connection")


_queues: dict[str, WriterQueue] = {}
_registry = threading.Lock()


def queue_for(name: str) -> WriterQueue:
    """The queue of a database file, by its real path."""
    path = os.path.realpath(name)
    with _registry:
        if path not in _queues:
            _queues[path] = WriterQueue(Path(path))
        return _queues[path]


def _forget() -> None:
    # A forked child has the parent's queue in memory but none of its locks.
    global _registry
    _queues.clear()
    _registry = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
