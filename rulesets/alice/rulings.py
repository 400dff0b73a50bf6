"""Small rulings that need no state, by the names of Appendix A (rules §7–§9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from rulesets.alice.cards import FATAL, ability_value, base_value
from rulesets.alice.tables import TABLES, Tables

FAR = 10  # metres from which distance counts in a 交感判定


def difficulty_after(cards: int, favourable: bool, *, tables: Tables | None = None) -> int:
    """Difficulty cards when the situation is favourable: one less, not below the group's floor (§7.3)."""
    floor = (tables or TABLES.base).rule.favourable_floor
    return max(floor, cards - 1) if favourable else cards


def empathy_difficulty(touching: bool, distance_m: int, in_sight: bool, thoughts: bool, unwilling: bool) -> int:
    """Difficulty cards of a 交感判定, 1 to 6 (§7.10).

    Raises `ValueError` when one would touch from ten metres (E_INCONSISTENT).
    """
    if touching and distance_m >= FAR:
        raise ValueError("E_INCONSISTENT")
    return 1 + (not touching) + (distance_m >= FAR) + (not in_sight) + thoughts + unwilling


def contest_winner(active: int | None, passive: int | None) -> Literal["active", "passive"]:
    """Who wins a contest: the passive side on a tie, and always when the active side has no achievement (§7.7)."""
    if active is None:
        return "passive"
    return "passive" if passive is not None and passive >= active else "active"


def survival(suit: str, rank: str) -> Literal["alive", "heal", "dead"]:
    """What the daily card says of somebody fatally wounded and alone (§8.6)."""
    if rank == "A":
        return "heal"
    return "alive" if suit == "D" else "dead"


def race_ranks(achievements: Sequence[int | None]) -> list[int]:
    """Ranks of a race, ties shared, those without an achievement last (§7.8)."""
    order = [-1 if value is None else value for value in achievements]
    return [1 + sum(other > value for other in order) for value in order]


def initiative(characters: Sequence[Mapping[str, Any]], *, tables: Tables | None = None) -> list[str]:
    """Names in acting order (§9.2). A character is `{name, rank, stage, is_pc, seat}`; stage 3 of ♠ is left out.

    Ties: PC before GM character, higher undamaged ♠, then the seat (a GM character's place in the list).
    """

    def key(one: Mapping[str, Any]) -> tuple[int, bool, int, int]:
        value = ability_value(one["rank"], one["stage"], tables=tables) or 0
        return -value, not one["is_pc"], -base_value(one["rank"], tables), one["seat"]

    return [one["name"] for one in sorted((c for c in characters if c["stage"] < FATAL), key=key)]
