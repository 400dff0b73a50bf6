"""Cat points: whether help may be asked, what it costs, what a scenario's end gives (rules §8.1, §8.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rulesets.engine.outcome import Change, Reason
from rulesets.witch.play.desk import Desk
from rulesets.witch.play.reading import refused
from rulesets.witch.play.state import PARTY, State
from rulesets.witch.play.words import reason, refusal
from rulesets.witch.rows import SIDES


def partner(desk: Desk, witch: str) -> str:
    """The cat of a witch. Refuses W18 when she has none."""
    cat = desk.state.bonds.get(witch)
    if cat is None or cat not in desk.state.actors:
        raise refused("W18")
    return cat


def affordable(desk: Desk, witch: str, dice: int) -> None:
    """Refuse L01 for an empty pool (or none), L42 where the group asks for the largest cost at hand."""
    rule = desk.tables.rule
    pool = desk.state.pool(witch)
    if pool is None or (pool.remaining < 1 and not rule.help_at_zero):
        desk.refuse("L01")
    elif rule.shortfall == "refuse_if_pool_lt_max" and pool.remaining < dice * SIDES:
        desk.refuse("L42", n=dice * SIDES)


@dataclass(frozen=True, slots=True)
class Bill:
    """What a cost came to: the points really paid, the pool after it as an entry, the change and a note when short."""

    paid: int
    put: dict[str, dict[str, Any]]
    changes: tuple[Change, ...]
    notes: tuple[Reason, ...]


def bill(desk: Desk, witch: str, cost: int) -> Bill:
    """Pay a cost: never more than is left, and help that was given stands (§13-13)."""
    pool = desk.state.pool(witch)
    left = pool.remaining if pool is not None else 0
    paid = min(cost, left)
    notes = () if paid == cost else (Reason(refusal("L06", cost=cost, paid=paid), "§13-13", True),)
    if pool is None:
        return Bill(0, {}, (), notes)
    used = {**pool.used, witch: pool.used.get(witch, 0) + paid}
    after = replace(pool, remaining=pool.remaining - paid, used=used)
    change = (Change(witch, "cat_points", left, after.remaining, reason("why.cost", "§8.1")),) if paid else ()
    return Bill(paid, {"pools": {desk.state.pool_key(witch): after}}, change, notes)


def settled(state: State) -> dict[str, tuple[int, int]]:
    """What each witch gets as experience and her cat into its bank if the scenario ended now.

    A pool of the whole party leaves its remainder in equal parts, rounded down; what a cat spent is its own.
    """
    found: dict[str, tuple[int, int]] = {}
    for key, pool in state.pools.items():
        if pool.closed:
            continue
        witches = [witch for witch in state.bonds if key in (witch, PARTY)]
        for witch in witches:
            found[witch] = (pool.remaining // len(witches), pool.used.get(witch, 0))
    return found
