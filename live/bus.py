"""Carries "topic t is at n" and nothing else; the log is the truth."""

from __future__ import annotations

from collections.abc import Callable

_listeners: list[Callable[[str, int], None]] = []


def wake(name: str, seq: int) -> None:
    """Say that a topic has reached `seq`. Called after a commit, from any thread; never raises."""
    for listener in list(_listeners):
        listener(name, seq)
