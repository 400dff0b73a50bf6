"""The party's points: totals, allocations, claims, offers, reserve, agreement, ledger."""

from __future__ import annotations

import pytest

from characters.actions import builds, campaigns, characters, members, pool
from characters.actions.errors import ActionRefused, PoolExceeded
from characters.models import Offer, Pool, PoolEntry
from characters.selectors.pool import ledger, pool_view
from tests.factories import WORKED_EXAMPLE, make_table

pytestmark = pytest.mark.django_db


def stored(table) -> Pool:
    return Pool.objects.get(campaign=table.campaign)


def kinds(table) -> list[tuple[str, int, int]]:
    return [(row.kind, row.delta, row.after) for row in reversed(ledger(table.access("gm")))]


# ---------------------------------------------------------------- the total


def test_the_total_follows_the_players():
    table = make_table()
    totals = [stored(table).total]
    for name in "abcdefg":
        table.join(name)
        totals.append(stored(table).total)
    table.join("w", "spectator")
    assert totals == [0, 350, 600, 850, 1100, 1250, 1400, 1500]
    assert stored(table).total == 1500
    members.leave(access=table.access("g"))
    assert stored(table).total == 1400


def test_expected_players_fix_the_total():
    table = make_table("a", players=4)
    assert stored(table).total == 1100
    table.join("b")
    assert stored(table).total == 1100
    pool.set_pool(access=table.access("gm"), players=None)
    assert stored(table).total == 600


def test_the_gms_figure_wins_and_a_rule_change_moves_the_rest():
    table = make_table("a", "b", "c")
    pool.set_pool(access=table.access("gm"), total=900)
    assert stored(table).total == 900
    view = pool_view(table.access("a"))
    assert (view.total, view.by_players, view.players, view.players_fixed) == (900, 850, 3, False)
    pool.set_pool(access=table.access("gm"))
    assert stored(table).total == 850
    rules = {"pool_table": {"3": 800}}
    campaigns.set_house_rules(access=table.access("gm"), overrides=rules)
    assert stored(table).total == 800
    assert kinds(table)[-3:] == [("pool", 50, 900), ("pool", -50, 850), ("pool", -50, 800)]


@pytest.mark.parametrize("total", [-1, 100_001, True, "850"])
def test_odd_totals(table, total):
    with pytest.raises(ActionRefused) as refused:
        pool.set_pool(access=table.access("gm"), total=total)
    assert (refused.value.status, refused.value.field) == (422, "total")


@pytest.mark.parametrize("players", [0, 13])
def test_odd_numbers_of_players(table, players):
    with pytest.raises(ActionRefused):
        pool.set_pool(access=table.access("gm"), players=players)


# ---------------------------------------------------------------- allocations


def test_allocations_never_exceed_the_pool(table):
    gm = table.access("gm")
    pool.allocate(access=gm, seat=table.seat("nagisa"), points=350)
    pool.allocate(access=gm, seat=table.seat("chiaki"), points=500)
    with pytest.raises(PoolExceeded) as refused:
        pool.allocate(access=gm, seat=table.seat("akari"), points=1)
    assert (refused.value.code, refused.value.left) == ("V04", 0)
    assert "850点）を1点超えます" in refused.value.message
    pool.allocate(access=gm, seat=table.seat("chiaki"), points=499)
    pool.allocate(access=gm, seat=table.seat("akari"), points=1)
    assert stored(table).allocated == 850
    assert [table.seat(n).allocation for n in ("nagisa", "chiaki", "akari")] == [350, 499, 1]


def test_a_cut_leaves_the_sum_above_and_lowering_still_works(table):
    gm = table.access("gm")
    pool.allocate(access=gm, seat=table.seat("nagisa"), points=850)
    pool.set_pool(access=gm, total=800)
    view = pool_view(gm)
    assert (view.over_allocated, view.free) == (50, 0)
    pool.allocate(access=gm, seat=table.seat("nagisa"), points=840)  # still above, but lower
    with pytest.raises(PoolExceeded):
        pool.allocate(access=gm, seat=table.seat("nagisa"), points=841)
    assert stored(table).allocated == 840


