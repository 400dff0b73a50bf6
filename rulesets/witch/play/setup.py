"""How a table begins: the cast with its builds, what was carried over, who is whose partner, the house rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rulesets.engine.playing.facts import decode
from rulesets.witch import document
from rulesets.witch.pair import bonds
from rulesets.witch.play.person import Person
from rulesets.witch.play.state import ActorState, Cast, Deck, State
from rulesets.witch.rows import COLUMNS

# What a character takes home and brings again (`play`).
CARRIED = ("hp", "mp", "xp", "growths", "bank", "purchases", "true_name", "trusted", "tail_name", "tail_revealed")
STRUCTURE, READING = "structure", "reading"


def start(setup: Mapping[str, Any]) -> State:
    """The first state; for the shape see `rulesets.engine.play.Play.start`.

    Witches and cats who name each other as `partner` (by id or name) are bound. Raises `KeyError`, `ValueError` for
    entries that are none, `HouseRulesInvalid`.
    """
    state = State(dict(setup.get("house_rules", {})), {})
    actors: dict[str, ActorState] = {}
    for entry in setup["cast"]:
        for actor in members(state, entry):
            if actor.id in actors:
                raise ValueError(f"two characters with the id {actor.id}")
            actors[actor.id] = actor
    decks = {
        STRUCTURE: Deck(tuple(range(1, len(state.tables.structure) + 1))),
        READING: Deck(COLUMNS),
    }
    return replace(
        state, actors=actors, bonds=bonds({who: one.cast.fields for who, one in actors.items()}), decks=decks
    )


def members(state: State, entry: Mapping[str, Any]) -> Iterator[ActorState]:
    """The characters of an entry: one, or `count` of the same, `id#1` …"""
    count = int(entry.get("count", 1))
    actor_id = entry["id"]
    if not actor_id or any(sign in actor_id for sign in "#,"):
        raise ValueError(f"no id for a character: {actor_id!r}")
    for number in range(1, count + 1):
        one = actor_id if count == 1 else f"{actor_id}#{number}"
        name = entry["name"] if count == 1 else f"{entry['name']} {number}"
        fields = document.from_build(entry["build"])
        yield _actor(state, entry, Cast(one, name, str(entry.get("seat", "")), entry["kind"], fields))


def _actor(state: State, entry: Mapping[str, Any], cast: Cast) -> ActorState:
    carried = entry.get("play", {})
    unknown = set(carried) - set(CARRIED)
    if unknown:
        raise ValueError(f"cannot be carried over: {', '.join(sorted(unknown))}")
    found = {name: decode(ActorState, name, value) for name, value in carried.items()}
    hidden = cast.kind == "npc" and bool(entry.get("hidden", False))
    actor = ActorState(cast, hidden=hidden, brought=dict(carried), **found)
    return refreshed(state, actor, fresh="hp" not in carried, fresh_mp="mp" not in carried)


def refreshed(state: State, actor: ActorState, *, fresh: bool = False, fresh_mp: bool = False) -> ActorState:
    """HP and MP within their maxima; `fresh`: full."""
    person = Person(state.tables, actor)
    hp = person.hp_max if fresh else min(actor.hp, person.hp_max)
    mp = person.mp_max if fresh_mp else min(actor.mp, person.mp_max)
    return replace(actor, hp=hp, mp=mp)
