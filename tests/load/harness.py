"""Servers and clients in processes of their own, and what the machine says about them."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BASE = Path(__file__).resolve().parents[2]
START_SECONDS = 60.0


class Invalid(Exception):
    """A run that counted wrong: frames, statuses or rows. It gives no number."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def cores() -> tuple[int, int] | None:
    """A core for the servers and one for the load; None where they have to share."""
    if not hasattr(os, "sched_getaffinity"):
        return None
    ours = sorted(os.sched_getaffinity(0))
    return (ours[0], ours[1]) if len(ours) > 1 else None


def _pinned(core: int | None) -> Any:
    return None if core is None else lambda: os.sched_setaffinity(0, {core})


@dataclass(frozen=True, slots=True)
class Server:
    """A running server."""

    port: int
    pid: int

    def memory(self) -> float:
        """Proportional memory of the process in KiB; nan where the system does not say."""
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{self.pid}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    return float(line.split()[1])
        return float("nan")


@contextmanager
def serving(command: Sequence[str], env: dict[str, str], log: Path) -> Iterator[Server]:
    """Run `python command… PORT` on the servers' core until the block ends."""
    port, pinned = free_port(), cores()
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, *command, str(port)],
            cwd=BASE,
            env={**os.environ, **env},
            stdout=out,
            stderr=out,
            preexec_fn=_pinned(pinned[0] if pinned else None),
        )
        try:
            _wait_for(port, process, log)
            yield Server(port, process.pid)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(5)


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            break
        time.sleep(0.05)
    raise Invalid(f"a server did not start: {log.read_text(errors='replace')[-2000:]}")


class Load:
    """The client process; see `tests.load.viewers`."""

    def __init__(self) -> None:
        pinned = cores()
        extra = [str(pinned[1])] if pinned else []
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.load.viewers", *extra],
            cwd=BASE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def do(self, what: str, **command: Any) -> dict[str, Any]:
        """One command of `Crowd`. Raises Invalid when it failed."""
        if self._process.stdin is None or self._process.stdout is None:
            raise Invalid("the load has no pipes")
        self._process.stdin.write(json.dumps({"do": what, **command}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        answer: dict[str, Any] = json.loads(line) if line else {"error": "the load ended"}
        if "error" in answer:
            raise Invalid(answer["error"])
        return answer

    def end(self) -> None:
        self._process.terminate()
        self._process.wait(10)
