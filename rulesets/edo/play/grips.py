"""Out of a grip: breaking free, and letting go (rules §7.10, E31)."""

from __future__ import annotations

from typing import Any

from rulesets.edo.play.acting import free_of_exchange
from rulesets.edo.play.budget import pay_act
from rulesets.edo.play.checks import Plan, plan
from rulesets.edo.play.contest import Verdict, begin, ends
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.moves import ACTING, BUY, SELFISH, acting, counted, say
from rulesets.edo.play.odds import total
from rulesets.edo.play.person import Means, Person
from rulesets.edo.play.reading import FACES, Asked, actor
from rulesets.edo.play.registry import command, event, odds_of
from rulesets.edo.play.special import GRAPPLING
from rulesets.edo.play.state import Contest, State
from rulesets.edo.play.views import numbers
from rulesets.edo.play.words import reason, words
from rulesets.engine.odds import Chance, Odds, opposed
from rulesets.engine.outcome import Modifier, Reason
from rulesets.engine.play import Viewer

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
    BUY,
    SELFISH,
    FACES,
    codes=(*ACTING, "P04", "P24", "P42", "P43", "P73"),
    rule="§7.10",
)
def escape(desk: Desk, asked: Asked) -> None:
    """Break out of a grip: an attack, and grappling against the holder's."""
    person = acting(desk, asked)
    if not person.actor.held_by:
        desk.refuse("P73", name=person.name)
    holder = desk.person(person.actor.held_by)
    if desk.tables.rule.grapple_escape_costs_attack:
        paid = pay_act(desk, person, buy=asked.flag("buy"))
        said = words("log.escape", name=person.name, target=holder.name)
        say(desk, "act", person, said, paid, counted(desk, person, paid, asked))
    mine, theirs = escape_plans(desk.person(person.id), holder)
    begin(desk, mine, theirs, words("log.escape_roll", name=person.name, target=holder.name), kind=ESCAPE)


def escape_plans(person: Person, holder: Person) -> tuple[Plan, Plan]:
    """Both sides of the opposed roll: whoever wants out, and the holder."""
    title = reason("title.escape", "§7.10", inferred=True)
    mine = plan(person, "opposed", escape_means(person), None, title=title)
    return mine, plan(holder, "opposed", holder.skill(GRAPPLING), None, title=title)


@odds_of("grapple.escape")
def _odds(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    """Free, a tie (which changes nothing), still held; nothing for those who may not know the holder's numbers."""
    one = state.actors.get(asked.text("actor"))
    if one is None or not one.held_by:
        return None
    holder = state.actors[one.held_by]
    if not numbers(one, viewer) or not numbers(holder, viewer):
        return None
    mine, theirs = escape_plans(Person(state.tables, one), Person(state.tables, holder))
    found = opposed(total(mine), total(theirs))
    return Odds(
        (
            Chance("win", words("odds.win"), found.win),
            Chance("tie", words("odds.tie"), found.tie),
            Chance("lose", words("odds.lose"), found.lose),
        )
    )


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
