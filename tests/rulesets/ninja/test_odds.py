"""The printed percentages of rules §12 against the exact answers, and the counting against enumeration."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets import services
from rulesets.engine.odds import Odds
from tests.rulesets import unlisted

COLUMNS = ("KIDS", "EASY", "NORMAL", "HARD", "U_HARD", "UH2", "UH3")
TABLE = """
1 83.33 66.67 50.00 33.33 16.67 0 0
2 97.22 88.89 75.00 55.56 30.56 2.78 0
3 99.54 96.30 87.50 70.37 42.13 7.41 0.46
4 99.92 98.77 93.75 80.25 51.77 13.19 1.62
5 99.99 99.59 96.88 86.83 59.81 19.62 3.55
6 100.00 99.86 98.44 91.22 66.51 26.32 6.23
7 100.00 99.95 99.22 94.15 72.09 33.02 9.58
8 100.00 99.98 99.61 96.10 76.74 39.53 13.48
9 100.00 99.99 99.80 97.40 80.62 45.73 17.83
10 100.00 100.00 99.90 98.27 83.85 51.55 22.48
11 100.00 100.00 99.95 98.84 86.54 56.93 27.32
12 100.00 100.00 99.98 99.23 88.78 61.87 32.26
13 100.00 100.00 99.99 99.49 90.65 66.35 37.19
"""


@pytest.fixture(autouse=True)
def game():
    with unlisted.listed():
        yield


def asked(**question: object) -> Odds:
    return services.odds("ninja", question, {})


def percent(chance: Fraction) -> str:
    hundredths = (20_000 * chance.numerator + chance.denominator) // (2 * chance.denominator)
    return f"{hundredths / 100:.2f}"


@pytest.mark.parametrize("row", TABLE.split("\n")[1:-1], ids=lambda row: f"{row.split()[0]} dice")
def test_the_printed_table(row: str) -> None:
    dice, *cells = row.split()
    for difficulty, printed in zip(COLUMNS, cells, strict=True):
        found = asked(kind="test", dice=int(dice), difficulty=difficulty)
        assert percent(found.chance("success")) == f"{float(printed):.2f}", difficulty
    found = asked(kind="test", dice=int(dice))
    assert [percent(found.chance(key)) for key in ("satsubatsu", "namuamidabutsu")] == [
        f"{float(cell):.2f}" for cell in cells[5:]
    ]


CHECKS: Sequence[tuple[dict[str, object], str, str]] = (
    ({"kind": "test", "dice": 6}, "success", "98.44"),
    ({"kind": "split", "parts": [3, 3]}, "all", "76.56"),
    ({"kind": "split", "parts": [4, 2]}, "all", "70.31"),
    ({"kind": "split", "parts": [4, 3]}, "all", "82.03"),
    ({"kind": "split", "parts": [4, 3]}, "none", "0.78"),
    ({"kind": "split", "parts": [4, 4, 5]}, "all", "85.14"),
    ({"kind": "evade", "dice": 6, "successes": 3}, "counter", "34.38"),
    ({"kind": "evade", "dice": 6, "successes": 3, "difficulty": "EASY"}, "counter", "68.04"),
    ({"kind": "evade", "dice": 4, "successes": 1}, "counter", "68.75"),
    ({"kind": "contest", "dice": 12, "other": 3}, "win", "98.24"),
    ({"kind": "contest", "dice": 12, "other": 3}, "tie", "1.39"),
    ({"kind": "contest", "dice": 5, "other": 4}, "lose", "25.39"),
    ({"kind": "wasshoi", "dkk": 5}, "appears", "27.78"),
    ({"kind": "wasshoi", "dkk": 7}, "appears", "58.33"),
    ({"kind": "wasshoi", "dkk": 10}, "appears", "91.67"),
    ({"kind": "pattern", "dice": 2, "pattern": [6, 5]}, "met", "8.33"),
    ({"kind": "pattern", "dice": 4, "pattern": [6, 5]}, "met", "32.02"),
    ({"kind": "pattern", "dice": 6, "pattern": [6, 5]}, "met", "53.34"),
    ({"kind": "split", "parts": [5, 5], "difficulty": "U_HARD"}, "all", "35.78"),
    ({"kind": "test", "dice": 6, "sixes": 3}, "satsubatsu", "6.23"),
    ({"kind": "test", "dice": 6, "sixes": 3}, "namuamidabutsu", "0.87"),
)


@pytest.mark.parametrize(("question", "key", "printed"), CHECKS)
def test_the_printed_check_values(question: dict[str, object], key: str, printed: str) -> None:
    assert percent(asked(**question).chance(key)) == printed


# ---------------------------------------------------------------- against enumeration


def met(faces: Sequence[int], wanted: Sequence[int]) -> bool:
    dice = sorted(faces)
    for face in sorted(wanted):
        fits = next((die for die in dice if die >= face), None)
        if fits is None:
            return False
        dice.remove(fits)
    return True


@given(st.integers(0, 5), st.lists(st.integers(1, 6), min_size=1, max_size=4))
def test_any_pattern(dice: int, wanted: list[int]) -> None:
    every = list(product(range(1, 7), repeat=dice))
    hits = sum(met(faces, wanted) for faces in every)
    with unlisted.listed():
        assert asked(kind="pattern", dice=dice, pattern=wanted).chance("met") == Fraction(hits, len(every))


@given(st.integers(0, 5), st.integers(1, 5), st.integers(0, 5))
def test_evasion(dice: int, rank: int, beat: int) -> None:
    every = list(product(range(1, 7), repeat=dice))
    counts = [sum(face > rank for face in faces) for faces in every]
    with unlisted.listed():
        found = asked(kind="evade", dice=dice, difficulty=COLUMNS[rank - 1], successes=beat)
    assert found.chance("counter") == Fraction(sum(count > beat for count in counts), len(every))
    assert found.chance("hit") == Fraction(counts.count(0), len(every))


@given(st.integers(0, 7), st.lists(st.sampled_from(COLUMNS[:5]), min_size=1, max_size=3))
def test_no_split_of_evade_dice_is_better_than_the_plan(dice: int, groups: list[str]) -> None:
    with unlisted.listed():
        best = asked(kind="plan", dice=dice, groups=groups).chance("all")
        for parts in product(range(dice + 1), repeat=len(groups)):
            if sum(parts) <= dice:
                chance = Fraction(1)
                for one, difficulty in zip(parts, groups, strict=True):
                    chance *= asked(kind="test", dice=one, difficulty=difficulty).chance("success")
                assert chance <= best
