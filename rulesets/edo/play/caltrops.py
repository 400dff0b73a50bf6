"""マキビシ: whoever enters their square tries athletics or stops there (rules §4.4, E42)."""

from __future__ import annotations

from dataclasses import replace

from rulesets.edo.play.acting import able
from rulesets.edo.play.attempts import CODES, attempt
from rulesets.edo.play.checks import Plan, against, plan
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.followups import follows
from rulesets.edo.play.odds import of_plan
from rulesets.edo.play.person import Person
from rulesets.edo.play.reading import FACES, Asked, actor, flag
from rulesets.edo.play.registry import command, event, odds_of
from rulesets.edo.play.state import Check, State
from rulesets.edo.play.views import numbers
from rulesets.edo.play.words import reason, words
from rulesets.engine.odds import Odds
from rulesets.engine.play import Viewer

event("stopped")

ATHLETICS = "undo"


def crossing(person: Person) -> Plan:
    row = person.tables.numbers["caltrops"]
    part = against(row.id, row.value, row.name, row.section, inferred=row.inferred_in("value"))
    title = reason("title.caltrops", "§4.4", inferred=True)
    return plan(person, "caltrops", person.skill(ATHLETICS), (part,), title=title)


@command("caltrops", actor(), flag("auto"), FACES, codes=("P27", *CODES), rule="§4.4")
def step_on(desk: Desk, asked: Asked) -> None:
    """Somebody enters a square with caltrops. Poison on them is the GM's to say."""
    own = desk.own(asked)
    able(desk, own)
    said = words("log.caltrops", name=own.name)
    attempt(desk, crossing(desk.person(own.id)), said, auto=asked.flag("auto"))


@follows("caltrops")
def _stopped(desk: Desk, check: Check) -> None:
    """A failure ends the movement: what is left of it is lost."""
    if check.success:
        return
    one = desk.state.actors[check.who]
    actors = {one.id: {"round": replace(one.round, stretch=0)}} if desk.state.fight is not None else {}
    desk.emit("stopped", words("log.caltrops_stopped", name=one.name), actor=one.id, actors=actors)


@odds_of("caltrops")
def _odds(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    one = state.actors.get(asked.text("actor"))
    if one is None or not numbers(one, viewer) or asked.flag("auto"):
        return None
    return of_plan(state, crossing(Person(state.tables, one)))
