"""Tables with people around them, and databases that threads can share."""

from __future__ import annotations

import pytest

from tests.factories import WORKED_EXAMPLE, Table, make_table
from tests.live.conftest import (  # noqa: F401
    postgres_database,
    postgres_url,
    real_database,
    sqlite_file,
    sqlite_template,
)


@pytest.fixture
def table(db) -> Table:
    """A GM, a co-GM, three players and a spectator; pool 850 by the number of players."""
    made = make_table("nagisa", "chiaki", "akari")
    made.join("co", "co_gm")
    made.join("watcher", "spectator")
    return made


@pytest.fixture
def hero(table):
    """nagisa's PC with the worked example as its draft and 280 points allocated."""
    from characters.actions.pool import allocate

    allocate(access=table.access("gm"), seat=table.seat("nagisa"), points=280)
    return table.make("nagisa", WORKED_EXAMPLE)
