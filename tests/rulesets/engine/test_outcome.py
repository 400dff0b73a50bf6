"""Outcome trees: nothing is lost on the way into an event and back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.engine.outcome import CardShown, Change, Die, Modifier, Outcome, Reason, keep_marks
from rulesets.engine.text import Text, same

words = st.text(max_size=8)
numbers = st.integers(-(10**6), 10**6)
texts = st.builds(Text, words, words)
reasons = st.builds(Reason, texts, words, st.booleans())
values = st.none() | st.booleans() | numbers | words
leaves = st.builds(
    Outcome,
    kind=words,
    title=reasons,
    degree=words,
    degree_label=st.none() | texts,
    total=st.none() | numbers,
    target=st.none() | numbers,
    margin=st.none() | numbers,
    dice=st.lists(st.builds(Die, numbers, numbers, reasons, st.booleans(), words), max_size=3).map(tuple),
    cards=st.lists(st.builds(CardShown, words, reasons, st.none() | numbers, words), max_size=2).map(tuple),
    modifiers=st.lists(st.builds(Modifier, words, numbers, words, reasons), max_size=2).map(tuple),
    changes=st.lists(st.builds(Change, words, words, values, values, reasons), max_size=2).map(tuple),
    notes=st.lists(reasons, max_size=2).map(tuple),
)


@given(leaves, st.lists(leaves, max_size=2))
def test_json_and_back(top: Outcome, parts: list[Outcome]) -> None:
    tree = Outcome(kind="exchange", title=Reason(same("x")), parts=(top, *parts), changes=top.changes)
    told = json.loads(json.dumps(tree.as_json()))
    assert Outcome.from_json(told) == tree


def example() -> Outcome:
    why = Reason(Text("技能ロール", "Skill roll"), "§5.2")
    hit = Outcome("skill_roll", why, dice=(Die(6, 5, why), Die(6, 2, why, kept=False)), total=17, target=15, margin=2)
    hurt = Outcome("damage", why, dice=(Die(6, 6, why, mark="critical"),), changes=(Change("b", "hp", 9, 1, why),))
    return Outcome("exchange", why, parts=(hit, hurt), changes=(Change("b", "alive", True, False, why),))


def test_the_whole_tree_can_be_asked() -> None:
    tree = example()
    assert [(die.face, die.kept, die.mark) for die in tree.all_dice()] == [
        (5, True, ""),
        (2, False, ""),
        (6, True, "critical"),
    ]
    assert [(change.key, change.difference) for change in tree.all_changes()] == [("hp", -8), ("alive", None)]


def test_what_was_not_written_is_not_read() -> None:
    told = example().as_json()
    del told["margin"]
    with pytest.raises(KeyError):
        Outcome.from_json(told)


@pytest.mark.parametrize(
    ("faces", "keep", "highest", "marks"),
    [
        ((5, 5, 6), 2, True, (True, False, True)),
        ((1, 2, 3), 2, True, (False, True, True)),
        ((4, 4), 2, True, (True, True)),
        ((4, 1, 1), 1, False, (False, True, False)),
        ((3,), 0, True, (False,)),
    ],
)
def test_kept_dice(faces: tuple[int, ...], keep: int, highest: bool, marks: tuple[bool, ...]) -> None:
    assert keep_marks(faces, keep, highest=highest) == marks
