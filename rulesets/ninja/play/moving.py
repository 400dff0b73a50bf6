"""Start and move phases: weapons, focus, adrenaline, 連続側転, steps (rules §4.9, §4.10, §5.4, §5.5)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.engine.outcome import Outcome
from rulesets.ninja import ladder
from rulesets.ninja.play import reading, turns
from rulesets.ninja.play.answering import spend_adrenaline
from rulesets.ninja.play.book import Book, masked, secret
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.pools import Plan, plan, quick, throw
from rulesets.ninja.play.reading import Asked, refused
from rulesets.ninja.play.registry import command, event
from rulesets.ninja.play.tests import other_action, spend_quick
from rulesets.ninja.play.words import reason, words

event("armed", shows=("weapon",))
event("focused")
event("boosted")
event("cartwheeled", shows=("success", "passes"))
event("moved", shows=("squares", "left", "place"))

DOORS = {"door": 2, "window": 3}


@command(
    "weapon.set", reading.actor(), reading.text("weapon"), codes=("L10", "L18", "P29", "P46", "P52", "P60"), rule="§3.6"
)
def set_weapon(desk: Desk, asked: Asked) -> None:
    """Take a weapon in hand: free, at the start of the own turn (§3.6)."""
    person = desk.mine(asked)
    desk.idle()
    typed = asked.text("weapon") or "unarmed"
    weapon = next(
        (row for row in desk.tables.items.values() if typed in (row.id, row.name.ja, row.name.en) and row.kind), None
    )
    if weapon is None or not (weapon.id in person.sheet.weapons or person.actor.items.get(weapon.id)):
        raise refused("P60", item=typed[:40])
    if weapon.id == person.actor.weapon:
        raise refused("P46")
    fight = desk.state.fight
    if fight is not None:
        turns.in_turn(desk, person)
        if fight.phase != "start":
            desk.refuse("L10")
    elif not person.able:
        desk.refuse("L18", name=person.name)
    said = words("log.armed", name=person.name, weapon=weapon.name)
    desk.emit("armed", said, actor=person.id, actors={person.id: {"weapon": weapon.id}}, weapon=weapon.id)


@command("focus", reading.actor(), codes=("L18", "P29", "P46", "P50", "P52", "P64"), rule="§4.10")
def focus(desk: Desk, asked: Asked) -> None:
    """集中状態 for this turn; it costs the movement (E14)."""
    fight = turns.the_fight(desk)
    desk.idle()
    person = desk.mine(asked)
    turns.in_turn(desk, person)
    if fight.phase != "start":
        desk.refuse("P64")
    if person.actor.focus:
        raise refused("P46")
    turn = replace(person.actor.turn, no_move=person.actor.turn.no_move or desk.tables.rule.focus_costs_move)
    said = words("log.focus", name=person.name)
    desk.emit("focused", said, actor=person.id, actors={person.id: {"focus": "turn", "turn": turn}})


@command("adrenaline", reading.actor(), codes=("L11", "L18", "P50"), rule="§4.9")
def adrenaline(desk: Desk, asked: Asked) -> None:
    """On another's turn: own evasion −1 in this phase. In the own attack phase: focus for this phase."""
    fight = turns.the_fight(desk)
    person = desk.mine(asked)
    if person.actor.life != "alive":
        desk.refuse("L18", name=person.name)
    mine = person.id in [actor.id for actor in turns.acting(desk.state)]
    if (mine and fight.phase != "attack") or person.actor.adrenaline:
        desk.refuse("L11")
    book = Book(desk, person.id)
    spend_adrenaline(desk, book)
    if mine:
        book.put(adrenaline=False, focus=book.actor.focus or "phase")
    said = words("log.adrenaline_focus" if mine else "log.adrenaline", name=person.name)
    outcome = book.outcome("adrenaline", reason("why.adrenaline", "§4.9"))
    public = masked(outcome, person.id) if secret(person) else None
    desk.emit("boosted", said, actor=person.id, outcome=outcome, public=public, actors={person.id: book.values})


# ---------------------------------------------------------------- movement


def _moving(desk: Desk, person: Person) -> None:
    """Refuses L18, P29, P52, P53, and L20 when movement was given up or cannot be."""
    desk.idle()
    turns.in_turn(desk, person, "move")
    if person.actor.turn.no_move or not person.can_move:
        desk.refuse("L20")


