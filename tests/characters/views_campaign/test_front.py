"""The front door: what this server offers, a pasted link, the switches of the browser."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from characters.actions import members
from characters.models import Seat
from rulesets import services
from tests.characters.views_campaign.conftest import text

pytestmark = pytest.mark.django_db


def token_for(table, **kwargs) -> str:
    return members.create_invitation(access=table.access("gm"), **kwargs)[1]


def test_landing_offers_only_the_games_of_this_server(client):
    page = client.get("/").content.decode()
    for system in services.systems():
        assert system.names.ja in page
    for name in ("ウィッチクエスト", "ニンジャスレイヤー"):
        assert name not in page
    assert page.count('class="game"') == len(services.systems())


def test_every_page_of_the_front_has_no_inline_style_or_script(client):
    for url in ("/", "/styleguide/"):
        page = client.get(url).content.decode()
        assert " style=" not in page and "<style" not in page
        assert page.count("<script") == page.count("<script src=")


@pytest.mark.parametrize("code", ["", "k7wq-93d", "https://example.org/", "あいことば", "x" * 600, "<b>" * 20])
def test_a_text_that_is_no_link_is_said_at_its_field_and_stays(client, code):
    answer = client.post("/i/", {"code": code, "name": "灯"})
    assert answer.status_code == 400
    page = answer.content.decode()
    assert 'id="id_code_error"' in page
    assert 'value="灯"' in page


def test_a_link_nobody_made_is_not_found(client):
    answer = client.post("/i/", {"code": "0" * 32, "name": "灯"})
    assert answer.status_code == 404
    assert "見つかりません" in text(answer.content)


@pytest.mark.parametrize("form", ["{}", "http://example.org/i/{}/", " /i/{}/ "])
def test_a_pasted_link_with_a_name_joins_at_once(table, form):
    client = Client()
    answer = client.post("/i/", {"code": form.format(token_for(table)), "name": "海斗"})
    assert answer.status_code == 303
    assert answer["Location"] == reverse("campaign", args=[table.campaign.slug])
    seat = Seat.objects.get(campaign=table.campaign, name="海斗")
    assert seat.user.is_guest
    assert client.get(answer["Location"]).status_code == 200


def test_a_pasted_link_without_a_name_leads_to_its_page(table):
    token = token_for(table)
    answer = Client().post("/i/", {"code": token})
    assert answer.status_code == 303
    assert answer["Location"] == reverse("invite", args=[token])


def test_the_theme_is_kept_in_a_cookie_and_needs_no_script(client):
    answer = client.post("/theme/", {"theme": "dark", "next": "/styleguide/"})
    assert (answer.status_code, answer["Location"]) == (303, "/styleguide/")
    assert '<html lang="ja" data-theme="dark"' in client.get("/").content.decode()
    client.post("/theme/", {"theme": "auto"})
    assert "data-theme=" not in client.get("/").content.decode().split(">", 2)[1]


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_the_theme_switch_leads_nowhere_else(client, target):
    assert client.post("/theme/", {"theme": "<b>", "next": target})["Location"] == "/"


def test_my_tables_show_what_is_to_be_done(table, as_):
    page = text(as_("nagisa").get("/").content)
    assert "大川端捕物控" in page and "自分の役を作る" in page
    assert "自分の役を作る" not in text(as_("watcher").get("/").content)


def test_the_page_of_the_dice_leads_back_to_its_table(table, as_):
    page = as_("nagisa").get(reverse("fair", args=[table.campaign.topic])).content.decode()
    assert f'<a href="{reverse("campaign", args=[table.campaign.slug])}">大川端捕物控</a>' in page
