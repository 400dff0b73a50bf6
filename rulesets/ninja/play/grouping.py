"""From rolled sub-attacks to hits, and from hits to groups that are evaded together (rules §6.1, §6.3, §6.7, §6.8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rulesets.ninja import ladder
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.state import AttackKind, Group, Hit
from rulesets.ninja.rows import Item, Style
from rulesets.ninja.tables import Ninja


def critical_of(desk: Desk, person: Person, style: Style, faces: Sequence[int], successes: int) -> str:
    """サツバツ or ナムアミダブツ by the sixes of this sub-attack alone; never for mobs, nor for shots (E53, E57)."""
    rule = desk.tables.rule
    if person.mob or (style.kind == "shoot" and not rule.shooting_criticals):
        return ""
    if rule.pattern_needs_success and not successes:
        return ""
    sixes = sum(face == ladder.SIDES for face in faces)
    if sixes > style.sixes:
        return "namuamidabutsu"
    return "satsubatsu" if sixes == style.sixes else ""


def hit_of(
    desk: Desk, person: Person, target: Person, weapon: Item, style: Style, faces: Sequence[int], successes: int
) -> Hit:
    """A sub-attack that hit: fixed damage however many successes (§6.1)."""
    critical = critical_of(desk, person, style, faces, successes)
    blow = 0 if style.no_blow else style.heavy_blow
    if style.kind == "melee" and person.sheet.flag("npc.six_heavy") and ladder.SIDES in faces and not style.no_blow:
        blow = max(blow, 1)
    rank = ladder.NORMAL
    if critical == "namuamidabutsu":
        rank += desk.tables.rule.namu_evade_shift
    damage = person.damage(weapon)
    if style.auto_row is not None:
        damage = 1
    return Hit(
        attacker=person.id,
        target=target.id,
        damage=damage,
        rank=rank,
        successes=successes,
        blow=blow,
        critical=critical,
        row=style.auto_row if not critical else None,
        no_blow=style.no_blow,
    )


def with_row(hit: Hit) -> Hit:
    """ランスキック: not evaded it is a サツバツ of row 1 (§3.5.3)."""
    return replace(hit, critical="satsubatsu") if hit.row is not None else hit


def apart(desk: Desk, person: Person, kind: AttackKind, weapon: Item) -> bool:
    """Whether several hits of one attacker on one target must be evaded one by one (§6.3)."""
    if person.mob:
        return False
    if kind == "melee":
        return True
    return kind in ("shuriken", "gun") and weapon.staggered_ok and bool(person.gift("staggered"))


def groups_of(desk: Desk, hits: Sequence[Hit], *, each: bool, kind: AttackKind, adjacent: bool) -> tuple[Group, ...]:
    """Groups in the order of the hits: one for each hit, or one for each target."""
    if each:
        return tuple(_group(desk, (hit,), kind, adjacent) for hit in hits)
    by_target: dict[str, list[Hit]] = {}
    for hit in hits:
        by_target.setdefault(hit.target, []).append(hit)
    found = []
    for target, own in by_target.items():
        together = desk.person(target).ninja or desk.tables.rule.merge_for_non_ninja
        parts = [tuple(own)] if together else [(hit,) for hit in own]
        found += [_group(desk, part, kind, adjacent) for part in parts]
    return tuple(found)


def _group(desk: Desk, hits: tuple[Hit, ...], kind: AttackKind, adjacent: bool) -> Group:
    ranks = [hit.rank for hit in hits]
    base = max(ranks) if desk.tables.rule.group_difficulty == "highest" else min(ranks)
    attacker = desk.person(hits[0].attacker)
    rank = evade_rank(desk, attacker, kind, base)
    counter = kind == "melee" and adjacent
    return Group(hits[0].target, hits, rank, sum(hit.successes for hit in hits), can_counter=counter)


def evade_rank(desk: Desk, attacker: Person, kind: AttackKind, base: int) -> int:
    """The evasion difficulty with アトモスフィア and the attacker's 第六感; the defender's own shift comes later."""
    heat = heat_of(desk, attacker, kind)
    rank = ladder.shifted(base, (heat,), ladder.floor_of(desk.tables))
    if attacker.gift("sixth_sense") and base > ladder.EASY:
        rank = max(rank, ladder.NORMAL)
    return rank


def heat_of(desk: Desk, attacker: Person, kind: AttackKind) -> int:
    """What アトモスフィア adds: by the kind of attack, nothing for mobs (§6.8, E26)."""
    fight, rule = desk.state.fight, desk.tables.rule
    if fight is None or fight.atmosphere == "normal" or attacker.mob:
        return 0
    if not attacker.actor.npc and not rule.atmosphere_pc_attacks:
        return 0
    row = desk.tables.heat["melee" if kind == "counter" else kind]
    return row.hard if fight.atmosphere == "hard" else row.u_hard


def final_rank(tables: Ninja, attacker: Person, defender: Person, group: Group) -> int:
    """The rank the defender rolls at: adrenaline −1, never below NORMAL against 第六感 (§4.9, W18)."""
    own = -1 if defender.actor.adrenaline else 0
    rank = ladder.shifted(group.rank, (own,), ladder.floor_of(tables))
    base = max(hit.rank for hit in group.hits)
    if attacker.gift("sixth_sense") and base > ladder.EASY:
        rank = max(rank, ladder.NORMAL)
    return rank
