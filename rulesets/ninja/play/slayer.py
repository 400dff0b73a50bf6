"""DKK, Wasshoi!判定, the reaper's entry, and what becomes of him at 体力0 (rules §4.11, §7)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.engine.outcome import Die, Outcome
from rulesets.ninja import ladder
from rulesets.ninja.play import reading
from rulesets.ninja.play.book import Book
from rulesets.ninja.play.damage import UNROLLED
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.reading import Asked, refused
from rulesets.ninja.play.registry import GM_ONLY, command, event
from rulesets.ninja.play.state import ActorState, State
from rulesets.ninja.play.words import reason, words
from rulesets.ninja.presets import preset_fields
from rulesets.ninja.tables import TABLES

event("wasshoi", shows=("appears", "total"))
event("entry", shows=("row",))
event("dkk", shows=("dkk_event",))
event("naraku")

EVENTS_OF_DKK = tuple(TABLES.base.dkk_events)
SLAYER = ("ninja_slayer", "naraku")


def hunted(state: State) -> list[Person]:
    """Ninjas on the players' side that he may come for."""
    people = (Person(state.tables, actor) for actor in state.actors.values() if actor.on_stage and not actor.out)
    return [person for person in people if person.ninja and person.pc_side and not is_slayer(person)]


def is_slayer(person: Person) -> bool:
    return person.sheet.text("npc.preset") in SLAYER


def highest_dkk(state: State) -> int:
    return max((person.effective_dkk for person in hunted(state)), default=0)


@command("wasshoi", reading.FACES, roles=GM_ONLY, codes=("P65",), rule="§4.11")
def wasshoi(desk: Desk, asked: Asked) -> None:
    """2D6 ≤ the highest effective DKK: he appears, for the one who has it; ties are rolled (E28)."""
    people = hunted(desk.state)
    if not people:
        raise refused("P65")
    most = highest_dkk(desk.state)
    dice = desk.throw(2, reason("dice.wasshoi", "§4.11"))
    total = sum(die.face for die in dice)
    appears = total <= most
    tied = [person for person in people if person.effective_dkk == most]
    parts: tuple[Outcome, ...] = ()
    target = tied[0].id if len(tied) == 1 else ""
    if appears and len(tied) > 1 and desk.tables.rule.wasshoi_tie == "roll":
        target, thrown = _drawn(desk, tied)
        parts = (Outcome("tie", reason("dice.tie", "§7.2"), dice=thrown),)
    outcome = Outcome(
        "wasshoi",
        reason("title.wasshoi", "§4.11"),
        degree="failure" if appears else "success",
        degree_label=words("wasshoi.appears" if appears else "wasshoi.stays"),
        total=total,
        target=most,
        dice=dice,
        parts=parts,
    )
    name = desk.state.actors[target].name if target else words("turn.somebody")
    said = words("log.wasshoi" if appears else "log.wasshoi_not", n=total, m=most, name=name)
    world = {"slayer_target": target if appears else ""}
    desk.emit("wasshoi", said, outcome=outcome, world=world, appears=appears, total=total)


def _drawn(desk: Desk, tied: list[Person]) -> tuple[str, tuple[Die, ...]]:
    """One of the tied by dice, rolled again while the highest are equal."""
    dice: list[Die] = []
    left = tied
    while len(left) > 1:
        thrown = {person.id: desk.die(reason("dice.tie", "§7.2")) for person in left}
        dice += thrown.values()
        best = max(die.face for die in thrown.values())
        left = [person for person in left if thrown[person.id].face == best]
    return left[0].id, tuple(dice)


