"""Every vector of rules §11, part by part, and every table of §12 is a case that runs through the facade."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from tests.rulesets.case_table import Case, read_file

FOLDER = Path(__file__).parents[1]
ELSEWHERE = {"X03": "two saves at once need a database: tests/characters/test_pool_race.py"}
# How many parts a vector has that differ in what is given (`S04`: three roles); 1 where it is not named.
PARTS = {
    **{"S04": 3, "S05": 6, "S06": 2, "S08": 2, "S12": 6, "S14": 3, "S16": 2, "S17": 2, "S18": 2, "S19": 2, "S21": 4},
    **{"S22": 2, "S23": 2, "S25": 5, "S26": 3, "S28": 2, "S29": 2, "S30": 2, "S32": 4, "S33": 3, "S34": 5, "S35": 5},
    **{"S37": 6, "X04": 3, "X05": 2, "X06": 3, "X07": 2, "X08": 4, "X10": 2, "X11": 4, "X12": 2, "X13": 2, "X14": 3},
    **{"X15": 2, "X16": 4, "X17": 3, "X18": 3, "X19": 3, "X21": 2, "X22": 3, "X24": 3, "X25": 2, "X26": 2, "X29": 3},
    **{"X31": 2, "X32": 2, "X33": 4},
}
VECTORS = [f"S{n:02}" for n in range(1, 38)] + [f"X{n:02}" for n in range(1, 34)]
BUILDING = {"S01", "S02", "S03", "S04", "S05", "S06", "S07", "S34", "S35", "S36", "S37"} | {
    *("X01", "X02", "X04", "X05", "X06", "X25", "X26", "X29", "X30", "X32")
}
SCRIPTED = ("X23", "X24")
PLAYED = {"decide", "chances", "odds", "script"}
# Cells of the tables of §12, and the grids or cases that hold them.
TABLES = {"12.1": 2, "12.2": 24, "12.3": 208, "12.4": 112, "12.5": 12, "12.6": 21, "12.7": 10}


def _cases() -> list[Case]:
    return [case for path in sorted((FOLDER / "edo").glob("**/*.toml")) for case in read_file(path, FOLDER)]


def _by_vector() -> dict[str, list[Case]]:
    """The cases of each vector: they name it in their id (`X19a`, `S11-X07`) or in what they say they are about."""
    found: defaultdict[str, list[Case]] = defaultdict(list)
    for case in _cases():
        for vector in dict.fromkeys(re.findall(r"\b[SX]\d\d", f"{case.id} {case.about}")):
            found[vector].append(case)
    return found


def test_every_vector_has_its_cases() -> None:
    found = _by_vector()
    assert sorted(set(VECTORS) - set(found)) == sorted(ELSEWHERE)
    assert set(found) <= set(VECTORS), "a case names a vector that the rules do not have"
    few = {vector: len(cases) for vector, cases in found.items() if len(cases) < PARTS.get(vector, 1)}
    assert not few, f"parts without a case: {few}"


def test_vectors_of_play_are_played() -> None:
    found = _by_vector()
    for vector in sorted(set(VECTORS) - BUILDING - set(ELSEWHERE)):
        assert PLAYED & {case.through for case in found[vector]}, f"{vector} is not played"
    for vector in SCRIPTED:
        assert any(case.through == "script" for case in found[vector]), f"{vector} does not come out of a script"


def test_every_cell_of_the_odds_has_a_case() -> None:
    cells = dict.fromkeys(TABLES, 0)
    for case in _cases():
        table = re.match(r"12\.\d", case.id)
        if case.through == "odds" and table:
            cells[table[0]] += 1
    assert {table: n for table, n in cells.items() if n < TABLES[table]} == {}
