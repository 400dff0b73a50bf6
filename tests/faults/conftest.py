"""Faults: the databases and servers of the live tests, and a session in mid-fight on real servers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.evening import Evening
from tests.live import databases
from tests.live.conftest import (  # noqa: F401
    postgres_database,
    postgres_url,
    room,
    site,
    sqlite_file,
    sqlite_template,
)
from tests.live.server import Site
from tests.load import seed

SETTINGS = "tests.faults.table.settings"
ONLOOKERS = 40
FULL = os.environ.get("FAULTS") == "full"  # the whole of what the suite shows in short; see CONTRIBUTING


def seeded(url: str) -> seed.Seeded:
    """The demo in a migrated database."""
    with databases.default_database(databases.settings_for(url)):
        return seed.build(ONLOOKERS)


@pytest.fixture(scope="session")
def demo_template(sqlite_template, tmp_path_factory, django_db_blocker):  # noqa: F811
    """A SQLite file with the demo, and who is in it."""
    folder = tmp_path_factory.mktemp("demo")
    path = databases.copy_sqlite(sqlite_template, folder / "demo.sqlite3")
    with django_db_blocker.unblock():
        return path, seeded(f"sqlite:///{path}")


def own(template: tuple[Path, seed.Seeded], folder: Path) -> Iterator[Evening]:
    path = databases.copy_sqlite(template[0], folder / "table.sqlite3")
    server = Site(f"sqlite:///{path}", settings=SETTINGS)
    try:
        yield Evening(server.start(), template[1])
    finally:
        server.kill()


@pytest.fixture
def own_evening(demo_template, tmp_path) -> Iterator[Evening]:
    """A session of this test's own, on a server that may be killed."""
    yield from own(demo_template, tmp_path)


@pytest.fixture(scope="module")
def evening(demo_template, tmp_path_factory) -> Iterator[Evening]:
    """A session shared by the tests of a file."""
    for found in own(demo_template, tmp_path_factory.mktemp("evening")):
        yield found
        assert "Internal Server Error" not in found.site.log, found.site.log
