"""Tests, contests and NRS outside of attacks (rules §4.3, §4.4, §4.12), and その他の行動."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.engine.outcome import Modifier, Outcome
from rulesets.engine.play import GM, Audience, seat_token
from rulesets.ninja import ladder
from rulesets.ninja.play import reading, turns
from rulesets.ninja.play.book import Book, masked, secret
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.pools import Plan, own_shifts, plan, quick, throw
from rulesets.ninja.play.reading import Asked, refused
from rulesets.ninja.play.registry import command, event
from rulesets.ninja.play.words import reason, words
from rulesets.ninja.tables import TABLES

event("tested", shows=("successes", "difficulty"))
event("contested", shows=("winner", "margin"))
event("shocked", shows=("row",))
event("acted")

KINDS = tuple(TABLES.base.tests)
DEFAULT = "NORMAL"


def level_of(desk: Desk, typed: str, default: str) -> int:
    """The rank a person means; Refuses P23 for none."""
    found = ladder.parse(typed or default)
    if found is None:
        raise refused("P23", label=words("field.difficulty"), value=typed[:40])
    return found.rank


def planned(desk: Desk, person: Person, asked: Asked, kind: str, difficulty: str) -> Plan:
    """A test of a kind with what was typed: difficulty, shift, 即応ダイス, further dice."""
    row = desk.tables.tests[kind]
    base = level_of(desk, difficulty, row.difficulty or DEFAULT)
    if kind == "cartwheel" and not difficulty:
        base = person.cartwheel_rank()
    more = [*quick(desk, person, asked.count("quick"))]
    if asked.count("bonus"):
        more.append(Modifier("bonus", asked.count("bonus"), "dice", reason("part.bonus", "§4.2")))
    if kind == "knowledge" and desk.tables.rule.knowledge_bonus and asked.flag("knowledge"):
        more.append(Modifier("knowledge", desk.tables.rule.knowledge_bonus, "dice", reason("part.knowledge", "§3.5.4")))
    shifts = own_shifts(person, asked.count("shift"))
    if kind == "negotiate" and person.values.parts("negotiate_difficulty"):
        harder = sum(p.value for p in person.values.modifiers("negotiate_difficulty") if isinstance(p.value, int))
        shifts += (Modifier("implants", harder, "difficulty", reason("part.implants", "§3.5.6")),)
    return plan(person, row.dice, base, reason("title.test", "§4.3", test=row.name), shifts=shifts, more=tuple(more))


TEST_FIELDS = (
    reading.choice("test", *KINDS),
    reading.text("difficulty"),
    reading.number("shift", -9, 9, required=False),
    reading.number("quick", 0, 20, required=False),
    reading.number("bonus", -20, 40, required=False),
    reading.flag("knowledge"),
)


@command(
    "test",
    reading.actor(),
    *TEST_FIELDS,
    reading.flag("action"),
    reading.flag("secret"),
    reading.FACES,
    codes=("L16", "L18", "P29", "P52", "P53", "P54", "P58", "P59"),
    rule="§4.3",
)
def test(desk: Desk, asked: Asked) -> None:
    """A test of any kind; `action` uses the action of the attack phase, `secret` is for the GM and the roller."""
    person = desk.mine(asked)
    if person.actor.life != "alive":
        desk.refuse("L18", name=person.name)
    action = asked.flag("action")
    if action:
        desk.idle()
        other_action(desk, person)
    kind = asked.text("test")
    _known(desk, person, kind)
    made_plan = planned(desk, person, asked, kind, asked.text("difficulty"))
    made = throw(desk, made_plan)
    book = Book(desk, person.id)
    spend_quick(book, asked.count("quick"))
    if action:
        book.put(turn=replace(book.actor.turn, attack_action=True))
    said = words(
        "log.test",
        name=person.name,
        test=desk.tables.tests[kind].name,
        level=made_plan.level.shown,
        n=made.successes,
        result=made.outcome.degree_label,
    )
    outcome = replace(made.outcome, changes=tuple(book.changes))
    audience: Audience | None = None
    if asked.flag("secret"):
        audience = (*GM, seat_token(person.actor.seat)) if person.actor.seat else GM
    public = masked(outcome, person.id) if secret(person) else None
    told: dict[str, Any] = {"successes": made.successes, "difficulty": made_plan.level.id}
    desk.emit(
        "tested",
        said,
        actor=person.id,
        outcome=outcome,
        public=public,
        actors={person.id: book.values},
        audience=audience,
        **told,
    )


def _known(desk: Desk, person: Person, kind: str) -> None:
    key = desk.tables.tests[kind].dice
    if key != "best" and not person.known(key):
        desk.refuse("P59", name=person.name, label=desk.tables.label(key))


def spend_quick(book: Book, count: int) -> None:
    if count:
        book.change("quick", max(0, book.actor.quick - count), reason("part.quick", "§4.6"))


def other_action(desk: Desk, person: Person) -> None:
    """その他の行動 of the own attack phase. Refuses L18, P52, P53, P54, and L16 after a style was declared."""
    turns.in_turn(desk, person, "attack")
    if desk.state.fight is not None and person.actor.turn.attack_action:
        desk.refuse("P54")
    if person.actor.turn.style:
        desk.refuse("L16", action=words("action.other"))


@command(
    "contest",
    reading.actor(),
    *TEST_FIELDS,
    reading.actor("target"),
    reading.choice("target_test", *KINDS, required=False),
    reading.text("target_difficulty"),
    reading.FACES,
    codes=("L18", "P58", "P59", "P66"),
    rule="§4.4",
)
def contest(desk: Desk, asked: Asked) -> None:
    """対抗判定: both roll, more successes win; the margin may be used as the GM likes (C7)."""
    one, other = desk.mine(asked), desk.met(asked.text("target"))
    if one.id == other.id:
        raise refused("P66")
    for person in (one, other):
        if person.actor.out:
            desk.refuse("L18", name=person.name)
    kind = asked.text("test")
    theirs = asked.text("target_test") or kind
    _known(desk, one, kind)
    _known(desk, other, theirs)
    first = planned(desk, one, asked, kind, asked.text("difficulty"))
    row = desk.tables.tests[theirs]
    base = level_of(desk, asked.text("target_difficulty"), row.difficulty or DEFAULT)
    second = plan(other, row.dice, base, reason("title.test", "§4.3", test=row.name))
    mine, answer = throw(desk, first), throw(desk, second)
    lead = mine.successes - answer.successes
    if not lead:
        lead = {"none": 0, "active": 1, "passive": -1}[desk.tables.rule.contest_tie]
    winner = one.id if lead > 0 else other.id if lead < 0 else ""
    margin = abs(mine.successes - answer.successes)
    name = one.name if lead > 0 else other.name if lead < 0 else ""
    result = words("contest.won", name=name, n=margin) if winner else words("contest.tie")
    said = words("log.contest", name=one.name, target=other.name, n=mine.successes, m=answer.successes, result=result)
    outcome = Outcome("contest", reason("title.contest", "§4.4"), parts=(mine.outcome, answer.outcome), margin=margin)
    book = Book(desk, one.id)
    spend_quick(book, asked.count("quick"))
    hidden = [person.id for person in (one, other) if secret(person)]
    public = masked(outcome, *hidden) if hidden else None
    told: dict[str, Any] = {"winner": winner, "margin": margin}
    desk.emit(
        "contested",
        said,
        actor=one.id,
        target=other.id,
        outcome=outcome,
        public=public,
        actors={one.id: book.values},
        **told,
    )


@command(
    "nrs",
    reading.actor(),
    reading.choice("level", "EASY", "NORMAL", "HARD", "U_HARD"),
    reading.number("dice", 0, 40),
    reading.FACES,
    codes=("L18",),
    rule="§4.12",
)
def nrs(desk: Desk, asked: Asked) -> None:
    """NRS of a mortal: on a failure the table by D3, D6 or D6+1, its damage and state at once."""
    person = desk.mine(asked)
    if person.actor.out:
        desk.refuse("L18", name=person.name)
    rank = ladder.level(asked.text("level")).rank
    title = reason("title.nrs", "§4.12")
    given = (Modifier("typed", asked.count("dice"), "dice", reason("part.typed_dice", "§4.12")),)
    made_plan = Plan(person.id, asked.count("dice"), rank, given, title)
    made = throw(desk, made_plan)
    if made.successes:
        said = words("log.nrs_ok", name=person.name)
        desk.emit("tested", said, actor=person.id, outcome=made.outcome, successes=made.successes, difficulty="")
        return
    die = desk.die(reason("dice.nrs", "§4.12"))
    number = ladder.d3(die.face) if rank == ladder.EASY else die.face + (1 if rank > ladder.NORMAL else 0)
    row = next(row for row in desk.tables.shocks.values() if row.roll == number)
    book = Book(desk, person.id)
    book.dice.append(die)
    why = reason("why.nrs", "§4.12", row=row.name)
    book.change("hp", 0 if row.id == "heart_stop" else max(0, book.actor.hp - row.hp), why)
    book.change("mp", max(0, book.actor.mp - row.mp), why)
    if row.condition == "fainted":
        book.put(life="fainted")
    elif row.condition:
        book.put(states={**book.actor.states, row.condition: "turn_end"})
    said = words("log.nrs", name=person.name, row=row.name, note=row.note)
    outcome = book.outcome("nrs", title, parts=(made.outcome,), total=number)
    public = masked(outcome, person.id) if secret(person) else None
    desk.emit(
        "shocked", said, actor=person.id, outcome=outcome, public=public, actors={person.id: book.values}, row=row.id
    )


@command(
    "act",
    reading.actor(),
    reading.text("text", required=True),
    reading.flag("instant"),
    codes=("L07", "L16", "L18", "P29", "P52", "P53", "P54"),
    rule="§5.4",
)
def act(desk: Desk, asked: Asked) -> None:
    """その他の行動 without a roll, or a 瞬時行動 (one a phase), in words."""
    person = desk.mine(asked)
    desk.idle()
    fight = desk.state.fight
    turn = person.actor.turn
    if asked.flag("instant"):
        turns.in_turn(desk, person)
        if fight is not None and fight.phase in turn.instants:
            desk.refuse("L07")
        after = replace(turn, instants=(*turn.instants, fight.phase)) if fight is not None else turn
    else:
        other_action(desk, person)
        after = replace(turn, attack_action=True)
    said = words("log.act", name=person.name, text=asked.text("text"))
    desk.emit("acted", said, actor=person.id, actors={person.id: {"turn": after}})
