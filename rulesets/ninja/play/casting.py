"""ジツ, and skills that work like one: kill-9, 魅了, ヘルタツマキ, ツヨイ・スリケン (rules §3.5.2, §3.5.3, §7.5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from rulesets.engine.outcome import Die, Outcome
from rulesets.ninja import ladder
from rulesets.ninja.play import reading, turns
from rulesets.ninja.play.aiming import ready
from rulesets.ninja.play.attack import open_attack
from rulesets.ninja.play.book import Book, masked, secret
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.grouping import groups_of
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.pools import Made, own_shifts, plan, throw
from rulesets.ninja.play.reading import Asked, refused
from rulesets.ninja.play.registry import command, event
from rulesets.ninja.play.state import AttackKind, Effect, Hit
from rulesets.ninja.play.words import listed, reason, words
from rulesets.ninja.tables import TABLES

event("cast", shows=("jitsu",))
event("charmed", shows=("who",))

MOST_ORBS = 4
COST = 1
ABILITIES = ("kill9", "charm", "hell_tatsumaki", "tsuyoi_shuriken")
JITSU = tuple(TABLES.base.jitsu)


@command(
    "cast",
    reading.actor(),
    reading.text("targets"),
    reading.actor("centre", required=False),
    reading.number("shift", -9, 9, required=False),
    reading.FACES,
    codes=("L03", "L16", "L18", "P29", "P52", "P53", "P54", "P55", "P56", "P58", "P59", "P61"),
    rule="§3.5.2",
)
def cast(desk: Desk, asked: Asked) -> None:
    """発動判定 of the own ジツ: 精神力1, NORMAL; its effect on those named follows at once."""
    person = desk.mine(asked)
    row = person.sheet.jitsu
    level = person.sheet.permanent.get("jitsu", 0)
    if row is None or not level or row.handling == "guard":
        raise refused("P61")
    if row.handling == "self":
        desk.idle()
        turns.in_turn(desk, person, "start")
    else:
        ready(desk, person)
        if person.actor.turn.style:
            desk.refuse("L16", action=words("action.cast"))
    if person.actor.mp < COST:
        desk.refuse("P58", label=desk.tables.label("mp_max"), n=person.actor.mp)
    targets = _named(desk, person, asked) if row.handling != "self" else []
    centre = _centre(asked, targets)
    _enough(desk, row.id, level, targets)
    title = reason("title.cast", "§3.5.2", jitsu=row.name)
    made = throw(desk, plan(person, "cast_dice", ladder.NORMAL, title, shifts=own_shifts(person, asked.count("shift"))))
    book = Book(desk, person.id)
    if made.successes or desk.tables.rule.cast_cost_on_failure:
        book.change("mp", max(0, person.actor.mp - COST), reason("why.cast", "§3.5.2"))
    if row.handling != "self":
        book.put(turn=replace(book.actor.turn, attack_action=True))
    if not made.successes:
        _told(desk, person, made, book, words("log.cast_failed", name=person.name), row.id)
        return
    if row.handling == "self":
        book.put(effects=(*book.actor.effects, Effect("henge", level, karate=3, legs=2, unarmed=True)))
        _told(desk, person, made, book, words("log.henge", name=person.name, n=level), row.id)
        return
    more: list[Die] = []
    hits = _HITS[row.id](desk, person, level, targets, centre, more)
    said = words("log.cast", name=person.name, jitsu=row.name, target=listed(t.name for t, _ in targets))
    _attack(desk, said, person, made, more, book, hits, "jitsu", [target.id for target, _ in targets])


def _told(desk: Desk, person: Person, made: Made, book: Book, said: Any, jitsu: str) -> None:
    outcome = replace(made.outcome, changes=tuple(book.changes))
    public = masked(outcome, person.id) if secret(person) else None
    actors = {person.id: book.values}
    desk.emit("cast", said, actor=person.id, outcome=outcome, public=public, actors=actors, jitsu=jitsu)


def _attack(
    desk: Desk,
    said: Any,
    person: Person,
    made: Made,
    more: list[Die],
    book: Book,
    hits: list[Hit],
    kind: AttackKind,
    involved: list[str],
) -> None:
    """The effect as an attack: one group for each victim, no counter (§6.3, E55)."""
    parts = (Outcome("effect", reason("dice.effect", "§3.5.2"), dice=tuple(more)),) if more else ()
    outcome = replace(made.outcome, changes=tuple(book.changes), parts=parts)
    groups = groups_of(desk, hits, each=desk.tables.rule.area_each, kind=kind, adjacent=False)
    open_attack(desk, said, person, outcome, book, groups, kind, involved=involved)


def _named(desk: Desk, person: Person, asked: Asked) -> list[tuple[Person, int]]:
    """Targets with a number of orbs each (1 unless written). Refuses P18, P55, P56."""
    found = []
    for target, count in asked.parts("targets"):
        one = desk.met(target)
        if one.actor.out:
            raise refused("P55", name=one.name)
        found.append((one, count or 1))
    return found


def _centre(asked: Asked, targets: list[tuple[Person, int]]) -> str:
    named = asked.text("centre")
    return named if any(target.id == named for target, _ in targets) else targets[0][0].id if targets else ""


def _enough(desk: Desk, jitsu: str, level: int, targets: list[tuple[Person, int]]) -> None:
    if jitsu == "karate_missile" and sum(count for _, count in targets) > min(MOST_ORBS, level + 1):
        desk.refuse("L03", n=min(MOST_ORBS, level + 1))


# ---------------------------------------------------------------- what each ジツ does


def _katon(desk: Desk, person: Person, level: int, targets: Any, centre: str, dice: list[Die]) -> list[Hit]:
    """1 damage to all; from LV2 D3 to the one in the centre, at LV3 D6 and HARD."""
    hits = []
    for target, _ in targets:
        damage, rank = 1, ladder.NORMAL
        if target.id == centre and level >= 2:
            dice.append(desk.die(reason("dice.effect", "§3.5.2")))
            damage = dice[-1].face if level >= 3 else ladder.d3(dice[-1].face)
            rank = ladder.HARD if level >= 3 else rank
        hits.append(Hit(person.id, target.id, damage, rank, 1))
    return hits


def _missiles(desk: Desk, person: Person, level: int, targets: Any, centre: str, dice: list[Die]) -> list[Hit]:
    """Orbs that hit by themselves; those on one target are evaded together."""
    return [Hit(person.id, target.id, 1, ladder.NORMAL, 1) for target, count in targets for _ in range(count)]


def _kanashibari(desk: Desk, person: Person, level: int, targets: Any, centre: str, dice: list[Die]) -> list[Hit]:
    """精神力 damage; from LV2 D2 at HARD for the one chosen, and 崩れ状態 for all; LV3 binds the one (§3.5.2)."""
    hits = []
    for target, _ in targets:
        if target.sheet.kind == "machine":
            continue
        loss, rank, after = 1, ladder.NORMAL, "off_balance" if level >= 2 else ""
        if target.id == centre and level >= 2:
            dice.append(desk.die(reason("dice.effect", "§3.5.2")))
            loss, rank = ladder.d2(dice[-1].face), ladder.HARD
            after = "bound" if level >= 3 else after
        hits.append(Hit(person.id, target.id, 0, rank, 1, mp=loss, after=after))
    return hits


_HITS: Mapping[str, Callable[[Desk, Person, int, Any, str, list[Die]], list[Hit]]] = {
    "katon": _katon,
    "karate_missile": _missiles,
    "kanashibari": _kanashibari,
}


# ---------------------------------------------------------------- skills


@command(
    "ability",
    reading.actor(),
    reading.choice("ability", *ABILITIES),
    reading.text("targets", required=True),
    reading.number("shift", -9, 9, required=False),
    reading.number("bonus", 0, 20, required=False),
    reading.FACES,
    codes=("L12", "L16", "L18", "L20", "P29", "P52", "P53", "P54", "P55", "P56", "P57", "P58", "P59"),
    rule="§3.5.3",
)
def ability(desk: Desk, asked: Asked) -> None:
    """A skill with a roll of its own: kill-9, 魅了, ヘルタツマキ, ツヨイ・スリケン."""
    person, skill = desk.mine(asked), asked.text("ability")
    ready(desk, person)
    if not person.has(skill):
        desk.refuse("P57")
    if person.actor.turn.style:
        desk.refuse("L16", action=words("action.other"))
    targets = _named(desk, person, asked)
    if skill in ("hell_tatsumaki", "tsuyoi_shuriken"):
        _slayers(desk, person, skill, targets, asked)
    elif skill == "kill9":
        _kill9(desk, person, targets, asked)
    else:
        _charm(desk, person, targets, asked)


def _kill9(desk: Desk, person: Person, targets: list[tuple[Person, int]], asked: Asked) -> None:
    """ハッキングHARD: 2 damage that nothing reduces (§3.5.3)."""
    base = ladder.HARD if person.sheet.has_lan else ladder.HARD + 1
    title = reason("title.skill", "§3.5.3", skill=desk.tables.skills["kill9"].name)
    planned = plan(person, "hack_dice", base, title, shifts=own_shifts(person, asked.count("shift")))
    planned = replace(planned, dice=planned.dice + asked.count("bonus"))
    made = throw(desk, planned)
    hits = [Hit(person.id, targets[0][0].id, 2, ladder.NORMAL, made.successes, pierce=None)] if made.successes else []
    _skill_attack(desk, person, "kill9", made, hits, "hack", {})


def _slayers(desk: Desk, person: Person, skill: str, targets: list[tuple[Person, int]], asked: Asked) -> None:
    """ニンジャスレイヤー's own: 精神力1, not two turns running (§7.5)."""
    fight = desk.state.fight
    turn = fight.turn if fight is not None else 0
    last = person.actor.last_used.get(skill)
    if last is not None and turn - last < 2:
        desk.refuse("L12")
    if person.actor.mp < COST:
        desk.refuse("P58", label=desk.tables.label("mp_max"), n=person.actor.mp)
    strong = skill == "tsuyoi_shuriken"
    if strong and (person.actor.turn.move_action or person.actor.turn.move_style):
        desk.refuse("L20")
    base = ladder.U_HARD if strong else ladder.HARD
    title = reason("title.skill", "§7.5", skill=desk.tables.skills[skill].name)
    shifts = own_shifts(person, asked.count("shift"))
    made = throw(desk, plan(person, "wazamae_test_dice", base, title, shifts=shifts))
    more: list[Die] = []
    hits: list[Hit] = []
    if made.successes and strong:
        more.append(desk.die(reason("dice.effect", "§7.5")))
        hits = [Hit(person.id, targets[0][0].id, more[0].face, ladder.U_HARD, made.successes)]
    elif made.successes:
        double = ladder.meets(made.faces, (6, 6))
        damage, rank = (2, ladder.HARD) if double else (1, ladder.NORMAL)
        hits = [Hit(person.id, target.id, damage, rank, 1) for target, _ in targets]
    values = {"last_used": {**person.actor.last_used, skill: turn}}
    _skill_attack(desk, person, skill, made, hits, "shuriken", values, cost=COST, more=more)


