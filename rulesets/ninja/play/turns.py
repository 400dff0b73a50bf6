"""Order of turns and their phases (rules §5.1–§5.4): who acts next, what a new turn brings, what ends with a phase."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rulesets.engine.outcome import Die, Outcome
from rulesets.ninja import ladder
from rulesets.ninja.play.actor_state import CASTER
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.reading import refused
from rulesets.ninja.play.state import PHASES, ActorState, Fight, Phase, State, TurnUse
from rulesets.ninja.play.words import reason, words

SECOND = "~2"


def slot_actor(slot: str) -> str:
    """The actor or mob of a slot; the second turn of a duel belongs to the same."""
    return slot.removesuffix(SECOND)


def on_stage(state: State) -> list[ActorState]:
    return [actor for actor in state.actors.values() if actor.on_stage and not actor.out]


def slots(state: State) -> list[str]:
    """Everybody's slots in the order of this moment: initiative, PCs first, ties as settled (§5.2)."""
    fight = state.fight
    entries = dict.fromkeys(actor.cast.group or actor.id for actor in on_stage(state))
    order = {entry: place for place, entry in enumerate(entries)}
    found: list[tuple[tuple[int, int, int, int], str]] = []
    for entry in entries:
        first = next(actor for actor in state.group(entry) if actor.on_stage and not actor.out)
        person = Person(state.tables, first)
        rank = (fight.ties if fight is not None else {}).get(entry, state.ties.get(entry, 0))
        for slot, initiative in _turns_of(state, entry, person):
            found.append(((-max(1, initiative), 0 if person.pc_side else 1, rank, order[entry]), slot))
    return [slot for _, slot in sorted(found)]


def _turns_of(state: State, entry: str, person: Person) -> Iterator[tuple[str, int]]:
    yield entry, person.initiative
    if state.fight is not None and state.fight.duel:
        half = person.initiative / 2
        rounded = ladder.half_up(person.initiative) if state.tables.rule.duel_rounding == "up" else int(half)
        yield f"{entry}{SECOND}", max(1, rounded)


def acting(state: State) -> tuple[ActorState, ...]:
    """Whose 手番 it is: one actor, or the members of a mob."""
    if state.fight is None or not state.fight.now:
        return ()
    return state.group(slot_actor(state.fight.now))


def in_turn(desk: Desk, person: Person, *phases: Phase) -> None:
    """Refuses P52 outside one's own turn, P53 in another phase; outside a fight everybody may act."""
    fight = desk.state.fight
    if not person.able:
        desk.refuse("L18", name=person.name)
    if fight is None:
        return
    now = acting(desk.state)
    if person.id not in [actor.id for actor in now]:
        name = now[0].name if now else words("turn.end_phase")
        desk.refuse("P52", name=name)
    elif phases and fight.phase not in phases:
        desk.refuse("P53", phase=words(f"phase.{fight.phase}"))


# ---------------------------------------------------------------- ties


def settle(desk: Desk, entries: list[str]) -> tuple[dict[str, int], tuple[Die, ...]]:
    """Ranks of PCs with equal initiative, settled by dice once and kept (§5.2); others tie by the GM's choice."""
    ties = {**desk.state.ties, **(desk.state.fight.ties if desk.state.fight is not None else {})}
    found: dict[str, int] = {}
    dice: list[Die] = []
    by_initiative: dict[int, list[str]] = {}
    for entry in entries:
        person = Person(desk.tables, desk.state.group(entry)[0])
        if person.pc_side:
            by_initiative.setdefault(max(1, person.initiative), []).append(entry)
    for tied in by_initiative.values():
        fresh = [entry for entry in tied if entry not in ties]
        if len(tied) < 2 or not fresh:
            continue
        thrown = {entry: desk.die(reason("dice.tie", "§5.2")) for entry in fresh}
        dice += thrown.values()
        last = max((ties[entry] for entry in tied if entry in ties), default=0)
        ranked = sorted(fresh, key=lambda entry: -thrown[entry].face)
        found |= {entry: last + place for place, entry in enumerate(ranked, 1)}
    return found, tuple(dice)


def tie_outcome(dice: tuple[Die, ...]) -> Outcome | None:
    return Outcome("ties", reason("title.ties", "§5.2"), dice=dice) if dice else None


# ---------------------------------------------------------------- what begins and ends


def turn_values(desk: Desk, turn: int) -> dict[str, dict[str, Any]]:
    """A new ターン: 回避ダイス anew, states that ended with the last turn gone (§5.3)."""
    found: dict[str, dict[str, Any]] = {}
    for actor in on_stage(desk.state):
        person = Person(desk.tables, actor)
        values: dict[str, Any] = {"evade": person.evade_each_turn if actor.life == "alive" else 0}
        values["turn"] = TurnUse()
        if desk.tables.rule.guard_until == "turn_end":
            values["guard"] = 0
        if actor.shock and turn > actor.shock_until:
            values["shock"] = 0
        found[actor.id] = values
    return found


