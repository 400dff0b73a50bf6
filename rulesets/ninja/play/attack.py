"""Melee attacks, shots and volleys of mobs (rules §6.1–§6.3): declared, rolled openly, then answered group by group."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.engine.outcome import Modifier, Outcome, Reason
from rulesets.ninja import ladder
from rulesets.ninja.play import reading, turns
from rulesets.ninja.play.aiming import Aim, Declared, declare, ready, style_of
from rulesets.ninja.play.book import Book, secret
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.evading import advance
from rulesets.ninja.play.grouping import apart, groups_of, hit_of, with_row
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.pools import Made, Plan, judged, plan, quick, shift
from rulesets.ninja.play.reading import Asked, refused
from rulesets.ninja.play.registry import command, event
from rulesets.ninja.play.state import Attack, AttackKind, Group, Hit
from rulesets.ninja.play.tests import spend_quick
from rulesets.ninja.play.words import listed, reason, words
from rulesets.ninja.rows import Style
from rulesets.ninja.tables import TABLES

event("attacked", shows=("attack", "hits", "dice", "levels"))
event("style", shows=("style",))

_BASE = TABLES.base.styles
MELEE = tuple(row.id for row in _BASE.values() if row.kind == "melee")
SHOTS = tuple(row.id for row in _BASE.values() if row.kind == "shoot")
_CODES = (
    *("L03", "L04", "L05", "L06", "L13", "L16", "L18", "L21", "P29", "P52", "P53", "P54", "P55"),
    *("P56", "P57", "P58", "P59", "P66"),
)


@command(
    "style",
    reading.actor(),
    reading.choice("style", *MELEE, *SHOTS),
    codes=("L06", "L16", "L18", "L21", "P29", "P52", "P53", "P54", "P57"),
    rule="§5.4",
    retractable=True,
)
def take_style(desk: Desk, asked: Asked) -> None:
    """Declare a style without attacking yet; afterwards only its own kind of action is possible."""
    person = desk.mine(asked)
    ready(desk, person)
    row = desk.tables.styles[asked.text("style")]
    if person.actor.turn.style and person.actor.turn.style != row.id:
        desk.refuse("L06")
    found = style_of(desk, person, row.kind, row.id)
    said = words("log.style", name=person.name, style=found.name)
    turn = replace(person.actor.turn, style=found.id)
    desk.emit("style", said, actor=person.id, actors={person.id: {"turn": turn}}, style=found.id)


@command(
    "attack",
    reading.actor(),
    reading.text("targets", required=True),
    reading.choice("style", *MELEE, required=False),
    reading.number("shift", -9, 9, required=False),
    reading.number("quick", 0, 20, required=False),
    reading.flag("reach"),
    reading.flag("mercy"),
    reading.FACES,
    codes=(*_CODES, "P46"),
    rule="§6.1",
)
def attack(desk: Desk, asked: Asked) -> None:
    """近接攻撃: targets with their dice (`boss:4,yakuza#2:3`), all declared before rolling."""
    person = desk.mine(asked)
    ready(desk, person)
    more = quick(desk, person, asked.count("quick"))
    found = declare(desk, asked, person, "melee", more)
    if asked.flag("mercy") and not desk.tables.rule.mercy:
        desk.refuse("P46")
    _carry_out(desk, asked, found, "melee")


@command(
    "shoot",
    reading.actor(),
    reading.text("targets", required=True),
    reading.choice("style", *SHOTS, required=False),
    reading.number("shift", -9, 9, required=False),
    reading.number("quick", 0, 20, required=False),
    reading.flag("adjacent"),
    reading.flag("unseen"),
    reading.FACES,
    codes=_CODES,
    rule="§6.1",
)
def shoot(desk: Desk, asked: Asked) -> None:
    """射撃 with the gun in hand or スリケン; with another weapon in hand a snap throw (+1, no style)."""
    person = desk.mine(asked)
    ready(desk, person)
    more = quick(desk, person, asked.count("quick"))
    found = declare(desk, asked, person, "shoot", more)
    _carry_out(desk, asked, found, "gun" if found.weapon.kind == "gun" else "shuriken")


def _carry_out(desk: Desk, asked: Asked, found: Declared, kind: AttackKind) -> None:
    """Roll every sub-attack, show all, group the hits (steps 3–5 of §6.1)."""
    person, style = found.attacker, found.style
    made = [_thrown(desk, found, aim) for aim in found.aims]
    hits = [
        with_row(hit_of(desk, person, aim.target, found.weapon, style, one.faces, one.successes))
        for aim, one in zip(found.aims, made, strict=True)
        if one.successes
    ]
    extra: list[Outcome] = []
    if desk.tables.rule.satsubatsu_roll == "with_attack":
        hits, extra = _critical_now(desk, hits)
    groups = groups_of(desk, hits, each=apart(desk, person, kind, found.weapon), kind=kind, adjacent=found.adjacent)
    book = Book(desk, person.id)
    spend_quick(book, asked.count("quick"))
    book.put(turn=replace(book.actor.turn, attack_action=True, style=style.id if style.id != "snap" else ""))
    outcome = Outcome(
        "attack",
        found.pool.title,
        total=len(hits),
        modifiers=found.pool.parts,
        parts=(*(one.outcome for one in made), *extra),
        changes=tuple(book.changes),
    )
    names = listed(dict.fromkeys(aim.target.name for aim in found.aims))
    said = words("log.attack", name=person.name, target=names, style=style.name, n=len(hits), m=len(found.aims))
    sure = style.auto_row is not None
    told: dict[str, Any] = {
        "dice": [a.dice for a in found.aims],
        "levels": [ladder.Level(a.rank).shown for a in found.aims],
    }
    open_attack(desk, said, person, outcome, book, groups, kind, mercy=asked.flag("mercy"), sure_counter=sure, **told)


def _thrown(desk: Desk, found: Declared, aim: Aim) -> Made:
    title = reason("title.aim", "§6.1", name=aim.target.name)
    part = Modifier("dice", aim.dice, "dice", reason("part.split", "§6.2"))
    one = Plan(found.attacker.id, aim.dice, aim.rank, (part, *aim.shifts), title)
    dice = desk.throw(aim.dice, title)
    marks = 0 if found.attacker.mob or found.style.kind == "shoot" else found.style.sixes
    return judged(one, dice, mark_sixes=marks)


def _critical_now(desk: Desk, hits: list[Hit]) -> tuple[list[Hit], list[Outcome]]:
    """The table die thrown with the attack (E33)."""
    found, told = [], []
    for hit in hits:
        if hit.critical and hit.row is None:
            die = desk.die(reason("dice.critical", "§6.7"), mark="critical")
            told.append(Outcome("critical", reason("dice.critical", "§6.7"), dice=(die,), total=die.face))
            hit = replace(hit, face=die.face)
        found.append(hit)
    return found, told


def open_attack(
    desk: Desk,
    said: Any,
    person: Person,
    outcome: Outcome,
    book: Book | None,
    groups: tuple[Group, ...],
    kind: AttackKind,
    *,
    mercy: bool = False,
    sure_counter: bool = False,
    actors: dict[str, dict[str, Any]] | None = None,
    world: dict[str, Any] | None = None,
    **told: Any,
) -> None:
    """Tell the roll and open the attack; without a group nothing follows."""
    attack = None
    if groups:
        attack = Attack(desk.new_id("a"), kind, groups, mercy=mercy, sure_counter=sure_counter, since=desk.command.at)
    changed = dict(actors or {})
    if book is not None:
        changed[book.actor.id] = {**changed.get(book.actor.id, {}), **book.values}
    public = replace(outcome, modifiers=(), changes=()) if secret(person) else None
    desk.emit(
        "attacked",
        said,
        actor=person.id,
        outcome=outcome,
        public=public,
        actors=changed,
        world={**(world or {}), "attack": attack},
        attack=attack.id if attack is not None else "",
        hits=[len(group.hits) for group in groups],
        **told,
    )
    if attack is not None:
        advance(desk)


# ---------------------------------------------------------------- mobs


@command(
    "volley",
    reading.actor("mob"),
    reading.text("targets", required=True),
    reading.choice("how", "melee", "shoot"),
    reading.number("shift", -9, 9, required=False),
    reading.flag("reach"),
    reading.FACES,
    roles=frozenset({"gm", "co_gm"}),
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
    used = {one.id: {"turn": replace(one.actor.turn, attack_action=True)} for one in able}
    open_attack(desk, said, able[0], outcome, None, groups, kind, actors=used, world=_acted(desk, kinds))


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
    roles=frozenset({"gm", "co_gm"}),
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
    open_attack(desk, said, person, outcome, None, groups, "melee", actors=actors)
