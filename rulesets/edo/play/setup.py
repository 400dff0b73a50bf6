"""How a table begins: the cast with its builds, what was carried over, the house rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rulesets.edo import document
from rulesets.edo.play.money import starting
from rulesets.edo.play.person import Person
from rulesets.edo.play.state import ActorState, ArmState, Cast, State, decode, encode
from rulesets.edo.play.words import words
from rulesets.edo.rows import Ranged

# Fields of an actor that a setup may give (`play`): what earlier scenarios or the sheet left behind.
CARRIED = frozenset(
    {
        *("kp", "kp_rolled", "wounds", "hunger_loss", "life", "needs", "care", "money_mon"),
        *("armour", "place", "arms", "mounted"),
    }
)
ARM_IDS = "arm_ids"  # beside `arms`: which weapon a row held


def start(setup: Mapping[str, Any]) -> State:
    """The first state.

    `setup`: `{"house_rules": {…}, "cast": [entry, …]}`; an entry is `{"id", "name", "kind": "pc"|"npc", "seat": owner's
    seat or "", "build": document (or "fields": flat build fields), "count": members of a mob (default 1), "hidden":
    bool, "on_stage": bool (default: PCs yes, NPCs no), "ally": bool, "numbers_shown": bool, "play": {field: JSON
    value} (what was carried over)}`.
    Raises `KeyError`/`ValueError` for entries that are none, `HouseRulesInvalid`.
    """
    state = State(dict(setup.get("house_rules", {})), {})
    actors: dict[str, ActorState] = {}
    for entry in setup["cast"]:
        for actor in members(state, entry):
            if actor.id in actors:
                raise ValueError(f"two actors with the id {actor.id}")
            actors[actor.id] = actor
    return replace(state, actors=actors)


def members(state: State, entry: Mapping[str, Any], first: int = 1) -> Iterator[ActorState]:
    """The actors of an entry: one, or the members of a mob, `id#1` … each with endurance of its own (§7.13)."""
    count = int(entry.get("count", 1))
    if not entry["id"] or "#" in entry["id"] or "|" in entry["id"] or "," in entry["id"]:
        raise ValueError(f"no id for an actor: {entry['id']!r}")
    if count == 1 and first == 1 and not entry.get("mob"):
        yield _actor(state, entry, Cast(entry["id"], entry["name"], *_whose(entry)))
        return
    for number in range(first, first + count):
        name = words("mob.member", name=entry["name"], n=number).ja
        cast = Cast(f"{entry['id']}#{number}", name, *_whose(entry), group=entry["id"], number=number)
        yield _actor(state, entry, cast)


def _whose(entry: Mapping[str, Any]) -> tuple[str, Any, Mapping[str, Any]]:
    return str(entry.get("seat", "")), entry["kind"], _fields(entry)


def _fields(entry: Mapping[str, Any]) -> Mapping[str, Any]:
    return dict(entry["fields"]) if "fields" in entry else document.from_build(entry["build"])


def _actor(state: State, entry: Mapping[str, Any], cast: Cast) -> ActorState:
    npc = cast.kind == "npc"
    actor = ActorState(
        cast,
        on_stage=bool(entry.get("on_stage", not npc)),
        hidden=npc and bool(entry.get("hidden", False)),
        ally=npc and bool(entry.get("ally", False)),
        numbers_shown=npc and bool(entry.get("numbers_shown", False)),
    )
    person = Person(state.tables, actor)
    kp = 0 if npc else person.role.kp_initial
    actor = replace(actor, kp=kp, arms=first_arms(person), money_mon=starting(person.sheet))
    carried = entry.get("play", entry.get("carried", {}))
    unknown = set(carried) - CARRIED - {ARM_IDS}
    if unknown:
        raise ValueError(f"cannot be carried over: {', '.join(sorted(unknown))}")
    found = {name: decode(ActorState, name, value) for name, value in carried.items() if name != ARM_IDS}
    brought = dict(carried)
    if "arms" in found:
        found["arms"] = _own_arms(person, actor.arms, found["arms"], carried.get(ARM_IDS, {}))
        brought["arms"] = encode(ActorState, "arms", found["arms"])
    return replace(actor, brought=brought, **found)


def _own_arms(
    person: Person, first: Mapping[str, ArmState], brought: Mapping[str, ArmState], ids: Mapping[str, str]
) -> dict[str, ArmState]:
    """What was left of the weapons that are still there; a row that holds another weapon by now starts anew."""
    same = {key for key in first if ids.get(key, person.arms[key].id) == person.arms[key].id}
    return {key: brought.get(key, arm) if key in same else arm for key, arm in first.items()}


def first_arms(person: Person) -> dict[str, ArmState]:
    """Weapons as they are brought along: sheathed or put away, guns loaded."""
    return {
        key: ArmState(progress=arm.ready_rounds if isinstance(arm, Ranged) else 0)
        for key, arm in person.arms.items()
        if key.isdecimal()
    }
