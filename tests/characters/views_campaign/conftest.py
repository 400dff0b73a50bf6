"""Browsers of the people at a table, without a browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import Table


@pytest.fixture
def as_(table: Table) -> Callable[..., Client]:
    """`as_("nagisa")` is that person's browser; `as_(None)` somebody not signed in."""

    def client(name: str | None) -> Client:
        made = Client()
        if name is not None:
            made.force_login(table.users[name])
        return made

    return client


@pytest.fixture
def at(table: Table) -> Callable[..., str]:
    """The address of a page of the table."""
    return lambda name, *args: reverse(name, args=[table.campaign.slug, *args])


def post(client: Client, url: str, data: dict[str, Any] | None = None, *, htmx: bool = False) -> Any:
    headers = {"HX-Request": "true"} if htmx else {}
    return client.post(url, data or {}, headers=headers)


def panel(response: Any, name: str) -> str:
    """The HTML of one panel out of a page."""
    found = re.search(rf'<section class="[^"]*" id="panel-{name}".*?</section>', response.content.decode(), re.S)
    assert found is not None, f"no panel {name}"
    return found[0]


def text(html: str | bytes) -> str:
    """Words without tags."""
    plain = re.sub(r"<[^>]+>", " ", html.decode() if isinstance(html, bytes) else html)
    return re.sub(r"\s+", " ", plain)
