"""Games whose rules stand before the site lists them: their tests run as if the registry did."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulesets import registry, services

# A game leaves this list when it enters `registry.SLUGS`.
UNLISTED: tuple[str, ...] = ("witch", "ninja")


def slugs() -> tuple[str, ...]:
    """Every game with rules, listed or not."""
    return (*registry.SLUGS, *(slug for slug in UNLISTED if slug not in registry.SLUGS))


@contextmanager
def listed() -> Iterator[None]:
    """The registry with all of them."""
    before, registry.SLUGS = registry.SLUGS, slugs()
    services._dice.cache_clear()
    try:
        yield
    finally:
        registry.SLUGS = before
        services._dice.cache_clear()
        services._language.cache_clear()
