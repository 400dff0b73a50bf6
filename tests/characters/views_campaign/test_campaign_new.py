"""Making a campaign: everything asked once, the cost preset among it, refusals keep what was typed."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from characters.models import Campaign, Pool, Seat
from tests.characters.views_campaign.conftest import text
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db

GOOD = {"system": "edo", "name": "大川端捕物控", "description": "天保の江戸。", "gm_name": "雪村", "players": "4"}


@pytest.fixture
def gm() -> Client:
    client = Client()
    client.force_login(UserFactory(nickname="雪村"))
    return client


def test_the_form_explains_the_two_cost_presets(gm):
    page = gm.get(reverse("campaign_new")).content.decode()
    assert "技能レベルの費用表" in page and "n×(n＋1)" in page and "推定値" in page
    assert 'value="雪村"' in page


def test_making_one(gm):
    answer = gm.post(reverse("campaign_new"), GOOD | {"rule-edo-skill_cost": "1"})
    campaign = Campaign.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, reverse("campaign", args=[campaign.slug]))
    assert campaign.house_rules == {"skill_cost": "n_n_plus_1"}
    assert Pool.objects.get(campaign=campaign).total == 1100
    assert (Seat.objects.get().name, Seat.objects.get().role) == ("雪村", "gm")
    page = gm.get(answer["Location"])
    assert page.status_code == 200 and "天保の江戸。" in text(page.content)


def test_the_same_press_makes_one(gm):
    for _ in range(2):
        gm.post(reverse("campaign_new"), GOOD | {"command_id": "once"})
    assert Campaign.objects.count() == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "あ" * 101),
        ("gm_name", ""),
        ("gm_name", "あ" * 10_000),
        ("description", "あ" * 4001),
        ("players", "0"),
        ("players", "十人"),
        ("system", "witch"),
        ("system", "../edo"),
        ("rule-edo-skill_cost", "77"),
    ],
)
def test_what_is_wrong_is_said_at_its_field_and_the_rest_stays(gm, field, value):
    answer = gm.post(reverse("campaign_new"), GOOD | {field: value})
    assert answer.status_code == 400
    page = answer.content.decode()
    assert f'id="id_{field}_error"' in page
    for other in ("大川端捕物控", "雪村", "天保の江戸。"):
        assert other in page or GOOD[field] == other
    assert not Campaign.objects.exists()


def test_a_guest_is_told_to_make_an_account_first():
    user = UserFactory(is_guest=True, password="!")
    client = Client()
    client.force_login(user)
    answer = client.post(reverse("campaign_new"), GOOD)
    assert answer.status_code == 403 and reverse("claim") in answer.content.decode()
    assert not Campaign.objects.exists()


def test_strangers_sign_in_first(client):
    assert client.get(reverse("campaign_new")).status_code == 302


def test_editing_name_and_description(table, as_, at):
    url = at("campaign_edit")
    assert as_("gm").get(url).status_code == 200
    assert as_("nagisa").get(url).status_code == 404
    assert as_("nagisa").post(url, {"name": "x"}).status_code == 404
    bad = as_("gm").post(url, {"name": "", "description": "残る言葉"})
    assert bad.status_code == 400 and "残る言葉" in bad.content.decode()
    assert as_("gm").post(url, {"name": "両国橋", "description": "一\n二"}).status_code == 303
    assert "両国橋" in text(as_("watcher").get(at("campaign")).content)


def test_the_party_file_is_for_members(table, as_, at):
    answer = as_("watcher").get(at("party_export"))
    assert answer["Content-Type"].startswith("application/json") and "attachment" in answer["Content-Disposition"]
    assert answer.json()["format"] == "takubiyori.party"
    assert as_(None).get(at("party_export")).status_code == 302
