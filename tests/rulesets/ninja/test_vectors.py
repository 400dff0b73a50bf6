"""Every vector of rules §11 is a case that runs through the facade."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

from rulesets.ninja import tables as ninja_tables
from rulesets.ninja.rules import Rules
from rulesets.ninja.tables import TABLES
from tests.rulesets import cases

NINJA = Path(ninja_tables.__file__).parent

# C7: the example is a GM's shortcut and never a test of 体力; its contest stands in odds.toml (check-08).
WANTED = {f"P{n:02}" for n in range(1, 39)} | {f"W{n:02}" for n in range(1, 27)}


def test_every_vector_has_a_case() -> None:
    """A case names its vectors in its id (`W24-all`) or in what it says it is about."""
    found: set[str] = set()
    for case in cases.collect(Path(__file__).parents[1]):
        if case.system == "ninja":
            found |= set(re.findall(r"\b[PW]\d\d", f"{case.id} {case.about}"))
    assert sorted(WANTED - found) == []


def test_every_refusal_of_play_is_met_by_a_case() -> None:
    """Codes of §13 and of the table: the conformance test asks the same of checks."""
    refused = {
        case.expected.get("refused") for case in cases.collect(Path(__file__).parents[1]) if case.system == "ninja"
    }
    codes = {code for code in TABLES.base.messages if code[0] in "LP"}
    assert sorted(codes - refused) == []


def test_every_rule_of_the_group_is_used() -> None:
    """No house rule without effect: each setting is read somewhere in the game."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in NINJA.rglob("*.py") if path.name != "rules.py")
    unused = [field.name for field in fields(Rules) if not re.search(rf"\.{field.name}\b", source)]
    assert unused == []
