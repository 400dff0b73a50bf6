"""What somebody in a hurry tries although the rules do not allow it now: each fits a moment, none is set aside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

from rulesets.edo.play.options import Option, options
from rulesets.edo.play.person import Person
from rulesets.edo.play.state import ActorState, State
from rulesets.edo.rows import Ranged
from rulesets.engine.play import Actor, Command
from tests.rulesets.edo.play.people import GMS, PLAYERS
from tests.rulesets.edo.play.scenes import AT

Tried = Iterator[tuple[str, Mapping[str, Any]]]
Temptation = Callable[[State], Tried]
BACK = "answer"


def tempted(state: State, chance: Random) -> tuple[Command, Actor] | None:
    """One of the temptations of this moment, by whoever would give in to it; None when there is none."""
    asked = state.exchange is not None and state.exchange.asked
    kinds = [found for temptation in (ANSWERS if asked else ACTS) if (found := list(temptation(state)))]
    if not kinds:
        return None
    name, data = chance.choice(chance.choice(kinds))
    step = state.step if name == BACK else None
    return Command(name, data, AT, step), _whose(state, name, data)


def _whose(state: State, name: str, data: Mapping[str, Any]) -> Actor:
    waiting = state.exchange or state.contest
    who = waiting.asked if name == BACK and waiting is not None else data.get("actor", "")
    one = state.actors.get(who)
    return PLAYERS.get(one.seat, GMS) if one is not None else GMS


def _here(state: State) -> list[ActorState]:
    return [one for one in state.actors.values() if one.on_stage and one.life.able]


def _now(state: State) -> list[ActorState]:
    """Those whose turn it is, and who may act."""
    if state.fight is None or state.exchange is not None:
        return []
    return [one for one in state.group(state.fight.order[state.fight.index]) if one in _here(state)]


def _foe(state: State, one: ActorState) -> str:
    return next((other.id for other in _here(state) if other.id != one.id and not other.hidden), "c1")


# ---------------------------------------------------------------- answers


def closed_answers(state: State) -> Tried:
    """What is offered greyed out, and what would have to be bought."""
    for option in options(state):
        if option.bar is not None or option.way == "buy":
            yield BACK, _pick(option)


def wrong_answers(state: State) -> Tried:
    """A parry against a grip, a counter after the roll."""
    if state.exchange is not None and state.exchange.asked:
        offered = {option.answer for option in options(state)}
        for word in ("parry", "dodge", "counter"):
            if word not in offered:
                yield BACK, {"answer": word}


def _pick(option: Option) -> dict[str, Any]:
    found = {"answer": option.answer, "arm": option.arm}
    return {**found, "mode": option.mode} if option.mode else found


# ---------------------------------------------------------------- the turn


def shots(state: State) -> Tried:
    """Out of range, without a distance, aimed after a walk."""
    for one in _now(state):
        for key, arm in Person(state.tables, one).arms.items():
            if isinstance(arm, Ranged):
                shot = {"actor": one.id, "target": _foe(state, one), "arm": key}
                yield from (("attack", {**shot, "distance": 900}), ("attack", {**shot, "distance": 2, "aim": True}))
                if state.distance(one.id, shot["target"]) is None:
                    yield "attack", shot


def too_much(state: State) -> Tried:
    """More than a round holds, or than one is free to do."""
    for one in _now(state):
        yield "move", {"actor": one.id, "ken": 9}
        yield "move", {"actor": one.id, "ken": 1}
        yield "attack", {"actor": one.id, "target": _foe(state, one), "arm": "punch", "auto": True, "modifier": 20}
        if one.held_by or one.holds:
            yield "attack", {"actor": one.id, "target": one.held_by or one.holds, "arm": "1"}


def grips(state: State) -> Tried:
    """Two at one, or one at two."""
    for one in _now(state):
        held = next((other.id for other in state.actors.values() if other.held_by and other.id != one.id), "")
        target = _foe(state, one) if one.holds else held
        if target and target != one.holds:
            yield "attack", {"actor": one.id, "target": target, "arm": "grapple"}
        if not one.holds:
            yield "attack", {"actor": one.id, "target": _foe(state, one), "arm": "throw"}


def busy_hands(state: State) -> Tried:
    """Something else in a round that goes to a gun, and a gun in a round that went to something else."""
    for one in _here(state):
        if one.round.reloading:
            yield from (("act", {"actor": one.id, "text": "覗く"}), ("kp.extra", {"actor": one.id, "action": "attack"}))
            yield "attack", {"actor": one.id, "target": _foe(state, one), "arm": "punch"}
        elif one.round.moves and one.id == "c2":
            yield "ready", {"actor": "c2", "arm": "2"}


# ---------------------------------------------------------------- rolls, care, time


def cheap_success(state: State) -> Tried:
    """Points on what cannot work, on what nobody knows, or for oneself alone."""
    for who in ("c1", "c2"):
        if who in state.actors:
            yield "roll", {"actor": who, "what": "undo", "difficulty": 60, "auto": True}
            yield "roll", {"actor": who, "what": "undo", "no_difficulty": True, "auto": True}
            yield "roll", {"actor": who, "what": "undo", "auto": True, "selfish": True}
            yield from (("roll", {"actor": who, "what": what}) for what in ("rangaku", "eijutsu"))
            for key, request in state.requests.items():
                if request.open and not request.show_difficulty:
                    yield "request.answer", {"request": key, "actor": who, "auto": True}


def bad_nursing(state: State) -> Tried:
    """Care before first aid, a cure of one's own making, a second try while the first is open."""
    for one in _here(state):
        if one.wounds:
            care = {"actor": "c2", "target": one.id}
            yield from (("care.give", care), ("care.give", {**care, "medicine": "other", "points": 5}))
            yield "first_aid", care
        if any(not check.settled and check.who == one.id for check in state.rolls.values()):
            yield from (("awake.roll", {"actor": one.id}), ("caltrops", {"actor": one.id}))
    yield from (("day.tick", {}), ("illness", {"actor": "c1", "points": 1, "reason": "風邪"}))


ANSWERS: tuple[Temptation, ...] = (closed_answers, closed_answers, wrong_answers)
ACTS: tuple[Temptation, ...] = (shots, too_much, grips, busy_hands, cheap_success, bad_nursing)
