"""Kinds of attack: a plain strike, the back of the blade, and what else is registered (rules §7.4, §7.10).

A mode says with which weapons it works, what the to-hit difficulty is made of, how it can be stopped, and what happens
when it was not. `special.py` adds grapple, throw, choke, lock and atemi.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from rulesets.edo.arms import Arm
from rulesets.edo.play.checks import Plan, against
from rulesets.edo.play.kp import Bar
from rulesets.edo.play.person import Person
from rulesets.edo.play.state import Mode, State, Strike
from rulesets.edo.play.words import words
from rulesets.edo.rows import Mounted, Weapon
from rulesets.engine.odds import Chance
from rulesets.engine.outcome import Modifier

if TYPE_CHECKING:
    from rulesets.edo.play.flow import Flow


def evasion(attacker: Person, target: Person, arm: Arm) -> tuple[Modifier, ...]:
    """The target's evasion, harder for some attacks and against riders (§5.4, §7.12)."""
    parts = list(target.evasion_parts)
    if not isinstance(arm, Weapon):
        return tuple(parts)
    if arm.difficulty:
        parts.append(against("attack", arm.difficulty, arm.name, "§5.4"))
    if target.actor.mounted:
        row = mounted_row(target, arm.reach)
        if row.to_hit:
            parts.append(against("mounted", row.to_hit, words("part.mounted", reach=row.name), "§7.12"))
    return tuple(parts)


def mounted_row(person: Person, reach: int) -> Mounted:
    """The row of §7.12 for a reach in half ken: the longest one not above it."""
    rows = sorted(person.tables.mounted.values(), key=lambda row: row.reach)
    return next((row for row in reversed(rows) if row.reach <= reach), rows[0])


def body_plus(attacker: Person, target: Person, arm: Arm) -> tuple[Modifier, ...]:
    """The target's body + 5: throws, chokes, locks (§7.10)."""
    base = target.tables.numbers["target_body_base"]
    return (
        against("body", target.body, target.tables.abilities["body"].name, "§7.10"),
        against("body_base", base.value, words("part.base"), "§7.10"),
    )


def _always(attacker: Person, target: Person) -> Bar | None:
    """Nothing stands against it."""
    return None


def _nothing(flow: Flow) -> None:
    """A miss is a miss."""


def _no_more(attacker: Person, planned: Plan) -> tuple[Chance, ...]:
    """Nothing beside hit and miss."""
    return ()


@dataclass(frozen=True)
class ModeEntry:
    """How one kind of attack works.

    `fits`: with which weapons. `bar`: what stands against trying it on somebody, before anything is paid.
    `base`: summands of the to-hit difficulty in melee. `defence`: `normal` (parry or dodge) or `resist` with one of
    `resists` if learned (free, unlimited). `landed`: what happens when nobody stopped it; `missed`: when its roll
    failed for good; `chances`: what else its roll may bring, for forecasts.
    """

    id: str
    fits: Callable[[Arm], bool]
    landed: Callable[[Flow], None]
    base: Callable[[Person, Person, Arm], tuple[Modifier, ...]] = evasion
    bar: Callable[[Person, Person], Bar | None] = _always
    defence: Literal["normal", "resist"] = "normal"
    resists: tuple[str, ...] = ()
    missed: Callable[[Flow], None] = _nothing
    damages: bool = True
    chances: Callable[[Person, Plan], tuple[Chance, ...]] = _no_more


_MODES: dict[str, ModeEntry] = {}
MODES: Mapping[str, ModeEntry] = _MODES
# What else happens when an attack was parried (not dodged); each looks for itself whether it applies.
_PARRIED: list[Callable[[Flow], None]] = []
PARRIED = _PARRIED
# Rolls that a hit demands of its target (morale, fainting), by kind: what is rolled, and the row of words that says so.
_DEMANDS: dict[str, tuple[Callable[[State, Strike], Plan], str]] = {}
DEMANDS: Mapping[str, tuple[Callable[[State, Strike], Plan], str]] = _DEMANDS
# What follows such a roll: called once the result stands.
_AFTER: dict[str, Callable[[Flow], None]] = {}
AFTER: Mapping[str, Callable[[Flow], None]] = _AFTER


def mode(entry: ModeEntry) -> ModeEntry:
    if entry.id in _MODES:
        raise ValueError(f"the mode {entry.id} is there twice")
    _MODES[entry.id] = entry
    return entry


def mode_of(arm: Arm, said: str) -> Mode | None:
    """The kind of attack: as said, else what the weapon itself is (grapple, throw), else a plain strike."""
    found: Any = said or (arm.id if arm.id in MODES else "")
    mode: Mode | None = found if found in MODES else None
    return mode


def on_parried(hook: Callable[[Flow], None]) -> Callable[[Flow], None]:
    _PARRIED.append(hook)
    return hook


def demands(kind: str, said: str) -> Callable[[Callable[[State, Strike], Plan]], Callable[[State, Strike], Plan]]:
    """Register a roll that a hit may demand; a mode asks for it with `flow.put(demand=kind)`."""

    def register(planned: Callable[[State, Strike], Plan]) -> Callable[[State, Strike], Plan]:
        if kind in _DEMANDS:
            raise ValueError(f"the demand {kind} is there twice")
        _DEMANDS[kind] = planned, said
        return planned

    return register


def after(kind: str) -> Callable[[Callable[[Flow], None]], Callable[[Flow], None]]:
    """Register what follows a check made after a hit."""

    def register(follow: Callable[[Flow], None]) -> Callable[[Flow], None]:
        if kind in _AFTER:
            raise ValueError(f"what follows {kind} is there twice")
        _AFTER[kind] = follow
        return follow

    return register
