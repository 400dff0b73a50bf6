"""How a table begins: the cast with its builds, what was carried over, the cards laid out (rules §3.1, §3.6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from rulesets.alice.cards import SUITS
from rulesets.alice.deck import taken_for_abilities, whole_deck
from rulesets.alice.play.state import ALICES, BOX, ActorState, Cast, State, ability_of, decode
from rulesets.alice.play.words import words

# Fields of a character that a setup may give (`play`): what earlier games left behind.
CARRIED = frozenset({"stages", "status", "belongings", "pacts"})
MAX_DECKS = 2


def start(setup: Mapping[str, Any]) -> State:
    """The first state; `setup` as in `rulesets.engine.play.Play.start`. PCs sit in the order of the cast.

    Raises `KeyError`/`ValueError` for entries that are none, `HouseRulesInvalid`.
    """
    state = State(dict(setup.get("house_rules", {})), {})
    actors: dict[str, ActorState] = {}
    for entry in setup["cast"]:
        for actor in members(entry):
            if actor.id in actors:
                raise ValueError(f"two characters with the id {actor.id}")
            actors[actor.id] = actor
    return laid_out(replace(state, actors=actors))


def members(entry: Mapping[str, Any], first: int = 1) -> Iterator[ActorState]:
    """The characters of an entry: one, or several, `id#1` … each with damage of its own."""
    count = int(entry.get("count", 1))
    if not entry["id"] or any(mark in entry["id"] for mark in "#|,:"):
        raise ValueError(f"no id for a character: {entry['id']!r}")
    if count == 1 and first == 1:
        yield _actor(entry, Cast(entry["id"], entry["name"], *_whose(entry)))
        return
    for number in range(first, first + count):
        name = words("mob.member", name=entry["name"], n=number).ja
        cast = Cast(f"{entry['id']}#{number}", name, *_whose(entry), group=entry["id"], number=number)
        yield _actor(entry, cast)


def _whose(entry: Mapping[str, Any]) -> tuple[str, Any, Mapping[str, Any]]:
    return str(entry.get("seat", "")), entry["kind"], dict(entry["build"])


def _actor(entry: Mapping[str, Any], cast: Cast) -> ActorState:
    npc = cast.kind == "npc"
    carried = entry.get("play", {})
    unknown = set(carried) - CARRIED
    if unknown:
        raise ValueError(f"cannot be carried over: {', '.join(sorted(unknown))}")
    found = {name: decode(ActorState, name, value) for name, value in carried.items()}
    actor = ActorState(
        cast,
        {str(suit): rank for suit, rank in cast.character.cards.items()},
        on_stage=bool(entry.get("on_stage", not npc or not entry.get("hidden", False))),
        hidden=npc and bool(entry.get("hidden", False)),
        belongings=cast.character.belongings,
        brought=dict(carried),
    )
    return replace(actor, **found)


# ---------------------------------------------------------------- the cards before the deal


def laid_out(state: State) -> State:
    """The table before the deal: abilities before their owners, アリス cards aside, the rest in the box."""
    seats = tuple(one.id for one in state.actors.values() if not one.npc)
    decks = state.tables.decks_for(len(seats))
    zones, cards = layout(state, seats, decks)
    actors = {who: replace(one, cards=cards.get(who, {})) for who, one in state.actors.items()}
    return replace(state, seats=seats, decks=decks, zones=zones, actors=actors)


def layout(
    state: State, seats: Iterable[str], decks: int
) -> tuple[dict[str, tuple[str, ...]], dict[str, dict[str, str]]]:
    """Zones and physical ability cards of a table of these PCs, earlier ones first (§3.6)."""
    aside = tuple(card for one in state.alices.values() for card in one.cards)
    free = [card for card in whole_deck(decks) if card not in aside]
    wanted = {who: state.actors[who].ranks for who in seats if not state.actors[who].dead}
    cards, _virtual = taken_for_abilities(wanted, free)
    taken = {card for held in cards.values() for card in held.values()}
    zones = {
        BOX: tuple(card for card in free if card not in taken),
        ALICES: aside,
        **{ability_of(who): tuple(held[suit] for suit in SUITS if suit in held) for who, held in cards.items()},
    }
    return {name: pile for name, pile in zones.items() if pile}, cards