def test_the_reserve_is_not_free_for_players_but_for_the_gm(table):
    gm = table.access("gm")
    pool.set_reserve(access=gm, points=840)
    with pytest.raises(PoolExceeded) as refused:
        pool.claim(access=table.access("nagisa"), points=11)
    assert refused.value.left == 10
    pool.claim(access=table.access("nagisa"), points=10)
    pool.allocate(access=gm, seat=table.seat("chiaki"), points=100)
    assert stored(table).reserve == 740
    with pytest.raises(PoolExceeded) as refused:
        pool.set_reserve(access=gm, points=741)
    assert refused.value.left == 740
    pool.set_reserve(access=gm, points=0)
    assert [k for k in kinds(table) if k[0] == "reserve"] == [
        ("reserve", 840, 840),
        ("reserve", -100, 740),
        ("reserve", -740, 0),
    ]


def test_claim_and_release(table):
    seat = pool.claim(access=table.access("nagisa"), points=300)
    assert (seat.allocation, stored(table).allocated) == (300, 300)
    pool.release(access=table.access("nagisa"), points=50)
    assert (table.seat("nagisa").allocation, stored(table).allocated) == (250, 250)
    with pytest.raises(PoolExceeded):
        pool.release(access=table.access("nagisa"), points=251)
    with pytest.raises(PoolExceeded):
        pool.claim(access=table.access("chiaki"), points=601)
    assert kinds(table)[-2:] == [("claim", 300, 300), ("return", -50, 250)]


def test_only_unspent_points_go_back(table, hero):
    pool.claim(access=table.access("nagisa"), points=5)
    builds.save_build(access=table.view("nagisa", hero))
    with pytest.raises(PoolExceeded) as refused:
        pool.release(access=table.access("nagisa"), points=6)
    assert refused.value.left == 5
    with pytest.raises(PoolExceeded):
        pool.make_offer(access=table.access("nagisa"), receiver=table.seat("akari"), points=6)


@pytest.mark.parametrize("points", [0, -3, 100_001, True, "5", 2.0])
@pytest.mark.parametrize("act", [pool.claim, pool.release])
def test_odd_points(table, act, points):
    with pytest.raises(ActionRefused) as refused:
        act(access=table.access("nagisa"), points=points)
    assert refused.value.status == 422
    assert stored(table).allocated == 0


@pytest.mark.parametrize("name", ["gm", "co", "watcher"])
def test_only_players_hold_points(table, name):
    for act in (
        lambda: pool.claim(access=table.access(name), points=1),
        lambda: pool.release(access=table.access(name), points=1),
        lambda: pool.set_wish(access=table.access(name), points=1),
        lambda: pool.set_agreed(access=table.access(name), agreed=True),
        lambda: pool.make_offer(access=table.access(name), receiver=table.seat("nagisa"), points=1),
    ):
        with pytest.raises(ActionRefused) as refused:
            act()
        assert refused.value.status == 403
    with pytest.raises(ActionRefused):
        pool.allocate(access=table.access("gm"), seat=table.seat(name), points=1)


@pytest.mark.parametrize("name", ["nagisa", "watcher"])
def test_only_gms_set_the_pool(table, name):
    for act in (
        lambda: pool.set_pool(access=table.access(name), total=9000),
        lambda: pool.set_reserve(access=table.access(name), points=1),
        lambda: pool.allocate(access=table.access(name), seat=table.seat("nagisa"), points=1),
    ):
        with pytest.raises(ActionRefused) as refused:
            act()
        assert refused.value.status == 403
    assert (stored(table).total, stored(table).reserve) == (850, 0)


def test_points_of_another_table(table):
    other = make_table("stranger")
    with pytest.raises(ActionRefused) as refused:
        pool.allocate(access=table.access("gm"), seat=other.seat("stranger"), points=1)
    assert refused.value.status == 404


