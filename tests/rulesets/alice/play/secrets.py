"""Who may see which card (rules §6.6), written down a second time: the oracle of the secrecy tests."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rulesets.alice.play.state import State
from tests.rulesets.alice.play.table import SEATS

_CARD = re.compile(r'"([SCHD](?:A|[2-9]|10|J|Q|K)(?:#2)?)"')


def cards_in(data: Any) -> set[str]:
    """Every card named anywhere in plain data."""
    return set(_CARD.findall(json.dumps(data, ensure_ascii=False)))


def open_to(state: State, who: str, zone: str) -> bool:
    """Whether the faces in a zone are open to `gm`, a player by character, `spectator` or `stranger`."""
    rule, kind, _, owner = state.rule, *zone.partition(":")
    if kind in ("ability", "table_played", "box") or state.phase == "ended":
        return True
    if kind == "discard_pile":
        return rule.discards_public
    if kind == "table_difficulty":
        return state.op is not None and state.op.turned
    if kind == "alice_aside" or zone == "hand:gm":
        return who == "gm"
    if kind in ("hand", "sealed"):
        npc = owner in state.actors and state.actors[owner].npc
        return who == owner or (who == "gm" and (rule.gm_sees_hands or npc))
    return False


def visible_cards(state: State, who: str) -> set[str]:
    """Every face somebody may know, an offered card included."""
    found = {card for zone, pile in state.zones.items() if open_to(state, who, zone) for card in pile}
    for transfer in state.transfers.values():
        if who in (transfer.giver, transfer.receiver) and transfer.id in state.actors[transfer.giver].offers:
            found.add(state.actors[transfer.giver].offers[transfer.id])
    return found


def another_world(state: State, who: str, chance: random.Random) -> State:
    """The same table to somebody's eyes: every card they cannot see may be any other such card."""
    known = visible_cards(state, who)
    hidden = [card for zone in state.zones for card in state.zones[zone] if card not in known]
    swapped = hidden[:]
    chance.shuffle(swapped)
    now = dict(zip(hidden, swapped, strict=True))
    return replace(
        state,
        zones={zone: _swap(pile, now) for zone, pile in state.zones.items()},
        actors={
            key: replace(one, offers={at: now.get(card, card) for at, card in one.offers.items()})
            for key, one in state.actors.items()
        },
        alices={key: replace(one, cards=_swap(one.cards, now)) for key, one in state.alices.items()},
    )


def _swap(pile: tuple[str, ...], now: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(now.get(card, card) for card in pile)


PLAYERS = tuple(SEATS)
