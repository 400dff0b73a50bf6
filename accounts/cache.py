"""Cache backends fit for counting attempts."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, ClassVar

import redis
from django.core.cache.backends.db import DatabaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from django.db import connections, router, transaction


class CountingDatabaseCache(DatabaseCache):
    """Django's database cache with an `incr` that loses no step when several processes count at once."""

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        using = router.db_for_write(self.cache_model_class)
        connection = connections[using]
        with transaction.atomic(using=using):
            if connection.features.has_select_for_update:
                table = connection.ops.quote_name(self._table)  # type: ignore[attr-defined]
                with connection.cursor() as cursor:
                    cursor.execute(
                        f"SELECT 1 FROM {table} WHERE cache_key = %s FOR UPDATE",  # noqa: S608 - our own table name
                        [self.make_and_validate_key(key, version=version)],
                    )
            return int(super().incr(key, delta, version))


def _steady(name: str) -> Callable[..., Any]:
    """Method `name` of Redis' backend, or of the memory backend while Redis does not answer."""
    ask = getattr(RedisCache, name)

    def method(self: SteadyRedisCache, *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() >= self.away_until.get(self.server, 0.0):
            try:
                return ask(self, *args, **kwargs)
            except redis.RedisError:
                self.away_until[self.server] = time.monotonic() + self.PAUSE
        return getattr(self.memory, name)(*args, **kwargs)

    return method


class _Memory(LocMemCache):
    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Count on; a counter that Redis took along starts again here instead of refusing everybody."""
        self.add(key, 0, version=version)
        return int(super().incr(key, delta, version))


class SteadyRedisCache(RedisCache):
    """Redis, and memory of this process while Redis does not answer.

    Signing in and playing must not fail because the cache is away (fault F3): until it is back each process counts
    for itself. After a failure Redis is left alone for `PAUSE` seconds, so that a hanging server costs one wait.
    """

    PAUSE = 2.0
    away_until: ClassVar[dict[str, float]] = {}  # backends are made per thread; what one learnt holds for all

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        options = dict(params.get("OPTIONS", {}))
        options.setdefault("socket_timeout", 0.5)
        options.setdefault("socket_connect_timeout", 0.5)
        super().__init__(server, {**params, "OPTIONS": options})
        self.server = str(server)
        self.memory = _Memory(f"steady:{server}", {**params, "OPTIONS": {"MAX_ENTRIES": 100_000}})

    add = _steady("add")
    get = _steady("get")
    set = _steady("set")
    touch = _steady("touch")
    delete = _steady("delete")
    incr = _steady("incr")
    has_key = _steady("has_key")
    get_many = _steady("get_many")
    set_many = _steady("set_many")
    delete_many = _steady("delete_many")
    clear = _steady("clear")
