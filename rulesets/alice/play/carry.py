"""What a game carries home (rules §10.3, §8.4): ♠♣♥ damage unless the group heals it, death, pacts, belongings.

♦ is full again, boosts are unused; tokens, locks, registry, hands and piles end with the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulesets.alice.play.state import ActorState, State, decode, encode
from rulesets.alice.play.words import reason, stage_name, suit_name, words
from rulesets.engine.play import CarriedChange, CarriedOver
from rulesets.engine.text import Text

BODY = ("S", "C", "H")
KEPT = ("stages", "status", "belongings", "pacts")


def close(state: State) -> tuple[CarriedOver, ...]:
    """What each character takes home if the table ended now; those for whom nothing changed are left out."""
    found = (_close(state, one) for one in state.actors.values() if not one.cast.group)
    return tuple(one for one in found if one is not None)


def _close(state: State, one: ActorState) -> CarriedOver | None:
    came, home = _came(one), _home(state, one)
    changes = tuple(_changes(came, home))
    if not changes:
        return None
    return CarriedOver(one.id, changes, {name: encode(ActorState, name, home[name]) for name in KEPT})


def _came(one: ActorState) -> dict[str, Any]:
    clean: dict[str, Any] = {
        "stages": {},
        "status": "active",
        "belongings": one.character.belongings,
        "pacts": {},
    }
    return clean | {name: decode(ActorState, name, value) for name, value in one.brought.items()}


def _home(state: State, one: ActorState) -> dict[str, Any]:
    healed = state.rule.carry_damage == "full_heal" or one.dead
    stages = {} if healed else {suit: one.stage(suit) for suit in BODY if one.stage(suit)}
    return {
        "stages": stages,
        "status": "dead" if one.dead else "active",
        "belongings": one.belongings,
        "pacts": dict(one.pacts),
    }


def _changes(came: dict[str, Any], home: dict[str, Any]) -> Iterator[CarriedChange]:
    for suit in BODY:
        before, after = came["stages"].get(suit, 0), home["stages"].get(suit, 0)
        if before != after:
            why, told = reason("carry.damage", "§8.4", True), (stage_name(before), stage_name(after))
            yield CarriedChange(f"stage_{suit}", suit_name(suit), before, after, why, told)
    for key in ("status", "belongings"):
        if came[key] != home[key]:
            lives = (_life(came[key]), _life(home[key])) if key == "status" else None
            why = reason(f"carry.{key}_why", "§8.2")
            yield CarriedChange(key, words(f"carry.{key}"), came[key], home[key], why, lives)
    if came["pacts"] != home["pacts"]:
        names = [", ".join(pact.alice for pact in one["pacts"].values()) for one in (came, home)]
        yield CarriedChange("pacts", words("carry.pacts"), names[0], names[1], reason("carry.pacts_why", "§6.7", True))


def _life(status: str) -> Text:
    return words("status.able" if status == "active" else f"status.{status}")
