"""What the GM sets by hand: numbers, damage, states, injuries, life, things (rules §10: every number is editable)."""

from __future__ import annotations

from typing import Any

from rulesets.engine.outcome import Outcome
from rulesets.ninja import ladder
from rulesets.ninja.play import damage as damages
from rulesets.ninja.play import reading
from rulesets.ninja.play.book import Book, audience_of, masked, secret
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.fight import revive
from rulesets.ninja.play.reading import Asked, refused
from rulesets.ninja.play.registry import GM_ONLY, command, event
from rulesets.ninja.play.state import Hit
from rulesets.ninja.play.words import listed, reason, words
from rulesets.ninja.rows import PARTS
from rulesets.ninja.tables import TABLES

event("set", shows=("key",))
event("state", shows=("condition", "off"))
event("item", shows=("item",))
event("rewarded", shows=("who", "grade"))

NUMBERS = ("hp", "mp", "evade", "emergency", "quick", "legs_damage", "money", "fame", "dkk", "loan")
HURT = ("karate", "neuron", "wazamae")
LIVES = ("alive", "fainted", "incapacitated", "exploded", "dead")
GRADES = ("A+", "A", "B", "C", "D")


@command(
    "value.set",
    reading.actor(),
    reading.choice("key", *NUMBERS, *(f"hurt_{name}" for name in HURT)),
    reading.number("value", 0, 9999),
    reading.text("why"),
    roles=GM_ONLY,
    codes=("P29", "P46"),
    rule="§10",
)
def set_value(desk: Desk, asked: Asked) -> None:
    """Any number of somebody, with a reason."""
    desk.idle()
    person = desk.met(asked.text("actor"))
    key, value = asked.text("key"), asked.count("value")
    why = reason("why.by_hand", "§10", text=asked.text("why") or "—")
    book = Book(desk, person.id)
    if key.startswith("hurt_"):
        ability = key.removeprefix("hurt_")
        before = person.actor.hurt.get(ability, 0)
        if before != value:
            book.tell(key, before, value, why)
            book.put(hurt={**person.actor.hurt, ability: value})
    else:
        book.change(key, value, why)
    if not book.values:
        raise refused("P46")
    said = words("log.set", name=person.name, label=words(f"choice.key.{key}"), n=value)
    outcome = book.outcome("correction", why)
    actors = {person.id: book.values}
    desk.emit("set", said, actor=person.id, outcome=outcome, actors=actors, audience=audience_of(desk, person), key=key)


@command(
    "damage",
    reading.text("actors", required=True),
    reading.number("damage", 1, 99),
    reading.flag("ignore"),
    roles=GM_ONLY,
    codes=("P29", "P55"),
    rule="§6.6",
)
def hurt(desk: Desk, asked: Asked) -> None:
    """Damage that no attack of the table dealt: traps, falls, a margin used as damage (C7). `ignore`: no reduction."""
    desk.idle()
    for actor in desk.several(asked.listed("actors")):
        if actor.out:
            raise refused("P55", name=actor.name)
        pierce = None if asked.flag("ignore") else 0
        hit = Hit(actor.id, actor.id, asked.count("damage"), ladder.NORMAL, 1, pierce=pierce)
        struck = damages.strike(desk, hit)
        if struck.deficit:  # by hand the choice of E21 is not asked: 精神力 is spent
            damages.endure(struck.book)
            damages.settle(struck.book, False)
        _tell_damage(desk, actor.id, struck)


def _tell_damage(desk: Desk, who: str, struck: damages.Struck) -> None:
    outcome: Outcome = struck.outcome
    public = masked(outcome, who) if secret(struck.book.person) else None
    desk.emit(
        "struck",
        damages.told(struck),
        actor=who,
        target=who,
        outcome=outcome,
        public=public,
        actors={who: struck.book.values},
        damage=outcome.total,
    )


@command(
    "state.set",
    reading.actor(),
    reading.choice("condition", "off_balance", "bound", "paralysed"),
    reading.choice("until", "own_turn", "turn_end", "combat", "open", required=False),
    reading.flag("off"),
    roles=GM_ONLY,
    codes=("P46",),
    rule="§6.9",
)
def set_state(desk: Desk, asked: Asked) -> None:
    person, name = desk.met(asked.text("actor")), asked.text("condition")
    states = dict(person.actor.states)
    off = asked.flag("off")
    if off == (name not in states):
        raise refused("P46")
    if off:
        states.pop(name)
    else:
        states[name] = asked.text("until") or "open"
    said = words("log.state_off" if off else "log.state", name=person.name, state=desk.tables.conditions[name].name)
    desk.emit("state", said, actor=person.id, actors={person.id: {"states": states}}, condition=name, off=off)


