"""What a round allows and what is left of it: moves, attacks, defences, bought and free ones (rules §7.2, §7.8).

The functions ask and compute new values; they change nothing themselves. Outside a fight nothing is counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from rulesets.edo.play.desk import Desk
from rulesets.edo.play.kp import cost
from rulesets.edo.play.person import Person
from rulesets.edo.play.state import RoundUse
from rulesets.edo.play.words import reason
from rulesets.engine.outcome import Change

Way = Literal["own", "free", "buy"]


@dataclass(frozen=True, slots=True)
class Paid:
    """How an action is paid for: the round after it, 活劇点 spent, the change that says so."""

    use: RoundUse
    points: int = 0
    changes: tuple[Change, ...] = ()

    def values(self, person: Person) -> dict[str, Any]:
        """New values of the actor."""
        found: dict[str, Any] = {"round": self.use}
        if self.points:
            found["kp"] = person.actor.kp - self.points
        return found


# ---------------------------------------------------------------- what a style adds


def two_blades(person: Person) -> tuple[str, ...]:
    """The blades of 二天一流: two swords in the hands, used with the school's skill; () without."""
    blades = tuple(key for key in person.blades if person.has(person.arm_means(key).what, "two_blades"))
    return blades if len(blades) >= 2 else ()


def free_action(person: Person, skill_row: str) -> bool:
    """小野派: one attack or parry a round beyond the own ones."""
    return person.has(skill_row, "free_action") and not person.actor.round.free_used


# ---------------------------------------------------------------- attacks


def attack_left(person: Person, arm: str) -> bool:
    """Whether the round still holds an attack with this weapon, bought ones included."""
    use, blades = person.actor.round, two_blades(person)
    allowed = 1 + use.bought_attacks
    if arm in blades:
        return use.blade_attacks.get(arm, 0) < allowed and use.attacks < 2 * allowed
    return use.attacks < allowed


def attack_way(person: Person, arm: str) -> Way | None:
    """How the next attack with this weapon would be paid: from the round, by the school, with points; None = not."""
    if person.actor.round.reloading:
        return None
    if attack_left(person, arm):
        return "own"
    if free_action(person, person.arm_means(arm).what):
        return "free"
    return "buy" if _buys(person) else None


def pay_attack(person: Person, arm: str, way: Way) -> Paid:
    """The round after an attack; it ends any movement under way."""
    use = person.actor.round
    blades = two_blades(person)
    after = replace(use, stretch=0)
    if way == "free":
        return Paid(replace(after, free_used=True))
    after = replace(after, attacks=use.attacks + 1)
    if arm in blades:
        after = replace(after, blade_attacks=_one_more(use.blade_attacks, arm))
    return _bought(person, replace(after, bought_attacks=use.bought_attacks + 1)) if way == "buy" else Paid(after)


# ---------------------------------------------------------------- defences


def parry_left(person: Person, arm: str) -> bool:
    """Whether the round still holds a parry with this weapon (each blade of 二天一流 has one of its own)."""
    use, blades = person.actor.round, two_blades(person)
    allowed = 1 + use.bought_defences
    spent = use.parries + use.dodges
    if arm in blades:
        return use.blade_parries.get(arm, 0) < allowed and spent < 2 * allowed
    return spent - sum(use.blade_parries.get(blade, 0) for blade in blades) < allowed and spent < _most(blades, allowed)


def dodge_left(person: Person) -> bool:
    """Whether the round still holds a dodge: with two blades it may replace one of the two defences only.

    While a gun is being loaded there are bought ones only (§7.2).
    """
    use, blades = person.actor.round, two_blades(person)
    if use.reloading:
        return use.dodges < use.bought_defences
    allowed = 1 + use.bought_defences
    spent = use.parries + use.dodges
    return spent < _most(blades, allowed) and (use.dodges < allowed if blades else spent < allowed)


def _most(blades: tuple[str, ...], allowed: int) -> int:
    return 2 * allowed if blades else allowed


