"""How a draft begins: the people from the setup, then the piles (§3.1, §3.5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rulesets.alice import deck
from rulesets.alice.cards import SUITS
from rulesets.alice.character import character_of
from rulesets.alice.draft.desk import Desk
from rulesets.alice.draft.registry import command, event
from rulesets.alice.draft.state import ACES, ALICE, SECOND, Continuing, Draft, carried_by, pile_of
from rulesets.alice.draft.words import words
from rulesets.alice.tables import Tables
from rulesets.alice.words import message, refused
from rulesets.engine.cards import SYMBOLS, BadCard, card
from rulesets.engine.play import HIDDEN
from rulesets.engine.playing.reading import Fields


def start(setup: Mapping[str, Any]) -> Draft:
    """The draft a topic begins with; `setup` as for `Play.start`.

    Every seat with the role `player` may draft. A player whose PC in `cast` already has all four abilities goes on with
    it and is not seated, unless the GM seats them anew. Raises `KeyError`/`ValueError` for entries that are none.
    """
    names = {str(seat["seat"]): str(seat["name"]) for seat in setup["seats"] if seat["role"] == "player"}
    characters: dict[str, str] = {}
    carried: list[Continuing] = []
    for entry in setup["cast"]:
        if entry["kind"] != "pc":
            continue
        seat, found = str(entry.get("seat", "")), character_of(entry["build"])
        if found.complete and not any(one.seat == seat for one in carried):
            carried.append(
                Continuing(
                    str(entry["id"]), seat, str(entry["name"]), {str(suit): rank for suit, rank in found.cards.items()}
                )
            )
        elif seat not in characters:
            characters[seat] = str(entry["id"])
    going_on = {one.seat for one in carried}
    seats = tuple(seat for seat in names if seat not in going_on)
    return Draft(dict(setup.get("house_rules", {})), names, seats, characters, tuple(carried))


# ---------------------------------------------------------------- what a start would need


@dataclass(frozen=True)
class Plan:
    """What the draft would begin with now: `refusal` is the code that bars it, `left` the draw pile after the deal."""

    decks: int
    left: int
    refusal: str = ""
    params: Mapping[str, int] = field(default_factory=dict)


def plan(state: Draft) -> Plan:
    rule = state.tables.rule
    drafting, people = len(state.seats), len(state.seats) + len(state.continuing)
    decks = state.tables.decks_for(people)
    alice = deck.alice_cards(state.alices, decks, all_copies=rule.alice_remove_all_copies)
    left = deck.draw_pile_size(people, decks, len(alice), True, hand_size=rule.hand_size)
    if not drafting:
        return Plan(decks, left, "E_NO_PLAYERS")
    room = min(len(pile) for pile in _suit_piles(state, decks).values())
    if drafting > room:
        return Plan(decks, left, "E_TOO_MANY_PLAYERS", {"pile": room, "n": drafting})
    short = deck.short_of_cards(people, decks, len(alice), state.tables)
    if short:
        return Plan(decks, left, "E_DECK_TOO_SMALL", {"n": short})
    return Plan(decks, left)


def _aside(state: Draft, decks: int) -> tuple[list[str], dict[str, dict[str, str]], dict[str, list[str]]]:
    """The cards of アリス, and those of continuing characters with the suits in which they have none."""
    all_copies = state.tables.rule.alice_remove_all_copies
    alice = deck.alice_cards(state.alices, decks, all_copies=all_copies)
    free = [card for card in deck.whole_deck(decks) if card not in set(alice)]
    wanted = {one.actor: one.ranks for one in state.continuing}
    return alice, *deck.taken_for_abilities(wanted, free)


def _suit_piles(state: Draft, decks: int) -> dict[str, list[str]]:
    """The suit piles before they are shuffled."""
    alice, carried, _virtual = _aside(state, decks)
    out = {*alice, *(card for cards in carried.values() for card in cards.values())}
    count = min(state.tables.rule.draft_decks, decks)
    return {suit: [card for card in deck.suit_pile(suit, count) if card not in out] for suit in SUITS}


# ---------------------------------------------------------------- the start


@command(
    "start_draft", phases=("SEATING",), codes=("E_NO_PLAYERS", "E_TOO_MANY_PLAYERS", "E_DECK_TOO_SMALL"), rule="§3.1"
)
def start_draft(desk: Desk, asked: Fields) -> None:
    ready = plan(desk.state)
    if ready.refusal:
        raise refused(ready.refusal, **dict[str, Any](ready.params))
    alice, carried, virtual = _aside(desk.state, ready.decks)
    piles = {pile_of(suit): desk.shuffled(pile) for suit, pile in _suit_piles(desk.state, ready.decks).items()}
    zones = {**piles, ALICE: alice, **{carried_by(actor): list(cards.values()) for actor, cards in carried.items()}}
    placed = {card for pile in zones.values() for card in pile}
    rest = [card for card in deck.whole_deck(ready.decks) if card not in placed]
    drafted = min(desk.state.tables.rule.draft_decks, ready.decks)
    zones[ACES] = [card for card in rest if card in set(deck.aces(drafted))]
    zones[SECOND] = [card for card in rest if card not in set(zones[ACES])]
    counts = {suit: len(piles[pile_of(suit)]) for suit in SUITS}
    low = ready.left < desk.state.tables.rule.deck_low_warning
    warning = {"code": "W_DECK_LOW", "text": _words(ready.left)} if low else None
    desk.emit("piles.laid", audience=HIDDEN, zones=zones, virtual=virtual)
    desk.emit(
        "draft.started",
        words("log.started", n=len(desk.state.seats), decks=ready.decks),
        decks=ready.decks,
        counts=counts,
        left=ready.left,
        warning=warning,
    )


def _words(left: int) -> dict[str, str]:
    text = message("W_DECK_LOW", n=left)
    return {"ja": text.ja, "en": text.en}


def _laid(state: Draft, data: Mapping[str, Any]) -> Draft:
    zones = {name: tuple(cards) for name, cards in data["zones"].items()}
    return replace(state, piles=zones, virtual={actor: tuple(suits) for actor, suits in data["virtual"].items()})


def _started(state: Draft, data: Mapping[str, Any]) -> Draft:
    return replace(
        state,
        phase="PARENT_SELECT",
        decks=data["decks"],
        contenders=state.seats,
        hands={},
        winner="",
        step=state.step + 1,
    )


event("piles.laid", show=lambda data, viewer: None, evolve=_laid)
event("draft.started", shows=("decks", "counts", "left", "warning"), evolve=_started)


# ---------------------------------------------------------------- アリス


def alice_faces(typed: str, tables: Tables) -> tuple[str, ...]:
    """Faces such as `SQ` or `♦A`, or ids of アリス, with commas or spaces between; each once.

    Raises `Refuse` E_BAD_ALICE.
    """
    known = {row.id: row.face for row in tables.alices.values() if row.offered}
    parts = typed.replace("、", ",").replace(",", " ").split()
    return tuple(dict.fromkeys(known.get(part) or _face(part) for part in parts))


def _face(typed: str) -> str:
    plain = typed.upper()
    for suit, symbol in SYMBOLS.items():
        plain = plain.replace(symbol, suit)
    try:
        found = card(plain)
    except BadCard:
        raise refused("E_BAD_ALICE", value=typed[:40]) from None
    if found.is_joker or found.id != found.face:
        raise refused("E_BAD_ALICE", value=typed[:40])
    return found.face
