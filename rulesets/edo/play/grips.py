"""Out of a grip: breaking free, and letting go (rules §7.10, E31)."""

from __future__ import annotations

from typing import Any

from rulesets.edo.play import budget
from rulesets.edo.play.acting import able, free_of_exchange, on_turn
from rulesets.edo.play.checks import plan
from rulesets.edo.play.contest import Verdict, begin, ends
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.person import Means, Person
from rulesets.edo.play.reading import FACES, Asked, actor, flag
from rulesets.edo.play.registry import command, event
from rulesets.edo.play.special import GRAPPLING
from rulesets.edo.play.state import Contest
from rulesets.edo.play.words import reason, words
from rulesets.engine.outcome import Modifier, Reason

event("grip")
event("faint")

ESCAPE = "escape"


def escape_means(person: Person) -> Means:
    """Grappling, or two dice and the body for whoever never learned it (E31)."""
    learned = person.skill(GRAPPLING)
    if learned.learned:
        return learned
    why = Reason(person.tables.abilities["body"].name, "§7.10", inferred=True)
    return Means(GRAPPLING, learned.name, 2, person.body, (Modifier("body", person.body, "total", why),), "body", False)


@command(
    "grapple.escape",
    actor(),
    flag("buy"),
    FACES,
    codes=("P01", "P03", "P04", "P15", "P24", "P27", "P29", "P42", "P43", "P73"),
    rule="§7.10",
)
def escape(desk: Desk, asked: Asked) -> None:
    """Break out of a grip: an attack, and grappling against the holder's."""
    own = desk.own(asked)
    able(desk, own)
    free_of_exchange(desk)
    on_turn(desk, own)
    if not own.held_by:
        desk.refuse("P73", name=own.name)
    values = _paid(desk, desk.person(own.id), buy=asked.flag("buy"))
    person, holder = desk.person(own.id), desk.person(own.held_by)
    title = reason("title.escape", "§7.10", inferred=True)
    mine = plan(person, "opposed", escape_means(person), None, title=title)
    theirs = plan(holder, "opposed", holder.skill(GRAPPLING), None, title=title)
    said = words("log.escape", name=own.name, target=holder.name)
    begin(desk, mine, theirs, said, kind=ESCAPE, values=values)


def _paid(desk: Desk, person: Person, *, buy: bool) -> dict[str, Any]:
    if not desk.tables.rule.grapple_escape_costs_attack or desk.state.fight is None:
        return {}
    return budget.pay_act(desk, person, buy=buy).values(person)


@ends(ESCAPE)
def _escaped(desk: Desk, contest: Contest, verdict: Verdict) -> None:
    """Free when the total is larger; a tie changes nothing (E20)."""
    if verdict.winner != 0:
        return
    own = desk.state.actors[contest.sides[0].who]
    actors: dict[str, dict[str, Any]] = {own.id: {"held_by": ""}}
    if own.held_by:
        actors[own.held_by] = {"holds": "", "choke": None}
    desk.emit("grip", words("log.escaped", name=own.name), actor=own.id, actors=actors)


@command("grapple.release", actor(), codes=("P12", "P29"), rule="§7.10", retractable=True)
def release(desk: Desk, asked: Asked) -> None:
    """Let go of whoever one holds; it takes no action."""
    own = desk.own(asked)
    free_of_exchange(desk)
    if not own.holds:
        desk.refuse("P12")
    name = desk.state.actors[own.holds].name
    actors: dict[str, dict[str, Any]] = {own.id: {"holds": "", "choke": None}, own.holds: {"held_by": ""}}
    desk.emit("grip", words("log.released", name=own.name, target=name), actor=own.id, target=own.holds, actors=actors)