def _skill_attack(
    desk: Desk,
    person: Person,
    skill: str,
    made: Made,
    hits: list[Hit],
    kind: AttackKind,
    values: dict[str, Any],
    *,
    cost: int = 0,
    more: list[Die] | None = None,
) -> None:
    book = Book(desk, person.id)
    if cost:
        book.change("mp", max(0, person.actor.mp - cost), reason("why.skill", "§7.5"))
    book.put(turn=replace(book.actor.turn, attack_action=True), **values)
    said = words("log.skill", name=person.name, skill=desk.tables.skills[skill].name, n=made.successes)
    _attack(desk, said, person, made, more or [], book, hits, kind, [hit.target for hit in hits])


def _charm(desk: Desk, person: Person, targets: list[tuple[Person, int]], asked: Asked) -> None:
    """魅了: a mortal mob leaves the fight; 【6,6】 one more, 【6,6,6】 two more (§3.5.3)."""
    title = reason("title.skill", "§3.5.3", skill=desk.tables.skills["charm"].name)
    made = throw(desk, plan(person, "cast_dice", ladder.NORMAL, title, shifts=own_shifts(person, asked.count("shift"))))
    most = 1 + _more_charmed(desk, made.faces) if made.successes else 0
    fit = [target for target, _ in targets if target.mob and target.sheet.kind in ("mortal", "clone", "civilian")]
    gone = fit[:most]
    turn = replace(person.actor.turn, attack_action=True)
    actors: dict[str, dict[str, Any]] = {target.id: {"on_stage": False} for target in gone}
    actors[person.id] = {"turn": turn}
    said = words("log.charm", name=person.name, n=len(gone))
    desk.emit("charmed", said, actor=person.id, outcome=made.outcome, actors=actors, who=[target.id for target in gone])


def _more_charmed(desk: Desk, faces: tuple[int, ...]) -> int:
    """Further mobs by the hardest pattern met, or by all that are met (E52)."""
    met = [more for count, more in ((3, 2), (2, 1)) if ladder.meets(faces, (ladder.SIDES,) * count)]
    return max(met, default=0) if desk.tables.rule.pattern_hardest_only else sum(met)
