"""Any line at all: rolled or refused in words, quickly, and nothing of it passed over (F30)."""

from __future__ import annotations

import json
import random
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesets import services
from rulesets.engine.normalise import fold
from tests.rulesets.dice.lines import lines


class SeededDice:
    """Faces of a seeded generator; fast, and the same in every run."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed).random
        self.thrown = 0

    def roll(self, sides: int) -> int:
        self.thrown += 1
        return int(self._random() * sides) + 1

    def shuffle(self, size: int) -> tuple[int, ...]:
        raise AssertionError("no chat command shuffles")


def numbers(text: str) -> list[int]:
    return sorted(int(digits) for digits in re.findall("[0-9]+", fold(text)))


def look(system: str, line: str, dice: SeededDice, *, closely: bool) -> str:
    """Roll a line and check what must hold for every line; returns the kind or the code of the refusal."""
    before = dice.thrown
    try:
        roll = services.roll(system, line, dice)
    except services.RollRefused as refused:
        assert dice.thrown == before, "a refused line threw dice"
        assert refused.message.ja and refused.message.en
        assert "{" in line or not re.search(r"\{[a-z]+\}", refused.message.ja + refused.message.en), (
            "a placeholder is not filled"
        )
        if closely:
            assert len(refused.suggestions) <= 3
            for suggestion in refused.suggestions:
                services.roll(system, suggestion, dice)
        return refused.code
    assert roll.text.ja and roll.text.en and roll.read_as
    assert len(roll.dice) == dice.thrown - before
    assert roll.kind != "odds" or not roll.dice
    if "choice" not in roll.read_as and "_" not in roll.kind:
        # Whatever number was typed was either read or is shown as a comment.
        assert numbers(roll.typed) == numbers(roll.read_as) + numbers(roll.comment) or numbers(roll.typed) == sorted(
            numbers(roll.read_as) + numbers(roll.comment)
        )
    if closely:
        json.dumps(roll.as_json("en"))
    return roll.kind


def test_a_hundred_thousand_lines() -> None:
    seen: dict[str, int] = {}
    dice = SeededDice(1)
    start = time.process_time()
    for system, seed in (("DiceBot", 20), ("edo", 21)):
        for index, line in enumerate(lines(seed, 50_000, edo=system == "edo")):
            try:
                found = look(system, line, dice, closely=index % 20 == 0)
            except Exception as error:
                raise AssertionError(f"{system} {line!r}: {error!r}") from error
            seen[found] = seen.get(found, 0) + 1
    took = time.process_time() - start
    # The generator must reach every kind of command and every way of reading.
    for kind in (
        "sum",
        "loose",
        "reroll",
        "rising",
        "tally",
        "d66",
        "calculation",
        "choice",
        "repeat",
        "several",
        "odds",
    ):
        assert seen.get(kind, 0) > 100, (kind, seen)
    for kind in ("test", "opposed", "damage", "not_a_command", "incomplete", "leftover", "too_many_dice"):
        assert seen.get(kind, 0) > 100, (kind, seen)
    assert took < 60, f"{took:.0f} s for 100,000 lines"


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60), st.sampled_from(["DiceBot", "edo"]))
def test_any_text(text: str, system: str) -> None:
    look(system, text, SeededDice(2), closely=True)


# 20 ms (F30) on a quiet machine, with room for one that is shared.
LIMIT = 0.06
BOMBS = [
    "99999d99999",
    "99999999999999999999D6",
    "9" * 10_000,
    "(" * 10_000,
    "(" * 900 + "1D6" + ")" * 900,
    "((((" * 10 + "1D6" + "))))" * 10,
    "2D6+" * 2_500,
    "1D6+" * 480 + "1",
    "-" * 1_990 + "1D6",
    "-" * 390 + "1D6",
    "C(9^9^9^9^9)",
    "C(2^50^50)",
    "C" + "9*" * 190 + "1",
    "1U6[1]",
    "1R6>=1",
    "1R1=1",
    "200U10000[3]",
    "200R10000>=3",
    "200U2[2]",
    "1/(1D10000-1D10000)",
    "1/(" * 38 + "1D6" + ")" * 38,
    "1/(1D6-1D6+1D6-1D6)+" * 30 + "1",
    "x100 x100 200D6",
    "x100 200D10000",
    "choice[" + "A," * 900 + "B]",
    "choice[1-999999999]",
    "choice100[" + ",".join(["A"] * 100) + "]",
    "2D6" + "," * 1_900,
    "2D6," * 450 + "2D6",
    "2D6\n" * 450 + "2D6",
    "2D6" + " +" * 900,
    "2D6 " + "あ" * 1_900,
    "2D6" + "あ" * 1_900,
    "?200D6>=700",
    "?200D10000",
    "?100D6KH50",
    "?" + "(1D100+1D100)*" * 8 + "1",
    "?200B6>=4",
    "?200U6[2]>=400",
    "?1U10000[2]>=400",
    "?" + "1D6+" * 95 + "1",
    "?" + "1D6*" * 18 + "1",
    "E" + "1+" * 190 + "1>=15",
    "E12" + "vsE12" * 300,
]


@pytest.mark.parametrize("bomb", BOMBS, ids=lambda bomb: bomb[:20])
@pytest.mark.parametrize("system", ["DiceBot", "edo"])
def test_bombs_are_answered_at_once(system: str, bomb: str) -> None:
    dice = SeededDice(3)
    services.roll(system, "2D6", dice)  # the grammar is built once
    quickest = 1.0
    for _ in range(5):
        start = time.process_time()
        look(system, bomb, dice, closely=False)
        quickest = min(quickest, time.process_time() - start)
    assert quickest < LIMIT, f"{quickest * 1000:.1f} ms"


@pytest.mark.parametrize("line", ["99999d99999", "2W6" * 600, "choise[" + "A" * 1_900, "2D6>=8x" * 200, "(" * 1_000])
def test_suggestions_of_a_bomb_are_quick_too(line: str) -> None:
    services.roll("edo", "2D6", SeededDice(3))
    quickest = 1.0
    for _ in range(5):
        start = time.process_time()
        with pytest.raises(services.RollRefused) as caught:
            services.roll("edo", line, SeededDice(3))
        assert len(caught.value.sentence("ja")) < 400
        quickest = min(quickest, time.process_time() - start)
    assert quickest < LIMIT, f"{quickest * 1000:.1f} ms"
