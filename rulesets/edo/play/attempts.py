"""Making a roll that something follows from (see `followups`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rulesets.edo.play import kp
from rulesets.edo.play.book import audience_of
from rulesets.edo.play.checks import Plan, bought, throw
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.followups import gives_away, stands, unsettled
from rulesets.edo.play.masks import public
from rulesets.edo.play.person import Person
from rulesets.edo.play.rolls import kept
from rulesets.edo.play.state import Check
from rulesets.engine.play import Audience
from rulesets.engine.text import Text

# Codes that `attempt` may refuse with, beside those of the command.
CODES = ("P01", "P02", "P03", "P24", "P42", "P43", "P78")


def attempt(
    desk: Desk,
    planned: Plan,
    said: Text,
    *,
    target: str = "",
    auto: bool = False,
    values: Mapping[str, Any] | None = None,
) -> Check:
    """Make a roll, or buy its success (§6.3), tell of it, and let its result stand unless points may still change it.

    `target`: whom it is about. `values`: what making the roll sets on the roller. Refuses P78 while an earlier roll of
    the same kind is open.
    """
    person = desk.person(planned.who)
    if unsettled(desk.state, planned.who, planned.kind) is not None:
        desk.refuse("P78", name=person.name)
    audience = _audience(desk, planned.who, target or planned.who)
    if auto:
        price = kp.must(desk, person, "auto_success", possible=planned.possible)
        made = bought(desk, planned, price, audience=audience)
    else:
        made = throw(desk, planned, audience=audience)
    changed = {**(values or {}), **made.values}
    uses = kp.rescues(Person(desk.tables, replace(person.actor, **changed)), made.check)
    check = replace(made.check, target=target, settled=not uses)
    desk.emit(
        "roll",
        said,
        actor=planned.who,
        target=target,
        outcome=made.outcome,
        public=public(desk.state, made.outcome, of=gives_away(check)),
        actors={planned.who: changed},
        world={"rolls": kept(desk.state.rolls, check)},
        audience=audience,
        roll=check.id,
        what=check.what,
        secrecy="open",
        rescues=list(uses),
    )
    if check.settled:
        stands(desk, check)
    return check


def _audience(desk: Desk, who: str, about: str) -> Audience:
    """Everybody, but the GM alone for what happens between NPCs."""
    actors = desk.state.actors
    found = audience_of(desk, actors[who])
    return found if found == audience_of(desk, actors[about]) else desk.audience(who, about)
