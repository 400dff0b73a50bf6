"""Runs the whole suite: once on SQLite, then what touches the database again on PostgreSQL.

`python -m tests.runner [pytest arguments]`; with arguments only one run on SQLite is made. `REQUIRE_ALL=1` turns a
missing server or browser, otherwise named in a line and skipped, into a failure.
"""

from __future__ import annotations

import os
import subprocess
import sys

from tests.needs import POSTGRES_URL, missing, required

# Suites whose behaviour depends on the database; those marked `postgres` talk to it in the first run already.
ON_POSTGRES = [
    "tests/live/test_topics.py",
    *(f"tests/characters/test_{noun}.py" for noun in ("pool", "builds", "drafts", "members", "notes", "review")),
]


def pytest(*args: str, **env: str) -> int:
    return subprocess.call([sys.executable, "-m", "pytest", *args], env={**os.environ, **env})


def main(args: list[str]) -> int:
    for need, why in missing().items():
        print(f"[tests] {need}: {why}; tests that need it are " + ("REQUIRED" if required() else "skipped"), flush=True)
    if args:
        return pytest(*args)
    code = pytest("-q", "-n", "2", "--dist", "loadfile")
    if code or ("postgres" in missing() and not required()):
        return code
    print("[tests] again on PostgreSQL", flush=True)
    return pytest("-q", "-m", "not browser and not server and not postgres", *ON_POSTGRES, DATABASE_URL=POSTGRES_URL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
