"""One rank, three readings (§5.1), and what they add up to (§7.1). Ids of cards: `rulesets.engine.cards`.

A card never has one "value": as ability, as played card and as difficulty it reads differently. Functions bear the
names of Appendix A. `tables` are the group's; left out, the published ones.
"""

from __future__ import annotations

from typing import Literal

from rulesets.alice.rows import SUIT_IDS, ClassId, SuitId
from rulesets.alice.tables import ABILITY_RANKS, GM_VALUES, TABLES, Tables
from rulesets.engine.cards import RANKS, card

__all__ = [
    "ABILITY_RANKS",
    "BLACK",
    "CLASSES",
    "DEFAULT_BEST",
    "FATAL",
    "GM_VALUES",
    "PICTURES",
    "RANKS",
    "SUITS",
    "AceMode",
    "ability_value",
    "achievement",
    "base_value",
    "best_achievement",
    "boost_value",
    "card_value",
    "color",
    "default_ace_mode",
    "diff_value",
    "improve",
    "legal",
    "legal_card",
    "rank_of",
    "suit_of",
]

SUITS: tuple[SuitId, ...] = SUIT_IDS
BLACK = frozenset({"S", "C"})
PICTURES = ("J", "Q", "K")
CLASSES: tuple[ClassId, ...] = ("outsider", "related", "expert")
FATAL = 3  # the stage that leaves no ability

AceMode = Literal["eleven", "twentyone"]
ACE_SUM, DEFAULT_BEST = 11, 21


def suit_of(card_id: str) -> SuitId:
    """The suit of a card id. Raises `BadCard`; `ValueError` for a joker."""
    suit = card(card_id).suit
    for known in SUITS:
        if known == suit:
            return known
    raise ValueError(f"jokers are not in the game: {card_id}")


def rank_of(card_id: str) -> str:
    """The rank of a card id: `H10#2` is a `10`. Raises `BadCard`."""
    return card(card_id).rank


def color(suit: str) -> Literal["black", "red"]:
    return "black" if suit in BLACK else "red"


# ---------------------------------------------------------------- the three readings


def diff_value(rank: str) -> int:
    """A rank as difficulty card: ace 1, pictures 10."""
    if rank == "A":
        return 1
    return 10 if rank in PICTURES else int(rank)


def card_value(rank: str) -> int:
    """A rank as played card: ace 11 (or the whole achievement 21), J 1, Q 2, K 3. No boost, no house rule."""
    if rank == "A":
        return ACE_SUM
    return PICTURES.index(rank) + 1 if rank in PICTURES else int(rank)


def base_value(rank: str, tables: Tables | None = None) -> int:
    """A rank (or a GM character's value) as undamaged ability."""
    pictures = (tables or TABLES.base).pictures
    return pictures[rank].value if rank in pictures else int(rank)


def boost_value(rank: str, tables: Tables | None = None) -> int | None:
    """What a picture ability reads with its boost; None for a card without one."""
    pictures = (tables or TABLES.base).pictures
    return pictures[rank].boost if rank in pictures else None


def ability_value(rank: str, stage: int, boosted: bool = False, *, tables: Tables | None = None) -> int | None:
    """The ability at a damage stage: half rounded up at 1, 0 at 2, None at 3 (§8.1).

    A boost counts before the damage, unless the group ignores damage under a boost. A rank without boost is read as
    it is.
    """
    if stage >= FATAL:
        return None
    boost = boost_value(rank, tables) if boosted else None
    value = base_value(rank, tables) if boost is None else boost
    if boost is not None and (tables or TABLES.base).rule.boost_under_damage == "ignore":
        return boost
    return (value, (value + 1) // 2, 0)[stage]


# ---------------------------------------------------------------- playing a card


def legal(card_suit: str, test_suit: str, cls: str) -> bool:
    """Whether a card may be played: 専門 any, 関連 the colour, 門外 the suit of the ability (§7.1)."""
    if cls == "expert":
        return True
    return color(card_suit) == color(test_suit) if cls == "related" else card_suit == test_suit


def legal_card(card_id: str, test_suit: str, cls: str) -> bool:
    return legal(suit_of(card_id), test_suit, cls)


def improve(cls: str) -> ClassId:
    """One class better; 専門 stays. Raises `ValueError` for no class."""
    steps = [known for known in CLASSES if known == cls]
    if not steps:
        raise ValueError(f"no class: {cls}")
    return CLASSES[min(CLASSES.index(steps[0]) + 1, len(CLASSES) - 1)]


def default_ace_mode(value: int) -> AceMode:
    """The better reading of an ace; 21 when both are equal (§7.1)."""
    return "twentyone" if value + ACE_SUM <= DEFAULT_BEST else "eleven"


def achievement(value: int, rank: str, ace_mode: AceMode | None = None) -> int:
    """Ability and played card together; an ace as chosen, else by the better reading."""
    if rank != "A":
        return value + card_value(rank)
    return DEFAULT_BEST if (ace_mode or default_ace_mode(value)) == "twentyone" else value + ACE_SUM


def best_achievement(value: int, card_id: str, *, eleven_only: bool = False) -> int:
    """The best achievement of a card id; `eleven_only`: an ace has one reading (flipped, under a house rule)."""
    return achievement(value, rank_of(card_id), "eleven" if eleven_only else None)
