"""Weapons in and out of the hand, missiles, arrows, guns, armour (rules §7.2, §7.7, §7.11, C25, E38)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.edo.play import reading
from rulesets.edo.play.acting import able, free_of_exchange
from rulesets.edo.play.budget import Paid, pay_act, pay_ken, pay_move
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.moves import ACTING, BUY, PAY, SELFISH, counted, each, may_act, say
from rulesets.edo.play.person import Person
from rulesets.edo.play.reading import Asked, refused
from rulesets.edo.play.registry import GM_ONLY, command, event
from rulesets.edo.play.state import ArmState
from rulesets.edo.play.words import words
from rulesets.edo.rows import Ranged, Weapon

event("weapon", shows=("arm", "ready"))
event("readied", shows=("arm", "progress", "needed"))
event("armour", shows=("armour",))


def _carried(person: Person, key: str) -> tuple[Weapon | Ranged, ArmState]:
    """A weapon somebody brought along and can use. Refuses P35."""
    arm, state = person.arms.get(key), person.actor.arms.get(key)
    if arm is None or state is None:
        raise refused("P35", why=words("why.no_weapon"))
    if state.broken:
        raise refused("P35", why=words("why.broken"))
    return arm, state


def _drawing(desk: Desk, person: Person, asked: Asked) -> Paid:
    """The price of drawing: one attack, or 3 ken of movement (§7.2)."""
    if asked.text("pay") == "attack":
        return pay_act(desk, person, buy=asked.flag("buy"))
    return pay_ken(desk, person, desk.tables.number("draw_move"), buy=asked.flag("buy"))


@command("draw", reading.actor(), reading.text("arm", required=True), PAY, BUY, SELFISH,
         codes=(*ACTING, "P04", "P35", "P46"), rule="§7.2", retractable=True)  # fmt: skip
def draw(desk: Desk, asked: Asked) -> None:
    """Draw a weapon or take out a missile: one attack, or 3 ken of movement. A mob does it together."""
    for actor in each(desk, asked):
        person = may_act(desk, actor)
        key = asked.text("arm")
        arm, state = _carried(person, key)
        if state.ready:
            raise refused("P46")
        if isinstance(arm, Ranged) and arm.ready_actions == 1 and state.taken:
            paid = _readying(desk, person, asked)
        else:
            paid = _drawing(desk, person, asked)
        values = counted(desk, person, paid, asked)
        values["arms"] = {**actor.arms, key: replace(state, ready=True, taken=True)}
        said = words("log.draw", name=actor.name, weapon=arm.name)
        say(desk, "weapon", person, said, paid, values, arm=key, ready=True)


@command("sheathe", reading.actor(), reading.text("arm", required=True), PAY, BUY, SELFISH,
         codes=(*ACTING, "P04", "P35", "P46"), rule="§7.2", retractable=True)  # fmt: skip
def sheathe(desk: Desk, asked: Asked) -> None:
    """Put a weapon away: the price of drawing, or free where the group plays so (E38)."""
    for actor in each(desk, asked):
        person = may_act(desk, actor)
        key = asked.text("arm")
        arm, state = _carried(person, key)
        if not state.ready:
            raise refused("P46")
        free = desk.tables.rule.sheathing == "free"
        paid = Paid(actor.round) if free else _drawing(desk, person, asked)
        values = counted(desk, person, paid, asked)
        values["arms"] = {**actor.arms, key: replace(state, ready=False)}
        said = words("log.sheathe", name=actor.name, weapon=arm.name)
        say(desk, "weapon", person, said, paid, values, arm=key, ready=False)


# ---------------------------------------------------------------- readying a shot


def _readying(desk: Desk, person: Person, asked: Asked) -> Paid:
    """One attack or one whole move (§7.2, C25)."""
    pay = pay_act if asked.text("pay") == "attack" else pay_move
    return pay(desk, person, buy=asked.flag("buy"))


@command("ready", reading.actor(), reading.text("arm", required=True), PAY, BUY, SELFISH,
         codes=(*ACTING, "P04", "P08", "P35", "P46", "P47", "P55"), rule="§7.2", retractable=True)  # fmt: skip
def ready(desk: Desk, asked: Asked) -> None:
    """The next missile: one attack or a whole move. An arrow: two such. A gun: ten whole rounds, one by one."""
    for actor in each(desk, asked):
        _ready(desk, asked, may_act(desk, actor))


def _ready(desk: Desk, asked: Asked, person: Person) -> None:
    key = asked.text("arm")
    arm, state = _carried(person, key)
    if not isinstance(arm, Ranged):
        raise refused("P35", why=words("why.no_shot"))
    needed = arm.ready_rounds or arm.ready_actions
    thrown = arm.ready_actions == 1
    if state.ready if thrown else state.progress >= needed:
        raise refused("P46")
    if not thrown and not state.ready:
        desk.refuse("P08")
    if arm.ready_rounds and desk.state.fight is not None:
        paid = _round_of_loading(desk, person)
    else:
        paid = _readying(desk, person, asked)
    after = replace(state, ready=True, taken=True)
    if not thrown:
        steps = needed if desk.state.fight is None else state.progress + 1
        after = replace(after, progress=steps)
    values = counted(desk, person, paid, asked)
    values["arms"] = {**person.actor.arms, key: after}
    progress = 1 if thrown else after.progress
    said = words(
        "log.ready" if progress >= needed else "log.readying", name=person.name, weapon=arm.name, n=progress, m=needed
    )
    say(desk, "readied", person, said, paid, values, arm=key, progress=progress, needed=needed)


def _round_of_loading(desk: Desk, person: Person) -> Paid:
    """A full round without any other action: only points buy a move or a dodge meanwhile (§7.2)."""
    use = person.actor.round
    if use.reloading:
        raise refused("P46")
    if not use.idle:
        desk.refuse("P55")
    return Paid(replace(use, reloading=True, stretch=0))


# ---------------------------------------------------------------- armour, horses


@command("wear", reading.actor(), reading.text("armour"), codes=("P23", "P27", "P29", "P46"), rule="§7.11",
         retractable=True)  # fmt: skip
def wear(desk: Desk, asked: Asked) -> None:
    """Put on armour that is owned (the GM: any), or take it off; the rules price it nowhere."""
    actor = desk.own(asked)
    able(desk, actor)
    free_of_exchange(desk)
    person = desk.person(actor.id)
    wanted = asked.text("armour")
    owned = {worn.id for worn in person.owned_armour}
    known = owned | (set(desk.tables.armour) if desk.actor.is_gm else set())
    if wanted and wanted not in known:
        raise refused("P23", label=words("field.armour"), value=wanted[:40])
    if wanted == actor.armour:
        raise refused("P46")
    said = words("log.wear" if wanted else "log.unwear", name=actor.name, armour=_name(person, wanted or actor.armour))
    desk.emit("armour", said, actor=actor.id, actors={actor.id: {"armour": wanted}}, armour=wanted)


def _name(person: Person, armour: str) -> Any:
    owned = {worn.id: worn.name for worn in person.owned_armour}
    return owned.get(armour) or person.tables.armour[armour].name


@command(
    "mount",
    reading.actor(),
    reading.flag("off"),
    reading.flag("untrained"),
    roles=GM_ONLY,
    codes=("P46",),
    rule="§7.12",
)
def mount(desk: Desk, asked: Asked) -> None:
    """Into the saddle or out of it; `untrained`: the horse is not used to fights (E30)."""
    actor = desk.seen(asked.text("actor"))
    mounted = not asked.flag("off")
    trained = not asked.flag("untrained")
    if actor.mounted == mounted and (not mounted or actor.horse_trained == trained):
        raise refused("P46")
    said = words("log.mount" if mounted else "log.dismount", name=actor.name)
    desk.emit("act", said, actor=actor.id, actors={actor.id: {"mounted": mounted, "horse_trained": trained}})
