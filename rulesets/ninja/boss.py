"""An enemy ninja by level and a few dice (rules §8, quick boss generator)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rulesets.engine.problems import Value

# face -> abilities raised by two
_RAISED = (("karate",), ("neuron",), ("wazamae",), ("karate", "neuron"), ("neuron", "wazamae"), ("karate", "wazamae"))
_RAISE, _HIGH, _MONEY = 2, 6, 3
JITSU_LEVEL = 3


@dataclass(frozen=True)
class Boss:
    level: int
    faces: list[int]
    changes: dict[str, Value]


def boss(level: int, die: Callable[[], int]) -> Boss:
    """Fields of an enemy of level 1–8: all abilities at the level, one or two raised, one extra by D6.

    An ability above 6 gets the rounded third of a D6 more and three 万札 with it.
    """
    abilities = dict.fromkeys(("karate", "neuron", "wazamae"), level)
    faces = [die()]
    for ability in _RAISED[faces[0] - 1]:
        abilities[ability] += _RAISE
    money = _MONEY * level
    for ability, value in abilities.items():
        if value > _HIGH:
            faces.append(die())
            abilities[ability] = value + (faces[-1] + 1) // 3
            money += _MONEY
    faces.append(die())
    changes: dict[str, Value] = {"method": "npc", "npc.kind": "ninja", "npc.mob": None, "money": money}
    changes |= {f"abilities.{ability}": value for ability, value in abilities.items()}
    changes |= {"abilities.jitsu": 0, **_extra(faces[-1])}
    return Boss(level, faces, changes)


def _extra(face: int) -> dict[str, Value]:
    jitsu: dict[str, Value] = {"abilities.jitsu": JITSU_LEVEL}
    extras: tuple[dict[str, Value], ...] = (
        {"skills.lance_kick": "owned"},
        {**jitsu, "jitsu_kind": "kanashibari"},
        {"equipment.1.id": "nagayumi", "skills.triple_legs": "owned"},
        {"equipment.1.id": "chainsaw"},
        {**jitsu, "jitsu_kind": "karate_missile"},
        {"karma_good": True},
    )
    return extras[face - 1]
