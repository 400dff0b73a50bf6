"""Mobs that attack together, and those who are knocked into something (rules §6.3, §6.7)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.engine.outcome import Outcome, Reason
from rulesets.ninja import ladder
from rulesets.ninja.play import reading, turns
from rulesets.ninja.play.attack import open_attack
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.grouping import groups_of, hit_of
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.pools import judged, plan, shift
from rulesets.ninja.play.reading import Asked, refused
from rulesets.ninja.play.registry import GM_ONLY, command
from rulesets.ninja.play.state import AttackKind, Group, Hit
from rulesets.ninja.play.words import listed, reason, words
from rulesets.ninja.rows import Style


@command(
    "volley",
    reading.actor("mob"),
    reading.text("targets", required=True),
    reading.choice("how", "melee", "shoot"),
    reading.number("shift", -9, 9, required=False),
    reading.flag("reach"),
    reading.FACES,
    roles=GM_ONLY,
    codes=("L18", "P29", "P52", "P53", "P55", "P59", "P66", "P67"),
    rule="§6.3",
)
def volley(desk: Desk, asked: Asked) -> None:
    """A whole mob at once: each member rolls its own dice; with 連続攻撃X in X waves, each evaded as one.

    Where the group merges different attackers (E54), several mobs may be named.

    Several targets share the members in turn; `boss:3` sends three at somebody.
    """
    desk.idle()
    members = [actor for actor in desk.several(asked.listed("mob")) if not actor.out and actor.on_stage]
    people = [Person(desk.tables, actor) for actor in members]
    kinds = {one.actor.cast.group or one.id for one in people}
    if not people or not all(one.mob for one in people) or (len(kinds) > 1 and not desk.tables.rule.merge_attackers):
        desk.refuse("P67")
    able = [one for one in people if one.able and not one.actor.no_turn]
    if not able:
        raise refused("L18", name=people[0].name if people else asked.text("mob"))
    turns.in_turn(desk, able[0], "attack")
    melee = asked.text("how") == "melee"
    style = desk.tables.styles["plain" if melee else "shoot"]
    key = style.dice
    if not able[0].known(key):
        desk.refuse("P59", name=able[0].name, label=desk.tables.label(key))
    shared = _shared(desk, able, asked)
    made, hits = _waves(desk, shared, style, asked)
    kind: AttackKind = "melee" if melee else _shot_kind(able[0])
    groups = tuple(
        group
        for wave in hits
        for group in groups_of(desk, wave, each=False, kind=kind, adjacent=not asked.flag("reach"))
    )
    total = sum(len(group.hits) for group in groups)
    title = reason("title.volley", "§6.3", n=len(able))
    outcome = Outcome("volley", title, total=total, parts=tuple(made))
    names = listed(dict.fromkeys(target.name for _, target in shared))
    name = able[0].name.rsplit(" ", 1)[0]
    said = words("log.volley", name=name, n=len(able), target=names, hits=total)
    seen = [one.id for pair in shared for one in pair]
    used = {one.id: {"turn": replace(one.actor.turn, attack_action=True)} for one in able}
    open_attack(desk, said, able[0], outcome, None, groups, kind, actors=used, world=_acted(desk, kinds), involved=seen)


def _acted(desk: Desk, kinds: set[str]) -> dict[str, Any]:
    """Mobs that joined another's volley have acted in this turn (E54)."""
    fight = desk.state.fight
    joined = tuple(sorted(kinds - {fight.now} - set(fight.acted))) if fight is not None else ()
    return {"fight": replace(fight, acted=(*fight.acted, *joined))} if fight is not None and joined else {}


def _shot_kind(person: Person) -> AttackKind:
    return "gun" if person.weapon.kind == "gun" else "shuriken"


def _shared(desk: Desk, able: list[Person], asked: Asked) -> list[tuple[Person, Person]]:
    """Which member attacks whom: numbered targets first, the rest in turn."""
    named = asked.parts("targets")
    targets: list[Person] = []
    for target, count in named:
        found = desk.met(target)
        if found.actor.out:
            raise refused("P55", name=found.name)
        if found.id in {one.id for one in able}:
            raise refused("P66")
        targets += [found] * (count or 0)
    loose = [desk.met(target) for target, count in named if count is None]
    while loose and len(targets) < len(able):
        targets += loose
    return list(zip(able, targets, strict=False))


def _waves(
    desk: Desk, shared: list[tuple[Person, Person]], style: Style, asked: Asked
) -> tuple[list[Outcome], list[list[Hit]]]:
    """The rolls of every member, wave by wave (§6.3)."""
    waves = max((one.gift("multi_attack") for one, _ in shared), default=1) if style.kind == "melee" else 1
    made: list[Outcome] = []
    hits: list[list[Hit]] = [[] for _ in range(waves)]
    for one, target in shared:
        shifts = [shift("typed", asked.count("shift"), "§4.1")] if asked.count("shift") else []
        if target.attacked_shift:
            shifts.append(shift("off_balance", target.attacked_shift, "§6.9"))
        title = Reason(words("title.member", name=one.name, target=target.name), "§6.3")
        weapon = one.tables.items["unarmed"] if style.kind == "melee" else _gun(one)
        base = ladder.level(weapon.difficulty).rank
        whole = plan(one, style.dice, base, title, shifts=tuple(shifts))
        parts = [whole.dice // waves + (1 if n < whole.dice % waves else 0) for n in range(waves)]
        for wave, dice in enumerate(parts):
            if dice:
                found = judged(replace(whole, dice=dice), desk.throw(dice, title))
                made.append(found.outcome)
                if found.successes:
                    hits[wave].append(hit_of(desk, one, target, weapon, style, found.faces, found.successes))
    return made, hits


def _gun(person: Person) -> Any:
    return person.weapon if person.weapon.kind == "gun" else person.tables.items["shuriken"]


@command(
    "knockback",
    reading.actor(),
    reading.actor("target"),
    reading.number("squares", 0, 40),
    reading.flag("collides"),
    reading.text("place"),
    roles=GM_ONLY,
    codes=("L09", "P29", "P55"),
    rule="§6.7",
)
def knockback(desk: Desk, asked: Asked) -> None:
    """弾き飛ばし: the GM moves the target straight away; a collision is damage that may be evaded (E24)."""
    desk.idle()
    person, target = desk.met(asked.text("actor")), desk.met(asked.text("target"))
    rule, squares = desk.tables.rule, asked.count("squares")
    if target.actor.out:
        raise refused("P55", name=target.name)
    if squares > rule.knockback_squares:
        desk.refuse("L09", n=squares, max=rule.knockback_squares)
    groups: tuple[Group, ...] = ()
    if asked.flag("collides"):
        hit = Hit(person.id, target.id, rule.knockback_damage, ladder.NORMAL, 1)
        groups = groups_of(desk, [hit], each=False, kind="melee", adjacent=False)
    place = asked.text("place")
    actors = {target.id: {"place": place}} if place else {}
    outcome = Outcome("knockback", reason("title.knockback", "§6.7"), total=squares)
    said = words("log.knockback", name=target.name, n=squares)
    open_attack(desk, said, person, outcome, None, groups, "melee", actors=actors, involved=(target.id,))
