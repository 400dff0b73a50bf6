"""A real server in a process of its own, and real browsers that report every console error and CSP violation."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_MS = 30_000  # a slow machine is not wrong
expect.set_options(timeout=PATIENCE_MS)
# Three commands in one process: most of the time of each is its start.
PREPARE = """from django.core.management import call_command
call_command("catalogues")
call_command("migrate", verbosity=0)
call_command("collectstatic", interactive=False, verbosity=0)"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class Site:
    """A running server: its address, and a way to run its management commands on the same database."""

    url: str
    env: dict[str, str]

    def manage(self, *args: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *args], cwd=ROOT, env=self.env, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    port = free_port()
    env = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "trpg_site.settings.local",
        "DATABASE_URL": f"sqlite:///{folder / 'site.sqlite3'}",
        "RATE_LIMITS": "0",
        "PYTHONUTF8": "1",
    }
    here = Site(f"http://127.0.0.1:{port}", env)
    here.manage("shell", "-c", PREPARE)
    log = (folder / "server.log").open("wb")
    server = subprocess.Popen(
        [sys.executable, "manage.py", "serve", "--port", str(port)], cwd=ROOT, env=env, stdout=log, stderr=log
    )
    try:
        for _ in range(150):
            try:
                urllib.request.urlopen(here.url, timeout=2)
                break
            except OSError:
                assert server.poll() is None, (folder / "server.log").read_text()
                time.sleep(0.2)
        else:
            raise AssertionError((folder / "server.log").read_text())
        yield here
    finally:
        server.terminate()
        server.wait(10)
        log.close()


@dataclass
class Person:
    """One browser profile and everything that went wrong in it."""

    name: str
    context: BrowserContext
    page: Page
    wrong: list[str] = field(default_factory=list)
    # Refusals are part of some tests: the console then says that a request failed.
    expected: tuple[str, ...] = ("the server responded with a status of 4",)

    def watch(self, page: Page) -> Page:
        page.on("console", lambda m: self._note(f"console {m.type}: {m.text}") if m.type == "error" else None)
        page.on("pageerror", lambda error: self._note(f"page error: {error}"))
        page.on("dialog", lambda dialog: (self._note(f"dialog: {dialog.message}"), dialog.dismiss()))
        return page

    def _note(self, text: str) -> None:
        if not any(part in text for part in self.expected):
            self.wrong.append(text)


@pytest.fixture
def people(chrome: Browser, site: Site) -> Iterator[Callable[..., Person]]:
    """`people("雪村", width=360)` opens a fresh browser profile; at the end none may have seen an error."""
    opened: list[Person] = []

    def person(name: str, *, width: int = 1440, height: int = 900, **options: object) -> Person:
        context = chrome.new_context(
            base_url=site.url, viewport={"width": width, "height": height}, locale="ja-JP", **options
        )
        context.set_default_timeout(PATIENCE_MS)
        someone = Person(name, context, context.new_page())
        someone.watch(someone.page)
        opened.append(someone)
        return someone

    yield person
    wrong = {p.name: p.wrong for p in opened if p.wrong}
    for p in opened:
        p.context.close()
    assert not wrong, wrong