@command(
    "life.set",
    reading.actor(),
    reading.choice("life", *LIVES),
    reading.text("why"),
    roles=GM_ONLY,
    codes=("P29", "P46"),
    rule="§6.10",
)
def set_life(desk: Desk, asked: Asked) -> None:
    """Whether somebody is up, fainted, gone; getting up again costs what a revival costs."""
    desk.idle()
    person, life = desk.met(asked.text("actor")), asked.text("life")
    if person.actor.life == life:
        raise refused("P46")
    if life == "alive" and person.actor.life == "fainted":
        revive(desk, person.id, "why.gm", "§6.10")
        return
    values: dict[str, Any] = {"life": life}
    if life == "incapacitated":
        values["away"] = damages.UNROLLED
    if life == "alive" and person.actor.hp < 1:
        values["hp"] = 1
    said = words("log.life", name=person.name, life=words(f"life.{life}"))
    desk.emit("set", said, actor=person.id, actors={person.id: values}, key="life")


@command(
    "injury.treat",
    reading.actor(),
    reading.choice("part", *PARTS[:4]),
    roles=GM_ONLY,
    codes=("P46",),
    rule="§9.4",
)
def treat(desk: Desk, asked: Asked) -> None:
    """An injury is healed."""
    person, part = desk.met(asked.text("actor")), asked.text("part")
    if part not in person.actor.injuries:
        raise refused("P46")
    injuries = {key: count for key, count in person.actor.injuries.items() if key != part}
    said = words("log.treated", name=person.name, part=desk.tables.label(f"part_{part}"))
    desk.emit("set", said, actor=person.id, actors={person.id: {"injuries": injuries}}, key="injuries")


@command(
    "item.give",
    reading.actor(),
    reading.choice("item", *TABLES.base.items),
    reading.number("times", -99, 99, required=False),
    roles=GM_ONLY,
    codes=("P60",),
    rule="§10",
)
def give(desk: Desk, asked: Asked) -> None:
    """Hand out or take away a thing: an improvised weapon, a スシ found."""
    person, row = desk.met(asked.text("actor")), desk.tables.items[asked.text("item")]
    count = person.actor.items.get(row.id, 0) + (asked.number("times") or 1)
    if count < 0:
        raise refused("P60", item=row.name)
    items = {**person.actor.items, row.id: count}
    said = words("log.item", name=person.name, item=row.name, n=count)
    values = {"items": {key: n for key, n in items.items() if n}}
    desk.emit("item", said, actor=person.id, actors={person.id: values}, item=row.id)


@command(
    "reward",
    reading.text("actors", required=True),
    reading.choice("grade", *GRADES, required=False),
    reading.number("money", -999, 9999, required=False),
    reading.number("fame", -99, 99, required=False),
    roles=GM_ONLY,
    codes=("P46",),
    rule="§9.2",
)
def reward(desk: Desk, asked: Asked) -> None:
    """評価: the grade, and money and fame for each, written to the sheets when the table closes."""
    money, fame = asked.count("money"), asked.count("fame")
    if not money and not fame and not asked.text("grade"):
        raise refused("P46")
    people = desk.several(asked.listed("actors"))
    why = reason("title.reward", "§9.2")
    books = [Book(desk, actor.id) for actor in people]
    for book in books:
        book.change("money", max(0, book.actor.money + money), why)
        book.change("fame", max(0, book.actor.fame + fame), why)
    outcome = Outcome("reward", why, changes=tuple(change for book in books for change in book.changes))
    names = listed(actor.name for actor in people)
    said = words("log.reward", name=names, grade=asked.text("grade") or "—", money=money, fame=fame)
    actors = {book.actor.id: book.values for book in books}
    told: dict[str, Any] = {"who": [actor.id for actor in people], "grade": asked.text("grade")}
    desk.emit("rewarded", said, outcome=outcome, actors=actors, audience=desk.audience(*told["who"]), **told)
