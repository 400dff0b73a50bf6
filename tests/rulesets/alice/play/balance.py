"""The invariants of rules §10.4, asserted of a state between two commands."""

from __future__ import annotations

from collections import Counter

from rulesets.alice.cards import diff_value, rank_of
from rulesets.alice.deck import whole_deck
from rulesets.alice.play.judging import target_of
from rulesets.alice.play.state import Attempt, State


def check_balance(state: State) -> None:
    """Raises AssertionError naming the invariant that does not hold."""
    cards = Counter(card for pile in state.zones.values() for card in pile)
    assert cards == Counter(whole_deck(state.decks)), "1: every card once"
    for who, actor in state.actors.items():
        held = [f"{suit}{rank}" for suit, rank in actor.ranks.items() if suit in actor.cards]
        assert sorted(card.partition("#")[0] for card in actor.cards.values()) == sorted(held), f"2: abilities of {who}"
        assert all(rank_of(card) != "A" for card in actor.cards.values()), "2: no ace is an ability"
        assert set(state.zone(f"ability:{who}")) == set(actor.cards.values()), f"2: abilities of {who}"
        assert all(0 <= stage <= 3 for stage in actor.stages.values()), f"6: stages of {who}"
    _hands(state)
    if state.op is None:
        tables = [name for name in state.zones if name.startswith(("table_", "sealed:"))]
        assert not tables, f"5: left on the table {tables}"
        assert all(one.sealed is None for one in state.actors.values()), "5: sealed"
    if state.rule.reshuffle_timing == "eager" and not state.zone("draw_pile"):
        assert not state.zone("discard_pile"), "7: the pile is made anew at once"
    _operation(state)
    if state.rule.alice_remove_all_copies:
        faces = {card.partition("#")[0] for card in state.zone("alice_aside")}
        others = (card for name, pile in state.zones.items() if name != "alice_aside" for card in pile)
        assert not faces & {card.partition("#")[0] for card in others}, "9: an アリス card elsewhere"


def _hands(state: State) -> None:
    """4: hands are exactly their size, but for owed refills, surplus cards and sealed ones."""
    if state.phase != "play":
        return
    for actor in state.pcs:
        owed = sum(one.count for one in state.owed if one.who == actor.id and one.kind != "survival")
        sealed = len(state.zone(f"sealed:{actor.id}"))
        expected = state.hand_size(actor.id) - owed - sealed
        assert len(state.hand(actor.id)) >= expected, f"4: the hand of {actor.id} is short"
        surplus = len(state.hand(actor.id)) - expected
        assert surplus <= 1 or actor.hand_delta < 0 or not actor.pacts, f"4: the hand of {actor.id}"


def _operation(state: State) -> None:
    """8: the target is the sum of its cards, and achievements follow from what was played."""
    op = state.op
    if op is None:
        return
    cards = state.zone("table_difficulty")
    assert len(cards) == op.cards, "8: difficulty cards"
    if op.turned:
        assert op.target == sum(diff_value(rank_of(card)) for card in cards), "8: target"
    for at, one in enumerate(op.tries):
        if one.achievement is not None:
            assert one.achievement in _readings(one), "8: achievement"
            assert one.value is None or one.value in _values(state, one), "8: ability"
        if one.achievement is not None and one.outcome in ("success", "fail_low"):
            target = target_of(op, at)
            assert target is not None and (one.achievement >= target) == (one.outcome == "success"), "8: judged"


def _readings(one: Attempt) -> set[int]:
    """What a played card can come to, written down a second time."""
    value = one.value or 0
    if one.way == "fixed":
        return {value + {"expert": 6, "related": 4, "outsider": 2}[one.cls]}
    rank = "A" if one.way == "luck" else rank_of(one.card)
    if rank == "A":
        return {21, value + 11}
    return {value + ({"J": 1, "Q": 2, "K": 3}.get(rank) or int(rank))}


def _values(state: State, one: Attempt) -> set[int]:
    """What an ability can read: halved, nothing left, boosted; before or after luck has paid for it."""
    rank = state.actors[one.who].ranks[one.suit]
    plain = {"J": 1, "Q": 2, "K": 3}.get(rank) or int(rank)
    full = plain + 10 if one.boosted else plain
    return {full, (full + 1) // 2, 0}
