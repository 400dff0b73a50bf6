"""What an attack may be: weapon, style, split, targets, dice and difficulty (rules §3.6, §3.7, §5.6, §6.2, §6.5)."""

from __future__ import annotations

from dataclasses import dataclass

from rulesets.engine.outcome import Modifier
from rulesets.ninja import ladder
from rulesets.ninja.play import turns
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.pools import Plan, own_shifts, plan, shift
from rulesets.ninja.play.reading import Asked, refused
from rulesets.ninja.play.words import reason, words
from rulesets.ninja.rows import Item, Style


@dataclass(frozen=True)
class Aim:
    """One sub-attack as declared: at whom, with how many dice, at which rank."""

    target: Person
    dice: int
    rank: int
    shifts: tuple[Modifier, ...]


@dataclass(frozen=True)
class Declared:
    """A whole attack as declared, before any die."""

    attacker: Person
    weapon: Item
    style: Style
    pool: Plan
    aims: tuple[Aim, ...]
    adjacent: bool


def weapon_of(desk: Desk, person: Person, style: Style) -> Item:
    """The weapon a style uses now. Refuses P57."""
    items = desk.tables.items
    if style.kind == "shoot":
        if style.id == "snap" or person.weapon.kind == "melee":
            return items["shuriken"]
        return person.weapon
    if "any" in style.weapons:
        return items["unarmed"]
    held = person.weapon
    if held.kind in ("gun", "shuriken"):
        held = items["unarmed"]
    if "katana" in style.weapons and not held.katana_rules:
        desk.refuse("P57")
    return held


def style_of(desk: Desk, person: Person, kind: str, typed: str) -> Style:
    """The style named, or the plain one. Refuses P57 (unknown skill), L16 (wrong kind), L06 (another was declared)."""
    row = desk.tables.styles.get(typed or ("plain" if kind == "melee" else "shoot"))
    if row is None:
        raise refused("P57")
    snap = kind == "shoot" and not typed and person.weapon.kind == "melee" and person.weapon.id != "unarmed"
    if snap:
        row = desk.tables.styles["snap"]
    if row.kind != kind:
        desk.refuse("L16", action=words(f"action.{kind}"))
    if row.needs_skill and not person.has(row.needs_skill):
        desk.refuse("P57")
    declared = person.actor.turn.style
    if declared and declared != row.id:
        chosen = desk.tables.styles.get(declared)
        if chosen is not None and chosen.kind != kind:
            desk.refuse("L16", action=words(f"action.{kind}"))
        else:
            desk.refuse("L21" if row.id == "snap" else "L06")
    return row


def ready(desk: Desk, person: Person) -> None:
    """The action of one's own attack phase is free. Refuses L18, P29, P52, P53, P54."""
    desk.idle()
    turns.in_turn(desk, person, "attack")
    if desk.state.fight is not None and person.actor.turn.attack_action:
        desk.refuse("P54")


def limit(person: Person, style: Style, weapon: Item) -> int:
    """How many sub-attacks (§3.7): 連続攻撃 for melee, 連射 for shuriken, a gun's own; a style may hold it lower."""
    if style.kind == "shoot":
        most = max(1, weapon.multi_shot) if weapon.kind == "gun" else person.gift("multi_shot")
    else:
        most = person.gift("multi_attack")
        if style.dice == "precise_dice":
            most = max(most, person.gift("multi_shot"))
    return most if style.most is None else min(most, style.most)


def declare(desk: Desk, asked: Asked, person: Person, kind: str, more: tuple[Modifier, ...] = ()) -> Declared:
    """Read and check a melee attack or a shot. Refuses L03–L06, L13, L16, L21, P18, P55–P57, P59, P66."""
    style = style_of(desk, person, kind, asked.text("style"))
    weapon = weapon_of(desk, person, style)
    near = asked.flag("adjacent") if kind == "shoot" else not asked.flag("reach")
    if kind == "shoot" and near and desk.tables.rule.ranged_adjacent_forbidden:
        desk.refuse("L13")
    if kind == "shoot" and asked.flag("unseen"):
        desk.refuse("L13")
    if style.dice != "legs" and not person.known(style.dice):
        desk.refuse("P59", name=person.name, label=desk.tables.label(style.dice))
    named = asked.parts("targets")
    targets = [_target(desk, person, target) for target, _ in named]
    more = (*more, *hatred(person, targets))
    base = ladder.level(weapon.difficulty).rank
    title = reason("title.attack", "§6.1", style=style.name, weapon=weapon.name)
    whole = plan(person, style.dice, base, title, more=more)
    dice = _split(desk, person, style, weapon, whole.dice, [count for _, count in named])
    if kind == "shoot" and len({target.id for target in targets}) > 1:
        several(desk, person, weapon)
    shifts = style_shifts(desk, style) + own_shifts(person, asked.count("shift"))
    aims = tuple(_aim(desk, t, n, base, shifts) for t, n in zip(targets, dice, strict=True))
    return Declared(person, weapon, style, whole, aims, near)


def several(desk: Desk, person: Person, weapon: Item) -> None:
    """Shots at several targets need the skill and a fitting weapon (E13)."""
    by_rule = weapon.kind == "shuriken" and desk.tables.rule.shuriken_multi_target
    if not weapon.multi_ok or not (by_rule or person.gift("multi_target")):
        desk.refuse("L05")


def style_shifts(desk: Desk, style: Style) -> tuple[Modifier, ...]:
    if style.id == "snap":
        return (shift("snap", desk.tables.rule.snap_shift, "§5.6"),)
    return (shift("style", style.shift, "§3.6"),) if style.shift else ()


def _target(desk: Desk, person: Person, typed: str) -> Person:
    found = desk.met(typed)
    if found.id == person.id:
        raise refused("P66")
    if found.actor.out:
        raise refused("P55", name=found.name)
    return found


def _split(desk: Desk, person: Person, style: Style, weapon: Item, pool: int, typed: list[int | None]) -> list[int]:
    """The dice of each sub-attack; one attack without a number takes the whole pool. Refuses L03, L04."""
    least = desk.tables.rule.split_min_dice
    most = limit(person, style, weapon)
    if len(typed) > most:
        desk.refuse("L03", n=most)
    if len(typed) == 1 and typed[0] is None:
        return [pool]
    left = pool - sum(count for count in typed if count is not None)
    open_parts = sum(count is None for count in typed)
    shared = max(0, left) // open_parts if open_parts else 0
    dice = [shared if count is None else count for count in typed]
    if sum(dice) > pool or any(count < least for count in dice):
        desk.refuse("L04", sum=sum(dice), pool=pool, least=least)
    return dice


def _aim(desk: Desk, target: Person, dice: int, base: int, shifts: tuple[Modifier, ...]) -> Aim:
    found = shifts
    if target.attacked_shift:
        found = (*found, shift("off_balance", target.attacked_shift, "§6.9"))
    rank = ladder.shifted(base, (one.value for one in found), ladder.floor_of(desk.tables))
    return Aim(target, dice, rank, found)


def hatred(person: Person, targets: list[Person]) -> tuple[Modifier, ...]:
    """◉◉憎悪：ニンジャソウルの闇: 2 dice for each ◉ of darkness of the one target (§7.5)."""
    ids = {target.id for target in targets}
    if not person.has("hatred_darkness") or len(ids) != 1:
        return ()
    marks = targets[0].darkness_marks
    return (Modifier("hatred", 2 * marks, "dice", reason("part.hatred", "§7.5")),) if marks else ()
