"""Somebody who comes when the draft is over: one random card of each suit from what is left (§3.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rulesets.alice.cards import SUITS, rank_of, suit_of
from rulesets.alice.draft.desk import Desk
from rulesets.alice.draft.registry import command, event
from rulesets.alice.draft.seating import PLAYER
from rulesets.alice.draft.state import SECOND, Draft, abilities_of, pile_of
from rulesets.alice.draft.words import FORMS, card_name, words
from rulesets.alice.words import refused
from rulesets.engine.playing.reading import Fields


@command(
    "late_join",
    PLAYER,
    FORMS.text("name"),
    phases=("COMPLETE",),
    codes=("E_TWICE_SEATED", "E_PILE_EMPTY", "E_UNKNOWN_PLAYER"),
    rule="§3.6",
)
def late_join(desk: Desk, asked: Fields) -> None:
    """Four cards for a player who did not draft; `player` is a seat, known to the draft or new."""
    seat = desk.newcomer(asked.text("player"))
    if seat in (*desk.state.seats, *desk.state.late):
        raise refused("E_TWICE_SEATED", player=desk.name(seat))
    choices = {suit: left_of(desk.state, suit) for suit in SUITS}
    if not all(choices.values()):
        raise refused("E_PILE_EMPTY")
    cards = [pile[desk.dice.roll(len(pile)) - 1] for pile in choices.values()]
    name = desk.state.names.get(seat) or asked.text("name") or seat
    shown = " ".join(card_name(card).ja for card in cards)
    desk.emit("late.joined", words("log.late", player=name, cards=shown), seat=seat, name=name, cards=cards)


def left_of(state: Draft, suit: str) -> list[str]:
    """Cards of a suit that will be in the draw pile, without aces; in an order that tells nothing."""
    pile = [*state.zones[pile_of(suit)], *(card for card in state.zones[SECOND] if suit_of(card) == suit)]
    return sorted(card for card in pile if rank_of(card) != "A")


def _joined(state: Draft, data: Mapping[str, Any]) -> Draft:
    zones = state.zones
    for card in data["cards"]:
        zones = zones.move([card], zones.where(card), abilities_of(data["seat"]), to="bottom")
    names = {**state.names, data["seat"]: data["name"]}
    return replace(state, piles=zones.piles, names=names, late=(*state.late, data["seat"]))


event("late.joined", shows=("seat", "name", "cards"), evolve=_joined)