# ---------------------------------------------------------------- offers


def test_an_offer_moves_points_when_taken(table):
    pool.claim(access=table.access("nagisa"), points=200)
    offer = pool.make_offer(
        access=table.access("nagisa"), receiver=table.seat("chiaki"), points=30, note="余っている。譲るよ"
    )
    assert table.seat("chiaki").allocation == 0
    assert [o.pk for o in pool_view(table.access("akari")).offers] == [offer.pk]
    pool.answer_offer(access=table.access("chiaki"), offer=offer, take=True)
    assert (table.seat("nagisa").allocation, table.seat("chiaki").allocation) == (170, 30)
    assert stored(table).allocated == 200
    assert kinds(table)[-2:] == [("give", -30, 170), ("give", 30, 30)]
    with pytest.raises(ActionRefused) as refused:
        pool.answer_offer(access=table.access("chiaki"), offer=offer, take=True)
    assert refused.value.code == "offer_closed"
    assert table.seat("chiaki").allocation == 30


def test_declined_and_withdrawn_offers_move_nothing(table):
    pool.claim(access=table.access("nagisa"), points=20)
    first = pool.make_offer(access=table.access("nagisa"), receiver=table.seat("chiaki"), points=10)
    pool.answer_offer(access=table.access("chiaki"), offer=first, take=False)
    second = pool.make_offer(access=table.access("nagisa"), receiver=table.seat("chiaki"), points=10)
    with pytest.raises(ActionRefused):
        pool.withdraw_offer(access=table.access("chiaki"), offer=second)
    pool.withdraw_offer(access=table.access("nagisa"), offer=second)
    with pytest.raises(ActionRefused):
        pool.answer_offer(access=table.access("chiaki"), offer=second, take=True)
    assert [o.state for o in Offer.objects.order_by("pk")] == ["declined", "withdrawn"]
    assert table.seat("chiaki").allocation == 0


def test_an_offer_is_answered_by_its_receiver_alone(table):
    pool.claim(access=table.access("nagisa"), points=20)
    offer = pool.make_offer(access=table.access("nagisa"), receiver=table.seat("chiaki"), points=10)
    for name in ("gm", "nagisa", "akari"):
        with pytest.raises(ActionRefused) as refused:
            pool.answer_offer(access=table.access(name), offer=offer, take=True)
        assert refused.value.status == 403


def test_the_same_points_cannot_be_offered_twice_or_spent_meanwhile(table):
    pool.claim(access=table.access("nagisa"), points=20)
    pool.make_offer(access=table.access("nagisa"), receiver=table.seat("chiaki"), points=15)
    with pytest.raises(PoolExceeded):
        pool.make_offer(access=table.access("nagisa"), receiver=table.seat("akari"), points=6)
    offer = pool.make_offer(access=table.access("nagisa"), receiver=table.seat("akari"), points=5)
    pool.release(access=table.access("nagisa"), points=18)
    with pytest.raises(PoolExceeded):
        pool.answer_offer(access=table.access("akari"), offer=offer, take=True)
    assert table.seat("akari").allocation == 0


def test_no_offer_to_oneself_or_to_a_gm(table):
    pool.claim(access=table.access("nagisa"), points=20)
    for receiver in ("nagisa", "gm", "watcher"):
        with pytest.raises(ActionRefused):
            pool.make_offer(access=table.access("nagisa"), receiver=table.seat(receiver), points=1)


# ---------------------------------------------------------------- wishes and agreement


def test_wishes(table):
    pool.set_wish(access=table.access("nagisa"), points=350, note="主役がやりたい")
    seat = table.seat("nagisa")
    assert (seat.wish, seat.wish_note) == (350, "主役がやりたい")
    pool.set_wish(access=table.access("nagisa"), points=None)
    assert table.seat("nagisa").wish is None
    with pytest.raises(ActionRefused) as refused:
        pool.set_wish(access=table.access("nagisa"), points=1, note="あ" * 201)
    assert refused.value.field == "note"


