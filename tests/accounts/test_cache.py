from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import redis
from django.core.cache.backends.redis import RedisCache

from accounts.cache import SteadyRedisCache
from tests.needs import POSTGRES_URL, REDIS_URL

ROOT = Path(__file__).resolve().parents[2]


def steady(address: str) -> SteadyRedisCache:
    return SteadyRedisCache(address, {"TIMEOUT": 60, "KEY_PREFIX": f"test-{os.getpid()}-{time.time_ns()}"})


def test_without_redis_counting_goes_on_in_memory() -> None:
    cache = steady("redis://127.0.0.1:1/0")  # nothing listens there
    started = time.monotonic()
    assert cache.add("n", 1)
    assert [cache.incr("n") for _ in range(3)] == [2, 3, 4]
    assert cache.get("n") == 4
    cache.set("x", "y")
    assert cache.get_many(["n", "x"]) == {"n": 4, "x": "y"}
    assert cache.delete("x")
    assert not cache.has_key("x")
    assert cache.touch("n")
    assert cache.decr("n") == 3
    assert time.monotonic() - started < 2


def test_a_counter_redis_took_along_starts_again_instead_of_refusing() -> None:
    cache = steady("redis://127.0.0.1:1/1")
    assert cache.incr("counted-before-the-failure") == 1


def test_a_hanging_redis_costs_one_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def hang(self: Any, *args: Any, **kwargs: Any) -> Any:
        calls.append(args)
        raise redis.TimeoutError

    monkeypatch.setattr(RedisCache, "_cache", property(hang))
    cache = steady("redis://hanging/0")
    for _ in range(50):
        cache.add("k", 1)
    assert len(calls) == 1


@pytest.mark.redis
def test_with_redis_two_processes_share_a_counter() -> None:
    prefix = f"test-{os.getpid()}-{time.time_ns()}"
    one = SteadyRedisCache(REDIS_URL, {"TIMEOUT": 60, "KEY_PREFIX": prefix})
    two = SteadyRedisCache(REDIS_URL, {"TIMEOUT": 60, "KEY_PREFIX": prefix})
    one.memory.clear()
    assert one.add("n", 1)
    assert not two.add("n", 1)
    assert two.incr("n") == 2
    assert one.get("n") == 2
    one.delete("n")


COUNT = """
import threading
import django
django.setup()
from django.conf import settings
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
assert settings.CACHES["default"]["BACKEND"] == "accounts.cache.CountingDatabaseCache"
call_command("createcachetable", verbosity=0)
cache.clear()
cache.add("n", 0, 900)
def count():
    for _ in range(10):
        cache.incr("n")
    connection.close()
threads = [threading.Thread(target=count) for _ in range(8)]
[t.start() for t in threads]
[t.join() for t in threads]
print(cache.get("n"))
with connection.cursor() as c:
    c.execute("select extract(epoch from expires - now()) from cache_entries")
    print(c.fetchone()[0] > 0)
"""


@pytest.mark.postgres
def test_without_redis_postgresql_loses_no_count() -> None:
    """The settings choose the database cache there; eight threads count at once."""
    import psycopg

    server, _, _name = POSTGRES_URL.rpartition("/")
    name = f"accounts_cache_{os.getpid()}"
    with psycopg.connect(f"{server}/postgres".replace("postgres://", "postgresql://"), autocommit=True) as admin:
        admin.execute(f"drop database if exists {name}")
        admin.execute(f"create database {name}")
        try:
            env = {
                **os.environ,
                "DATABASE_URL": f"{server}/{name}",
                "DJANGO_SETTINGS_MODULE": "trpg_site.settings.test",
            }
            env.pop("REDIS_URL", None)
            done = subprocess.run(
                [sys.executable, "-c", COUNT], cwd=ROOT, env=env, capture_output=True, text=True, timeout=120
            )
            assert done.returncode == 0, done.stderr
            assert done.stdout.split() == ["80", "True"]
        finally:
            admin.execute(f"drop database if exists {name} with (force)")
