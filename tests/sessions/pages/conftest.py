from __future__ import annotations

import pytest
from django.test import Client

from tests.sessions.pages import edo
from tests.sessions.table import Session


@pytest.fixture
def begun(db) -> Session:
    return edo.begun()


@pytest.fixture
def fight(db) -> Session:
    return edo.fighting()


@pytest.fixture
def attacked(db) -> Session:
    return edo.attacked()


@pytest.fixture
def at(client_of):
    """`at(here, "nagisa")`: what her browser gets of the table's page."""

    def page(here: Session, who: str, query: str = "") -> str:
        response = client_of(here, who).get(address(here) + query)
        assert response.status_code == 200, response.content
        return response.content.decode()

    return page


@pytest.fixture
def client_of():
    def client(here: Session, who: str) -> Client:
        found = Client()
        found.force_login(here.table.users[who])
        return found

    return client


def address(here: Session) -> str:
    return f"/c/{here.table.campaign.slug}/sessions/{here.session.number}/"
