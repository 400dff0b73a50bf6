"""F3, F4 at a real table: two processes on PostgreSQL and Redis with viewers on both, while Redis hangs or is gone, the
database drops every connection, and one of the processes dies."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median

import psycopg
import pytest
from django.core.management import call_command

from tests.faults.conftest import FULL, SETTINGS, seeded
from tests.faults.evening import ASKED, DOCTOR, GM, HERO, Evening, Table, Watcher, kept, level
from tests.faults.test_redis import Redis
from tests.faults.test_table_crash import settle, turn
from tests.faults.test_table_lines import seen
from tests.live import databases
from tests.live.server import Site, until

pytestmark = [pytest.mark.server, pytest.mark.postgres, pytest.mark.redis]
REDIS_AWAY_SECONDS = 10.0 if FULL else 3.0


@dataclass
class Two:
    """The same session on two processes."""

    one: Evening
    other: Evening
    redis: Redis
    database: str

    def watch(self) -> list[Watcher]:
        """A GM, a player and an onlooker on each."""
        found = [here.listen(who) for here in (self.one, self.other) for who in (GM, HERO)]
        found += [Watcher(here, here.seeded.onlookers[0]) for here in (self.one, self.other)]
        until(lambda: all(watcher.stream.ready for watcher in found), 10)
        return found


@pytest.fixture(scope="module")
def two(postgres_url, django_db_blocker, tmp_path_factory) -> Iterator[Two]:
    redis = Redis(tmp_path_factory.mktemp("redis"))
    redis.start()
    with django_db_blocker.unblock():
        with databases.default_database(databases.settings_for(postgres_url)):
            call_command("flush", verbosity=0, interactive=False)
        people = seeded(postgres_url)
    sites = [Site(postgres_url, redis_url=redis.url, settings=SETTINGS) for _ in range(2)]
    try:
        for site in sites:
            site.start()
        yield Two(Evening(sites[0], people), Evening(sites[1], people), redis, postgres_url.rpartition("/")[2])
    finally:
        for site in sites:
            site.kill()
        redis.kill()


def test_a_fight_on_two_processes_while_redis_hangs(two):
    """Posts go on, viewers of the process that writes notice nothing, the others are level at once when it is back."""
    watchers = two.watch()
    state = turn(two.one)
    two.one.do(ASKED, "answer", "meet", state["step"], answer="none")
    level(watchers)
    again = two.other.do(ASKED, "answer", "meet", state["step"], answer="none")  # the retry reaches the other process
    assert again["first"] == two.one.stored()["commands"][-1][1]

    usual = [seen(two.one, watchers[0]) for _ in range(8)]
    two.redis.send(signal.SIGSTOP)
    ends, waits = time.monotonic() + REDIS_AWAY_SECONDS, []
    while time.monotonic() < ends:
        waits.append(seen(two.one, watchers[0]))
        time.sleep(REDIS_AWAY_SECONDS / 20)
    assert median(waits) < 2 * median(usual) + 0.2, (waits, usual)
    last = two.one.stored()["seq"]
    two.redis.send(signal.SIGCONT)
    mended = time.monotonic()
    until(lambda: all(watcher.number >= last for watcher in watchers), 4, "everybody has it")
    assert time.monotonic() - mended < 4
    settle(two.other)
    level(watchers, two.one)
    level(watchers, two.other)
    kept(two.one.stored(), {"meet": again}, 0)
    for watcher in watchers:
        watcher.close()


def test_a_process_dies_and_the_database_drops_everybody_under_load(two):
    """kill -9 of one process and an end to every connection of the database, in the middle of a hundred presses."""
    watchers, since = two.watch(), two.one.stored()["seq"]
    places = {GM: two.one, DOCTOR: two.one, HERO: two.other, ASKED: two.other}

    def press(who: str, number: int, key: str) -> dict:
        here = places[who]
        if who == DOCTOR:
            return here.do(who, "roll", key, actor=here.seeded.actor, what="chikaku")
        return here.say(who, f"{number}" if number % 2 else "2D6", key)

    table = Table(dict.fromkeys(places, press), 25)
    until(lambda: len(table.acknowledged) > 25, 30)
    two.other.site.kill()
    until(lambda: len(table.acknowledged) > 50, 30)  # the rest of the table plays on
    two.other.site.start()
    with psycopg.connect(databases.POSTGRES_URL, autocommit=True) as admin:
        admin.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()",
            [two.database],
        )
    dropped = time.monotonic()
    until(lambda: _answers(two.one), 5, "the site answers again")
    assert time.monotonic() - dropped < 3
    table.wait()
    assert len(table.acknowledged) == 100
    kept(two.other.stored(), table.acknowledged, since)
    assert turn(two.one) == turn(two.other)
    level(watchers, two.one, 20)
    for watcher in watchers:
        assert watcher.repeated() == []
        watcher.close()


def _answers(evening: Evening) -> bool:
    try:
        evening.say(GM, "つづけよう")
    except OSError:
        return False
    return True
