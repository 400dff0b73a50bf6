"""Movement, posture and other acts of a round (rules §7.2)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.edo.play import reading
from rulesets.edo.play.acting import able, free_of_exchange, on_turn
from rulesets.edo.play.budget import Paid, ken_left, pay_act, pay_ken, pay_move
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.kp import unselfish
from rulesets.edo.play.masks import public
from rulesets.edo.play.person import Person
from rulesets.edo.play.reading import Asked, refused
from rulesets.edo.play.registry import GM_ONLY, command, event
from rulesets.edo.play.state import ActorState, pair, square
from rulesets.edo.play.words import listed, words
from rulesets.engine.outcome import Outcome, Reason

event("moved", shows=("ken", "place", "distance", "door"))
event("posture", shows=("posture",))
event("act")
event("place", shows=("place",))

PAY = reading.choice("pay", "attack", "move", required=False)
BUY, SELFISH = reading.flag("buy"), reading.flag("selfish")
ACTING = ("P01", "P03", "P14", "P15", "P27", "P29", "P37", "P47")


def acting(desk: Desk, asked: Asked) -> Person:
    """Whoever acts on their own turn. Refuses P15, P17, P18, P27, P29."""
    return may_act(desk, desk.own(asked))


def each(desk: Desk, asked: Asked) -> list[ActorState]:
    """The actor, or every able member of a mob, which does it together."""
    found = desk.state.group(asked.text("actor"))
    if not found:
        raise refused("P18")
    actors = [desk.check_own(desk.seen(actor.id)) for actor in found]
    return [actor for actor in actors if actor.life.able] or actors


def may_act(desk: Desk, actor: ActorState) -> Person:
    able(desk, actor)
    free_of_exchange(desk)
    on_turn(desk, actor)
    return desk.person(actor.id)


def counted(desk: Desk, person: Person, paid: Paid, asked: Asked) -> dict[str, Any]:
    """New values for an act that was paid; outside a fight nothing is counted."""
    if paid.points:
        unselfish(desk, person, asked.flag("selfish"))
    return paid.values(person) if desk.state.fight is not None else {}


def say(desk: Desk, kind: str, person: Person, said: Any, paid: Paid, values: dict[str, Any], **data: Any) -> None:
    """Tell an act with what it cost."""
    world = data.pop("world", None)
    outcome = Outcome(kind, Reason(said, "§7.2"), changes=paid.changes) if paid.changes else None
    masked = public(desk.state, outcome) if outcome is not None else None
    desk.emit(
        kind, said, actor=person.id, outcome=outcome, public=masked, actors={person.id: values}, world=world, **data
    )


@command(
    "move",
    reading.actor(),
    reading.number("ken", 0, 99),
    reading.text("place"),
    reading.actor("target", required=False),
    reading.number("distance", 0, 999, required=False),
    reading.flag("door"),
    BUY,
    SELFISH,
    codes=(*ACTING, "P36", "P38", "P45"),
    rule="§7.2",
    retractable=True,
)
def move(desk: Desk, asked: Asked) -> None:
    """Move some ken; every continuous stretch takes one move action. A door on the way costs 2 ken."""
    for actor in each(desk, asked):
        _move(desk, asked, may_act(desk, actor))


def _move(desk: Desk, asked: Asked, person: Person) -> None:
    ken = asked.needed("ken")
    door = desk.tables.number("door_move") if asked.flag("door") else 0
    if person.actor.holds or person.actor.held_by:
        desk.refuse("P45")
    if desk.state.fight is not None and ken + door > person.move:
        desk.refuse("P36", n=person.move - door)
    target = desk.seen(asked.text("target")) if asked.text("target") else None
    if target is not None and target.id == person.id:
        raise refused("P38")
    paid = pay_ken(desk, person, min(ken + door, person.move), buy=asked.flag("buy"))
    values = counted(desk, person, paid, asked)
    place = asked.text("place")
    if place:
        values["place"] = place
    distances = _left_behind(desk, person, place)
    if target is not None and asked.number("distance") is not None:
        distances[pair(person.id, target.id)] = asked.needed("distance")
    said = words("log.move_to" if place else "log.move", name=person.name, n=ken, place=place)
    data: dict[str, Any] = {"ken": ken, "place": place, "door": bool(door)}
    if target is not None and asked.number("distance") is not None and not target.hidden:
        data |= {"target": target.id, "distance": asked.needed("distance")}
    say(desk, "moved", person, said, paid, values, world={"distances": distances}, **data)


def _left_behind(desk: Desk, person: Person, place: str) -> dict[str, int]:
    """Distances told in words hold no longer once somebody has moved."""
    return {key: ken for key, ken in desk.state.distances.items() if person.id not in key.split("|")}


@command("posture", reading.actor(), reading.choice("posture", "standing", "crouching", "prone"), PAY, BUY, SELFISH,
         codes=(*ACTING, "P04", "P46"), rule="§7.2", retractable=True)  # fmt: skip
def posture(desk: Desk, asked: Asked) -> None:
    """Lie down or get up: an attack or a move. Crouch: 3 ken of movement. From a crouch up: free."""
    for actor in each(desk, asked):
        _posture(desk, asked, may_act(desk, actor))


def _posture(desk: Desk, asked: Asked, person: Person) -> None:
    now, then = person.actor.posture, asked.text("posture")
    if now == then:
        raise refused("P46")
    if "prone" in (now, then):
        by_attack = asked.text("pay") == "attack"
        pay = pay_act if by_attack else pay_move
        paid = pay(desk, person, buy=asked.flag("buy"))
    elif then == "crouching":
        paid = pay_ken(desk, person, desk.tables.number("crouch_move"), buy=asked.flag("buy"))
    else:
        paid = Paid(person.actor.round)
    values = {**counted(desk, person, paid, asked), "posture": then}
    said = words(f"log.posture_{then}", name=person.name)
    say(desk, "posture", person, said, paid, values, posture=then)


@command("act", reading.actor(), reading.text("text", required=True), BUY, SELFISH, codes=(*ACTING, "P04"),
         rule="§7.2", retractable=True)  # fmt: skip
def act(desk: Desk, asked: Asked) -> None:
    """Something that needs concentration (a tool, a search): instead of the attack."""
    person = acting(desk, asked)
    paid = pay_act(desk, person, buy=asked.flag("buy"))
    values = counted(desk, person, paid, asked)
    said = words("log.act", name=person.name, text=asked.text("text"))
    say(desk, "act", person, said, paid, values)


@command(
    "place.set", reading.text("actors", required=True), reading.text("place", required=True), roles=GM_ONLY, rule="§10"
)
def place(desk: Desk, asked: Asked) -> None:
    """The GM puts actors somewhere: words, or a square such as 3,4."""
    actors = desk.several(part for part in asked.listed("actors"))
    where = asked.text("place")
    moved = {actor.id for actor in actors}
    kept = {key: ken for key, ken in desk.state.distances.items() if moved.isdisjoint(key.split("|"))}
    names = listed(actor.name for actor in actors)
    desk.emit(
        "place",
        words("log.place", name=names, place=where),
        actors={actor.id: {"place": where} for actor in actors},
        world={"distances": kept},
        place=where,
    )


__all__ = ["ken_left", "replace", "square"]
