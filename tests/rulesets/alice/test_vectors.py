"""The vectors of the rules file for its pure functions (Appendix B), and the small tables that go with them."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from rulesets.alice import cards, deck, naming, rulings
from rulesets.alice.draft import order, parent_seat
from rulesets.engine.cards import RANKS

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "parent_seat": parent_seat,
    "lint_occupation": naming.lint_occupation,
    "draw_pile_size": deck.draw_pile_size,
    **{name: getattr(cards, name) for name in ("diff_value", "card_value", "ability_value", "color", "legal")},
    **{name: getattr(cards, name) for name in ("improve", "achievement")},
    **{name: getattr(rulings, name) for name in ("difficulty_after", "empathy_difficulty", "contest_winner")},
    **{name: getattr(rulings, name) for name in ("survival", "initiative")},
}
VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['fn']}{vector['args']}")
def test_vector(vector: dict[str, Any]) -> None:
    assert FUNCTIONS[vector["fn"]](*vector["args"]) == vector["out"]


# ---------------------------------------------------------------- §5.1 one rank, three readings

READINGS = {  # rank: ability, played, difficulty
    "A": (None, 11, 1),
    **{str(n): (n, n, n) for n in range(2, 11)},
    "J": (1, 1, 10),
    "Q": (2, 2, 10),
    "K": (3, 3, 10),
}


@pytest.mark.parametrize("rank", RANKS)
def test_three_readings(rank: str) -> None:
    ability, played, difficulty = READINGS[rank]
    assert (cards.card_value(rank), cards.diff_value(rank)) == (played, difficulty)
    if ability is None:
        assert rank not in cards.ABILITY_RANKS
    else:
        assert cards.ability_value(rank, 0) == ability


# ---------------------------------------------------------------- §8.1 damage

DAMAGED = """
2 3 4 5 6 7 8 9 10 J Q K J+ Q+ K+
2 3 4 5 6 7 8 9 10 1 2 3 11 12 13
1 2 2 3 3 4 4 5 5 1 1 2 6 6 7
0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
""".strip().splitlines()


@pytest.mark.parametrize("stage", [0, 1, 2, 3])
def test_damaged_abilities(stage: int) -> None:
    for at, rank in enumerate(DAMAGED[0].split()):
        wanted = int(DAMAGED[1 + stage].split()[at]) if stage < 3 else None
        assert cards.ability_value(rank.rstrip("+"), stage, rank.endswith("+")) == wanted


def test_an_ace_is_read_as_is_best() -> None:
    """V8, §7.1: 21 for every ability up to 10, 11 and more with a boost."""
    assert [cards.default_ace_mode(value) for value in range(11)] == ["twentyone"] * 11
    assert [cards.achievement(value, "A") for value in (11, 12, 13)] == [22, 23, 24]


def test_every_class_and_suit() -> None:
    """X6: 専門 accepts all, 関連 the colour, 門外 the suit."""
    for card, test in product(cards.SUITS, repeat=2):
        assert cards.legal(card, test, "expert")
        assert cards.legal(card, test, "related") == (cards.color(card) == cards.color(test))
        assert cards.legal(card, test, "outsider") == (card == test)


# ---------------------------------------------------------------- §3.5 how many players

AFTER_DEAL = {
    1: (45, 38, 31, 24, 17, 10, 3, -4),
    2: (97, 90, 83, 76, 69, 62, 55, 48, 41, 34, 27, 20),
}


@pytest.mark.parametrize("decks", [1, 2])
def test_draw_pile_after_the_deal(decks: int) -> None:
    sizes = [deck.draw_pile_size(players, decks, 0, True) for players in range(1, len(AFTER_DEAL[decks]) + 1)]
    assert tuple(sizes) == AFTER_DEAL[decks]


def test_one_alice_and_four_players() -> None:
    """V30."""
    assert [deck.draw_pile_size(4, 1, 1, dealt) for dealt in (False, True)] == [35, 23]


# ---------------------------------------------------------------- §4.7 who is 親

PARENTS = {
    1: "0|0|0|0",
    2: "0,0|1,1|0,0|1,1",
    3: "0,1,2|1,2,0|2,0,1|0,1,2",
    4: "0,0,0,0|1,1,1,1|2,2,2,2|3,3,3,3",
    5: "0,4,3,2,1|1,0,4,3,2|2,1,0,4,3|3,2,1,0,4",
    6: "0,4,2,0,4,2|1,5,3,1,5,3|2,0,4,2,0,4|3,1,5,3,1,5",
}


@pytest.mark.parametrize("n", PARENTS)
def test_parents_by_suit(n: int) -> None:
    shown = "|".join(",".join(map(str, places)) for places in order.schedule(n).values())
    assert shown == PARENTS[n]


@pytest.mark.parametrize("n", range(1, 13))
def test_shifted_cycles_make_everybody_parent_once_a_suit(n: int) -> None:
    for places in order.schedule(n, "per_cycle").values():
        assert sorted(places) == list(range(n))


# ---------------------------------------------------------------- §9.2 initiative


def test_initiative() -> None:
    """V20: P ♠9/1, Q ♠5/0, the wolf ♠6/0, R ♠10/2, S ♠4/3."""
    people = [
        ("P", "9", 1, True),
        ("Q", "5", 0, True),
        ("wolf", "6", 0, False),
        ("R", "10", 2, True),
        ("S", "4", 3, True),
    ]
    rows = [
        {"name": name, "rank": rank, "stage": stage, "is_pc": pc, "seat": seat}
        for seat, (name, rank, stage, pc) in enumerate(people)
    ]
    assert rulings.initiative(rows) == ["wolf", "P", "Q", "R"]


def test_ties_of_initiative() -> None:
    """PC before GM character, then the undamaged ♠, then the seat."""
    rows = [
        {"name": "wolf", "rank": "5", "stage": 0, "is_pc": False, "seat": 0},
        {"name": "late", "rank": "5", "stage": 0, "is_pc": True, "seat": 2},
        {"name": "early", "rank": "5", "stage": 0, "is_pc": True, "seat": 1},
        {"name": "hurt", "rank": "10", "stage": 1, "is_pc": True, "seat": 3},
    ]
    assert rulings.initiative(rows) == ["hurt", "early", "late", "wolf"]


# ---------------------------------------------------------------- §7.7, §7.8, §7.10


def test_a_race() -> None:
    """X4 and V18."""
    assert rulings.race_ranks([12, 6, 4]) == [1, 2, 3]
    assert rulings.race_ranks([14, 14, None]) == [1, 1, 3]


def test_touching_from_afar_is_inconsistent() -> None:
    with pytest.raises(ValueError, match="E_INCONSISTENT"):
        rulings.empathy_difficulty(True, 10, True, False, False)


def test_a_card_of_a_second_deck_is_another_card() -> None:
    assert cards.suit_of("H10#2") == "H" and cards.rank_of("H10#2") == "10"
    found, virtual = deck.taken_for_abilities(
        {"one": {"S": "7"}, "two": {"S": "7"}, "three": {"S": "7"}}, deck.whole_deck(2)
    )
    assert found == {"one": {"S": "S7"}, "two": {"S": "S7#2"}, "three": {}}
    assert virtual == {"one": [], "two": [], "three": ["S"]}


# ---------------------------------------------------------------- §11.1, §11.2 as far as numbers go

# id: ability, stage, boosted, card, achievement
PLAYED = {
    "X2": ("7", 0, False, "S4", 11),
    "X5": ("8", 0, False, "D3", 11),
    "V1": ("6", 0, False, "H5", 11),
    "V2": ("6", 0, False, "H4", 10),
    "V3": ("9", 0, False, "SQ", 11),
    "V7": ("3", 0, False, "HA", 21),
    "V8": ("K", 0, True, "HA", 24),
    "V9": ("J", 1, True, "D7", 13),
    "V12": ("9", 1, False, "DA", 21),
    "V13": ("6", 0, False, "D9", 15),
    "V15": ("9", 0, False, "S6", 15),
    "V22": ("8", 0, False, "H4", 12),
    "V23": ("7", 1, False, "S8", 12),
    "V29": ("10", 1, False, "SJ", 6),
    "V31": ("6", 0, False, "CJ", 7),
    "G12": ("J", 0, True, "S5", 16),
}


@pytest.mark.parametrize("name", PLAYED)
def test_achievements(name: str) -> None:
    ability, stage, boosted, card, wanted = PLAYED[name]
    value = cards.ability_value(ability, stage, boosted)
    assert value is not None and cards.best_achievement(value, card) == wanted


TARGETS = {"V4": ("HA DK C7", 18), "V7": ("SK DQ C2", 22), "V22": ("C9 D3", 12), "G1": ("SK C6", 16), "G2": ("DJ", 10)}


@pytest.mark.parametrize("name", TARGETS)
def test_targets(name: str) -> None:
    laid, wanted = TARGETS[name]
    assert sum(cards.diff_value(cards.rank_of(card)) for card in laid.split()) == wanted


@pytest.mark.parametrize(
    ("name", "card", "suit", "cls", "allowed"),
    [
        ("V5", "S9", "H", "related", False),
        ("V6", "D10", "H", "outsider", False),
        ("V13", "H9", "D", "outsider", False),
        ("V16", "C10", "S", "outsider", False),
        ("V32", "H9", "S", "related", False),
        ("G3", "S6", "S", "related", True),
        ("G9", "C5", "S", "related", True),
    ],
)
def test_cards_that_may_be_played(name: str, card: str, suit: str, cls: str, allowed: bool) -> None:
    assert cards.legal_card(card, suit, cls) == allowed


def test_jokers_are_not_in_the_game() -> None:
    with pytest.raises(ValueError, match="jokers"):
        cards.suit_of("JK1")
    assert not [card for card in deck.whole_deck(2) if card.startswith("JK")]