@command(
    "entry",
    reading.number("row", 1, 6, required=False),
    reading.FACES,
    roles=GM_ONLY,
    rule="§7.3",
)
def entry(desk: Desk, asked: Asked) -> None:
    """死神のエントリー: rolled, or the row that fits; 4–6 make cartwheels harder until the end of the next turn."""
    dice: tuple[Die, ...] = ()
    number = asked.number("row")
    if number is None:
        dice = desk.throw(1, reason("title.entry", "§7.3"))
        number = dice[0].face
    row = next(row for row in desk.tables.entries.values() if row.roll == number)
    turn = desk.state.fight.turn if desk.state.fight is not None else 0
    actors: dict[str, dict[str, Any]] = {}
    if row.shift:
        for actor in desk.state.actors.values():
            person = Person(desk.tables, actor)
            if (
                actor.on_stage
                and not actor.out
                and person.ninja
                and not is_slayer(person)
                and person.effective_dkk >= 1
            ):
                actors[actor.id] = {"shock": row.shift, "shock_until": turn + 1}
    outcome = Outcome("entry", reason("title.entry", "§7.3"), total=number, dice=dice)
    said = words("log.entry", row=row.name, note=row.note)
    desk.emit("entry", said, outcome=outcome, actors=actors, audience=("all",), row=row.id)


@command(
    "dkk.add",
    reading.actor(),
    reading.choice("dkk_event", *EVENTS_OF_DKK),
    reading.number("times", 1, 99, required=False),
    reading.FACES,
    roles=GM_ONLY,
    rule="§7.1",
)
def add_dkk(desk: Desk, asked: Asked) -> None:
    """A deed against the good: DKK by the guideline, rolled where it says so."""
    person = desk.met(asked.text("actor"))
    row = desk.tables.dkk_events[asked.text("dkk_event")]
    times = asked.number("times") or 1
    dice = desk.throw(row.dice * times, reason("title.dkk", "§7.1", event=row.name)) if row.dice else ()
    rolled = sum(ladder.d3(die.face) if row.sides == 3 else die.face for die in dice)
    gained = row.fixed * times + rolled
    book = Book(desk, person.id)
    book.dice += dice
    book.change("dkk", person.actor.dkk + gained, reason("title.dkk", "§7.1", event=row.name))
    outcome = book.outcome("dkk", reason("title.dkk", "§7.1", event=row.name), total=gained)
    said = words("log.dkk", name=person.name, n=gained)
    desk.emit("dkk", said, actor=person.id, outcome=outcome, actors={person.id: book.values}, dkk_event=row.id)


# ---------------------------------------------------------------- ナラク・ウィズイン


def returning(state: State) -> list[ActorState]:
    """Those whose turns away are over (§7.5)."""
    gone = (actor for actor in state.actors.values() if actor.life == "incapacitated" and actor.on_stage)
    return [actor for actor in gone if actor.away == 0]


def come_back(desk: Desk, actor_id: str) -> None:
    """He returns as ナラク・ニンジャ, with that block's values."""
    actor = desk.state.actors[actor_id]
    fields = {**preset_fields(desk.tables.presets["naraku"]), "karma_good": None}
    cast = replace(actor.cast, fields={key: value for key, value in fields.items() if value is not None})
    person = Person(desk.tables, replace(actor, cast=cast, hurt={}, effects=()))
    values = {"cast": cast, "hp": person.hp_max, "mp": person.mp_max, "life": "alive", "hurt": {}, "away": 0}
    desk.emit("naraku", words("log.naraku", name=actor.name), actor=actor_id, actors={actor_id: values})


@command("slayer.down", reading.actor(), reading.FACES, roles=GM_ONLY, codes=("P46",), rule="§7.5")
def down(desk: Desk, asked: Asked) -> None:
    """How many turns he stays incapacitated: D3."""
    person = desk.met(asked.text("actor"))
    if person.actor.life != "incapacitated" or person.actor.away != UNROLLED:
        raise refused("P46")
    die = desk.die(reason("dice.away", "§7.5"))
    turns = ladder.d3(die.face)
    outcome = Outcome("away", reason("dice.away", "§7.5"), total=turns, dice=(die,))
    said = words("log.away", name=person.name, n=turns)
    desk.emit("naraku", said, actor=person.id, outcome=outcome, actors={person.id: {"away": turns}})
