"""What a hit does (rules §6.6, §6.7, §6.10): 痛打, reduction, critical table, endurance, states, death."""

from __future__ import annotations

from dataclasses import dataclass

from rulesets.engine.outcome import Die, Modifier, Outcome
from rulesets.engine.text import Text
from rulesets.ninja import ladder
from rulesets.ninja.play.actor_state import CASTER
from rulesets.ninja.play.book import Book
from rulesets.ninja.play.desk import Desk
from rulesets.ninja.play.state import Hit
from rulesets.ninja.play.words import reason, words
from rulesets.ninja.rows import Critical

UNROLLED = -1  # turns away that are still to be rolled (§7.5)
HURT = ("karate", "neuron", "wazamae")


@dataclass(frozen=True)
class Struck:
    """What came of one hit. `deficit`: 体力 still missing while the owner is asked about endurance (E21)."""

    book: Book
    outcome: Outcome
    deficit: int = 0
    died: bool = False
    fell: bool = False
    knocked: bool = False


def critical_row(desk: Desk, hit: Hit, dice: list[Die]) -> Critical | None:
    """The row of the サツバツ table for a critical hit, thrown now unless it was before (E33)."""
    if not hit.critical:
        return None
    face = hit.face
    if hit.row is None and face is None:
        dice.append(desk.die(reason("dice.critical", "§6.7"), mark="critical"))
        face = dice[-1].face
    number = hit.row if hit.row is not None else face
    row = next(row for row in desk.tables.criticals.values() if row.roll == number)
    return None if row.death and hit.no_blow and not desk.tables.rule.precise_death else row


def strike(desk: Desk, hit: Hit, *, mercy: bool = False) -> Struck:
    """Apply one hit to its target: base + bonus + the highest 痛打 − reduction, then what follows."""
    book, rule = Book(desk, hit.target), desk.tables.rule
    person = book.person
    row = critical_row(desk, hit, book.dice)
    if hit.mp:
        return _mind(desk, book, hit)
    blow, parts = hit.blow, [Modifier("base", hit.damage, "damage", reason("part.damage", "§6.6"))]
    reduction = 0 if hit.pierce is None else max(0, person.reduction - hit.pierce)
    resists = person.death_resist and not _guard_broken(book, reduction)
    if row is not None:
        book.note(reason("note.critical", "§6.7", row=row.name, note=row.note))
        if row.death and not resists:
            return _death(desk, book, hit, mercy)
        extra = row.blow
        if row.death:
            thrown = desk.throw(2, reason("dice.heart", "§6.7"))
            book.dice += thrown
            extra = sum(die.face for die in thrown)
        if not hit.no_blow:
            blow = max(blow, extra)
    if blow:
        parts.append(Modifier("blow", blow, "damage", reason("part.blow", "§6.6")))
    if reduction:
        parts.append(Modifier("reduction", -reduction, "damage", reason("part.reduction", "§6.6")))
    damage = max(0, hit.damage + blow - reduction)
    book.modifiers += parts
    follows = row if damage >= 1 or rule.side_effects_on_zero else None
    wounds = None if person.mob and not rule.mob_ability_damage else follows
    if wounds is not None and rule.damage_order == "effects_first":
        _side_effects(book, wounds)
    deficit = _lose(desk, book, damage)
    if wounds is not None and rule.damage_order == "absorb_first":
        _side_effects(book, wounds)
    if damage:
        _freed(book)
    if hit.after and damage:
        _state(book, hit.after, hit.attacker)
    knocked = follows is not None and follows.knockback
    died = False if deficit else settle(book, mercy)
    outcome = book.outcome("damage", reason("title.damage", "§6.6", name=person.name), total=damage)
    return Struck(book, outcome, deficit, died, book.actor.life != "alive", knocked)


def _guard_broken(book: Book, reduction: int) -> bool:
    """ムテキ LV3 resists death only while its reduction is not pierced to 0 (§3.5.2)."""
    by_guard = any(effect.death_resist for effect in book.actor.effects)
    return by_guard and not book.person.sheet.flag("npc.death_resist") and reduction == 0


def _death(desk: Desk, book: Book, hit: Hit, mercy: bool) -> Struck:
    """即死: no endurance (E61), unless mercy or the group's rule leaves the target fainted."""
    why = reason("why.death", "§6.7")
    if mercy or (not desk.tables.rule.death_ignores_endurance and book.actor.mp >= 1 and book.person.ninja):
        if not mercy:
            book.change("mp", 0, reason("why.endurance", "§6.6"))
        book.change("hp", 0, why)
        book.put(life="fainted")
    else:
        book.change("hp", 0, why)
        _die(book)
    book.note(why)
    outcome = book.outcome("damage", reason("title.damage", "§6.6", name=book.actor.name), degree="death")
    return Struck(book, outcome, died=book.actor.out, fell=True)


def _mind(desk: Desk, book: Book, hit: Hit) -> Struck:
    """精神力 damage; mobs that lose a turn, or a state for whom it strikes (§3.5.2)."""
    why = reason("why.mind", "§3.5.2")
    if book.person.mob:
        book.put(no_turn=True)
        book.note(reason("note.no_turn", "§3.5.2"))
    else:
        book.change("mp", max(0, book.actor.mp - hit.mp), why)
        _freed(book)
        if hit.after == "bound":
            _state(book, "bound" if _bound(desk, book) else "off_balance", hit.attacker)
        elif hit.after:
            _state(book, hit.after, hit.attacker)
    outcome = book.outcome("mind", reason("title.mind", "§3.5.2", name=book.actor.name), total=hit.mp)
    return Struck(book, outcome)