def parry_way(person: Person, arm: str) -> Way | None:
    if person.actor.round.reloading:
        return None
    if parry_left(person, arm):
        return "own"
    if free_action(person, person.arm_means(arm).what):
        return "free"
    return "buy" if _buys(person) else None


def dodge_way(person: Person) -> Way | None:
    if dodge_left(person):
        return "own"
    return "buy" if _buys(person) else None


def pay_parry(person: Person, arm: str, way: Way) -> Paid:
    use = person.actor.round
    if way == "free":
        return Paid(replace(use, free_used=True))
    after = replace(use, parries=use.parries + 1)
    if arm in two_blades(person):
        after = replace(after, blade_parries=_one_more(use.blade_parries, arm))
    return _bought(person, replace(after, bought_defences=use.bought_defences + 1)) if way == "buy" else Paid(after)


def pay_dodge(person: Person, way: Way) -> Paid:
    use = person.actor.round
    after = replace(use, dodges=use.dodges + 1)
    return _bought(person, replace(after, bought_defences=use.bought_defences + 1)) if way == "buy" else Paid(after)


# ---------------------------------------------------------------- movement


def moves_allowed(use: RoundUse) -> int:
    """Move actions of this round: its own, unless a gun is being loaded, and the bought ones (§7.2)."""
    return use.bought_moves + (0 if use.reloading else 1)


def ken_left(person: Person) -> int:
    """Ken that can still be covered this round without buying."""
    use = person.actor.round
    return use.stretch + max(0, moves_allowed(use) - use.moves) * person.move


def pay_ken(desk: Desk, person: Person, ken: int, *, buy: bool) -> Paid:
    """Movement, or acts that take so much of it: first what is left of the stretch, then a new move action (P37)."""
    use = person.actor.round
    if desk.state.fight is None:
        return Paid(use)
    if ken <= use.stretch:
        return Paid(replace(use, stretch=use.stretch - ken))
    begun = pay_move(desk, person, buy=buy)
    return replace(begun, use=replace(begun.use, stretch=person.move - (ken - use.stretch)))


def pay_move(desk: Desk, person: Person, *, buy: bool) -> Paid:
    """A whole move action, bought if need be (P37, P01)."""
    use = person.actor.round
    if desk.state.fight is None:
        return Paid(use)
    after = replace(use, moves=use.moves + 1, stretch=0)
    if use.moves < moves_allowed(use):
        return Paid(after)
    if not buy:
        desk.refuse("P37")
        return Paid(after)
    _must_buy(desk, person)
    return _bought(person, replace(after, bought_moves=use.bought_moves + 1))


def pay_act(desk: Desk, person: Person, *, buy: bool) -> Paid:
    """Something done instead of the attack; while a gun is being loaded only a move or a dodge can be bought (§7.2)."""
    use = person.actor.round
    if desk.state.fight is None:
        return Paid(use)
    if use.reloading:
        desk.refuse("P47")
    after = replace(use, attacks=use.attacks + 1, stretch=0)
    if use.attacks < 1 + use.bought_attacks:
        return Paid(after)
    if not buy:
        desk.refuse("P04")
        return Paid(after)
    _must_buy(desk, person)
    return _bought(person, replace(after, bought_attacks=use.bought_attacks + 1))


# ---------------------------------------------------------------- points


def _buys(person: Person) -> bool:
    return not person.mook and person.actor.kp >= cost(person.tables, "extra_action")


def _must_buy(desk: Desk, person: Person) -> None:
    """Refuse P01, or P03 for mooks, when points cannot pay."""
    price = cost(person.tables, "extra_action")
    if person.mook:
        desk.refuse("P03")
    if person.actor.kp < price:
        desk.refuse("P01", n=price, m=person.actor.kp)


def _bought(person: Person, use: RoundUse) -> Paid:
    price = cost(person.tables, "extra_action")
    after = person.actor.kp - price
    why = reason("use.extra_action", "§6.3")
    return Paid(use, price, (Change(person.id, "kp", person.actor.kp, after, why),))


def _one_more(uses: Mapping[str, int], key: str) -> dict[str, int]:
    return {**uses, key: uses.get(key, 0) + 1}
