"""The two sides of every ratio: the site with the demo's session, and the bare server. Both send the same bytes."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tests.load.harness import BASE, Invalid, Server, serving
from tests.load.seed import DOES, ROLLER, Seeded

ONE, THREE = "one", "three"  # audiences among the viewers
_TOKEN = "b" * 32


class Side(Protocol):
    """What is measured: `heads` are the requests of viewers, `presses` those that make one event each."""

    name: str
    server: Server

    def heads(self, count: int, audiences: str = ONE) -> list[str]: ...

    def presses(self, count: int) -> list[str]: ...

    def learn(self, size: float) -> None:
        """How many bytes the other side sends to a viewer for an event."""
        ...


@dataclass
class TheSite:
    """Spectators of a session in mid-fight; each press is a signed-in roll, decided, stored and synced."""

    server: Server
    seeded: Seeded
    name: str = "site"
    _number: Iterator[int] = field(default_factory=itertools.count)

    def heads(self, count: int, audiences: str = ONE) -> list[str]:
        """Each viewer is another person. Of three audiences: spectators in two languages, and the roller's own."""
        if count > len(self.seeded.onlookers):
            raise Invalid("too few people")
        return [self._head(n, audiences) for n in range(count)]

    def _head(self, number: int, audiences: str) -> str:
        cookie, lang = self.seeded.onlookers[number], "ja"
        if audiences == THREE and number % 3:
            cookie, lang = (cookie, "en") if number % 3 == 1 else (self.seeded.cookies[ROLLER], "ja")
        address = f"/live/stream/{self.seeded.topic}?lang={lang}"
        return f"GET {address} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n"

    def presses(self, count: int) -> list[str]:
        return [self._press(next(self._number)) for _ in range(count)]

    def _press(self, number: int) -> str:
        body = json.dumps({"data": {"actor": self.seeded.actor, "what": DOES}, "command_id": f"bench-{number}"})
        return (
            f"POST {self.seeded.address}do/roll/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Cookie: {self.seeded.cookies[ROLLER]}; csrf={_TOKEN}\r\nX-CSRFToken: {_TOKEN}\r\n"
            f"Accept: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        )

    def learn(self, size: float) -> None:
        pass


@dataclass
class TheLimit:
    """The bare server. Each press hands it an event as long as the site's."""

    server: Server
    name: str = "bare"
    size: int = 1000

    def heads(self, count: int, audiences: str = ONE) -> list[str]:
        return ["GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n"] * count

    def presses(self, count: int) -> list[str]:
        body = "event: fragments\nid: 1\ndata: "
        body += "x" * max(self.size - len(body) - 2 - len("3e8\r\n\r\n"), 1) + "\n\n"
        return [f"POST /pub HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n{body}"] * count

    def learn(self, size: float) -> None:
        self.size = round(size)


@contextmanager
def both(folder: Path, spectators: int) -> Iterator[tuple[TheSite, TheLimit]]:
    """Both servers with a fresh database; everything they write is in `folder`."""
    database = f"sqlite:///{folder / 'bench.sqlite3'}"
    env = {"DJANGO_SETTINGS_MODULE": "tests.load.settings", "DATABASE_URL": database, "REDIS_URL": ""}
    env |= {"LOG_LEVEL": "WARNING", "PYTHONPATH": str(BASE)}
    seeded = _seed(spectators, env)
    with ExitStack() as stack:
        serve = ["manage.py", "serve", "--host", "127.0.0.1", "--port"]
        site = stack.enter_context(serving(serve, env, folder / "site.log"))
        bare = stack.enter_context(serving(["-m", "tests.load.limits.bare_asgi"], {}, folder / "bare.log"))
        yield TheSite(site, seeded), TheLimit(bare)


def _seed(spectators: int, env: dict[str, str]) -> Seeded:
    command: Sequence[str] = [sys.executable, "-m", "tests.load.seed", str(spectators)]
    done = subprocess.run(command, cwd=BASE, env={**os.environ, **env}, capture_output=True, text=True)
    _before, found, facts = done.stdout.rpartition("SEED")
    if done.returncode or not found:
        raise Invalid(f"no table to measure: {done.stderr[-2000:]}")
    return Seeded(**json.loads(facts))
