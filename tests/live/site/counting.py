"""How often the core read and rendered, so that tests can say "once"."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any

from live import reading

counts: Counter[str] = Counter()
_lock = threading.Lock()


def rendered(group: str) -> None:
    with _lock:
        counts[f"render {group}"] += 1


def install() -> None:
    """Count the calls that read events."""
    for name in ("read_batch", "catch_up", "admit"):
        setattr(reading, name, _counted(name, getattr(reading, name)))


def _counted(name: str, function: Any) -> Any:
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        with _lock:
            counts[name] += 1
        return function(*args, **kwargs)

    return wrapped
