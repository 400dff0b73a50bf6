"""Limits on how often something may be tried.

`limited` is for anything that costs work; `Guesses` is for what could be guessed (links, passwords): it counts only
failures, and never shuts out a member because somebody else is guessing.

Counters live in the default cache; which one is chosen in the settings so that all processes share it.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar, cast

from django.conf import settings
from django.core.cache import cache, caches
from django.http import Http404, HttpRequest, HttpResponseBase
from django_ratelimit.core import get_usage

from accounts import audit
from accounts.errors import too_many
from accounts.network import source

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def limited(group: str, rate: str, methods: tuple[str, ...] = ("POST",)) -> Callable[[View], View]:
    """Allow a view `rate` requests (`"30/m"`, `"20/10m"`) per person, or per address when nobody is signed in.

    Views with the same `group` share one budget. Over it the answer is 429 with Retry-After, as page, notice or JSON.
    Requests with other methods are neither counted nor refused.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            wait = seconds_over(request, group, rate) if request.method in methods else 0
            return too_many(request, retry_after=wait) if wait else view(request, *args, **kwargs)

        return cast(View, wrapper)

    return decorate


def seconds_over(request: HttpRequest, group: str, rate: str) -> int:
    """Count one use of `group`; 0 when it is within `rate`, else the seconds until the next is allowed."""
    usage = get_usage(request, group=group, key=lambda _group, req: source(req), rate=rate, increment=True)
    if usage is None or not usage["should_limit"]:
        return 0
    if usage["count"] == usage["limit"] + 1:  # once: a flood must not fill the log too
        audit.record("rate_limited", request, group=group)
    return max(1, int(usage["time_left"]))


def seconds_over_all(request: HttpRequest) -> int:
    """Count one press of anything; 0 within `PRESSES_PER_MINUTE` per source, else the seconds until the next minute.

    Counted per process, in memory: this is against floods, and must cost nothing.
    """
    if not settings.RATELIMIT_ENABLE:
        return 0
    minute, passed = divmod(time.time(), 60)
    presses = _count(f"presses:{_digest(source(request))}:{int(minute)}", 60, caches["memory"])
    if presses == settings.PRESSES_PER_MINUTE + 1:
        audit.record("rate_limited", request, group="all")
    return 60 - int(passed) if presses > settings.PRESSES_PER_MINUTE else 0


@dataclass(frozen=True)
class Guesses:
    """A budget of wrong answers.

    Each source has `per_source` in `period` seconds. Once all sources together have used `overall`, a source that has
    itself been wrong must wait longer and longer between tries; one that has not, such as a member with a good link,
    passes at once.
    """

    group: str
    per_source: int = 20
    overall: int = 100
    period: int = 600
    longest_pause: int = 300

    def enter(self, request: HttpRequest, subject: str = "") -> Attempt:
        """Begin a try at `subject` (what is guessed at: a user name; empty: the group as a whole).

        It counts as wrong until `Attempt.passed()` takes it back, so tries at the same moment cannot slip through.
        """
        if not settings.RATELIMIT_ENABLE:
            return Attempt(wait=0)
        window, left = divmod(time.time(), self.period)
        who = f"guess:{self.group}:{_digest(source(request))}"
        mine, last = f"{who}:{int(window)}", f"{who}:last"
        everybody = f"guess:{self.group}:all:{_digest(subject)}:{int(window)}"
        pause = self._pause(cache.get(everybody, 0), cache.get(mine, 0), cache.get(last, 0.0))
        if pause:
            return Attempt(wait=pause)
        tries = _count(mine, self.period)
        if tries > self.per_source:
            if tries == self.per_source + 1:
                audit.record("guessing_stopped", request, group=self.group)
            return Attempt(wait=self.period - int(left))
        _count(everybody, self.period)
        cache.set(last, time.time(), self.period)
        return Attempt(wait=0, counters=(mine, everybody))

    def _pause(self, everybodys: int, mine: int, last: float) -> int:
        if everybodys < self.overall or mine == 0:
            return 0
        needed: int = min(2 ** min(1 + (everybodys - self.overall) // 25, 20), self.longest_pause)
        # A clock that went backwards must neither free nor lock anybody for long.
        return max(0, math.ceil(needed - max(0.0, time.time() - last)))


@dataclass(frozen=True)
class Attempt:
    """One try. `wait` > 0: refused, try again in that many seconds."""

    wait: int
    counters: tuple[str, ...] = ()

    def passed(self) -> None:
        """It was no wrong guess."""
        for key in self.counters:
            try:
                cache.decr(key)
            except ValueError:
                continue  # the window is over


def guarded(guesses: Guesses) -> Callable[[View], View]:
    """For a view whose address is the secret: an answer of 404 or 410 (or Http404) is a wrong guess."""

    def decorate(view: View) -> View:
        @wraps(view)
        def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            attempt = guesses.enter(request)
            if attempt.wait:
                return too_many(request, retry_after=attempt.wait)
            try:
                response = view(request, *args, **kwargs)
            except Http404:
                audit.record("guess_failed", request, group=guesses.group)
                raise
            if response.status_code in {404, 410}:
                audit.record("guess_failed", request, group=guesses.group)
            else:
                attempt.passed()
            return response

        return cast(View, wrapper)

    return decorate


def _count(key: str, period: int, store: Any = cache) -> int:
    """One more in the counter `key`, which is forgotten after `period` seconds; its value afterwards."""
    if store.add(key, 1, period + 5):
        return 1
    try:
        return int(store.incr(key))
    except ValueError:  # it ended between the two
        store.add(key, 1, period + 5)
        return 1


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


INVITATIONS = Guesses("invitation")  # opening /i/<token>/ and pasting one
ONE_TIME_LINKS = Guesses("one-time-link")  # /seat/<token>/ and /reset/<token>/
SHARE_LINKS = Guesses("share-link")  # /s/<token>/
SIGN_INS = Guesses("sign-in")  # passwords; the subject is the user name
