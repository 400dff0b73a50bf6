"""Seats: names, roles, removal, leaving, the links a GM may hand out."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests.characters.views_campaign.conftest import panel, post, text
from tests.factories import make_table

pytestmark = pytest.mark.django_db


def test_everybody_renames_themselves_and_the_gm_anybody(table, as_, at):
    seat = table.seat("nagisa")
    assert post(as_("nagisa"), at("seat_rename", seat.pk), {"name": "なぎさ"}).status_code == 303
    assert post(as_("gm"), at("seat_rename", seat.pk), {"name": "渚"}, htmx=True).status_code == 200
    assert table.seat("nagisa").name == "渚"
    assert post(as_("akari"), at("seat_rename", seat.pk), {"name": "x"}).status_code == 403


def test_a_wrong_name_stays_in_its_row(table, as_, at):
    seat = table.seat("nagisa")
    answer = post(as_("gm"), at("seat_rename", seat.pk), {"name": "あ" * 10_000})
    assert answer.status_code == 400
    found = panel(answer, "members")
    assert f'id="seat-{seat.pk}-name_error"' in found and "あ" * 10_000 in found


def test_roles_change_and_the_page_changes_with_them(table, as_, at):
    seat = table.seat("akari")
    assert post(as_("gm"), at("seat_role", seat.pk), {"role": "spectator"}).status_code == 303
    assert table.seat("akari").role == "spectator"
    assert post(as_("gm"), at("seat_role", seat.pk), {"role": "emperor"}).status_code == 400
    assert post(as_("nagisa"), at("seat_role", seat.pk), {"role": "player"}).status_code == 403


def test_only_the_gm_hands_the_table_over(table, as_, at):
    seat = table.seat("nagisa")
    assert post(as_("co"), at("seat_role", seat.pk), {"role": "gm"}).status_code == 400
    assert post(as_("gm"), at("seat_role", seat.pk), {"role": "gm"}).status_code == 303
    assert (table.seat("nagisa").role, table.seat("gm").role) == ("gm", "co_gm")
    assert post(as_("gm"), at("campaign_leave"), {"sure": "on"}).status_code == 303


def test_who_was_put_away_can_be_brought_back_from_the_page(table, hero, as_, at):
    from characters.actions.characters import delete_character

    delete_character(access=table.view("nagisa", hero))
    back = reverse("character_restore_deleted", args=[hero.slug])
    for name in ("nagisa", "gm"):
        assert back in panel(as_(name).get(at("campaign")), "sheets")
    assert back not in panel(as_("chiaki").get(at("campaign")), "sheets")


def test_a_co_gm_cannot_touch_gms(table, as_, at):
    assert post(as_("co"), at("seat_role", table.seat("gm").pk), {"role": "player"}).status_code in (403, 409)
    assert post(as_("co"), at("seat_remove", table.seat("gm").pk), {"sure": "on"}).status_code == 403
    assert table.seat("gm").role == "gm"


def test_removing_asks_first_and_then_shuts_the_door(table, as_, at):
    seat = table.seat("chiaki")
    answer = post(as_("gm"), at("seat_remove", seat.pk))
    assert answer.status_code == 400 and f"seat-{seat.pk}-sure_error" in panel(answer, "members")
    assert as_("chiaki").get(at("campaign")).status_code == 200
    assert post(as_("gm"), at("seat_remove", seat.pk), {"sure": "on"}).status_code == 303
    assert as_("chiaki").get(at("campaign")).status_code == 404
    assert post(as_("chiaki"), at("pool_claim"), {"points": "1"}).status_code == 404
    assert post(as_("gm"), at("seat_rename", seat.pk), {"name": "x"}).status_code == 404


def test_leaving(table, as_, at):
    assert post(as_("nagisa"), at("campaign_leave")).status_code == 400
    answer = post(as_("nagisa"), at("campaign_leave"), {"sure": "on"})
    assert (answer.status_code, answer["Location"]) == (303, reverse("home"))
    assert as_("nagisa").get(at("campaign")).status_code == 404
    stuck = post(as_("gm"), at("campaign_leave"), {"sure": "on"})
    assert stuck.status_code == 409


def test_a_guest_gets_a_way_back_once(table, as_, at):
    user = table.users["nagisa"]
    user.is_guest = True
    user.set_unusable_password()
    user.save()
    answer = post(as_("gm"), at("seat_link", table.seat("nagisa").pk))
    assert answer.status_code == 200
    assert "http://testserver/seat/" in answer.content.decode()
    assert answer["Cache-Control"] == "no-store, private"
    assert "/seat/" not in as_("gm").get(at("campaign")).content.decode().replace("/seats/", "")


def test_links_open_no_other_tables_seats(table, as_, at):
    """A link lets the person in everywhere, so a GM of one table gets none for somebody who sits elsewhere too."""
    other = make_table()
    other.users["nagisa"] = table.users["nagisa"]
    other.join("nagisa")
    for url in ("seat_link", "seat_reset"):
        answer = post(as_("gm"), at(url, table.seat("nagisa").pk))
        assert answer.status_code == 403
        assert "http://testserver/" not in text(answer.content)


@pytest.mark.parametrize("name", ["co", "chiaki", "watcher"])
def test_only_the_gm_hands_out_links(table, as_, at, name):
    for url in ("seat_link", "seat_reset"):
        assert post(as_(name), at(url, table.seat("nagisa").pk)).status_code == 403
