"""Every vector of rules §11 is a case that runs through the facade."""

from __future__ import annotations

import re
from pathlib import Path

from tests.rulesets import cases

# C7: the example is a GM's shortcut and never a test of 体力; its contest stands in odds.toml (check-08).
WANTED = {f"P{n:02}" for n in range(1, 39)} | {f"W{n:02}" for n in range(1, 27)}


def test_every_vector_has_a_case() -> None:
    """A case names its vectors in its id (`W24-all`) or in what it says it is about."""
    found: set[str] = set()
    for case in cases.collect(Path(__file__).parents[1]):
        if case.system == "ninja":
            found |= set(re.findall(r"\b[PW]\d\d", f"{case.id} {case.about}"))
    assert sorted(WANTED - found) == []
