"""活劇点: what a use costs, who may use it, what else a command spends them on (rules §6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from rulesets.edo.play.checks import BEST
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.person import Person
from rulesets.edo.play.state import Check
from rulesets.edo.play.words import reason
from rulesets.edo.tables import Edo
from rulesets.engine.outcome import Change

Use = Literal["auto_success", "reroll", "turn_failure", "extra_action", "survive"]


@dataclass(frozen=True, slots=True)
class Bar:
    """Why a use is not open: a refusal's code and parameters."""

    code: str
    params: dict[str, object]


def cost(tables: Edo, use: Use) -> int:
    return tables.kp_uses[use].cost or 0


def bar(person: Person, use: Use, *, possible: bool = True, points: int | None = None) -> Bar | None:
    """What stands against a use of points; None = it is open. Order: who, whether it can work, enough points."""
    rule = person.tables.rule
    npc = person.actor.npc
    if person.mook or (npc and (use == "auto_success" or (use == "turn_failure" and not rule.npc_may_turn_failure))):
        return Bar("P03", {})
    if use in ("auto_success", "turn_failure") and not possible:
        return Bar("P02", {})
    needed = cost(person.tables, use) if points is None else points
    if person.actor.kp < needed:
        return Bar("P01", {"n": needed, "m": person.actor.kp})
    return None


def rescues(person: Person, check: Check) -> tuple[Use, ...]:
    """The uses open after a failed roll (§6.3)."""
    if check.settled or check.success is not False:
        return ()
    return tuple(use for use in ("reroll", "turn_failure") if bar(person, use, possible=possible(check)) is None)


def possible(check: Check, difficulty: int | None = None) -> bool:
    needed = check.difficulty if difficulty is None else difficulty
    return needed is None or check.value + BEST >= needed


def must(desk: Desk, person: Person, use: Use, *, possible: bool = True, selfish: bool = False) -> int:
    """The cost of a use, refused when it is not open: P01, P02, P03, P14."""
    found = bar(person, use, possible=possible)
    if found is not None:
        desk.refuse(found.code, **found.params)
        if found.code != "P01" and person.actor.kp < cost(person.tables, use):
            desk.refuse("P01", n=cost(person.tables, use), m=person.actor.kp)
    unselfish(desk, person, selfish)
    return cost(person.tables, use)


def unselfish(desk: Desk, person: Person, selfish: bool) -> None:
    """A lead may not spend points for selfish ends without the GM's leave (§6.4)."""
    if selfish and person.role.id == "lead" and not person.actor.permitted:
        desk.refuse("P14")


def spent(person: Person, points: int, why: str, rule: str = "§6.3") -> tuple[dict[str, Any], Change]:
    """New values and the change that says so."""
    after = person.actor.kp - points
    return {"kp": after}, Change(person.id, "kp", person.actor.kp, after, reason(why, rule))
