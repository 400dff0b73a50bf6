"""Chat lines: what BCDice would print, worked out a second time; and no line that is passed over in silence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets import services
from rulesets.engine.dice import ScriptedDice
from rulesets.witch.tables import TABLES
from tests.rulesets import unlisted

NAMES = ("成功", "大成功", "奇跡的大成功", "歴史的大成功", "伝説的大成功", "神話的大成功")
WIDE = "０１２３４５６"


def printed(throws: list[tuple[int, int]]) -> str:
    """A challenge as BCDice's bot WitchQuest prints it (interop/bcdice.md §6)."""
    level = min(6, len([1 for a, b in throws if a == b]))
    words = "失敗" if level == 0 else f"{WIDE[level]}レベル成功({NAMES[level - 1]})"
    return "(" + " / ".join(f"{a},{b}" for a, b in throws) + f") ＞ {words}"


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), min_size=1, max_size=40))
def test_challenges_print_what_bcdice_prints(throws: list[tuple[int, int]]) -> None:
    with unlisted.listed():
        dice = ScriptedDice([face for pair in throws for face in pair])
        assert services.roll("WitchQuest", f"WQ{len(throws)}", dice).text.ja == printed(throws)
        dice.finish()


class Faces:
    """Gives some faces, then ones; remembers how many dice were thrown."""

    def __init__(self, faces: list[int]) -> None:
        self.left, self.thrown = list(faces), 0

    def roll(self, sides: int) -> int:
        self.thrown += 1
        return min(self.left.pop(0), sides) if self.left else 1

    def shuffle(self, size: int) -> tuple[int, ...]:
        raise AssertionError


@given(st.integers(1, 48), st.lists(st.integers(1, 6), min_size=9, max_size=9))
def test_encounters_follow_their_tables(place: int, faces: list[int]) -> None:
    """Every place, every chain: one die, then two at a time, the smaller first, never more than nine."""
    with unlisted.listed():
        dice = Faces(faces)
        roll = services.roll("WitchQuest", f"SET{place}", dice).as_json()
        assert 1 <= dice.thrown <= 9 and dice.thrown % 2 == 1
        found = roll["outcome"]["sets"][0]
        assert found["phrase"] == faces[0]
        if place == 17 and faces[0] == 3:
            assert found["rolls"] == [] and roll["text"] == "SET17 ＞ 3:ここにはだれもいません"
            return
        pairs = [sorted(faces[at : at + 2]) for at in range(1, dice.thrown, 2)]
        assert [one["value"] for one in found["rolls"]] == [a * 10 + b for a, b in pairs]
        assert [one["table"] for one in found["rolls"]] == list(range(1, len(pairs) + 1))
        last = TABLES.base.persons[f"{len(pairs)}.{found['rolls'][-1]['value']}"]
        assert not last.leads and roll["text"].endswith(f"{found['rolls'][-1]['value']}:{last.name.ja}")


_HEADS = st.sampled_from(["WQ", "wq", "ＷＱ", "SET", "set", "SWQ", "x2 WQ", "?WQ", "W", "Q", "WQQ", "3WQ"])
_TAILS = st.sampled_from(
    ["", "3", "0", "-1", "49", "3>=2", "3>2", "3>=9", "3+1", "(1+2)", "D6", "３", " 3", "3abc", "3 占い", "9999"]
)


@given(_HEADS, _TAILS, st.text(max_size=4))
def test_no_line_is_passed_over_in_silence(head: str, tail: str, rest: str) -> None:
    """Rolled, or refused with a sentence before any die is thrown."""
    with unlisted.listed():
        dice = Faces([])
        try:
            roll = services.roll("witch", head + tail + rest, dice)
        except services.RollRefused as refused:
            assert dice.thrown == 0
            assert refused.message.ja and refused.message.en
        else:
            assert roll.text.ja and roll.text.en


@pytest.mark.parametrize("name", ["witch", "WitchQuest", "witchquest"])
def test_both_names_are_known(name: str) -> None:
    assert services.roll(name, "WQ1", ScriptedDice([1, 2])).text.ja == "(1,2) ＞ 失敗"
