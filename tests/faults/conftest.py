"""Faults: the databases and servers of the live tests."""

from tests.live.conftest import (  # noqa: F401
    postgres_database,
    postgres_url,
    room,
    site,
    sqlite_file,
    sqlite_template,
)
