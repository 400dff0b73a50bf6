"""The toy game behind the facade, and a table that plays it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.db import transaction

from rulesets import registry, services
from sessions.models import GameSession
from tests.live.conftest import (  # noqa: F401
    postgres_database,
    postgres_url,
    real_database,
    sqlite_file,
    sqlite_template,
)
from tests.sessions.table import Session, begin, toy_table
from tests.sessions.toy import PlayableToy


@pytest.fixture(scope="session")
def toy_game() -> Iterator[PlayableToy]:
    """The toy is a game like others, for all tests of this folder."""
    services._dice()  # of the real games, before one without dice is added
    toy, load = PlayableToy(), registry.load
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "load", lambda slug: toy if slug == "toy" else load(slug))
        yield toy


@pytest.fixture(scope="module")
def _table(django_db_setup, django_db_blocker, toy_game) -> Iterator[Session]:
    """One table for a whole file; every test takes back what it did."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield toy_table()
        transaction.set_rollback(True)


@pytest.fixture
def planned(_table, django_db_blocker) -> Iterator[Session]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield replace(_table, session=GameSession.objects.get(pk=_table.session.pk))
        transaction.set_rollback(True)


@pytest.fixture
def here(planned) -> Session:
    """An open table: hero (nagisa), friend (chiaki), foe and the hidden spy."""
    return begin(planned)
