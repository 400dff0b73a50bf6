"""Exact odds against slower, obvious ways to count (and against icepool, which others wrote)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesets import services


def chances(question: dict[str, Any]) -> dict[str, Fraction]:
    found = services.odds("edo", question, {})
    return {chance.key: chance.chance for chance in (*found.outcomes, *found.also)}


def kept(dice: int) -> list[int]:
    """The counted sum of every way the dice can fall."""
    return [sum(sorted(faces)[-2:]) for faces in product(range(1, 7), repeat=dice)]


@settings(deadline=None, max_examples=25)
@given(
    attack=st.integers(4, 18),
    evasion=st.integers(8, 24),
    parry=st.integers(4, 18),
    shifts=st.tuples(st.sampled_from([-2, 0, 2]), st.sampled_from([-2, 0, 2, 4])),
    dice=st.tuples(st.sampled_from([2, 3]), st.sampled_from([2, 3])),
)
def test_exchange_by_enumeration(
    attack: int, evasion: int, parry: int, shifts: tuple[int, int], dice: tuple[int, int]
) -> None:
    attacks, parries = kept(dice[0]), kept(dice[1])
    hits = [a + attack for a in attacks if a + attack >= evasion + shifts[0]]
    through = sum(1 for total in hits for p in parries if p + parry < total + shifts[1])
    found = chances(
        {
            "kind": "attack",
            "attack": attack,
            "evasion": evasion,
            "parry": parry,
            "attack_shift": shifts[0],
            "parry_shift": shifts[1],
            "attack_dice": dice[0],
            "parry_dice": dice[1],
        }
    )
    assert found["hit"] == Fraction(through, len(attacks) * len(parries))
    assert found["missed"] == 1 - Fraction(len(hits), len(attacks))


@pytest.mark.parametrize("dice", [2, 3])
def test_points_by_enumeration(dice: int) -> None:
    ways = list(product(range(1, 7), repeat=dice))
    for role, faces in (("lead", (5, 6)), ("support", (6,))):
        gain = sum(1 for way in ways if any(way.count(face) >= 2 for face in faces))
        found = chances({"kind": "point", "dice": dice, "role": role})
        assert found["point"] == Fraction(gain, len(ways))


def test_roll_agrees_with_icepool() -> None:
    three = icepool.d6.highest(3, 2)
    for difficulty in range(-1, 16):
        ours = chances({"kind": "test", "value": 0, "difficulty": difficulty})["success"]
        assert ours == three.probability(">=", difficulty)


@pytest.mark.parametrize(("weapon", "add"), [("daito", 2), ("tanto", 0), ("bo_shuriken", 0)])
def test_damage_agrees_with_icepool(weapon: str, add: int) -> None:
    for on_three in (False, True):
        faces = {6, 3} if on_three else {6}
        theirs = icepool.d6.map(lambda face, faces=faces: face + icepool.d6 if face in faces else face) + add
        dist = services.odds("edo", {"kind": "damage", "weapon": weapon, "crit_on_three": on_three}, {}).dist
        assert {total: Fraction(ways, dist.total) for total, ways in dist.items()} == {
            total: Fraction(ways, theirs.denominator()) for total, ways in theirs.items()
        }


def test_chained_criticals_only_where_the_group_wants_them() -> None:
    question = {"kind": "damage", "weapon": "tanto"}
    plain = services.odds("edo", question, {}).dist
    chained = services.odds("edo", question, {"crit_chain": True}).dist
    assert max(total for total, _ in plain.items()) == 12
    assert chained.chance(13) == Fraction(1, 216)  # 6, 6, 1
