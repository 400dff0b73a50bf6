"""What people type becomes values, and values become words; documents go there and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rulesets import services
from tests.rulesets import unlisted


@pytest.fixture(scope="module", autouse=True)
def every_game() -> Iterator[None]:
    with unlisted.listed():
        yield


@pytest.mark.parametrize(
    ("key", "typed", "value"),
    [
        ("cards.S", "7", "7"),
        ("cards.S", "７", "7"),
        ("cards.S", "♠J", "J"),
        ("cards.S", "s10", "10"),
        ("cards.S", "♤ q", "Q"),
        ("cards.S", "Ａ", "A"),  # read, and refused by the check
        ("cards.S", "♥J", "♥J"),  # another suit: left as it is, for the check
        ("cards.S", "eleven", "eleven"),
        ("cards.D", "♦K", "K"),
        ("age", "１９歳", 19),
        ("age", "19", 19),
        ("age", "-3", "-3"),
        ("age", "", None),
        ("ability_source", "札の配分", "draft"),
        ("ability_source", "entered by hand", "manual"),
        ("ability_source", "draft", "draft"),
        ("job_visibility", "みんな", "group"),
        ("boost", "on", True),
        ("boost", "", None),
        ("boost", "いいえ", None),
        ("occupation", "  書士 ", "書士"),
        ("no.such", "x", "x"),
    ],
)
def test_typed(key: str, typed: str, value: Any) -> None:
    assert services.parse_field("alice", key, typed) == value


@pytest.mark.parametrize(
    ("key", "value", "ja", "en"),
    [
        ("cards.H", "K", "♥K", "♥K"),
        ("cards.H", "A", "A", "A"),
        ("age", 19, "19歳", "19 years"),
        ("out_at", 1, "1", "1"),
        ("boost", True, "はい", "yes"),
        ("job_visibility", "gm", "ＧＭだけ", "the GM only"),
        ("ability_source", "late_join", "途中参加", "late joiner"),
        ("sex", None, "なし", "none"),
        ("sex", "女", "女", "女"),
    ],
)
def test_shown(key: str, value: Any, ja: str, en: str) -> None:
    text = services.field_text("alice", key, value, {})
    assert (text.ja, text.en) == (ja, en)


def test_labels() -> None:
    labels = [services.field_label("alice", key, {}) for key in ("cards.C", "occupation", "no.such")]
    assert [label.en for label in labels] == ["♣ Mind", "Trade (生業)", "Field no.such"]


PC = {
    "name": "アーカム",
    "ability_source": "draft",
    "cards": {"S": "J", "C": "7", "H": "K", "D": "4"},
    "occupation": "書士",
    "current_job": None,
    "job_visibility": "group",
    "age": 19,
    "sex": "男",
    "background": "山の村の生まれ。\n今は町にいる。",
    "belongings": None,
}
NPC = {
    **dict.fromkeys(PC),
    "name": "頭",
    "cards": {"S": "J", "C": "0", "H": "10", "D": "1"},
    "expert": ["戦闘", "脅す"],
    "related": [],
    "out_at": 1,
    "notes": "実は味方。",
    "luck_spend": True,
    "boost": False,
}


@pytest.mark.parametrize("build", [PC, NPC], ids=["pc", "npc"])
def test_documents_go_there_and_back(build: dict[str, Any]) -> None:
    assert services.check_document("alice", build) == []
    assert services.to_build("alice", services.from_build("alice", build)) == build


@pytest.mark.parametrize(
    ("changed", "path", "code"),
    [
        ({"cards": {"S": "A"}}, "/cards/S", "D02"),
        ({"cards": {"S": 7}}, "/cards/S", "D01"),
        ({"cards": {"X": "7"}}, "/cards/X", "D03"),
        ({"cards": []}, "/cards", "D01"),
        ({"ability_source": "found"}, "/ability_source", "D02"),
        ({"job_visibility": "all"}, "/job_visibility", "D02"),
        ({"age": "19"}, "/age", "D01"),
        ({"age": -1}, "/age", "D01"),
        ({"out_at": 4}, "/out_at", "D01"),
        ({"expert": "戦闘"}, "/expert", "D01"),
        ({"karate": 4}, "/karate", "D03"),
        ({"name": "長" * 101}, "/name", "D01"),
    ],
)
def test_documents_that_cannot_be_read(changed: dict[str, Any], path: str, code: str) -> None:
    problems = services.check_document("alice", {**PC, **changed})
    assert [(problem.path, problem.code) for problem in problems] == [(path, code)]
    assert problems[0].message.ja and problems[0].message.en
