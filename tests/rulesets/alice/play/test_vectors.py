"""Every example of rules §11.1 and every vector of §11.2 is a case that is played, or stands where it is checked."""

from __future__ import annotations

from pathlib import Path

from tests.rulesets.case_table import Case, read_file

FOLDER = Path(__file__).parents[2]
VECTORS = [f"X{n}" for n in range(1, 20)] + [f"V{n}" for n in range(1, 33)]
ELSEWHERE = {
    "X9": "names of a 生業 are looked at while building: tests/rulesets/alice/building.toml",
    "X19": "a hint to the GM about good story settings, which no rule checks",
}
# How many parts a vector has that differ in what is given; 1 where it is not named.
PARTS = {"X3": 2, "X5": 2, "X13": 2, "V7": 2, "V10": 2, "V11": 3, "V12": 2, "V13": 2, "V19": 2, "V21": 3, "V22": 3}
PARTS |= {"V24": 4, "V25": 3, "V27": 3, "V28": 2}


def _cases() -> list[Case]:
    return [case for path in sorted((FOLDER / "alice" / "play").glob("*.toml")) for case in read_file(path, FOLDER)]


def _named(case: Case, vector: str) -> bool:
    return vector in (case.id.split("-")[0], case.source)


def test_every_vector_is_played() -> None:
    cases = _cases()
    found = {vector: [case for case in cases if _named(case, vector)] for vector in VECTORS}
    assert {vector for vector, its in found.items() if not its} == set(ELSEWHERE)
    few = {vector: len(its) for vector, its in found.items() if len(its) < PARTS.get(vector, 1) and its}
    assert not few
