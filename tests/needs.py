"""What a test may need beyond Python, and whether it is there."""

from __future__ import annotations

import os
import shutil
import socket
from functools import lru_cache

POSTGRES_URL = os.environ.get("TEST_POSTGRES_URL", "postgres://postgres@127.0.0.1:5432/takubiyori")
REDIS_URL = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/9")

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def required() -> bool:
    """Under `REQUIRE_ALL=1` a skip is a failure."""
    return os.environ.get("REQUIRE_ALL") == "1"


def chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


@lru_cache(maxsize=1)
def missing() -> dict[str, str]:
    """Need -> reason, for everything that is not there."""
    found: dict[str, str] = {}
    if not chromium():
        found["browser"] = "no Chromium on this machine"
    if not _answers(5432):
        found["postgres"] = "no PostgreSQL at 127.0.0.1:5432"
    if not _answers(6379) and not shutil.which("redis-server"):
        found["redis"] = "no Redis at 127.0.0.1:6379"
    return found
