"""Cards and piles as plain values: ids, decks, and zones in which no card is ever lost or doubled.

A playing card is written suit and rank, `S` `C` `H` `D` and `A` `2` … `10` `J` `Q` `K`: `H10`; jokers are `JK1`, `JK2`.
Cards of a second deck carry its number: `H10#2`. Tarot cards of ウィッチ・タロー are the numbers `0` … `28`, as text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

# ♠ → ♣ → ♥ → ♦, the order in which the games lay suits out (alice.md §3.2)
SUITS = ("S", "C", "H", "D")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SYMBOLS = {"S": "♠", "C": "♣", "H": "♥", "D": "♦"}
TAROT = tuple(str(number) for number in range(29))
MAX_DECKS = 9
MAX_JOKERS = 9

_ID = re.compile(r"(?:([SCHD])(A|[2-9]|10|J|Q|K)|JK([1-9]))(?:#([2-9]))?", re.ASCII)


class BadCard(ValueError):
    """An id that names no card."""


class NotThere(ValueError):
    """A card or pile that was asked for is not where it should be, or holds too few cards."""


@dataclass(frozen=True, slots=True)
class Card:
    """A playing card. A joker has suit "" and its number as rank."""

    suit: str
    rank: str
    deck: int = 1

    @property
    def is_joker(self) -> bool:
        return not self.suit

    @property
    def face(self) -> str:
        """The id without the number of the deck: equal for the same card of two decks."""
        return f"JK{self.rank}" if self.is_joker else f"{self.suit}{self.rank}"

    @property
    def id(self) -> str:
        return self.face if self.deck == 1 else f"{self.face}#{self.deck}"

    def __str__(self) -> str:
        return f"JOKER {self.rank}" if self.is_joker else f"{SYMBOLS[self.suit]}{self.rank}"


def card(card_id: str) -> Card:
    """The card of an id. Raises `BadCard`."""
    found = _ID.fullmatch(card_id)
    if not found:
        raise BadCard(f"no card: {card_id!r}")
    suit, rank, joker, deck = found.groups()
    return Card(suit or "", rank or joker, int(deck or 1))


def deck(number: int = 1, *, jokers: int = 0, suits: Iterable[str] = SUITS, ranks: Iterable[str] = RANKS) -> list[str]:
    """The ids of one deck (`number` 1 … 9), suit by suit from the ace up, jokers last."""
    if not 1 <= number <= MAX_DECKS or not 0 <= jokers <= MAX_JOKERS:
        raise ValueError("decks are numbered 1 to 9 and hold at most 9 jokers")
    kept = tuple(ranks)
    cards = [Card(suit, rank, number) for suit in suits for rank in kept]
    cards += [Card("", str(joker), number) for joker in range(1, jokers + 1)]
    return [card.id for card in cards]


def decks(amount: int, *, jokers: int = 0) -> list[str]:
    """The ids of several whole decks, one after another."""
    return [card_id for number in range(1, amount + 1) for card_id in deck(number, jokers=jokers)]


def tarot_number(card_id: str) -> int:
    """The number of a tarot card: 0 (トリックスター) to 28. Raises `BadCard`."""
    if card_id not in TAROT:
        raise BadCard(f"no tarot card: {card_id!r}")
    return int(card_id)


def reordered(cards: Sequence[str], order: Sequence[int]) -> tuple[str, ...]:
    """Cards in a drawn order (`DiceSource.shuffle(len(cards))`); first = top. Raises `ValueError` for no order."""
    if sorted(order) != list(range(len(cards))):
        raise ValueError(f"no order of {len(cards)} cards")
    return tuple(cards[index] for index in order)


def order_for(cards: Sequence[str], wanted: Sequence[str]) -> tuple[int, ...]:
    """The order that turns `cards` into `wanted`, for scripted shuffles. Raises `NotThere` if they are other cards."""
    if Counter(cards) != Counter(wanted) or len(set(cards)) != len(cards):
        raise NotThere("these are not the cards of the pile")
    at = {card_id: index for index, card_id in enumerate(cards)}
    return tuple(at[card_id] for card_id in wanted)


# ---------------------------------------------------------------- piles

End = Literal["top", "bottom"]


@dataclass(frozen=True, slots=True)
class Zones:
    """Named piles of cards, first = top. Every card lies in exactly one; each change gives a new value.

    Names are the game's (`draw_pile`, `hand:3`). A pile that nobody has named is empty.
    """

    piles: Mapping[str, tuple[str, ...]]

    def __post_init__(self) -> None:
        doubled = [card_id for card_id, times in self.cards().items() if times > 1]
        if doubled:
            raise ValueError(f"in two places: {', '.join(sorted(doubled))}")

    def __getitem__(self, pile: str) -> tuple[str, ...]:
        return self.piles.get(pile, ())

    def cards(self) -> Counter[str]:
        """Every card and how often it is there: always once."""
        return Counter(card_id for pile in self.piles.values() for card_id in pile)

    def where(self, card_id: str) -> str:
        """The pile a card lies in. Raises `NotThere`."""
        for name, pile in self.piles.items():
            if card_id in pile:
                return name
        raise NotThere(f"{card_id} is nowhere")

    def move(self, cards: Sequence[str], source: str, target: str, *, to: End = "top") -> Zones:
        """Move cards; the first named lies uppermost among them. Raises `NotThere`."""
        left = list(self[source])
        for card_id in cards:
            if card_id not in left:
                raise NotThere(f"{card_id} is not in {source}")
            left.remove(card_id)
        there = tuple(left) if source == target else self[target]
        laid = (*cards, *there) if to == "top" else (*there, *cards)
        return self._with({source: tuple(left), target: laid})

    def draw(self, source: str, target: str, amount: int = 1, *, to: End = "bottom") -> Zones:
        """Move the `amount` uppermost cards one after another (into a hand: drawn last lies last).

        Raises `NotThere` when there are fewer.
        """
        if amount < 0 or amount > len(self[source]):
            raise NotThere(f"{source} holds {len(self[source])} cards, not {amount}")
        drawn = self[source][:amount]
        return self.move(drawn if to == "bottom" else drawn[::-1], source, target, to=to)

    def gather(self, sources: Iterable[str], target: str) -> Zones:
        """Lay whole piles under another, in the order named."""
        zones = self
        for source in sources:
            if source != target:
                zones = zones.move(zones[source], source, target, to="bottom")
        return zones

    def shuffled(self, pile: str, order: Sequence[int]) -> Zones:
        """A pile in a drawn order."""
        return self._with({pile: reordered(self[pile], order)})

    def _with(self, changed: Mapping[str, tuple[str, ...]]) -> Zones:
        return Zones({**self.piles, **changed})

    def as_json(self) -> dict[str, list[str]]:
        """Every pile with its cards, for the server's snapshot: it holds what players must not see."""
        return {name: list(pile) for name, pile in self.piles.items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Sequence[str]]) -> Zones:
        return cls({name: tuple(pile) for name, pile in data.items()})