@command(
    "cartwheel",
    reading.actor(),
    reading.number("quick", 0, 20, required=False),
    reading.choice("through", "door", "window", required=False),
    reading.FACES,
    codes=("L06", "L08", "L18", "L20", "P29", "P50", "P52", "P53", "P57", "P58"),
    rule="§5.5",
)
def cartwheel(desk: Desk, asked: Asked) -> None:
    """連続側転: success gives 回避ダイス and twice the steps, failure no movement and 崩れ状態."""
    turns.the_fight(desk)
    person = desk.mine(asked)
    _moving(desk, person)
    turn = person.actor.turn
    if turn.move_style:
        desk.refuse("L06")
    if turn.move_action and turn.allowance is None:
        desk.refuse("L08")
    if person.mob:
        desk.refuse("P57")
    rule = desk.tables.rule
    planned = rolled(desk, person, asked.count("quick"))
    made = throw(desk, planned)
    book = Book(desk, person.id)
    spend_quick(book, asked.count("quick"))
    why = reason("why.cartwheel", "§5.5")
    after = replace(turn, move_style="cartwheel", move_action=True)
    if made.successes:
        book.change("evade", book.actor.evade + rule.cartwheel_evade, why)
        after = replace(after, allowance=min(rule.move_most, 2 * person.legs))
    else:
        after = replace(after, no_move=True, allowance=0)
        book.put(states={**book.actor.states, "off_balance": "own_turn"})
    book.put(turn=after, cartwheel_penalty=True)
    passes = _passes(asked.text("through"), made.faces, made.successes)
    said = words("log.cartwheel_ok" if made.successes else "log.cartwheel_failed", name=person.name)
    outcome = replace(made.outcome, changes=tuple(book.changes))
    public = masked(outcome, person.id) if secret(person) else None
    desk.emit(
        "cartwheeled",
        said,
        actor=person.id,
        outcome=outcome,
        public=public,
        actors={person.id: book.values},
        success=bool(made.successes),
        passes=passes,
    )


def rolled(desk: Desk, person: Person, extra: int) -> Plan:
    """The dice and the rank of a cartwheel."""
    title = reason("title.test", "§5.5", test=desk.tables.tests["cartwheel"].name)
    return plan(person, "cartwheel_dice", person.cartwheel_rank(), title, more=quick(desk, person, extra))


def _passes(through: str, faces: tuple[int, ...], successes: int) -> bool | None:
    """Whether a blocked exit is passed: 【6,6】 for a door, 【6,6,6】 for a window (§5.5, W26)."""
    if not through:
        return None
    return bool(successes) and ladder.meets(faces, (ladder.SIDES,) * DOORS[through])


@command(
    "move",
    reading.actor(),
    reading.number("squares", 0, 40),
    reading.flag("diagonal"),
    reading.choice("blocked", "door", "window", required=False),
    reading.text("place"),
    codes=("L08", "L09", "L18", "L19", "L20", "L22", "P29", "P52", "P53", "P54"),
    rule="§5.5",
)
def move(desk: Desk, asked: Asked) -> None:
    """Steps of the movement, at once or in parts. Diagonals and blocked exits ask for a cartwheel."""
    person = desk.mine(asked)
    fight = desk.state.fight
    place, squares = asked.text("place"), asked.count("squares")
    values: dict[str, Any] = {"place": place} if place else {}
    left = None
    if fight is not None:
        _moving(desk, person)
        turn = person.actor.turn
        wheel = turn.move_style == "cartwheel"
        if turn.move_action and turn.allowance is None:
            desk.refuse("L20")
        if asked.flag("diagonal") and not wheel:
            desk.refuse("L19")
        if asked.text("blocked"):
            desk.refuse("L22")
        most = turn.allowance if turn.allowance is not None else min(desk.tables.rule.move_most, person.legs)
        if squares > most:
            desk.refuse("L09", n=squares, max=most)
        left = max(0, most - squares)
        values["turn"] = replace(turn, move_action=True, allowance=left)
    elif not person.able:
        desk.refuse("L18", name=person.name)
    said = words("log.moved", name=person.name, n=squares)
    desk.emit("moved", said, actor=person.id, actors={person.id: values}, squares=squares, left=left, place=place)


@command(
    "move.full",
    reading.actor(),
    reading.text("place"),
    reading.FACES,
    codes=("L16", "L18", "P29", "P50", "P52", "P53", "P54"),
    rule="§5.6",
)
def full_move(desk: Desk, asked: Asked) -> None:
    """全力移動: the action is given up for D3 more squares."""
    turns.the_fight(desk)
    person = desk.mine(asked)
    desk.idle()
    other_action(desk, person)
    die = desk.die(reason("dice.full_move", "§5.6"))
    squares = ladder.d3(die.face)
    place = asked.text("place")
    values: dict[str, Any] = {"turn": replace(person.actor.turn, attack_action=True)}
    if place:
        values["place"] = place
    outcome = Outcome("full_move", reason("dice.full_move", "§5.6"), total=squares, dice=(die,))
    said = words("log.full_move", name=person.name, n=squares)
    desk.emit("moved", said, actor=person.id, outcome=outcome, actors={person.id: values}, squares=squares, place=place)