def agree(table) -> None:
    for name in ("nagisa", "chiaki", "akari"):
        pool.set_agreed(access=table.access(name), agreed=True)


def shifts(table):
    yield "claim", lambda: pool.claim(access=table.access("nagisa"), points=1)
    yield "release", lambda: pool.release(access=table.access("nagisa"), points=1)
    yield "allocate", lambda: pool.allocate(access=table.access("gm"), seat=table.seat("akari"), points=7)
    offer = pool.make_offer(access=table.access("nagisa"), receiver=table.seat("chiaki"), points=1)
    yield "take", lambda: pool.answer_offer(access=table.access("chiaki"), offer=offer, take=True)
    yield "total", lambda: pool.set_pool(access=table.access("gm"), total=700)
    yield "leave", lambda: members.leave(access=table.access("akari"))


def test_any_shift_takes_every_agreement_back(table):
    pool.claim(access=table.access("nagisa"), points=50)
    for name, shift in shifts(table):
        agree(table)
        assert all(share.seat.agreed for share in pool_view(table.access("gm")).shares)
        shift()
        view = pool_view(table.access("gm"))
        assert not any(share.seat.agreed for share in view.shares), name


def test_what_shifts_nothing_keeps_agreements(table):
    pool.claim(access=table.access("nagisa"), points=50)
    agree(table)
    pool.make_offer(access=table.access("nagisa"), receiver=table.seat("chiaki"), points=1)
    pool.set_wish(access=table.access("chiaki"), points=3)
    pool.allocate(access=table.access("gm"), seat=table.seat("nagisa"), points=50)
    assert all(share.seat.agreed for share in pool_view(table.access("gm")).shares)


# ---------------------------------------------------------------- spending


def test_saving_spends_and_putting_away_frees(table, hero):
    builds.save_build(access=table.view("nagisa", hero))
    assert stored(table).spent == 280
    share = pool_view(table.access("gm")).shares[0]
    assert (share.seat.name, share.allocation, share.saved, share.working) == ("nagisa", 280, 280, 280)
    characters.delete_character(access=table.view("nagisa", hero))
    assert stored(table).spent == 0
    characters.restore_character(access=table.view("nagisa", hero))
    assert stored(table).spent == 280
    assert kinds(table)[-3:] == [("spend", 280, 280), ("away", -280, 0), ("back", 280, 280)]


def test_bringing_back_needs_the_points(table, hero):
    builds.save_build(access=table.view("nagisa", hero))
    characters.delete_character(access=table.view("nagisa", hero))
    pool.set_pool(access=table.access("gm"), total=279)
    with pytest.raises(PoolExceeded) as refused:
        characters.restore_character(access=table.view("nagisa", hero))
    assert refused.value.left == 279
    assert table.view("nagisa", hero).character.deleted_at is not None


def test_npcs_use_no_points(table):
    npc = table.make("gm", WORKED_EXAMPLE, kind="npc")
    assert table.view("gm", npc).character.revision.number == 1
    assert stored(table).spent == 0


def test_removing_a_player_frees_everything_with_entries(table, hero):
    builds.save_build(access=table.view("nagisa", hero))
    pool.claim(access=table.access("chiaki"), points=9)
    offer = pool.make_offer(access=table.access("chiaki"), receiver=table.seat("nagisa"), points=9)
    members.remove_seat(access=table.access("gm"), seat=table.seat("nagisa"))
    assert (stored(table).spent, stored(table).allocated, stored(table).total) == (0, 9, 600)
    offer.refresh_from_db()
    assert offer.state == "withdrawn"
    rows = PoolEntry.objects.filter(campaign=table.campaign, by=table.seat("gm")).order_by("pk")
    assert [(r.kind, r.delta) for r in rows][-3:] == [("away", -280), ("return", -280), ("pool", -250)]
