"""Slug -> system. Adding a game is one line here."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from rulesets.protocol import System

SLUGS: tuple[str, ...] = ("edo", "alice")


class UnknownSystem(KeyError):
    """No system of that slug."""


@cache
def load(slug: str) -> System:
    """The system of a slug. Raises `UnknownSystem`; only listed slugs are ever imported."""
    if slug not in SLUGS:
        raise UnknownSystem(slug)
    system: System = import_module(f"rulesets.{slug}.system").SYSTEM
    return system
