"""Exact chances over cards nobody in question has seen (rules §12), counted in whole numbers.

Everything takes `unseen`: the ids of the cards that the viewer cannot tell apart, each equally likely to be the next
(§12.4). Nothing here knows where a card really lies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb

from rulesets.alice.cards import achievement, diff_value, legal_card, rank_of
from rulesets.alice.deck import whole_deck
from rulesets.engine.odds import Dist

READINGS = range(1, 11)  # what a difficulty card can read
Multiplicities = tuple[int, ...]


def unseen(decks: int, seen: Iterable[str]) -> list[str]:
    """The cards of so many decks without those the viewer sees: own hand, abilities, discards, open cards."""
    known = set(seen)
    return [card for card in whole_deck(decks) if card not in known]


# ---------------------------------------------------------------- §12.1 targets


def multiplicities(cards: Iterable[str]) -> Multiplicities:
    """How many cards read 1, 2 … 10 as difficulty."""
    counts = Counter(diff_value(rank_of(card)) for card in cards)
    return tuple(counts[reading] for reading in READINGS)


@lru_cache(maxsize=8192)
def _ways(counts: Multiplicities, cards: int) -> tuple[int, ...]:
    """In how many ways `cards` of them read 0, 1 … 10 × cards together: a convolution without replacement."""
    rows = [[0] * (10 * cards + 1) for _ in range(cards + 1)]
    rows[0][0] = 1
    for reading, count in zip(READINGS, counts, strict=True):
        for laid in range(cards - 1, -1, -1):
            for total, ways in enumerate(rows[laid]):
                if ways:
                    for more in range(1, min(count, cards - laid) + 1):
                        rows[laid + more][total + more * reading] += ways * comb(count, more)
    return tuple(rows[cards])


@lru_cache(maxsize=8192)
def _reached(counts: Multiplicities, cards: int) -> tuple[int, ...]:
    """In how many ways the target is at most 0, 1 …"""
    total = 0
    return tuple(total := total + ways for ways in _ways(counts, cards))


def target_dist(cards_unseen: Sequence[str], cards: int) -> Dist[int]:
    """The target of so many difficulty cards. Raises `ValueError` when there are not so many."""
    ways = _ways(multiplicities(cards_unseen), cards)
    return Dist({total: count for total, count in enumerate(ways) if count})


def _at_most(counts: Multiplicities, cards: int, limit: int) -> int:
    """Ways in which the target is at most `limit`."""
    reached = _reached(counts, cards)
    return reached[min(limit, len(reached) - 1)] if limit >= 0 else 0


def target_at_most(cards_unseen: Sequence[str], cards: int, limit: int) -> Fraction:
    """The chance that an achievement of `limit` suffices before the cards are turned up."""
    counts = multiplicities(cards_unseen)
    return Fraction(_at_most(counts, cards, limit), comb(sum(counts), cards))


# ---------------------------------------------------------------- §12.2 flips


@dataclass(frozen=True, slots=True)
class Attempt:
    """Somebody's side of a test: the ability's value now, its suit, the class. `eleven_only`: a flipped ace is 11."""

    value: int
    suit: str
    cls: str
    eleven_only: bool = False

    def flipped(self, card: str) -> int | None:
        """The achievement of a flipped card; None for one that may not be played."""
        if not legal_card(card, self.suit, self.cls):
            return None
        return achievement(self.value, rank_of(card), "eleven" if self.eleven_only else None)

    def played(self, card: str) -> int | None:
        """The achievement of a card from the hand, by the better reading of an ace."""
        return achievement(self.value, rank_of(card)) if legal_card(card, self.suit, self.cls) else None


def flip_reaches(cards_unseen: Sequence[str], attempt: Attempt, target: int) -> Fraction:
    """The chance that a flip reaches a known target; 0 when no card is left."""
    if not cards_unseen:
        return Fraction(0)
    good = sum((found := attempt.flipped(card)) is not None and found >= target for card in cards_unseen)
    return Fraction(good, len(cards_unseen))


def flip_before(cards_unseen: Sequence[str], attempt: Attempt, cards: int) -> Fraction:
    """The chance of a flip decided before the target is known: the flipped card is no difficulty card."""
    counts = multiplicities(cards_unseen)
    size = sum(counts)
    good = 0
    for kind, amount in _kinds(cards_unseen, attempt).items():
        if kind.flipped is not None:
            good += amount * _at_most(_without(counts, (kind.reading,)), cards, kind.flipped)
    return Fraction(good, size * comb(size - 1, cards))


@dataclass(frozen=True, slots=True)
class _Kind:
    """What matters of a card: its reading as difficulty, the achievement it gives flipped and played."""

    reading: int
    flipped: int | None
    played: int | None


def _kinds(cards: Iterable[str], attempt: Attempt) -> Counter[_Kind]:
    return Counter(_Kind(diff_value(rank_of(card)), attempt.flipped(card), attempt.played(card)) for card in cards)


def _without(counts: Multiplicities, readings: Iterable[int]) -> Multiplicities:
    left = list(counts)
    for reading in readings:
        left[reading - 1] -= 1
    return tuple(left)


# ---------------------------------------------------------------- §12.3 a hand nobody knows


def unknown_hand(
    cards_unseen: Sequence[str], attempt: Attempt, cards: int, *, hand: int = 3, then_flip: bool = False
) -> Fraction:
    """The chance with a random hand: the best legal card, with `then_flip` also a flip when it does not suffice."""
    kinds = _kinds(cards_unseen, attempt)
    counts = multiplicities(cards_unseen)
    left = sum(counts) - hand
    enough = rescued = 0
    for held, ways in _hands(kinds, hand):
        others = _without(counts, (kind.reading for kind in held))
        best = max((kind.played for kind in held if kind.played is not None), default=-1)
        enough += ways * _at_most(others, cards, best)
        if then_flip:
            rescued += ways * _rescued(kinds - Counter(held), others, cards, best)
    hands = comb(left + hand, hand)
    flips = hands * left * comb(left - 1, cards)
    return Fraction(enough, hands * comb(left, cards)) + (Fraction(rescued, flips) if then_flip else 0)


def _rescued(kinds: Counter[_Kind], left: Multiplicities, cards: int, best: int) -> int:
    """Ways in which the target lies above the hand's best and a flip reaches it."""
    good = 0
    for kind, amount in kinds.items():
        if kind.flipped is not None and kind.flipped > best:
            among = _without(left, (kind.reading,))
            good += amount * (_at_most(among, cards, kind.flipped) - _at_most(among, cards, best))
    return good


