"""Rounds (rules §9.1–§9.3): the order of ♠, turns, the time to flee, the end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.alice.play import reading
from rulesets.alice.play.acting import ACTION, acted, may_act, no_test, on_stage
from rulesets.alice.play.desk import Desk
from rulesets.alice.play.people import value
from rulesets.alice.play.reading import ACTOR, Asked
from rulesets.alice.play.registry import GM_ONLY, command, event
from rulesets.alice.play.rounds import pass_on
from rulesets.alice.play.state import ActorState, Combat
from rulesets.alice.play.words import listed, words
from rulesets.alice.rulings import initiative
from rulesets.alice.words import refused

event("fight", shows=("who", "order", "round"))
event("round", shows=("order", "round"))
event("acted", shows=("what",))
event("fight.over")

FRESH: dict[str, Any] = {"acted": False, "fled": False, "defences": 0}


def order_of(desk: Desk, members: tuple[str, ...]) -> tuple[str, ...]:
    """Who acts when (§9.2). By hand, ties stand as the members do."""
    able = [desk.of(who) for who in members if not desk.of(who).incapacitated and not desk.of(who).escaped]
    if desk.rule.initiative_tie == "manual":
        return tuple(one.id for one in sorted(able, key=lambda one: -(value(desk.state, one, "S") or 0)))
    rows = [_row(desk, one, at) for at, one in enumerate(able) if "S" in one.ranks]
    return tuple(initiative(rows, tables=desk.tables))


def _row(desk: Desk, one: ActorState, at: int) -> dict[str, Any]:
    seat = len(desk.state.seats) + at if one.npc else desk.state.seats.index(one.id)
    return {"name": one.id, "rank": one.ranks["S"], "stage": one.stage("S"), "is_pc": not one.npc, "seat": seat}


def begun(desk: Desk, combat: Combat, kind: str) -> None:
    """Start a round: flags cleared, the order made; GM characters' numbers are public in a fight (§9.1)."""
    order = order_of(desk, combat.members)
    after = replace(combat, order=order, turn=0)
    first, keeps = (order[0] if order else ""), desk.rule.busy_until == "next_own_turn" and kind == "round"
    fresh = FRESH if kind == "round" else {**FRESH, "escaped": False, "held_by": ""}
    values = {
        who: {
            **fresh,
            "busy": keeps and who != first and desk.of(who).busy,
            **({"numbers_shown": True} if desk.of(who).npc else {}),
        }
        for who in combat.members
    }
    said = words(f"log.{kind}", n=after.round, order=listed(desk.of(who).name for who in order))
    desk.emit(
        kind,
        said,
        actors=values,
        world={"combat": after},
        order=list(order),
        round=after.round,
        who=list(combat.members) if kind == "fight" else [],
    )


@command(
    "fight.start",
    reading.text("actors"),
    roles=GM_ONLY,
    codes=("E_HIDDEN", "E_TEST_OPEN", "E_UNKNOWN_ACTOR", "E_WRONG_STATE"),
    rule="§9.1",
)
def start(desk: Desk, asked: Asked) -> None:
    """A fight, or anything else by rounds: these, or everybody on stage."""
    desk.in_play()
    no_test(desk)
    if desk.state.combat is not None:
        raise refused("E_WRONG_STATE")
    named = asked.listed("actors")
    found = (
        desk.several(named) if named else [one for one in desk.state.actors.values() if one.on_stage and not one.hidden]
    )
    on_stage(found)
    members = tuple(one.id for one in found if not one.dead)
    if not members:
        raise refused("E_UNKNOWN_ACTOR")
    begun(desk, Combat(members), "fight")


def fighting(desk: Desk) -> Combat:
    desk.in_play()
    no_test(desk)
    if desk.state.combat is None:
        raise refused("E_WRONG_STATE")
    return desk.state.combat


