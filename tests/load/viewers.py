"""The load: N event-stream readers and one poster in a process of their own, on one epoll.

`python -m tests.load.viewers` takes one JSON command a line on stdin and answers each with one JSON line (`Crowd`).
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FRAME, HELLO = b"event: fragments\n", b"event: hello\n"
PATIENCE = 90.0  # seconds without progress after which something is lost
PAUSE = 0.004  # between events


@dataclass(slots=True)
class Reader:
    """One viewer: how many frames came, and the end of what it got, in case a mark was cut in two."""

    socket: socket.socket
    tail: bytes = b""
    frames: int = 0
    bytes: int = 0
    greeted: bool = False

    def read(self) -> int:
        """Take what is there; how many frames it completed the head of. Raises ConnectionError at the end."""
        data = self.socket.recv(1 << 18)
        if not data:
            raise ConnectionError("a stream ended")
        self.bytes += len(data)
        block = self.tail + data
        found = block.count(FRAME)
        self.greeted = self.greeted or HELLO in block
        self.tail = block[-(len(FRAME) - 1) :]
        self.frames += found
        return found


@dataclass
class Crowd:
    """`open`, `post`, `close`. Nothing is shared with the server but the wire."""

    readers: list[Reader] = field(default_factory=list)
    selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    poster: socket.socket | None = None

    def open(self, port: int, requests: list[str]) -> dict[str, Any]:
        """Open a stream for each of these request heads and wait until each was greeted."""
        for request in requests:
            reader = Reader(_connect(port))
            reader.socket.sendall(request.encode("latin-1"))
            self.readers.append(reader)
            self.selector.register(reader.socket, selectors.EVENT_READ, reader)
        self._until(lambda: all(reader.greeted for reader in self.readers))
        return {"open": len(self.readers)}

    def post(self, port: int, requests: list[str], pid: int) -> dict[str, Any]:
        """Send these requests one after the other, each when all viewers have what the one before led to.

        `last`: seconds from the beginning of the request until the last viewer had its event, `spread` from the first
        viewer to the last, for each request; `cpu` and `loop`: CPU seconds of the process `pid` and of its first
        thread meanwhile; `lost`: frames too few or too many.
        """
        poster = self.poster = _connect(port)
        self.selector.register(poster, selectors.EVENT_READ, None)
        before = sum(reader.frames for reader in self.readers)
        got = sum(reader.bytes for reader in self.readers)
        lasts, spreads, statuses = [], [], []
        cpu, loop = cpu_seconds(pid), loop_seconds(pid)
        for request in requests:
            raw = request.encode()
            started = time.perf_counter()
            poster.sendall(raw)
            first, last, status = self._one_event()
            lasts.append(last - started)
            spreads.append(last - first)
            statuses.append(status)
            time.sleep(PAUSE)
        cpu, loop = cpu_seconds(pid) - cpu, loop_seconds(pid) - loop
        self.selector.unregister(poster)
        poster.close()
        deliveries = len(self.readers) * len(requests)
        frames = sum(reader.frames for reader in self.readers) - before
        got = sum(reader.bytes for reader in self.readers) - got
        return {
            "last": lasts,
            "spread": spreads,
            "cpu": cpu,
            "loop": loop,
            "lost": deliveries - frames,
            "refused": sum(status != 200 for status in statuses),
            "bytes": got / max(deliveries, 1),
        }

    def close(self) -> dict[str, Any]:
        for reader in self.readers:
            self.selector.unregister(reader.socket)
            reader.socket.close()
        self.readers.clear()
        return {"open": 0}

    def _one_event(self) -> tuple[float, float, int]:
        """When the first and the last viewer had one more frame, and the status of the answer; all are waited for."""
        due = {reader.frames + 1 for reader in self.readers}
        missing, answer, first, last = len(self.readers), b"", 0.0, time.perf_counter()
        if len(due) > 1:
            raise RuntimeError("the viewers are not level")
        deadline = last + PATIENCE
        while missing > 0 or not _complete(answer):
            for key, _mask in self.selector.select(1.0):
                if key.data is None:
                    answer += key.fileobj.recv(1 << 16)  # type: ignore[union-attr]
                    continue
                if found := key.data.read():
                    missing -= found
                    first = first or time.perf_counter()
                    last = time.perf_counter() if missing == 0 else last
            if time.perf_counter() > deadline:
                raise TimeoutError(f"{missing} viewers wait; {answer[:300]!r}")
        return first or last, last, int(answer[9:12])

    def _until(self, done: Any) -> None:
        deadline = time.perf_counter() + PATIENCE
        while not done():
            for key, _mask in self.selector.select(0.5):
                key.data.read()
            if time.perf_counter() > deadline:
                raise TimeoutError("not everybody was let in")


def _connect(port: int) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


def _complete(answer: bytes) -> bool:
    head, end, body = answer.partition(b"\r\n\r\n")
    if not end:
        return False
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return bool(lengths) and len(body) >= int(lengths[0].partition(b":")[2])


def cpu_seconds(pid: int) -> float:
    """The process' CPU clock (Linux: the clock id is made from the pid); nan where there is none."""
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except (OSError, AttributeError):
        return float("nan")


def loop_seconds(pid: int) -> float:
    """The same of its first thread, which runs the event loop."""
    try:
        return int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[0]) / 1e9
    except (OSError, ValueError):
        return float("nan")


def main() -> None:
    if len(sys.argv) > 1 and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {int(sys.argv[1])})
    crowd = Crowd()
    for line in sys.stdin:
        command = json.loads(line)
        try:
            answer = getattr(crowd, command.pop("do"))(**command)
        except (OSError, RuntimeError) as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
