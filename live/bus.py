"""Carries "topic t is at n" from whoever wrote to every hub, and nothing of the content. The log is the truth: a
message that gets lost only means that a hub notices later.

Inside a process it is a direct call. Between processes the hub's `RedisBus` carries it on; a process without a hub
(a management command) speaks to Redis itself, briefly.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from django.conf import settings

logger = logging.getLogger(__name__)

Listener = Callable[[str, int], None]
CHANNEL = "takubiyori.live"
_RETRY_SECONDS = 5.0

_listeners: list[Listener] = []
_silent_until = 0.0


def listen(listener: Listener) -> Callable[[], None]:
    """Call `listener(topic, seq)` after each commit of this process, in the thread that wrote. Returns its undoing."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def wake(name: str, seq: int) -> None:
    """Say that a topic has reached `seq`. Called after a commit, from any thread; never raises, never waits long."""
    listeners = list(_listeners)
    for listener in listeners:
        try:
            listener(name, seq)
        except Exception:
            logger.exception("a listener of the bus failed")
    if not listeners and settings.REDIS_URL:
        _tell_other_processes(name, seq)


def _tell_other_processes(name: str, seq: int) -> None:
    global _silent_until
    if time.monotonic() < _silent_until:
        return
    try:
        _client().publish(CHANNEL, message("s", name, seq))
    except Exception as error:  # their hubs look by themselves every few seconds
        _silent_until = time.monotonic() + _RETRY_SECONDS
        logger.warning("Redis does not answer: %s", error)


@lru_cache(maxsize=1)
def _client() -> Any:
    import redis

    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=0.5, socket_connect_timeout=0.5)


def message(*words: object) -> str:
    return " ".join(map(str, words))
