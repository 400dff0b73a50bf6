"""Things that are used up, and the guard of an ally (rules §3.5.5, §5.6, §6.10)."""

from __future__ import annotations

from dataclasses import replace

from rulesets.ninja.play import reading, turns
from rulesets.ninja.play.book import Book, masked, secret
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.fight import revive
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.reading import Asked, refused
from rulesets.ninja.play.registry import command, event
from rulesets.ninja.play.state import Effect
from rulesets.ninja.play.tests import other_action
from rulesets.ninja.play.words import reason, words
from rulesets.ninja.rows import Item
from rulesets.ninja.tables import TABLES

event("used", shows=("item",))
event("guards")

USABLE = tuple(row.id for row in TABLES.base.items.values() if row.use and row.use != "hack")


@command(
    "item.use",
    reading.actor(),
    reading.choice("item", *USABLE),
    reading.choice("way", "dkk", "mp", "legs", "revive", required=False),
    reading.actor("target", required=False),
    codes=("L08", "L16", "L18", "P29", "P52", "P53", "P54", "P60", "P63"),
    rule="§3.5.5",
)
def use(desk: Desk, asked: Asked) -> None:
    """スシ, トロ粉末, ZBR take the action of the move or attack phase; the family photo interrupts anything."""
    person = desk.mine(asked)
    row = desk.tables.items[asked.text("item")]
    if not person.actor.items.get(row.id):
        raise refused("P60", item=row.name)
    target = desk.met(asked.text("target")) if asked.text("target") else None
    rescue = row.use == "revive" and target is not None
    if rescue and target is not None and target.actor.life != "fainted":
        raise refused("P63", name=target.name)
    book = Book(desk, person.id)
    if row.use != "photo":
        _action(desk, person, book)
    elif person.actor.out:
        desk.refuse("L18", name=person.name)
    left = {key: count - (key == row.id) for key, count in book.actor.items.items()}
    book.put(items={key: count for key, count in left.items() if count})
    _effect(book, row, asked.text("way"), rescue=rescue)
    said = words("log.used", name=person.name, item=row.name)
    outcome = book.outcome("item", reason("title.item", "§3.5.5", item=row.name))
    public = masked(outcome, person.id) if secret(person) else None
    desk.emit(
        "used", said, actor=person.id, outcome=outcome, public=public, actors={person.id: book.values}, item=row.id
    )
    if rescue and target is not None:
        revive(desk, target.id, "why.zbr", "§6.10")


def _action(desk: Desk, person: Person, book: Book) -> None:
    """The action of the move phase (then no movement and no style) or of the attack phase."""
    desk.idle()
    fight, turn = desk.state.fight, person.actor.turn
    if fight is None:
        turns.in_turn(desk, person)
        return
    if fight.phase == "move":
        turns.in_turn(desk, person, "move")
        if turn.move_style:
            desk.refuse("L08")
        if turn.move_action:
            desk.refuse("P54")
        book.put(turn=replace(turn, move_action=True, no_move=True))
        return
    other_action(desk, person)
    book.put(turn=replace(turn, attack_action=True))


def _effect(book: Book, row: Item, way: str, *, rescue: bool) -> None:
    person, why = book.person, reason("title.item", "§3.5.5", item=row.name)
    if row.use == "hp":
        book.change("hp", max(book.actor.hp, min(person.hp_max, book.actor.hp + row.amount)), why)
    elif row.use == "mp":
        book.change("mp", max(book.actor.mp, min(person.mp_max, book.actor.mp + row.amount)), why)
    elif row.use == "photo":
        if way == "dkk":
            book.change("dkk", 0, why)
            return
        most = person.mp_max if book.desk.tables.rule.photo_capped else book.actor.mp + row.amount
        book.change("mp", max(book.actor.mp, min(most, book.actor.mp + row.amount)), why)
    elif not rescue:
        book.put(effects=(*book.actor.effects, Effect("zbr", None, legs=row.amount)))
        book.note(reason("note.zbr", "§3.5.5"))


@command(
    "guard",
    reading.actor(),
    reading.actor("target"),
    codes=("L16", "L18", "P29", "P50", "P52", "P53", "P54", "P66"),
    rule="§5.6",
)
def guard(desk: Desk, asked: Asked) -> None:
    """かばう: an adjacent ally has one more 回避ダイス (E49)."""
    turns.the_fight(desk)
    person, target = desk.mine(asked), desk.met(asked.text("target"))
    desk.idle()
    if person.id == target.id:
        raise refused("P66")
    other_action(desk, person)
    book = Book(desk, target.id)
    book.change("guard", target.actor.guard + desk.tables.rule.guard_dice, reason("why.guard", "§5.6"))
    said = words("log.guard", name=person.name, target=target.name)
    outcome = book.outcome("guard", reason("why.guard", "§5.6"))
    public = masked(outcome, target.id) if secret(target) else None
    turn = replace(person.actor.turn, attack_action=True)
    actors = {person.id: {"turn": turn}, target.id: book.values}
    desk.emit("guards", said, actor=person.id, target=target.id, outcome=outcome, public=public, actors=actors)


@command(
    "kaishaku",
    reading.actor(),
    reading.actor("target"),
    codes=("L14", "L16", "L18", "P29", "P52", "P53", "P54", "P55", "P66"),
    rule="§6.10",
)
def kaishaku(desk: Desk, asked: Asked) -> None:
    """The finishing blow: a helpless ninja explodes, without a roll (E23)."""
    person, target = desk.mine(asked), desk.met(asked.text("target"))
    desk.idle()
    if person.id == target.id:
        raise refused("P66")
    if target.actor.out:
        raise refused("P55", name=target.name)
    if target.actor.life == "incapacitated":
        desk.refuse("L14")
    if desk.tables.rule.kaishaku_needs_helpless and not target.helpless:
        desk.refuse("L14")
    other_action(desk, person)
    book = Book(desk, target.id)
    book.change("hp", 0, reason("why.kaishaku", "§6.10"))
    book.put(life="exploded" if target.ninja else "dead", evade=0, guard=0)
    said = words("log.kaishaku", name=person.name, target=target.name)
    outcome = book.outcome("kaishaku", reason("why.kaishaku", "§6.10"))
    public = masked(outcome, target.id) if secret(target) else None
    actors = {person.id: {"turn": replace(person.actor.turn, attack_action=True)}, target.id: book.values}
    desk.emit(
        "struck", said, actor=person.id, target=target.id, outcome=outcome, public=public, actors=actors, damage=0
    )