@command(
    "fight.order",
    reading.text("actors", required=True),
    roles=GM_ONLY,
    codes=("E_TEST_OPEN", "E_UNKNOWN_ACTOR", "E_WRONG_STATE"),
    rule="§9.2",
)
def reorder(desk: Desk, asked: Asked) -> None:
    """The order of this round by hand; whoever is not named keeps their place behind."""
    combat = fighting(desk)
    if combat.fleeing:
        raise refused("E_WRONG_STATE")
    named = [one.id for one in desk.several(asked.listed("actors")) if one.id in combat.order]
    if not named:
        raise refused("E_UNKNOWN_ACTOR")
    order = (*named, *(who for who in combat.order if who not in named))
    turn = next((at for at, who in enumerate(order) if not desk.of(who).acted), len(order))
    said = words("log.order", order=listed(desk.of(who).name for who in order))
    after = replace(combat, order=order, turn=turn)
    desk.emit("round", said, world={"combat": after}, order=list(order), round=combat.round)


@command("fight.join", ACTOR, roles=GM_ONLY, codes=("E_HIDDEN", "E_TEST_OPEN", "E_WRONG_STATE"), rule="§9.1")
def join(desk: Desk, asked: Asked) -> None:
    """Somebody comes into the fight and acts last in this round."""
    combat = fighting(desk)
    actor = desk.seen(asked.text("actor"))
    on_stage([actor])
    if actor.id in combat.members or actor.dead or combat.fleeing:
        raise refused("E_WRONG_STATE")
    after = replace(combat, members=(*combat.members, actor.id), order=(*combat.order, actor.id))
    values = {**FRESH, "busy": False, "escaped": False, **({"numbers_shown": True} if actor.npc else {})}
    said = words("log.fight_join", name=actor.name)
    desk.emit(
        "fight",
        said,
        actors={actor.id: values},
        world={"combat": after},
        who=[actor.id],
        order=list(after.order),
        round=after.round,
    )


@command("turn.act", ACTOR, reading.text("text", required=True), codes=ACTION, rule="§9.3")
def act(desk: Desk, asked: Asked) -> None:
    """An action that needs no test."""
    actor = desk.own(asked)
    may_act(desk, actor)
    said = words("log.acted", name=actor.name, what=asked.text("text"))
    desk.emit("acted", said, actor=actor.id, actors={actor.id: acted(desk, actor)}, what=asked.text("text"))
    pass_on(desk)


@command("turn.pass", ACTOR, codes=("E_NOT_YOUR_TURN", "E_TEST_OPEN", "E_WRONG_STATE"), rule="§9.3")
def pass_turn(desk: Desk, asked: Asked) -> None:
    """Do nothing this round."""
    combat = fighting(desk)
    actor = desk.own(asked)
    if combat.now != actor.id:
        raise refused("E_NOT_YOUR_TURN", player=desk.of(combat.now).name if combat.now else "―")
    desk.emit(
        "acted", words("log.passed", name=actor.name), actor=actor.id, actors={actor.id: {"acted": True}}, what=""
    )
    pass_on(desk)


@command("round.next", roles=GM_ONLY, codes=("E_TEST_OPEN", "E_WRONG_STATE"), rule="§9.1")
def next_round(desk: Desk, asked: Asked) -> None:
    """The next round, when everybody has acted and nobody flees any more."""
    combat = fighting(desk)
    if not combat.fleeing:
        desk.refuse("E_WRONG_STATE")
    begun(desk, replace(combat, round=combat.round + 1), "round")


@command("fight.end", roles=GM_ONLY, codes=("E_TEST_OPEN", "E_WRONG_STATE"), rule="§9.1")
def end(desk: Desk, asked: Asked) -> None:
    """The fight is over; 道理 learned in it are ready."""
    combat = fighting(desk)
    tokens = {key: replace(one, ready_from=0) for key, one in desk.state.tokens.items()}
    clear = {**FRESH, "busy": False, "escaped": False, "held_by": ""}
    said = words("log.fight_over")
    actors = dict.fromkeys(combat.members, clear)
    desk.emit("fight.over", said, actors=actors, world={"combat": None, "tokens": tokens}, audience=("all",))
