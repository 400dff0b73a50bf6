"""Answering an attack (rules §6.4): evasion with declared dice, ムテキ, counters, endurance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.engine.outcome import Modifier, Outcome
from rulesets.ninja import ladder
from rulesets.ninja.play import damage, reading
from rulesets.ninja.play.book import Book, masked, secret
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.evading import advance, can_guard, keep
from rulesets.ninja.play.grouping import evade_rank, final_rank
from rulesets.ninja.play.person import Person
from rulesets.ninja.play.pools import Plan, plan, throw
from rulesets.ninja.play.reading import Asked, refused
from rulesets.ninja.play.registry import command, event
from rulesets.ninja.play.state import Attack, Effect, Group, Hit
from rulesets.ninja.play.words import reason, words

event("evaded", shows=("successes", "counter", "attack"))
event("guarded", shows=("attack",))


@command(
    "evade",
    reading.actor(),
    reading.number("dice", 0, 99, required=False),
    reading.number("emergency", 0, 99, required=False),
    reading.number("quick", 0, 20, required=False),
    reading.flag("adrenaline"),
    reading.flag("muteki"),
    reading.actor("counter", required=False),
    reading.FACES,
    codes=("L01", "L02", "L11", "L15", "L17", "L18", "P58", "P61"),
    rule="§6.4",
    answers=True,
)
def evade(desk: Desk, asked: Asked) -> None:
    """Answer a group: dice of evasion (0 = take it), 緊急回避ダイス, adrenaline, or ムテキ instead."""
    desk.step()
    attack = desk.state.attack
    if attack is None or attack.about != "evade":
        raise refused("P30")
    person = desk.mine(asked)
    if person.id != attack.asked:
        raise refused("P30")
    if asked.flag("muteki"):
        _raise_guard(desk, attack, person)
        return
    dice, emergency, quick = (asked.count(name) for name in ("dice", "emergency", "quick"))
    if not dice and not emergency and not quick:
        keep(desk, replace(attack.with_group(result="struck"), asked="", about=""))
        advance(desk)
        return
    _may_evade(desk, person, attack.group, dice, emergency, quick)
    countered = _whom(desk, attack, asked.text("counter"))
    book = Book(desk, person.id)
    if asked.flag("adrenaline"):
        spend_adrenaline(desk, book)
    _roll(desk, attack, book, dice, emergency, quick, countered)
    advance(desk)


def _may_evade(desk: Desk, person: Person, group: Group, dice: int, emergency: int, quick: int) -> None:
    rule, actor = desk.tables.rule, person.actor
    have = actor.evade + actor.guard
    if dice > have:
        desk.refuse("L01", n=have)
    if emergency > actor.emergency:
        desk.refuse("P58", label=desk.tables.label("emergency_dice"), n=actor.emergency)
    if emergency and have and not rule.emergency_mix:
        desk.refuse("L02")
    if group.cannot_evade or not person.can_evade:
        desk.refuse("L02")
    if quick and not rule.quick_dice_on_evade:
        desk.refuse("L15")
    if quick > actor.quick:
        desk.refuse("P58", label=desk.tables.label("quick_dice"), n=actor.quick)


def _whom(desk: Desk, attack: Attack, typed: str) -> str:
    """Whom a counter would strike: the one named, else the first attacker of the group that still stands."""
    attackers = [hit.attacker for hit in attack.group.hits if not desk.state.actors[hit.attacker].out]
    if not typed:
        return attackers[0] if attackers else ""
    if not attack.group.can_counter or typed not in attackers:
        desk.refuse("L17")
    return typed if typed in attackers else ""


def spend_adrenaline(desk: Desk, book: Book) -> None:
    """アドレナリン・ブースト on somebody else's turn: evasion −1 for this phase (§4.9). Refuses L11."""
    actor, rule = book.actor, desk.tables.rule
    used_up = bool(rule.adrenaline_limit) and actor.adrenaline_used >= rule.adrenaline_limit
    if actor.mp < 1 or used_up or not book.person.ninja:
        desk.refuse("L11")
    book.change("mp", max(0, actor.mp - 1), reason("why.adrenaline", "§4.9"))
    book.put(adrenaline=True, adrenaline_used=actor.adrenaline_used + 1)


def _roll(desk: Desk, attack: Attack, book: Book, dice: int, emergency: int, quick: int, countered: str) -> None:
    """Pay the dice, roll, and see whether the whole group is evaded and countered."""
    group, person = attack.group, book.person
    _pay(book, dice, emergency, quick)
    planned = evasion(desk, attack, person, dice, emergency, quick)
    made = throw(desk, planned)
    counter = bool(made.successes and group.can_counter and made.successes > group.successes and countered)
    outcome = Outcome(
        "evasion",
        made.outcome.title,
        degree="counter" if counter else "success" if made.successes else "failure",
        degree_label=words("degree.counter" if counter else "degree.evaded" if made.successes else "degree.failure"),
        total=made.successes,
        target=group.successes,
        dice=made.outcome.dice,
        modifiers=made.outcome.modifiers,
        changes=tuple(book.changes),
        notes=made.outcome.notes,
        margin=made.successes - group.successes,
    )
    result: Any = "evaded" if made.successes else "struck"
    after = replace(attack.with_group(result=result), asked="", about="")
    if counter:
        after = _with_counter(desk, after, person.id, countered)
    said = words(
        "log.countering" if counter else "log.evaded" if made.successes else "log.not_evaded",
        name=person.name,
        n=made.successes,
        m=group.successes,
        target=_name(desk, countered),
    )
    public = masked(outcome, person.id) if secret(person) else None
    desk.emit(
        "evaded",
        said,
        actor=person.id,
        outcome=outcome,
        public=public,
        actors={person.id: book.values},
        world={"attack": after},
        successes=made.successes,
        counter=counter,
        attack=attack.id,
    )


