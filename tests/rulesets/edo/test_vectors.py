"""Every vector of rules §11 is a case that runs through the facade."""

from __future__ import annotations

import re
from pathlib import Path

from tests.rulesets import cases

ELSEWHERE = {"X03": "two saves at once need a database: tests/characters/test_pool_race.py"}
WANTED = {f"S{n:02}" for n in range(1, 38)} | {f"X{n:02}" for n in range(1, 34)}


def test_every_vector_has_a_case() -> None:
    """A case names its vectors in its id (`X19a`, `S11-X07`) or in what it says it is about."""
    found: set[str] = set()
    for case in cases.collect(Path(__file__).parents[1]):
        if case.system == "edo":
            found |= set(re.findall(r"\b[SX]\d\d", f"{case.id} {case.about}"))
    assert sorted(WANTED - found) == sorted(ELSEWHERE)
