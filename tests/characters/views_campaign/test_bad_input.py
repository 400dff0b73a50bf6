"""Whatever is sent: an answer in words, status 4xx, nothing lost, never a 500."""

from __future__ import annotations

import pytest
from django.urls import reverse

from characters.models import Character, Pool, Seat
from tests.characters.views_campaign.conftest import text

pytestmark = pytest.mark.django_db

HUGE = 10**30
GARBAGE = {
    key: value
    for key in ("points", "note", "receiver", "agreed", "take", "name", "role", "uses", "days", "total", "players")
    for value in ["😀<script>alert(1)</script>" + "長" * 10_000]
} | {"sure": "", "command_id": "x" * 5_000, "use_wish": "９" * 4_000, "code": "\u202e" * 300, "do": "alt:"}

SIMPLE = (
    "pool_set",
    "pool_reserve",
    "pool_claim",
    "pool_release",
    "pool_wish",
    "pool_agree",
    "offer_create",
    "invite_create",
    "campaign_leave",
    "campaign_edit",
    "campaign_rules",
)
WITH_NUMBER = (
    "pool_allocate",
    "offer_answer",
    "offer_withdraw",
    "invite_revoke",
    "seat_rename",
    "seat_role",
    "seat_remove",
    "seat_link",
    "seat_reset",
)


def facts(table) -> tuple:
    seats = Seat.objects.filter(campaign=table.campaign).order_by("pk").values_list("name", "role", "allocation")
    return list(seats), Pool.objects.values_list().get(campaign=table.campaign), Character.objects.count()


@pytest.mark.parametrize("name", SIMPLE)
@pytest.mark.parametrize("htmx", [False, True])
def test_garbage_is_refused_in_words(table, as_, at, name, htmx):
    before = facts(table)
    for who in ("gm", "nagisa", "watcher"):
        for data in (GARBAGE, {}):
            headers = {"HX-Request": "true"} if htmx else {}
            answer = as_(who).post(at(name), data, headers=headers)
            if name in ("pool_wish", "pool_set") and not data:  # an empty wish and an empty total mean something
                continue
            assert 400 <= answer.status_code < 500, (who, name, answer.status_code)
            assert text(answer.content).strip()
            assert "<script>alert" not in answer.content.decode()
    assert facts(table) == before


@pytest.mark.parametrize("name", WITH_NUMBER)
@pytest.mark.parametrize("number", [0, 999_999, HUGE])
def test_numbers_of_nothing_are_not_found(table, as_, at, name, number):
    for who in ("gm", "nagisa"):
        assert as_(who).post(at(name, number), GARBAGE).status_code == 404


@pytest.mark.parametrize("name", [*SIMPLE, "campaign", "campaign_ledger", "party_export"])
def test_strangers_learn_nothing(table, as_, name, db):
    from django.test import Client

    from tests.factories import UserFactory

    stranger = Client()
    stranger.force_login(UserFactory())
    for slug in (table.campaign.slug, "0123456789"):
        url = reverse(name, args=[slug])
        method = stranger.get if name in ("campaign", "campaign_ledger", "party_export") else stranger.post
        assert method(url).status_code == 404
        signed_out = (Client().get if method == stranger.get else Client().post)(url)
        assert signed_out.status_code == 302 and "/accounts/login/" in signed_out["Location"]


@pytest.mark.parametrize("name", SIMPLE)
def test_a_form_without_its_token_is_refused(table, at, name):
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(table.users["gm"])
    assert client.post(at(name), {"points": "1"}).status_code == 403


@pytest.mark.parametrize("name", ["pool_claim", "seat_rename", "invite_create", "offer_answer"])
def test_looking_changes_nothing(table, as_, at, name):
    args = (1,) if name in WITH_NUMBER else ()
    assert as_("gm").get(at(name, *args)).status_code == 405
