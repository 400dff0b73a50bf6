"""Fights: turn order with its ties, turns, rounds (rules §7.1, §7.2, E13, E44)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from rulesets.edo.play import reading
from rulesets.edo.play.acting import entry_name, entry_title, free_of_exchange
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.person import Person
from rulesets.edo.play.reading import Asked, refused
from rulesets.edo.play.registry import GM_ONLY, command, event
from rulesets.edo.play.state import ActorState, Fight, RoundUse, State
from rulesets.edo.play.words import reason, words
from rulesets.engine.outcome import Die, Outcome
from rulesets.engine.play import ALL, GM, Audience

event("fight", shows=("order", "round"))
event("fight.ended")
event("turn", shows=("round", "entry"))
event("round", shows=("round",))
event("ties", shows=("order",))


# ---------------------------------------------------------------- order (§7.1)


def entries(actors: Iterable[ActorState]) -> dict[str, ActorState]:
    """Who stands in the turn order: an actor, or the first member of a mob for all of it."""
    found: dict[str, ActorState] = {}
    for actor in actors:
        found.setdefault(actor.cast.group or actor.id, actor)
    return found


def rank(person: Person) -> tuple[int, int, int, int]:
    """Order keys before the dice: role, PC before NPC, 技 and 心 without armour (E44); small comes first."""
    return person.role.rank, int(person.actor.npc), -person.ability("gi"), -person.ability("mind")


def sorted_entries(
    state: State, found: Mapping[str, ActorState], ties: Mapping[str, tuple[int, ...]]
) -> tuple[str, ...]:
    """The order of a fight."""
    ranks = {key: rank(Person(state.tables, actor)) for key, actor in found.items()}

    def key(entry: str) -> tuple[tuple[int, int, int, int], tuple[int, ...]]:
        return ranks[entry], tuple(-face for face in ties.get(entry, ()))

    return tuple(sorted(found, key=key))


def thrown_ties(desk: Desk, found: Mapping[str, ActorState]) -> tuple[dict[str, tuple[int, ...]], tuple[Die, ...]]:
    """Dice for those whom nothing else tells apart, again while they are equal."""
    groups: dict[tuple[int, ...], list[str]] = {}
    for entry, actor in found.items():
        groups.setdefault(rank(Person(desk.tables, actor)), []).append(entry)
    ties: dict[str, tuple[int, ...]] = {}
    dice: list[Die] = []
    waiting = [group for group in groups.values() if len(group) > 1]
    while waiting:
        group = waiting.pop(0)
        equal: dict[tuple[int, ...], list[str]] = {}
        for entry in group:
            die = desk.die(reason("dice.tie", "§7.1", name=found[entry].name))
            dice.append(die)
            ties[entry] = (*ties.get(entry, ()), die.face)
            equal.setdefault(ties[entry], []).append(entry)
        waiting += [same for same in equal.values() if len(same) > 1]
    return ties, tuple(dice)


def present(state: State) -> list[ActorState]:
    """Everybody on stage who is not dead."""
    return [actor for actor in state.actors.values() if actor.on_stage and not actor.life.gone]


# ---------------------------------------------------------------- start and end


@command("fight.start", reading.FACES, roles=GM_ONLY, codes=("P18", "P24", "P29", "P42", "P43", "P46"), rule="§7.1")
def start(desk: Desk, asked: Asked) -> None:
    """Begin a fight with everybody on stage; dice decide only between equals, once per fight."""
    free_of_exchange(desk)
    if desk.state.fight is not None:
        raise refused("P46")
    found = entries(present(desk.state))
    if not found:
        raise refused("P18")
    ties, dice = thrown_ties(desk, found)
    order = sorted_entries(desk.state, found, ties)
    fight = Fight(order, ties=ties)
    values = {actor.id: _fresh(actor, fight=True) for actor in desk.state.actors.values()}
    _say_dice(desk, dice, found)
    step = desk.state.step + 1
    desk.emit(
        "fight",
        words("log.fight"),
        actors=values,
        world={"fight": fight, "step": step},
        audience=ALL,
        order=_public_order(desk, order),
        round=1,
    )
    _say_turn(desk)


def _say_dice(desk: Desk, dice: tuple[Die, ...], found: Mapping[str, ActorState]) -> None:
    if dice:
        hidden = any(actor.hidden for actor in found.values())
        outcome = Outcome("ties", reason("title.ties", "§7.1"), dice=dice)
        desk.emit("ties", words("log.ties"), outcome=outcome, audience=GM if hidden else ALL)


def _public_order(desk: Desk, order: tuple[str, ...]) -> list[str]:
    """The order without those who are hidden."""
    return [entry for entry in order if not all(actor.hidden for actor in desk.state.group(entry))]


def _fresh(actor: ActorState, *, fight: bool) -> dict[str, Any]:
    """Values at the start of a fight or round: nothing used yet."""
    found: dict[str, Any] = {}
    if actor.round != RoundUse():
        found["round"] = RoundUse()
    if fight:
        if actor.first_strike_used:
            found["first_strike_used"] = False
        if any(arm.taken for arm in actor.arms.values()):
            found["arms"] = {key: replace(arm, taken=False) for key, arm in actor.arms.items()}
    return found


@command("fight.end", roles=GM_ONLY, codes=("P26", "P29"), rule="§7.1")
def end(desk: Desk, asked: Asked) -> None:
    """The fight is over; nothing is counted any more."""
    if desk.state.fight is None:
        raise refused("P26")
    free_of_exchange(desk)
    values = {actor.id: _fresh(actor, fight=True) for actor in desk.state.actors.values()}
    world = {"fight": None, "step": desk.state.step + 1}
    desk.emit("fight.ended", words("log.fight_ended"), actors=values, world=world, audience=ALL)


# ---------------------------------------------------------------- turns


@command("turn.end", codes=("P15", "P26", "P29"), rule="§7.1")
def end_turn(desk: Desk, asked: Asked) -> None:
    """The next in order acts; after the last a new round begins. Whoever's turn it is ends it, or the GM."""
    fight = desk.state.fight
    if fight is None:
        raise refused("P26")
    free_of_exchange(desk)
    now = desk.state.group(fight.order[fight.index])
    if not desk.actor.is_gm and not any(not actor.npc and actor.seat == desk.actor.seat for actor in now):
        raise refused("P15", name=entry_name(desk, fight.order[fight.index]))
    _next(desk, fight)


