"""Many at once for the last points, on a SQLite file and on PostgreSQL (rules/edo.md §3.3)."""

from __future__ import annotations

from characters.actions import builds, campaigns, pool
from characters.actions.errors import ActionRefused, PoolExceeded
from characters.models import Pool, Seat
from live.events import verify_chain
from tests.factories import WORKED_EXAMPLE, make_table
from tests.live.threads import together


def test_twelve_ask_for_the_last_five(real_database):
    names = [f"p{n}" for n in range(12)]
    table = make_table(*names, pool=5)
    accesses = [table.access(name) for name in names]
    results = together(12, lambda n: pool.claim(access=accesses[n], points=1))
    assert sum(isinstance(r, Seat) for r in results) == 5
    assert [r.left for r in results if isinstance(r, PoolExceeded)] == [0] * 7
    stored = Pool.objects.get(campaign=table.campaign)
    assert stored.allocated == 5 == sum(Seat.objects.values_list("allocation", flat=True))
    assert verify_chain(table.campaign.topic) is None


def two_with_fifty_left(real_database):
    table = make_table("nagisa", "chiaki")
    campaigns.set_house_rules(access=table.access("gm"), overrides={"allocations": False})
    heroes = [table.make(name, WORKED_EXAMPLE) for name in ("nagisa", "chiaki")]
    for name, hero in zip(("nagisa", "chiaki"), heroes, strict=True):
        builds.save_build(access=table.view(name, hero))
        table.edit(name, hero, skills__sanjutsu__level=5)  # +30
    pool.set_pool(access=table.access("gm"), total=560 + 50)
    return table, [table.view(name, hero) for name, hero in zip(("nagisa", "chiaki"), heroes, strict=True)]


def test_two_saves_of_thirty_with_fifty_left(real_database):
    table, accesses = two_with_fifty_left(real_database)
    results = together(2, lambda n: builds.save_build(access=accesses[n]))
    refused = [r for r in results if isinstance(r, PoolExceeded)]
    assert len(refused) == 1 and refused[0].left == 20
    stored = Pool.objects.get(campaign=table.campaign)
    assert stored.spent == 590 <= stored.total


def test_two_allocations_of_thirty_with_fifty_left(real_database):
    table = make_table("nagisa", "chiaki", pool=50)
    gm, seats = table.access("gm"), [table.seat("nagisa"), table.seat("chiaki")]
    results = together(2, lambda n: pool.allocate(access=gm, seat=seats[n], points=30))
    assert sum(isinstance(r, PoolExceeded) for r in results) == 1
    assert Pool.objects.get(campaign=table.campaign).allocated == 30


def test_one_offer_taken_many_times(real_database):
    table = make_table("nagisa", "chiaki", pool=50)
    pool.claim(access=table.access("nagisa"), points=20)
    offer = pool.make_offer(access=table.access("nagisa"), receiver=table.seat("chiaki"), points=10)
    chiaki = table.access("chiaki")
    results = together(6, lambda n: pool.answer_offer(access=chiaki, offer=offer, take=True))
    assert sum(isinstance(r, ActionRefused) for r in results) == 5
    assert (table.seat("nagisa").allocation, table.seat("chiaki").allocation) == (10, 10)


def test_one_press_arriving_many_times(real_database):
    table = make_table("nagisa", pool=50)
    nagisa = table.access("nagisa")
    results = together(8, lambda n: pool.claim(access=nagisa, points=7, command_id="one press"))
    assert all(isinstance(r, Seat) for r in results), results
    assert table.seat("nagisa").allocation == 7 == Pool.objects.get(campaign=table.campaign).allocated
