"""Invitation links: looking uses nothing, joining needs only a name, a dead link says why."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from characters.actions import members
from characters.models import Invitation, Seat
from tests.characters.views_campaign.conftest import panel, post, text
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def link(table) -> tuple[Invitation, str]:
    invitation, token = members.create_invitation(access=table.access("gm"), uses=1)
    return invitation, reverse("invite", args=[token])


def test_looking_uses_nothing_and_shows_whose_table_it_is(table, link):
    invitation, url = link
    answer = Client().get(url)
    assert answer.status_code == 200
    assert "大川端捕物控" in text(answer.content) and "雪村" in text(answer.content)
    assert answer["Cache-Control"] == "no-store, private"
    invitation.refresh_from_db()
    assert invitation.uses_left == 1
    assert Seat.objects.filter(campaign=table.campaign).count() == 6


def test_a_guest_joins_by_name_alone(table, link):
    client = Client()
    answer = client.post(link[1], {"name": "  海斗\u202e "})
    assert answer.status_code == 303
    seat = Seat.objects.get(campaign=table.campaign, name="海斗")
    assert seat.user.is_guest and seat.role == "player"
    assert client.get(answer["Location"]).status_code == 200


def test_a_signed_in_person_joins_as_that_person(table, link):
    client, user = Client(), UserFactory(nickname="灯油")
    client.force_login(user)
    assert 'value="灯油"' in client.get(link[1]).content.decode()
    client.post(link[1], {"name": "灯"})
    assert Seat.objects.get(campaign=table.campaign, user=user).name == "灯"


@pytest.mark.parametrize("name", ["", "   ", "あ" * 41, "\u200b"])
def test_a_wrong_name_is_said_at_its_field_and_makes_nobody(table, link, name):
    before = Seat.objects.count()
    answer = Client().post(link[1], {"name": name})
    assert answer.status_code == 400
    assert 'id="id_name_error"' in answer.content.decode()
    assert Seat.objects.count() == before


def test_odd_names_are_shown_as_text(table, link):
    Client().post(link[1], {"name": "<b>😀</b>"})
    page = Client()
    page.force_login(table.users["nagisa"])
    html = page.get(reverse("campaign", args=[table.campaign.slug])).content.decode()
    assert "&lt;b&gt;😀&lt;/b&gt;" in html and "<b>😀</b>" not in html


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"uses_left": 0}, "いっぱい"),
        ({"expires_at": timezone.now() - timedelta(days=1)}, "期限"),
        ({"revoked_at": timezone.now()}, "止められて"),
    ],
)
def test_a_dead_link_says_why(table, link, change, word):
    Invitation.objects.filter(pk=link[0].pk).update(**change)
    for answer in (Client().get(link[1]), Client().post(link[1], {"name": "海斗"})):
        assert answer.status_code == 410
        assert word in text(answer.content)
    assert not Seat.objects.filter(name="海斗").exists()


def test_an_unknown_link_is_not_found(db):
    assert Client().get("/i/" + "0" * 32 + "/").status_code == 404


def test_a_member_comes_straight_in(table, as_, link):
    assert as_("nagisa").get(link[1])["Location"] == reverse("campaign", args=[table.campaign.slug])


def test_the_last_place_is_taken_once(table, link):
    assert Client().post(link[1], {"name": "一"}).status_code == 303
    assert Client().post(link[1], {"name": "二"}).status_code == 410


def test_gm_makes_and_stops_links(table, as_, at):
    gm = as_("gm")
    answer = post(gm, at("invite_create"), {"role": "spectator", "uses": "３", "days": "7"}, htmx=True)
    assert answer.status_code == 200 and 'id="panel-invite"' in answer.content.decode()
    made = Invitation.objects.latest("pk")
    assert (made.role, made.uses_left) == ("spectator", 3)
    assert f"/i/{members.invitation_token(made)}/" in answer.content.decode()
    answer = post(gm, at("invite_revoke", made.pk))
    assert answer.status_code == 303 and answer["Location"].endswith("#panel-invite")
    assert f"/i/{members.invitation_token(made)}/" not in gm.get(at("campaign")).content.decode()


def test_a_wrong_number_stays_in_the_form(table, as_, at):
    before = Invitation.objects.count()
    answer = post(as_("gm"), at("invite_create"), {"role": "player", "uses": "たくさん", "days": "7"})
    assert answer.status_code == 400
    found = panel(answer, "invite")
    assert 'value="たくさん"' in found and "invite-uses_error" in found
    assert Invitation.objects.count() == before


@pytest.mark.parametrize("name", ["co"])
def test_a_co_gm_invites_too(table, as_, at, name):
    assert post(as_(name), at("invite_create"), {"role": "player", "uses": "1", "days": "1"}).status_code == 303


@pytest.mark.parametrize("name", ["nagisa", "watcher"])
def test_others_neither_see_nor_make_links(table, as_, at, link, name):
    assert "/i/" not in text(panel_or_nothing(as_(name).get(at("campaign"))))
    answer = post(as_(name), at("invite_create"), {"role": "player", "uses": "1", "days": "1"})
    assert answer.status_code == 403
    assert post(as_(name), at("invite_revoke", link[0].pk)).status_code == 404


def panel_or_nothing(response) -> str:
    html = response.content.decode()
    return html.split('id="panel-invite"', 1)[1].split("</div>", 1)[0]
