"""What somebody may do right now: the phase bar (rules §5.4–§5.6)."""

from __future__ import annotations

from collections.abc import Iterator

from rulesets.ninja.play import turns
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.state import State


def options(state: State, person: Person) -> list[str]:
    """Names of commands that the rules allow this actor at this moment, in the order of the phases."""
    return list(_options(state, person))


def _options(state: State, person: Person) -> Iterator[str]:
    attack, fight = state.attack, state.fight
    if attack is not None:
        if attack.asked == person.id:
            yield "evade" if attack.about == "evade" else "endure"
        if fight is not None and _boost(state, person):
            yield "adrenaline"
        return
    if person.actor.out or not person.actor.on_stage:
        return
    if fight is None:
        yield from ("test", "contest", "attack", "shoot") if person.able else ()
        return
    if person.id not in [actor.id for actor in turns.acting(state)]:
        if _boost(state, person):
            yield "adrenaline"
        return
    if person.able:
        yield from _in_turn(state, person)
    yield "phase.next"


def _in_turn(state: State, person: Person) -> Iterator[str]:
    fight, turn = state.fight, person.actor.turn
    if fight is None:
        return
    if fight.phase == "start":
        yield "weapon.set"
        if not person.actor.focus:
            yield "focus"
        if person.sheet.jitsu is not None and person.sheet.jitsu.handling == "self" and person.actor.mp:
            yield "cast"
    elif fight.phase == "move" and person.can_move and not turn.no_move:
        if not turn.move_style and not turn.move_action and not person.mob:
            yield "cartwheel"
        if not turn.move_action or turn.allowance:
            yield "move"
        if not turn.move_action and person.actor.items:
            yield "item.use"
    elif fight.phase == "attack":
        if not turn.attack_action:
            yield from ("volley",) if person.actor.cast.group else ("attack", "shoot")
            if not turn.style:
                yield from ("test", "act", "guard", "move.full")
                yield from ("item.use",) if person.actor.items else ()
                yield from ("cast",) if _casts(person) else ()
        if _boost(state, person):
            yield "adrenaline"


def _casts(person: Person) -> bool:
    jitsu = person.sheet.jitsu
    return jitsu is not None and jitsu.handling in ("area", "orbs") and person.actor.mp > 0


def _boost(state: State, person: Person) -> bool:
    """Whether アドレナリン・ブースト can be declared (§4.9)."""
    actor, most = person.actor, state.tables.rule.adrenaline_limit
    used_up = bool(most) and actor.adrenaline_used >= most
    mine = person.id in [one.id for one in turns.acting(state)]
    right_phase = not mine or (state.fight is not None and state.fight.phase == "attack")
    return (
        person.ninja
        and actor.life == "alive"
        and actor.mp >= 1
        and not used_up
        and not actor.adrenaline
        and right_phase
    )
