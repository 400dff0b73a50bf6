"""Which cards make up a table's deck, and how many are left for what (§3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rulesets.alice.cards import ABILITY_RANKS, SUITS
from rulesets.alice.tables import TABLES, Tables
from rulesets.engine.cards import Card, deck, decks

ABILITIES = len(SUITS)
WHOLE = 52


def whole_deck(count: int) -> list[str]:
    """Every card of the game: `count` decks with aces and without jokers."""
    return decks(count)


def suit_pile(suit: str, count: int = 1) -> list[str]:
    """The pile of one suit that abilities are drafted from: the suit without its ace, of `count` decks."""
    return [card for number in range(1, count + 1) for card in deck(number, suits=(suit,), ranks=ABILITY_RANKS)]


def aces(count: int = 1) -> list[str]:
    """The aces laid aside during the draft."""
    return [card for number in range(1, count + 1) for card in deck(number, ranks=("A",))]


def alice_cards(faces: Iterable[str], count: int, *, all_copies: bool = True) -> list[str]:
    """The physical cards taken out for アリス, by faces such as `SQ` (§3.1 step 3)."""
    numbers = range(1, count + 1) if all_copies else (1,)
    return [Card(face[0], face[1:], number).id for face in faces for number in numbers]


def taken_for_abilities(
    wanted: Mapping[str, Mapping[str, str]], available: Iterable[str]
) -> tuple[dict[str, dict[str, str]], dict[str, list[str]]]:
    """The physical ability cards of characters with ranks already fixed (§3.6).

    `wanted`: ranks by suit by character, earlier characters first. Returns the card ids by character and suit, and the
    suits for which a character gets a virtual card because no copy of the face is left.
    """
    free = set(available)
    found: dict[str, dict[str, str]] = {}
    virtual: dict[str, list[str]] = {}
    for who, ranks in wanted.items():
        found[who], virtual[who] = {}, []
        for suit, rank in ranks.items():
            copies = [Card(suit, rank, number).id for number in (1, 2)]
            card = next((copy for copy in copies if copy in free), None)
            if card is None:
                virtual[who].append(suit)
            else:
                free.discard(card)
                found[who][suit] = card
    return found, virtual


def draw_pile_size(players: int, decks: int, alice_cards: int, dealt: bool, *, hand_size: int = 3) -> int:
    """Cards in the draw pile before or after the deal, negative when they do not suffice (§3.5)."""
    each = ABILITIES + (hand_size if dealt else 0)
    return WHOLE * decks - each * players - alice_cards


def pile_room(suit: str, taken: Sequence[str], draft_decks: int = 1) -> int:
    """How many players a suit pile serves, given the cards that are out of it (アリス, continuing characters)."""
    return len(set(suit_pile(suit, draft_decks)) - set(taken))


def short_of_cards(players: int, decks: int, alice: int, tables: Tables | None = None) -> int:
    """How many cards the deal would lack; 0 when it can be dealt."""
    rule = (tables or TABLES.base).rule
    extra = rule.hand_size if rule.gm_character_cards == "gm_hand" else 0
    return max(0, extra - draw_pile_size(players, decks, alice, True, hand_size=rule.hand_size))