def _bound(desk: Desk, book: Book) -> bool:
    """カナシバリ LV3: a ニューロン 抵抗判定 at HARD keeps the victim free (§3.5.2)."""
    dice = desk.throw(book.person.number("neuron_test_dice"), reason("dice.resist", "§4.4"))
    book.dice += dice
    return not ladder.successes([die.face for die in dice], ladder.HARD)


def _freed(book: Book) -> None:
    """カナシバリ's 拘束 ends when its victim loses 体力 or 精神力 (§3.5.2)."""
    kept = {state: until for state, until in book.actor.states.items() if not until.startswith(CASTER)}
    if kept != dict(book.actor.states):
        book.put(states=kept)


def _state(book: Book, after: str, by: str) -> None:
    """A state for whom it strikes: 崩れ until the turn ends, 拘束 until the caster's next turn."""
    until = "turn_end" if after == "off_balance" else f"{CASTER}{by}"
    book.put(states={**book.actor.states, after: until})
    book.note(reason("note.state", "§6.9", state=book.desk.tables.conditions[after].name))


def _lose(desk: Desk, book: Book, damage: int) -> int:
    """Take off 体力; a ninja's 精神力 keeps it at 0 (耐久力の発露, E21). The deficit left for the owner's choice."""
    why, after = reason("why.damage", "§6.6"), book.actor.hp - damage
    if after >= 0 or not book.person.ninja or not book.actor.mp or book.person.mob:
        book.change("hp", after, why)
        return 0
    if not desk.tables.rule.absorb_automatic:
        book.change("hp", after, why)
        return -after
    book.change("hp", after, why)
    endure(book)
    return 0


def endure(book: Book) -> None:
    """Spend 精神力 until 体力 is 0 again or none is left."""
    spent = min(-book.actor.hp, book.actor.mp)
    if spent > 0:
        why = reason("why.endurance", "§6.6")
        book.change("mp", book.actor.mp - spent, why)
        book.change("hp", book.actor.hp + spent, why)


def _side_effects(book: Book, row: Critical) -> None:
    """Ability, 精神力 and leg damage and the injury of a critical (§6.7)."""
    why = reason("why.critical", "§6.7", row=row.name)
    hurt = dict(book.actor.hurt)
    for ability in HURT:
        lost = getattr(row, ability)
        permanent = book.person.sheet.permanent.get(ability, 0)  # type: ignore[call-overload]
        if lost and permanent:
            before = hurt.get(ability, 0)
            hurt[ability] = min(permanent, before + lost)
            book.tell(ability, permanent - before, permanent - hurt[ability], why)
    if hurt != dict(book.actor.hurt):
        book.put(hurt=hurt)
    if row.mp:
        book.change("mp", max(0, book.actor.mp - row.mp), why)
    if row.legs:
        book.change("legs_damage", book.actor.legs_damage + min(row.legs, book.person.legs), why)
    if row.injury is not None:
        count = book.actor.injuries.get(row.injury, 0)
        book.put(injuries={**book.actor.injuries, row.injury: count + 1})
        book.tell(f"injuries.{row.injury}", count, count + 1, why)
    if book.desk.tables.rule.damage_lowers_max:
        book.change("hp", min(book.actor.hp, max(0, book.person.hp_max)), why)
        book.change("mp", min(book.actor.mp, book.person.mp_max), why)


def settle(book: Book, mercy: bool) -> bool:
    """The state that follows from 体力: up, fainted, dead, or ニンジャスレイヤー's own (§6.6, §7.5)."""
    hp, person = book.actor.hp, book.person
    if hp > 0:
        return False
    if person.has("naraku_within") and not person.mob:
        book.change("hp", 0, reason("why.naraku", "§7.5"))
        book.put(life="incapacitated", away=UNROLLED)
        book.note(reason("note.incapacitated", "§7.5"))
        return False
    saved = hp == 0 and (book.desk.tables.rule.hp_zero == "faint" or _absorbed(book))
    if not person.mob and (saved or mercy):
        book.change("hp", 0, reason("why.mercy" if mercy and hp < 0 else "why.damage", "§6.10"))
        book.put(life="fainted")
        book.note(reason("note.fainted", "§6.10"))
        return False
    book.change("hp", 0, reason("why.damage", "§6.10"))
    _die(book)
    return True


def _absorbed(book: Book) -> bool:
    return any(change.key == "mp" and (change.difference or 0) < 0 for change in book.changes)


def _die(book: Book) -> None:
    """爆発四散 for ninjas, death for others."""
    book.put(life="exploded" if book.person.ninja and not book.person.mob else "dead", evade=0, guard=0)
    book.note(reason("note.exploded" if book.actor.life == "exploded" else "note.dead", "§6.10"))


def told(struck: Struck) -> Text:
    """One sentence: how much, and what became of the target."""
    actor = struck.book.actor
    if struck.outcome.degree == "death":
        return words("log.death" if actor.out else "log.spared", name=actor.name)
    if struck.outcome.kind == "mind":
        return words("log.mind", name=actor.name, n=struck.outcome.total)
    key = {"fainted": "log.faints", "exploded": "log.explodes", "dead": "log.dies", "incapacitated": "log.down"}
    return words(key.get(actor.life, "log.damage"), name=actor.name, n=struck.outcome.total)
