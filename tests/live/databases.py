"""Real databases for tests with threads: a migrated SQLite file, a PostgreSQL database of our own."""

from __future__ import annotations

import copy
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import environ
from django.core.management import call_command
from django.db import connections
from django.db.utils import ConnectionHandler

from tests import needs

POSTGRES_URL = needs.POSTGRES_URL.rsplit("/", 1)[0] + "/postgres"  # the database that is always there


def settings_for(url: str) -> dict[str, Any]:
    """Complete database settings for an address, the way the site itself sets them."""
    values: dict[str, Any] = environ.Env.db_url_config(url)
    if values["ENGINE"] == "django.db.backends.sqlite3":
        values["ENGINE"] = "live.backends.sqlite3"
        values["OPTIONS"] = copy.deepcopy(connections.settings["default"]["OPTIONS"])
    return ConnectionHandler({"default": values}).settings["default"]


@contextmanager
def default_database(values: dict[str, Any]) -> Iterator[None]:
    """Every thread's default connection leads to this database until the block ends."""
    old_settings, old_connection = connections.settings["default"], connections["default"]
    connections.settings["default"] = values
    del connections["default"]
    try:
        yield
    finally:
        connections["default"].close()
        connections.settings["default"] = old_settings
        connections["default"] = old_connection


def make_sqlite_template(path: Path) -> None:
    with default_database(settings_for(f"sqlite:///{path}")):
        call_command("migrate", verbosity=0, interactive=False)


def copy_sqlite(template: Path, target: Path) -> Path:
    shutil.copy(template, target)
    return target


def make_postgres(name: str) -> str:
    """An empty, migrated database; returns its address."""
    import psycopg

    drop_postgres(name)
    with psycopg.connect(POSTGRES_URL, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    url = POSTGRES_URL.rsplit("/", 1)[0] + "/" + name
    with default_database(settings_for(url)):
        call_command("migrate", verbosity=0, interactive=False)
    return url


def drop_postgres(name: str) -> None:
    import psycopg

    with psycopg.connect(POSTGRES_URL, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
