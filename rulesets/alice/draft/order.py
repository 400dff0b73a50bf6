"""Who is 親 of which card and who is asked in which order (§4.2, §4.7)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rulesets.alice.cards import SUITS
from rulesets.alice.rows import SuitId


def suit_at(k: int) -> SuitId:
    """The suit of reveal k, counted from 0: ♠ ♣ ♥ ♦ and again."""
    return SUITS[k % len(SUITS)]


def parent_seat(k: int, n: int, rotation: str = "per_reveal") -> int:
    """The place of the 親 at reveal k among n seats, counted from the first 親."""
    if rotation == "per_cycle":
        return (k // len(SUITS) + k % len(SUITS)) % n
    return k % n


def schedule(n: int, rotation: str = "per_reveal") -> dict[SuitId, list[int]]:
    """For each suit the places of its 親, as the table shows them before the first is chosen (§4.7)."""
    found: dict[SuitId, list[int]] = {suit: [] for suit in SUITS}
    for k in range(len(SUITS) * n):
        found[suit_at(k)].append(parent_seat(k, n, rotation))
    return found


def asking_order(seats: Sequence[str], parent: int, owners: Collection[str]) -> tuple[str, ...]:
    """The seats from the 親 clockwise, without those who own the suit already."""
    turned = [*seats[parent:], *seats[:parent]]
    return tuple(seat for seat in turned if seat not in owners)


BEATS: Mapping[str, str] = {"rock": "scissors", "scissors": "paper", "paper": "rock"}


def janken_left(hands: Mapping[str, str]) -> tuple[str, ...]:
    """Who stays in after a round of じゃんけん: the winners, or everybody on a tie."""
    shown = set(hands.values())
    if len(shown) != 2:
        return tuple(hands)
    winning = next(hand for hand in shown if BEATS[hand] in shown)
    return tuple(seat for seat, hand in hands.items() if hand == winning)
