"""Cards: ids, decks, and that no move ever loses or doubles one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from rulesets.engine import cards
from rulesets.engine.cards import BadCard, NotThere, Zones


def test_a_deck_has_52_cards_in_the_order_of_the_suits() -> None:
    ids = cards.deck()
    assert len(set(ids)) == 52
    assert ids[:13] == ["SA", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9", "S10", "SJ", "SQ", "SK"]
    assert [ids[i] for i in (13, 26, 39)] == ["CA", "HA", "DA"]
    assert cards.deck(jokers=2)[-2:] == ["JK1", "JK2"]
    assert cards.deck(2, suits="H", ranks=["10"]) == ["H10#2"]
    assert len(set(cards.decks(2, jokers=2))) == 108


@pytest.mark.parametrize("card_id", [*cards.decks(3, jokers=2), "JK9", "SA#9"])
def test_every_id_names_its_card(card_id: str) -> None:
    assert cards.card(card_id).id == card_id


def test_a_card_tells_what_it_is() -> None:
    ten = cards.card("H10#2")
    assert (ten.suit, ten.rank, ten.deck, ten.face, str(ten)) == ("H", "10", 2, "H10", "♥10")
    joker = cards.card("JK1")
    assert joker.is_joker and str(joker) == "JOKER 1"


@pytest.mark.parametrize(
    "card_id", ["", "H1", "H11", "h10", "10H", "H10#1", "H10#", "H10#10", "JK", "JK0", "H10\n", "Ｈ10"]
)
def test_other_ids_are_refused(card_id: str) -> None:
    with pytest.raises(BadCard):
        cards.card(card_id)


def test_tarot() -> None:
    assert len(cards.TAROT) == 29
    assert [cards.tarot_number(card_id) for card_id in ("0", "17", "28")] == [0, 17, 28]
    for wrong in ("29", "-1", "01", "", "H10", "１"):
        with pytest.raises(BadCard):
            cards.tarot_number(wrong)


@given(st.permutations(cards.deck(suits="SH")))
def test_a_wanted_order_is_reached(wanted: list[str]) -> None:
    pile = cards.deck(suits="SH")
    assert cards.reordered(pile, cards.order_for(pile, wanted)) == tuple(wanted)


def test_other_cards_are_no_order() -> None:
    with pytest.raises(NotThere):
        cards.order_for(["SA", "S2"], ["SA", "S3"])
    with pytest.raises(NotThere):
        cards.order_for(["SA", "SA"], ["SA", "SA"])
    for order in ([0], [0, 0], [0, 2]):
        with pytest.raises(ValueError):
            cards.reordered(["SA", "S2"], order)


def test_moves() -> None:
    table = Zones({"draw": ("SA", "S2", "S3", "S4"), "hand:1": ("HK",)})
    dealt = table.draw("draw", "hand:1", 2)
    assert dealt["hand:1"] == ("HK", "SA", "S2")
    assert dealt["draw"] == ("S3", "S4")
    assert table["draw"] == ("SA", "S2", "S3", "S4")
    assert table.draw("draw", "discard", 2, to="top")["discard"] == ("S2", "SA")
    assert dealt.move(["S2", "HK"], "hand:1", "draw")["draw"] == ("S2", "HK", "S3", "S4")
    assert dealt.move(["S2"], "hand:1", "draw", to="bottom")["draw"] == ("S3", "S4", "S2")
    assert table.move(["S4"], "draw", "draw")["draw"] == ("S4", "SA", "S2", "S3")
    assert table.shuffled("draw", [3, 2, 1, 0])["draw"] == ("S4", "S3", "S2", "SA")
    assert dealt.gather(["hand:1", "draw"], "draw")["draw"] == ("S3", "S4", "HK", "SA", "S2")
    assert dealt.where("SA") == "hand:1"
    assert Zones.from_json(dealt.as_json()) == dealt


@pytest.mark.parametrize(
    "wrong",
    [
        lambda zones: zones.draw("draw", "hand", 3),
        lambda zones: zones.draw("draw", "hand", -1),
        lambda zones: zones.draw("nowhere", "hand"),
        lambda zones: zones.move(["HK"], "draw", "hand"),
        lambda zones: zones.move(["SA", "SA"], "draw", "hand"),
        lambda zones: zones.where("HK"),
    ],
)
def test_impossible_moves_are_refused(wrong: Any) -> None:
    with pytest.raises(NotThere):
        wrong(Zones({"draw": ("SA", "S2")}))


def test_a_card_in_two_places_is_refused() -> None:
    with pytest.raises(ValueError, match="SA"):
        Zones({"draw": ("SA",), "hand": ("SA",)})


PILES = ("draw", "discard", "hand:1", "hand:2")


class Conservation(RuleBasedStateMachine):
    """Whatever is done, two decks stay two decks."""

    @initialize()
    def deal(self) -> None:
        self.all = cards.decks(2)
        self.zones = Zones({"draw": tuple(self.all)})

    @rule(source=st.sampled_from(PILES), goal=st.sampled_from(PILES), amount=st.integers(0, 60))
    def draw(self, source: str, goal: str, amount: int) -> None:
        if amount > len(self.zones[source]):
            with pytest.raises(NotThere):
                self.zones.draw(source, goal, amount)
        else:
            self.zones = self.zones.draw(source, goal, amount)

    @precondition(lambda self: self.zones["discard"])
    @rule(data=st.data(), goal=st.sampled_from(PILES), to=st.sampled_from(["top", "bottom"]))
    def pick(self, data: Any, goal: str, to: Any) -> None:
        chosen = data.draw(st.lists(st.sampled_from(self.zones["discard"]), unique=True))
        self.zones = self.zones.move(chosen, "discard", goal, to=to)

    @rule(sources=st.lists(st.sampled_from(PILES)), goal=st.sampled_from(PILES))
    def gather(self, sources: list[str], goal: str) -> None:
        self.zones = self.zones.gather(sources, goal)

    @rule(data=st.data(), pile=st.sampled_from(PILES))
    def shuffle(self, data: Any, pile: str) -> None:
        order = data.draw(st.permutations(range(len(self.zones[pile]))))
        self.zones = self.zones.shuffled(pile, order)

    @invariant()
    def every_card_is_there_once(self) -> None:
        if hasattr(self, "zones"):
            found = self.zones.cards()
            assert set(found) == set(self.all)
            assert set(found.values()) == {1}


TestConservation = Conservation.TestCase
TestConservation.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
