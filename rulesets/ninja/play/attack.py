"""Melee attacks, shots and volleys of mobs (rules §6.1–§6.3): declared, rolled openly, then answered group by group."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rulesets.engine.outcome import Modifier, Outcome
from rulesets.engine.play import ALL
from rulesets.ninja import ladder
from rulesets.ninja.play import reading
from rulesets.ninja.play.aiming import Aim, Declared, declare, ready, style_of
from rulesets.ninja.play.book import Book, secret
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.evading import advance
from rulesets.ninja.play.grouping import apart, groups_of, hit_of, with_row
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.pools import Made, Plan, judged, quick
from rulesets.ninja.play.reading import Asked
from rulesets.ninja.play.registry import command, event
from rulesets.ninja.play.state import Attack, AttackKind, Group, Hit
from rulesets.ninja.play.tests import spend_quick
from rulesets.ninja.play.words import listed, reason, words
from rulesets.ninja.tables import TABLES

event("attacked", shows=("attack", "hits", "dice", "levels"))
event("style", shows=("style",))

_BASE = TABLES.base.styles
MELEE = tuple(row.id for row in _BASE.values() if row.kind == "melee")
SHOTS = tuple(row.id for row in _BASE.values() if row.kind == "shoot")
_CODES = (
    *("L03", "L04", "L05", "L06", "L13", "L16", "L18", "L21", "P29", "P52", "P53", "P54", "P55"),
    *("P56", "P57", "P58", "P59", "P66"),
)


@command(
    "style",
    reading.actor(),
    reading.choice("style", *MELEE, *SHOTS),
    codes=("L06", "L16", "L18", "L21", "P29", "P52", "P53", "P54", "P57"),
    rule="§5.4",
    retractable=True,
)
def take_style(desk: Desk, asked: Asked) -> None:
    """Declare a style without attacking yet; afterwards only its own kind of action is possible."""
    person = desk.mine(asked)
    ready(desk, person)
    row = desk.tables.styles[asked.text("style")]
    if person.actor.turn.style and person.actor.turn.style != row.id:
        desk.refuse("L06")
    found = style_of(desk, person, row.kind, row.id)
    said = words("log.style", name=person.name, style=found.name)
    turn = replace(person.actor.turn, style=found.id)
    desk.emit("style", said, actor=person.id, actors={person.id: {"turn": turn}}, style=found.id)


@command(
    "attack",
    reading.actor(),
    reading.text("targets", required=True),
    reading.choice("style", *MELEE, required=False),
    reading.number("shift", -9, 9, required=False),
    reading.number("quick", 0, 20, required=False),
    reading.flag("reach"),
    reading.flag("mercy"),
    reading.FACES,
    codes=(*_CODES, "P46"),
    rule="§6.1",
)
def attack(desk: Desk, asked: Asked) -> None:
    """近接攻撃: targets with their dice (`boss:4,yakuza#2:3`), all declared before rolling."""
    person = desk.mine(asked)
    ready(desk, person)
    more = quick(desk, person, asked.count("quick"))
    found = declare(desk, asked, person, "melee", more)
    if asked.flag("mercy") and not desk.tables.rule.mercy:
        desk.refuse("P46")
    _carry_out(desk, asked, found, "melee")


@command(
    "shoot",
    reading.actor(),
    reading.text("targets", required=True),
    reading.choice("style", *SHOTS, required=False),
    reading.number("shift", -9, 9, required=False),
    reading.number("quick", 0, 20, required=False),
    reading.flag("adjacent"),
    reading.flag("unseen"),
    reading.FACES,
    codes=_CODES,
    rule="§6.1",
)
def shoot(desk: Desk, asked: Asked) -> None:
    """射撃 with the gun in hand or スリケン; with another weapon in hand a snap throw (+1, no style)."""
    person = desk.mine(asked)
    ready(desk, person)
    more = quick(desk, person, asked.count("quick"))
    found = declare(desk, asked, person, "shoot", more)
    _carry_out(desk, asked, found, "gun" if found.weapon.kind == "gun" else "shuriken")


def _carry_out(desk: Desk, asked: Asked, found: Declared, kind: AttackKind) -> None:
    """Roll every sub-attack, show all, group the hits (steps 3–5 of §6.1)."""
    person, style = found.attacker, found.style
    made = [_thrown(desk, found, aim) for aim in found.aims]
    hits = [
        with_row(hit_of(desk, person, aim.target, found.weapon, style, one.faces, one.successes))
        for aim, one in zip(found.aims, made, strict=True)
        if one.successes
    ]
    extra: list[Outcome] = []
    if desk.tables.rule.satsubatsu_roll == "with_attack":
        hits, extra = _critical_now(desk, hits)
    groups = groups_of(desk, hits, each=apart(desk, person, kind, found.weapon), kind=kind, adjacent=found.adjacent)
    book = Book(desk, person.id)
    spend_quick(book, asked.count("quick"))
    book.put(turn=replace(book.actor.turn, attack_action=True, style=style.id if style.id != "snap" else ""))
    outcome = Outcome(
        "attack",
        found.pool.title,
        total=len(hits),
        modifiers=found.pool.parts,
        parts=(*(one.outcome for one in made), *extra),
        changes=tuple(book.changes),
    )
    names = listed(dict.fromkeys(aim.target.name for aim in found.aims))
    said = words("log.attack", name=person.name, target=names, style=style.name, n=len(hits), m=len(found.aims))
    sure = style.auto_row is not None
    told: dict[str, Any] = {
        "dice": [a.dice for a in found.aims],
        "levels": [ladder.Level(a.rank).shown for a in found.aims],
    }
    open_attack(
        desk,
        said,
        person,
        outcome,
        book,
        groups,
        kind,
        mercy=asked.flag("mercy"),
        sure_counter=sure,
        involved=[aim.target.id for aim in found.aims],
        **told,
    )


def _thrown(desk: Desk, found: Declared, aim: Aim) -> Made:
    title = reason("title.aim", "§6.1", name=aim.target.name)
    part = Modifier("dice", aim.dice, "dice", reason("part.split", "§6.2"))
    one = Plan(found.attacker.id, aim.dice, aim.rank, (part, *aim.shifts), title)
    dice = desk.throw(aim.dice, title)
    marks = 0 if found.attacker.mob or found.style.kind == "shoot" else found.style.sixes
    return judged(one, dice, mark_sixes=marks)


def _critical_now(desk: Desk, hits: list[Hit]) -> tuple[list[Hit], list[Outcome]]:
    """The table die thrown with the attack (E33)."""
    found, told = [], []
    for hit in hits:
        if hit.critical and hit.row is None:
            die = desk.die(reason("dice.critical", "§6.7"), mark="critical")
            told.append(Outcome("critical", reason("dice.critical", "§6.7"), dice=(die,), total=die.face))
            hit = replace(hit, face=die.face)
        found.append(hit)
    return found, told


def open_attack(
    desk: Desk,
    said: Any,
    person: Person,
    outcome: Outcome,
    book: Book | None,
    groups: tuple[Group, ...],
    kind: AttackKind,
    *,
    mercy: bool = False,
    sure_counter: bool = False,
    actors: dict[str, dict[str, Any]] | None = None,
    world: dict[str, Any] | None = None,
    involved: Iterable[str] = (),
    **told: Any,
) -> None:
    """Tell the roll and open the attack; without a group nothing follows.

    Whoever attacks or is attacked (`involved`) is seen from now on.
    """
    attack = None
    if groups:
        attack = Attack(desk.new_id("a"), kind, groups, mercy=mercy, sure_counter=sure_counter, since=desk.command.at)
    changed = dict(actors or {})
    if book is not None:
        changed[book.actor.id] = {**changed.get(book.actor.id, {}), **book.values}
    for actor_id in {person.id, *involved, *(group.target for group in groups)}:
        if desk.state.actors[actor_id].hidden:
            changed[actor_id] = {**changed.get(actor_id, {}), "hidden": False}
    public = replace(outcome, modifiers=(), changes=()) if secret(person) else None
    desk.emit(
        "attacked",
        said,
        actor=person.id,
        outcome=outcome,
        public=public,
        actors=changed,
        world={**(world or {}), "attack": attack},
        attack=attack.id if attack is not None else "",
        hits=[len(group.hits) for group in groups],
        audience=ALL,
        **told,
    )
    if attack is not None:
        advance(desk)
