"""Databases that threads and server processes can share."""

from __future__ import annotations

import itertools
import os

import pytest
from django.core.management import call_command

from tests.live import databases
from tests.live.server import Room, Site


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory, django_db_blocker, django_db_setup):
    path = tmp_path_factory.mktemp("template") / "empty.sqlite3"
    with django_db_blocker.unblock():
        databases.make_sqlite_template(path)
    return path


@pytest.fixture
def sqlite_file(sqlite_template, tmp_path, django_db_blocker):
    """The default database is a file of this test's own; gives its path."""
    path = databases.copy_sqlite(sqlite_template, tmp_path / "site.sqlite3")
    with django_db_blocker.unblock(), databases.default_database(databases.settings_for(f"sqlite:///{path}")):
        yield path


@pytest.fixture(scope="session")
def postgres_url(django_db_blocker, django_db_setup):
    name = f"takubiyori_live_{os.getpid()}"
    with django_db_blocker.unblock():
        url = databases.make_postgres(name)
    yield url
    databases.drop_postgres(name)


@pytest.fixture
def postgres_database(postgres_url, django_db_blocker):
    """The default database is an empty PostgreSQL database; gives its address."""
    with django_db_blocker.unblock(), databases.default_database(databases.settings_for(postgres_url)):
        call_command("flush", verbosity=0, interactive=False)
        yield postgres_url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def real_database(request):
    """Both kinds of database that threads can share, one after the other."""
    return request.getfixturevalue({"sqlite": "sqlite_file", "postgres": "postgres_database"}[request.param])


@pytest.fixture(scope="module")
def site(sqlite_template, tmp_path_factory):
    """A running server with an empty SQLite file of its own, shared by the tests of a module."""
    path = databases.copy_sqlite(sqlite_template, tmp_path_factory.mktemp("server") / "site.sqlite3")
    site = Site(f"sqlite:///{path}")
    try:
        yield site.start()
    finally:
        site.kill()
        # Those of the poisoned events are wanted; the log is read beside the tests, so it is judged when all is over.
        assert site.log.count("Traceback") == site.log.count("ValueError: an event nobody can"), site.log


_rooms = itertools.count(1)


@pytest.fixture
def room(site):
    """A new room of the running server."""
    return Room(site, f"room:{next(_rooms)}")
