"""Beginning, leading and ending a fight (rules §5.2, §5.3, §5.7, §6.8)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.ninja.play import reading, turns
from rulesets.ninja.play.actor_state import CASTER
from rulesets.ninja.play.book import Book, masked, secret
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.reading import Asked, refused
from rulesets.ninja.play.registry import GM_ONLY, command, event
from rulesets.ninja.play.setup import dice_of
from rulesets.ninja.play.slayer import come_back, returning
from rulesets.ninja.play.state import Atmosphere, Fight, TurnUse
from rulesets.ninja.play.words import reason, words

event("fight.begun", shows=("order", "placement"))
event("fight.ended")
event("turn.over")
event("turn.passed")
event("turn.done")
event("turn.begun", shows=("turn",))
event("phase", shows=("phase",))
event("atmosphere", shows=("level",))
event("duel", shows=("on",))
event("revived")


@command(
    "fight.start",
    reading.flag("duel"),
    reading.FACES,
    roles=GM_ONLY,
    codes=("P29", "P51", "P59", "P62", "P65"),
    rule="§5.1",
)
def start(desk: Desk, asked: Asked) -> None:
    """Turn 1 for everybody on stage: ties of PCs settled, 回避ダイス given. Blanks of NPCs must be filled in first."""
    desk.idle()
    if desk.state.fight is not None:
        raise refused("P51")
    people = [Person(desk.tables, actor) for actor in turns.on_stage(desk.state)]
    if not people:
        raise refused("P65")
    for person in people:
        for key, value in (("hp_max", person.actor.hp), ("initiative", 0)):
            if not person.known(key) and not value:
                desk.refuse("P59", name=person.name, label=desk.tables.label(key))
    duel = asked.flag("duel")
    if duel:
        _two(desk)
    entries = list(dict.fromkeys(person.actor.cast.group or person.id for person in people))
    ties, dice = turns.settle(desk, entries)
    fight = Fight(duel=duel, atmosphere=_rises(desk, 1) or "normal")
    actors = turns.turn_values(desk, 1)
    if desk.tables.rule.dice_refill == "combat":
        for person in people:
            actors[person.id] |= dice_of(person)
    world = {"fight": fight, "ties": {**desk.state.ties, **ties}}
    outcome = turns.tie_outcome(dice)
    order = [slot for slot in _order_with(desk, fight, ties) if not desk.state.group(turns.slot_actor(slot))[0].hidden]
    told: dict[str, Any] = {"order": order, "placement": order[::-1]}
    desk.emit("fight.begun", words("log.fight"), outcome=outcome, actors=actors, world=world, **told)
    turns.advance(desk, fight)


def _order_with(desk: Desk, fight: Fight, ties: dict[str, int]) -> list[str]:
    """The order of turns as it will be; figures are placed the other way round (§5.2)."""
    return turns.slots(replace(desk.state, fight=fight, ties={**desk.state.ties, **ties}))


def _two(desk: Desk) -> None:
    people = [Person(desk.tables, actor) for actor in turns.on_stage(desk.state)]
    if not desk.tables.rule.duel_enabled or len(people) != 2 or not all(one.ninja for one in people):
        desk.refuse("P62")


def _rises(desk: Desk, turn: int) -> Atmosphere | None:
    """What the atmosphere rises to by itself in a turn (E26)."""
    rule = desk.tables.rule
    if not rule.atmosphere_auto:
        return None
    return "u_hard" if turn >= rule.atmosphere_u_hard_turn else "hard" if turn >= rule.atmosphere_hard_turn else None


@command("duel.set", reading.flag("off"), roles=GM_ONLY, codes=("P29", "P46", "P50", "P62"), rule="§5.2")
def set_duel(desk: Desk, asked: Asked) -> None:
    """一騎打ち: two ninja with two turns each, the second at half the initiative."""
    fight, on = turns.the_fight(desk), not asked.flag("off")
    desk.idle()
    if fight.duel == on:
        raise refused("P46")
    if on:
        _two(desk)
    said = words("log.duel_on" if on else "log.duel_off")
    desk.emit("duel", said, world={"fight": replace(fight, duel=on)}, on=on)


@command(
    "atmosphere.set",
    reading.choice("level", "normal", "hard", "u_hard"),
    roles=GM_ONLY,
    codes=("P46", "P50"),
    rule="§6.8",
)
def set_atmosphere(desk: Desk, asked: Asked) -> None:
    fight, level = turns.the_fight(desk), asked.text("level")
    if fight.atmosphere == level:
        raise refused("P46")
    said = words("log.atmosphere", level=words(f"choice.level.{level}"))
    desk.emit("atmosphere", said, world={"fight": replace(fight, atmosphere=level)}, level=level)  # type: ignore[arg-type]


@command("phase.next", codes=("P29", "P50", "P52"), rule="§5.4")
def next_phase(desk: Desk, asked: Asked) -> None:
    """The one whose turn it is (or the GM) goes on to the next phase; after the last the next one's turn begins."""
    fight = turns.the_fight(desk)
    desk.idle()
    now = turns.acting(desk.state)
    mine = any(actor.seat == desk.actor.seat and not actor.npc for actor in now)
    if not desk.actor.is_gm and not mine:
        raise refused("P52", name=now[0].name if now and not now[0].hidden else words("turn.somebody"))
    if not fight.now:
        raise refused("P52", name=words("turn.end_phase"))
    turns.next_phase(desk, fight)