def _hands(kinds: Mapping[_Kind, int], hand: int) -> Iterator[tuple[tuple[_Kind, ...], int]]:
    """Every hand by kinds of card, with the number of real hands that look so."""
    order = sorted(kinds, key=lambda kind: (kind.reading, kind.flipped or -1, kind.played or -1))
    for held in combinations_with_replacement(order, hand):
        ways = 1
        for kind, amount in Counter(held).items():
            ways *= comb(kinds[kind], amount)
        if ways:
            yield held, ways


def no_legal_card(cards_unseen: Sequence[str], attempt: Attempt, *, hand: int = 3) -> Fraction:
    """The chance that a random hand holds nothing that may be played."""
    barred = sum(attempt.played(card) is None for card in cards_unseen)
    return Fraction(comb(barred, hand), comb(len(cards_unseen), hand))


# ---------------------------------------------------------------- §12.5, §12.6


def contest_by_flips(cards_unseen: Sequence[str], active: Attempt, passive: Attempt) -> Fraction:
    """The chance that the active side wins when both flip, ties to the passive (an attack that hits)."""
    hits = 0
    for card in cards_unseen:
        reached = active.flipped(card)
        if reached is None:
            continue
        defended = sum((found := passive.flipped(other)) is not None and found >= reached for other in cards_unseen)
        own = passive.flipped(card)
        hits += len(cards_unseen) - 1 - defended + (own is not None and own >= reached)
    return Fraction(hits, len(cards_unseen) * (len(cards_unseen) - 1))
