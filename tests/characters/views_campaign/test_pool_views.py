"""The pool panel: every act with and without htmx, refusals at their field, nothing typed lost."""

from __future__ import annotations

import pytest

from characters.actions import pool
from characters.models import Offer, Pool, PoolEntry
from tests.characters.views_campaign.conftest import panel, post, text

pytestmark = pytest.mark.django_db


def the_pool(table) -> Pool:
    return Pool.objects.get(campaign=table.campaign)


def test_gm_allocates_by_figure_and_by_wish(table, as_, at):
    gm, seat = as_("gm"), table.seat("nagisa")
    answer = post(gm, at("pool_allocate", seat.pk), {"points": "３５０点"})
    assert (answer.status_code, answer["Location"]) == (303, at("campaign") + "#panel-pool")
    assert table.seat("nagisa").allocation == 350
    post(as_("nagisa"), at("pool_wish"), {"points": "300", "note": "主役を張りたい"})
    html = post(gm, at("pool_allocate", seat.pk), {"use_wish": "300"}, htmx=True).content.decode()
    assert html.startswith('<section class="panel" id="panel-pool"') and "<html" not in html
    assert table.seat("nagisa").allocation == 300
    assert "主役を張りたい" in html


def test_more_than_the_pool_is_refused_at_the_field(table, as_, at):
    seat = table.seat("nagisa")
    answer = post(as_("gm"), at("pool_allocate", seat.pk), {"points": "900"})
    assert answer.status_code == 409
    found = panel(answer, "pool")
    assert f'id="allocate-{seat.pk}-points_error"' in found and 'value="900"' in found and "超えます" in found
    assert table.seat("nagisa").allocation == 0


@pytest.mark.parametrize("typed", ["", "-1", "いっぱい", "1.5", "9" * 5000, "<b>", "100001"])
def test_what_is_no_number_stays_and_is_explained(table, as_, at, typed):
    seat = table.seat("nagisa")
    for htmx in (False, True):
        answer = post(as_("gm"), at("pool_allocate", seat.pk), {"points": typed}, htmx=htmx)
        assert answer.status_code == 400
        assert f'id="allocate-{seat.pk}-points_error"' in answer.content.decode()
    assert not PoolEntry.objects.filter(kind="allocate").exists()


def test_player_claims_and_gives_back(table, as_, at):
    nagisa = as_("nagisa")
    assert post(nagisa, at("pool_claim"), {"points": "100"}).status_code == 303
    assert table.seat("nagisa").allocation == 100
    assert post(nagisa, at("pool_release"), {"points": "40"}, htmx=True).status_code == 200
    assert table.seat("nagisa").allocation == 60
    answer = post(nagisa, at("pool_claim"), {"points": "800"})
    assert answer.status_code == 409
    assert 'id="claim-points_error"' in panel(answer, "pool") and "790" in panel(answer, "pool")
    answer = post(nagisa, at("pool_release"), {"points": "61"}, htmx=True)
    assert answer.status_code == 409 and 'id="release-points_error"' in answer.content.decode()


def test_the_same_press_counts_once(table, as_, at):
    for _ in range(2):
        assert post(as_("nagisa"), at("pool_claim"), {"points": "100", "command_id": "press-1"}).status_code == 303
    assert table.seat("nagisa").allocation == 100


def test_going_back_and_pressing_something_else_is_another_press(table, as_, at):
    """A page without script keeps its id: no press may be taken for another and be called done."""
    client, same = as_("nagisa"), {"command_id": "0" * 32}
    for name, data in (
        ("pool_claim", {"points": "100"}),
        ("pool_claim", {"points": "20"}),
        ("pool_release", {"points": "20"}),
    ):
        assert post(client, at(name), data | same).status_code == 303
    assert table.seat("nagisa").allocation == 100
    assert post(client, at("character_new"), same).status_code == 303


def test_offers_go_their_way(table, as_, at):
    pool.allocate(access=table.access("gm"), seat=table.seat("nagisa"), points=100)
    akari = table.seat("akari")
    data = {"receiver": str(akari.pk), "points": "10", "note": "余っている"}
    assert post(as_("nagisa"), at("offer_create"), data).status_code == 303
    offer = Offer.objects.get()
    assert "受け取る（0 → 10）" in text(as_("akari").get(at("campaign")).content)
    assert "受け取る（" not in text(as_("chiaki").get(at("campaign")).content)
    assert post(as_("chiaki"), at("offer_answer", offer.pk), {"take": "1"}).status_code == 403
    assert post(as_("akari"), at("offer_answer", offer.pk), {"take": "1"}).status_code == 303
    assert (table.seat("nagisa").allocation, table.seat("akari").allocation) == (90, 10)
    again = post(as_("akari"), at("offer_answer", offer.pk), {"take": "1"})
    assert again.status_code == 409 and "もう終わっています" in panel(again, "pool")