def _name(desk: Desk, actor_id: str) -> str:
    return desk.state.actors[actor_id].name if actor_id else ""


def evasion(desk: Desk, attack: Attack, person: Person, dice: int, emergency: int, quick: int) -> Plan:
    """The dice and the rank of an evasion (§6.4)."""
    group = attack.group
    attacker = desk.person(group.hits[0].attacker)
    rank = final_rank(desk.tables, attacker, person, group)
    parts = [
        Modifier(key, value, "dice", reason(f"part.{key}", rule))
        for key, value, rule in (
            ("evade", dice, "§4.8"),
            ("emergency", emergency, "§4.7"),
            ("quick", quick, "§4.6"),
        )
        if value
    ]
    base = max(hit.rank for hit in group.hits)
    if rank != base:
        parts.append(Modifier("heat", rank - base, "difficulty", reason("part.evasion_shift", "§6.8")))
    return Plan(person.id, dice + emergency + quick, rank, tuple(parts), reason("title.evade", "§6.4"))


def _pay(book: Book, dice: int, emergency: int, quick: int) -> None:
    """Declared dice are gone whatever comes (§4.8); those of a guard go first."""
    why = reason("part.evade", "§4.8")
    guard = min(dice, book.actor.guard)
    book.change("guard", book.actor.guard - guard, why)
    book.change("evade", max(0, book.actor.evade - (dice - guard)), why)
    book.change("emergency", max(0, book.actor.emergency - emergency), reason("part.emergency", "§4.7"))
    book.change("quick", max(0, book.actor.quick - quick), reason("part.quick", "§4.6"))


def _with_counter(desk: Desk, attack: Attack, defender: str, attacker: str) -> Attack:
    """A counter as a further group: 1 damage, evaded at its own difficulty, never countered again (§6.4)."""
    rule = desk.tables.rule
    base = ladder.level(rule.counter_evade).rank
    hit = Hit(attacker=defender, target=attacker, damage=rule.counter_damage, rank=base, successes=1)
    rank = evade_rank(desk, desk.person(defender), "counter", base)
    group = Group(attacker, (hit,), rank, 1, cannot_evade=attack.sure_counter)
    return replace(attack, groups=(*attack.groups, group))


def _raise_guard(desk: Desk, attack: Attack, person: Person) -> None:
    """ムテキ・アティチュード instead of evasion: 精神力1, a cast at NORMAL (§3.5.2). Refuses P61."""
    if not can_guard(person):
        desk.refuse("P61")
    book = Book(desk, person.id)
    level = person.sheet.permanent.get("jitsu", 0)
    title = reason("title.cast", "§3.5.2", jitsu=desk.tables.jitsu["muteki"].name)
    made = throw(desk, plan(person, "cast_dice", ladder.NORMAL, title))
    if made.successes or desk.tables.rule.cast_cost_on_failure:
        book.change("mp", max(0, person.actor.mp - 1), reason("why.cast", "§3.5.2"))
    if made.successes:
        effect = Effect("muteki", 1, reduction=2 if level >= 2 else 1, death_resist=level >= 3, no_evade=True)
        book.put(effects=(*book.actor.effects, effect))
    after = replace(attack.with_group(result="struck"), asked="", about="")
    said = words("log.muteki" if made.successes else "log.cast_failed", name=person.name)
    outcome = replace(made.outcome, changes=tuple(book.changes))
    public = masked(outcome, person.id) if secret(person) else None
    desk.emit(
        "guarded",
        said,
        actor=person.id,
        outcome=outcome,
        public=public,
        actors={person.id: book.values},
        world={"attack": after},
        attack=attack.id,
    )
    advance(desk)


@command("endure", reading.actor(), reading.flag("no"), codes=(), rule="§6.6", answers=True)
def endure(desk: Desk, asked: Asked) -> None:
    """Where the group asks (E21): spend 精神力 to stay at 体力0, or let it be."""
    desk.step()
    attack = desk.state.attack
    if attack is None or attack.about != "endure":
        raise refused("P30")
    person = desk.mine(asked)
    if person.id != attack.asked:
        raise refused("P30")
    book = Book(desk, person.id)
    if not asked.flag("no"):
        damage.endure(book)
    damage.settle(book, attack.mercy)
    outcome = book.outcome("endurance", reason("why.endurance", "§6.6"))
    key = {"fainted": "log.faints", "exploded": "log.explodes", "dead": "log.dies"}.get(book.actor.life, "log.damage")
    public = masked(outcome, person.id) if secret(person) else None
    desk.emit(
        "struck",
        words(key, name=person.name, n=0),
        actor=person.id,
        target=person.id,
        outcome=outcome,
        public=public,
        actors={person.id: book.values},
        world={"attack": replace(attack, asked="", about="")},
        damage=0,
        attack=attack.id,
        knocked=False,
    )
    advance(desk)