def ending(actor: ActorState, *untils: str) -> dict[str, Any]:
    """States of an actor that end now; `caster:` alone stands for those of any caster."""
    gone = {until for until in actor.states.values() if until in untils or (CASTER in untils and CASTER in until)}
    kept = {state: until for state, until in actor.states.items() if until not in gone}
    return {"states": kept} if kept != dict(actor.states) else {}


def phase_ends(state: State, phase: Phase) -> dict[str, dict[str, Any]]:
    """Adrenaline of all and what the acting one had for this phase only (§4.9, §4.10)."""
    found: dict[str, dict[str, Any]] = {}
    for actor in state.actors.values():
        values: dict[str, Any] = {}
        if actor.adrenaline:
            values["adrenaline"] = False
        if actor.focus == "phase":
            values["focus"] = ""
        if values:
            found[actor.id] = values
    if phase == "attack":
        for actor in acting(state):
            if actor.cartwheel_penalty:
                found.setdefault(actor.id, {})["cartwheel_penalty"] = False
    return found


def begin_slot(desk: Desk, slot: str, fight: Fight) -> dict[str, dict[str, Any]]:
    """Somebody's 手番 begins: a fresh turn, their effects count down, states until it are gone."""
    found: dict[str, dict[str, Any]] = {}
    for actor in desk.state.group(slot_actor(slot)):
        if actor.out or not actor.on_stage:
            continue
        values: dict[str, Any] = {"turn": TurnUse(), **ending(actor, "own_turn")}
        effects = []
        for effect in actor.effects:
            if effect.turns is None:
                effects.append(effect)
            elif effect.turns > 1:
                effects.append(replace(effect, turns=effect.turns - 1))
            elif effect.id == "henge" and actor.mp >= 1 and actor.life == "alive":
                # the transformation goes on by itself for one more 精神力 (§3.5.2)
                jitsu = actor.cast.sheet(desk.tables).permanent.get("jitsu", 0)
                values["mp"] = actor.mp - 1
                effects.append(replace(effect, turns=max(1, jitsu)))
        if tuple(effects) != actor.effects:
            values["effects"] = tuple(effects)
        found[actor.id] = values
        for other in desk.state.actors.values():
            freed = ending(other, f"{CASTER}{actor.id}")
            if freed and other.id != actor.id:
                found.setdefault(other.id, {}).update(freed)
    return found


def advance(desk: Desk, fight: Fight) -> None:
    """The next slot's 手番, or ターン終了フェイズ when everybody has acted."""
    after = [slot for slot in slots(desk.state) if slot not in fight.acted and _awake(desk.state, slot)]
    if not after:
        desk.emit("turn.over", words("log.turn_over", n=fight.turn), world={"fight": replace(fight, now="")})
        return
    pass_to(desk, fight, after[0])


def _awake(state: State, slot: str) -> bool:
    """Somebody of the slot can act, or is a PC who may at least be seen to lose the turn."""
    return any(
        actor.on_stage and actor.life == "alive" and not actor.no_turn for actor in state.group(slot_actor(slot))
    )


def pass_to(desk: Desk, fight: Fight, slot: str) -> None:
    actors = begin_slot(desk, slot, fight)
    first = desk.state.group(slot_actor(slot))[0]
    now = replace(fight, now=slot, phase="start")
    desk.emit("turn.passed", words("log.turn", name=_name(first)), actor=first.id, actors=actors, world={"fight": now})


def _name(actor: ActorState) -> str:
    return actor.name.rsplit(" ", 1)[0] if actor.cast.group else actor.name


def next_phase(desk: Desk, fight: Fight) -> None:
    """From one phase to the next, from the last to the next one's turn."""
    ended = phase_ends(desk.state, fight.phase)
    place = PHASES.index(fight.phase)
    if place < len(PHASES) - 1:
        after = replace(fight, phase=PHASES[place + 1])
        said = words("log.phase", phase=words(f"phase.{after.phase}"))
        who = acting(desk.state)[0].id if acting(desk.state) else ""
        desk.emit("phase", said, actor=who, actors=ended, world={"fight": after}, phase=after.phase)
        return
    for actor in acting(desk.state):
        if actor.focus:
            ended.setdefault(actor.id, {})["focus"] = ""
    done = replace(fight, acted=(*fight.acted, fight.now), now="")
    desk.emit("turn.done", words("log.turn_done"), actors=ended, world={"fight": done})
    advance(desk, done)


def the_fight(desk: Desk) -> Fight:
    """The fight under way. Refuses P50."""
    if desk.state.fight is None:
        raise refused("P50")
    return desk.state.fight