@command("turn.give", reading.actor(), roles=GM_ONLY, codes=("P29", "P50", "P53", "P68"), rule="§5.2")
def give(desk: Desk, asked: Asked) -> None:
    """The GM chooses who of equal enemies acts next, or corrects the order."""
    fight = turns.the_fight(desk)
    desk.idle()
    chosen = desk.met(asked.text("actor"))
    slot = chosen.actor.cast.group or chosen.id
    if slot in fight.acted or chosen.actor.out:
        desk.refuse("P68")
    if fight.now and fight.phase != "start":
        desk.refuse("P53", phase=words(f"phase.{fight.phase}"))
    turns.pass_to(desk, replace(fight, acted=tuple(done for done in fight.acted if done != slot)), slot)


@command("turn.start", reading.FACES, roles=GM_ONLY, codes=("P29", "P50", "P52"), rule="§5.3")
def next_turn(desk: Desk, asked: Asked) -> None:
    """ターン終了 is over: a new turn begins, with new 回避ダイス for all."""
    fight = turns.the_fight(desk)
    desk.idle()
    if fight.now:
        raise refused("P52", name=turns.acting(desk.state)[0].name)
    turn = fight.turn + 1
    actors = turns.turn_values(desk, turn)
    for actor in turns.on_stage(desk.state):
        actors[actor.id] |= turns.ending(actor, "turn_end")
        if actor.no_turn:
            actors[actor.id]["no_turn"] = False
        if actor.life == "incapacitated" and actor.away > 0:
            actors[actor.id]["away"] = actor.away - 1
    rises = _rises(desk, turn)
    after = replace(fight, turn=turn, acted=(), now="", atmosphere=rises or fight.atmosphere)
    desk.emit("turn.begun", words("log.new_turn", n=turn), actors=actors, world={"fight": after}, turn=turn)
    for actor in returning(desk.state):
        come_back(desk, actor.id)
    after = desk.state.fight or after
    fresh, dice = turns.settle(desk, list(dict.fromkeys(slot for slot in turns.slots(desk.state) if "~" not in slot)))
    if fresh:
        kept = replace(after, ties={**after.ties, **fresh})
        said = words("log.ties")
        desk.emit("turn.done", said, outcome=turns.tie_outcome(dice), world={"fight": kept})
        after = kept
    turns.advance(desk, after)


@command("fight.end", roles=GM_ONLY, codes=("P29", "P50"), rule="§5.7")
def end(desk: Desk, asked: Asked) -> None:
    """The fight is over: effects end, the fainted with 精神力 get up with 体力1 and 精神力0."""
    turns.the_fight(desk)
    desk.idle()
    actors = {actor.id: _after_fight(actor.id, desk) for actor in desk.state.actors.values() if not actor.out}
    desk.emit("fight.ended", words("log.fight_over"), actors=actors, world={"fight": None})
    for actor in list(desk.state.actors.values()):
        gets_up = actor.mp >= 1 or desk.tables.rule.faint_end_mp0 == "revive"
        if actor.life == "fainted" and actor.on_stage and gets_up:
            revive(desk, actor.id, "why.fight_over", "§5.7")


def _after_fight(actor_id: str, desk: Desk) -> dict[str, Any]:
    actor = desk.state.actors[actor_id]
    values: dict[str, Any] = {"effects": (), "turn": TurnUse(), "adrenaline_used": 0, "adrenaline": False}
    values |= {"focus": "", "cartwheel_penalty": False, "evade": 0, "guard": 0, "shock": 0, "last_used": {}}
    values |= turns.ending(actor, "own_turn", "turn_end", "combat", CASTER) | {"no_turn": False}
    if actor.weapon == "improvised":
        values["weapon"] = "unarmed"
    return {name: value for name, value in values.items() if getattr(actor, name) != value}


def revive(desk: Desk, actor_id: str, why: str, rule: str) -> None:
    """Back with 体力1 and 精神力0 (§6.10)."""
    book = Book(desk, actor_id)
    told = reason(why, rule)
    book.change("hp", 1, told)
    book.change("mp", 0, told)
    book.put(life="alive")
    said = words("log.revived", name=book.actor.name)
    outcome = book.outcome("revival", told)
    public = masked(outcome, actor_id) if secret(book.person) else None
    desk.emit("revived", said, actor=actor_id, outcome=outcome, public=public, actors={actor_id: book.values})
