"""Chat lines of any kind: a roll or a refusal in words; the page for players shows what can be rolled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesets import services
from rulesets.engine.dice import SystemDice
from tests.rulesets import unlisted

PAGE = Path(__file__).parents[3] / "docs" / "commands" / "ninja-rolls.md"
PIECES = (
    *("N", "H", "E", "K", "U", "UH", "NJ", "EV", "AT", "EL", "SB", "WS", "WSE", "NRS", "NRS_", "S", "C", "x2 ", "?"),
    *("[", "]", "@", "/", ",", ":", "+", "-", "(", ")", ">=", "=", "!=", "1", "3", "6", "12", "66", "666", " ", "攻撃"),
    *("2D6", "D66", "Ｎ６", "［Ｓ］", "、"),
)


@pytest.fixture(scope="module", autouse=True)
def game() -> Iterator[None]:
    with unlisted.listed():
        yield


@settings(max_examples=2000)
@given(st.lists(st.sampled_from(PIECES), max_size=9).map("".join), st.sampled_from(("ninja", "NinjaSlayer")))
def test_no_line_fails_without_words(line: str, system: str) -> None:
    try:
        roll = services.roll(system, line, SystemDice())
    except services.RollRefused as refused:
        assert refused.message.ja and refused.message.en
        assert len(refused.suggestions) <= 3
        for suggestion in refused.suggestions:
            services.roll(system, suggestion, SystemDice())
    else:
        assert roll.text.ja and roll.text.en
        assert all(1 <= die.face <= die.sides for die in roll.dice)
        assert all(each.degree in ("", "success", "failure") for each in roll.each)


def test_the_page_shows_lines_that_can_be_rolled() -> None:
    lines = re.findall(r"^\| (.+?) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)[1:]
    typed = [line for cell in lines for line in re.findall(r"`([^`]+)`", cell)]
    assert len(typed) >= 30
    for line in typed:
        assert services.roll("ninja", line, SystemDice()).read_as


@given(st.integers(0, 12), st.sampled_from("KENHU"), st.integers(0, 6))
def test_evasion_and_pool_agree(dice: int, letter: str, beat: int) -> None:
    """`N4/3` is the pool with the same dice, judged against three successes."""
    roll = services.roll("ninja", f"{letter}{dice}/{beat}", SystemDice())
    found = roll.sets[0].as_json()
    target = "KENHU".index(letter) + 2
    hits = sum(die.face >= target for die in roll.dice)
    assert found["successes"] == hits
    assert found["counter"] == (hits > beat)
    assert roll.degree == ("success" if hits else "failure")