def test_an_offer_is_withdrawn_by_its_giver(table, as_, at):
    pool.allocate(access=table.access("gm"), seat=table.seat("nagisa"), points=100)
    offer = pool.make_offer(access=table.access("nagisa"), receiver=table.seat("akari"), points=10)
    assert post(as_("akari"), at("offer_withdraw", offer.pk)).status_code == 403
    assert post(as_("nagisa"), at("offer_withdraw", offer.pk), htmx=True).status_code == 200
    offer.refresh_from_db()
    assert offer.state == Offer.State.WITHDRAWN


def test_an_offer_to_nobody_keeps_what_was_typed(table, as_, at):
    data = {"receiver": "999999", "points": "10", "note": "どうぞ"}
    answer = post(as_("nagisa"), at("offer_create"), data)
    assert answer.status_code == 400
    found = panel(answer, "pool")
    assert 'id="offer-receiver_error"' in found and 'value="どうぞ"' in found


def test_all_agree(table, as_, at):
    for name in ("nagisa", "chiaki", "akari"):
        assert post(as_(name), at("pool_agree"), {"agreed": "1"}).status_code == 303
    assert "全員が同意" in panel(as_("gm").get(at("campaign")), "pool")
    post(as_("chiaki"), at("pool_agree"), {"agreed": "0"})
    assert "まだ：chiaki" in panel(as_("gm").get(at("campaign")), "pool")
    assert post(as_("chiaki"), at("pool_agree"), {"agreed": "maybe"}).status_code == 400


def test_gm_sets_total_and_reserve(table, as_, at):
    gm = as_("gm")
    assert post(gm, at("pool_set"), {"players": "4", "total": ""}).status_code == 303
    assert the_pool(table).total == 1100
    assert post(gm, at("pool_set"), {"players": "", "total": "500"}, htmx=True).status_code == 200
    assert the_pool(table).total == 500
    assert post(gm, at("pool_reserve"), {"points": "120"}).status_code == 303
    assert the_pool(table).reserve == 120
    answer = post(gm, at("pool_reserve"), {"points": "501"})
    assert answer.status_code == 409 and 'id="reserve-points_error"' in panel(answer, "pool")
    answer = post(gm, at("pool_set"), {"players": "0", "total": ""})
    assert answer.status_code == 400 and 'id="pool-players_error"' in panel(answer, "pool")


@pytest.mark.parametrize("name", ["nagisa", "watcher"])
def test_only_gms_set_what_is_theirs(table, as_, at, name):
    client, seat = as_(name), table.seat("akari")
    assert post(client, at("pool_set"), {"total": "9999"}).status_code == 403
    assert post(client, at("pool_reserve"), {"points": "1"}).status_code == 403
    assert post(client, at("pool_allocate", seat.pk), {"points": "1"}).status_code == 403
    assert the_pool(table).total == 850


@pytest.mark.parametrize("url", ["pool_claim", "pool_release", "pool_wish", "pool_agree"])
def test_spectators_and_gms_hold_no_points(table, as_, at, url):
    for name in ("watcher", "gm"):
        assert post(as_(name), at(url), {"points": "1", "agreed": "1"}).status_code == 403


def test_seats_of_other_tables_are_not_found(table, as_, at):
    from tests.factories import make_table

    other = make_table("sota")
    assert post(as_("gm"), at("pool_allocate", other.seat("sota").pk), {"points": "1"}).status_code == 404


def test_the_ledger_tells_every_shift_and_pages(table, as_, at):
    seat = table.seat("nagisa")
    for points in range(1, 61):
        pool.allocate(access=table.access("gm"), seat=seat, points=points)
    page = as_("watcher").get(at("campaign_ledger"))
    assert page.status_code == 200 and "割り当て" in text(page.content)
    older = page.context["ledger"].older
    second = as_("watcher").get(at("campaign_ledger"), {"before": older})
    assert {row.pk for row in page.context["ledger"].rows}.isdisjoint(row.pk for row in second.context["ledger"].rows)
    for odd in ("x", "-1", "９９", "9" * 30, ""):
        assert as_("watcher").get(at("campaign_ledger"), {"before": odd}).status_code == 200


def test_the_ledger_names_a_character_only_to_those_who_may_see_it(table, hero, as_, at):
    from characters.actions import builds
    from characters.actions.characters import set_visibility

    builds.save_build(access=table.view("nagisa", hero))
    assert "新八郎" in text(as_("chiaki").get(at("campaign_ledger")).content)
    set_visibility(access=table.view("nagisa", hero), visibility="gm")
    assert "新八郎" in text(as_("gm").get(at("campaign_ledger")).content)
    assert "新八郎" not in text(as_("chiaki").get(at("campaign_ledger")).content)


def test_a_table_without_allocations_shows_only_the_sum(table, as_, at):
    from characters.actions.house_rules import change_house_rules

    change_house_rules(access=table.access("gm"), change=lambda now: {**now, "allocations": False})
    found = panel(as_("nagisa").get(at("campaign")), "pool")
    assert "割り当てを使わない卓" in found and at("pool_claim") not in found and at("offer_create") not in found
