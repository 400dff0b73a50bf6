"""Queries do not grow with the party where the page does not, and by a fixed, small number where it must."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from characters.actions import builds, pool
from characters.actions.house_rules import change_house_rules
from tests.factories import WORKED_EXAMPLE, WORKED_EXAMPLE_COST, Table, make_table

pytestmark = pytest.mark.django_db


def party(players: int) -> tuple[Table, list[Any]]:
    """Everybody with a saved character, and points left for each."""
    names = [f"p{n}" for n in range(players)]
    table = make_table(*names, pool=300 * players)
    characters = []
    for name in names:
        pool.allocate(access=table.access("gm"), seat=table.seat(name), points=WORKED_EXAMPLE_COST + 10)
        character = table.make(name, WORKED_EXAMPLE)
        builds.save_build(access=table.view(name, character))
        characters.append(character)
    return table, characters


def counted(act: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as found:
        answer = act()
        number = len(found)
    assert getattr(answer, "status_code", 200) == 200
    return number


@pytest.fixture
def parties(db: Any) -> list[tuple[Table, list[Any]]]:
    return [party(2), party(5)]


@pytest.mark.parametrize(
    ("page", "who", "most"),
    [
        ("campaign", "gm", 22),
        ("campaign", "p0", 20),
        ("character_edit", "p0", 17),
        ("character", "p0", 13),
        ("character_history", "p0", 20),
        ("campaign_ledger", "gm", 5),
        ("campaign_rules", "gm", 7),
        ("party_export", "gm", 12),
    ],
)
def test_pages_ask_no_more_for_a_larger_party(parties, page, who, most):
    found = []
    for table, characters in parties:
        client = Client()
        client.force_login(table.users[who])
        slug = characters[0].slug if page.startswith("character") else table.campaign.slug
        url = reverse(page, args=[slug])
        client.get(url)  # the first visit writes the session
        found.append(counted(lambda client=client, url=url: client.get(url)))
    assert found[0] == found[1]
    assert found[1] <= most


def test_a_save_and_a_new_price_read_the_party_once(parties):
    saving, pricing, cutting = [], [], []
    for table, characters in parties:
        table.edit("p0", characters[0], skills__soko__level=1)
        access = table.view("p0", characters[0])
        saving.append(counted(lambda access=access: builds.save_build(access=access)))
        gm = table.access("gm")
        cutting.append(counted(lambda gm=gm: pool.set_pool(access=gm, total=2_000)))
        change = {"change": lambda _now: {"skill_level_max": 9}}
        pricing.append(counted(lambda gm=gm, change=change: change_house_rules(access=gm, **change)))
    assert saving[0] == saving[1] <= 40
    assert cutting[0] == cutting[1] <= 30
    assert pricing[0] == pricing[1] <= 30