def _next(desk: Desk, fight: Fight) -> None:
    index = fight.index + 1
    while index < len(fight.order) and not acts(desk.state, fight.order[index]):
        index += 1
    if index < len(fight.order):
        world = {"fight": replace(fight, index=index), "step": desk.state.step + 1}
        _say_turn(desk, world)
        return
    _new_round(desk, fight)


def pass_on(desk: Desk) -> None:
    """The turn goes on when those whose it was have left the stage."""
    fight = desk.state.fight
    if fight is not None and not any(actor.on_stage for actor in desk.state.group(fight.order[fight.index])):
        _next(desk, fight)


def acts(state: State, entry: str) -> bool:
    """Whether anybody of an entry can still act."""
    able = (one for one in state.group(entry) if one.on_stage and one.life.able)
    return any(not one.needs.asleep for one in able)


def _new_round(desk: Desk, fight: Fight) -> None:
    found = entries(present(desk.state))
    kept = {entry: actor for entry, actor in found.items() if entry in fight.order}
    ties: Mapping[str, tuple[int, ...]] = fight.ties
    dice: tuple[Die, ...] = ()
    order = tuple(entry for entry in fight.order if entry in kept) or fight.order
    if desk.tables.rule.turn_order_details == "reroll_each_round":
        ties, dice = thrown_ties(desk, kept)
        order = sorted_entries(desk.state, kept, ties) or fight.order
    first = next((n for n, entry in enumerate(order) if acts(desk.state, entry)), 0)
    after = replace(fight, order=order, index=first, round=fight.round + 1, ties=ties)
    scope = desk.tables.rule.first_strike_scope
    values: dict[str, dict[str, Any]] = {}
    for actor in desk.state.actors.values():
        changed = _fresh(actor, fight=False)
        if scope == "round" and actor.first_strike_used:
            changed["first_strike_used"] = False
        values[actor.id] = changed
    _say_dice(desk, dice, kept)
    world = {"fight": after, "step": desk.state.step + 1}
    said = words("log.round", n=after.round)
    desk.emit("round", said, actors=values, world=world, audience=ALL, round=after.round)
    _say_turn(desk)


def _say_turn(desk: Desk, world: Mapping[str, Any] | None = None) -> None:
    """Whose turn it is; a hidden NPC's turn is told to the GM alone."""
    fight: Fight | None = (world or {}).get("fight", desk.state.fight)
    if fight is None:
        return
    entry = fight.order[fight.index]
    hidden = all(actor.hidden for actor in desk.state.group(entry))
    audience: Audience = GM if hidden else ALL
    said = words("log.turn", name=entry_title(desk.state.group(entry), entry))
    desk.emit("turn", said, world=world, audience=audience, round=fight.round, entry=entry)


@command("turn.to", reading.actor(), roles=GM_ONLY, codes=("P26", "P29"), rule="§7.1")
def turn_to(desk: Desk, asked: Asked) -> None:
    """The GM gives the turn to somebody in the order."""
    fight = desk.state.fight
    if fight is None:
        raise refused("P26")
    free_of_exchange(desk)
    members = desk.state.group(asked.text("actor"))
    entry = (members[0].cast.group or members[0].id) if members else ""
    if entry not in fight.order:
        raise refused("P18")
    world = {"fight": replace(fight, index=fight.order.index(entry)), "step": desk.state.step + 1}
    _say_turn(desk, world)


# ---------------------------------------------------------------- who joins or leaves


def joined(desk: Desk, actors: Iterable[ActorState]) -> tuple[dict[str, Any], tuple[Die, ...]]:
    """The fight with newcomers in their places; the turn stays where it is. Nothing for those who stand in it."""
    fight = desk.state.fight
    if fight is None:
        return {}, ()
    now = fight.order[fight.index]
    inside = {entry: desk.state.group(entry)[0] for entry in fight.order if desk.state.group(entry)}
    fresh = {entry: actor for entry, actor in entries(actors).items() if entry not in inside}
    if not fresh:
        return {}, ()
    together = {**inside, **fresh}
    same = {
        entry: actor
        for entry, actor in together.items()
        if any(rank(Person(desk.tables, actor)) == rank(Person(desk.tables, other)) for other in fresh.values())
        and (entry in fresh or entry not in fight.ties)
    }
    ties, dice = thrown_ties(desk, same) if len(same) > 1 else ({}, ())
    found = {**fight.ties, **ties}
    order = sorted_entries(desk.state, together, found)
    acting = now if now in order else next(iter(fresh))  # a mob whose last member became somebody
    return {"fight": replace(fight, order=order, index=order.index(acting), ties=found)}, dice
