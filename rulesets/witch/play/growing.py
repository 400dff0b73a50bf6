"""Growth of witches at the sabbath: four ways, caps, the sign card (rules §8.3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rulesets.engine.outcome import CardShown, Change, Die, Outcome, Reason
from rulesets.witch.play.days import SABBATH, meets
from rulesets.witch.play.desk import Desk
from rulesets.witch.play.person import Person
from rulesets.witch.play.reading import FACES, Asked, actor, choice, refused, text
from rulesets.witch.play.registry import command, event
from rulesets.witch.play.state import Growth
from rulesets.witch.play.words import reason, refusal, words
from rulesets.witch.rows import COLUMNS, STAR
from rulesets.witch.sheet import MAX_SKILLS, SKILL_NAME_MAX

event("growth", shows=("choice", "what", "before", "after", "card", "sign"))


@dataclass(frozen=True, slots=True)
class _Grown:
    """A growth with the dice and card it took."""

    growth: Growth
    why: Reason
    dice: tuple[Die, ...] = ()
    cards: tuple[CardShown, ...] = ()
    notes: tuple[Reason, ...] = ()


@command(
    "growth.take",
    actor(),
    choice("choice", "factor", "skill", "power", "hp"),
    text("what"),
    FACES,
    codes=("L11", "L12", "L15", "L16", "L17", "L36", "P21"),
    rule="§8.3",
)
def take(desk: Desk, asked: Asked) -> None:
    """One growth: a factor +1, a skill (or a new one) a die, a drawn column a die, or HP a die."""
    witch = desk.own_witch(asked)
    if witch.available < 1:
        raise refused("L12", n=witch.to_next)
    if not meets(desk.state, SABBATH):
        desk.refuse("L11", day=desk.tables.rule.sabbath_day)
    if not desk.tables.rule.many_per_sabbath and witch.actor.grown_on == desk.state.date_key:
        desk.refuse("L16")
    ways = {"factor": _factor, "skill": _skill, "power": _power, "hp": _hp}
    grown = ways[asked.text("choice")](desk, witch, asked.text("what"))
    _told(desk, witch, grown)


def _growth(witch: Person, choice_: Any, target: str, before: int, after: int, drawn: int | None = None) -> Growth:
    return Growth(choice_, target, before, after, witch.sign, witch.shadow, drawn)


def _factor(desk: Desk, witch: Person, what: str) -> _Grown:
    found = witch.find(what)
    if found is None or not found.startswith("factor:"):
        raise refused("L17", value=what[:40])
    row = found.partition(":")[2]
    before, cap = witch.factors[row], desk.tables.rule.factor_cap
    if before >= cap:
        raise refused("L15", name=witch.means(found), max=cap)
    return _Grown(_growth(witch, "factor", row, before, before + 1), reason("why.growth_factor", "§8.3"))


def _skill(desk: Desk, witch: Person, what: str) -> _Grown:
    """A skill she has, or a new one; what goes beyond the cap is lost."""
    name = what.removeprefix("skill:")
    if not name:
        raise refused("P21", label=words("field.what"))
    if len(name) > SKILL_NAME_MAX or (name not in witch.skills and len(witch.skills) >= MAX_SKILLS):
        raise refused("L17", value=name[:40])
    before, cap = witch.skills.get(name, 0), desk.tables.rule.skill_cap
    if before >= cap:
        raise refused("L15", name=name, max=cap)
    amount, dice = _die(desk)
    after = min(cap, before + amount)
    notes = (reason("why.lost", "§8.3", n=before + amount - after),) if after < before + amount else ()
    return _Grown(_growth(witch, "skill", name, before, after), reason("why.growth_skill", "§8.3"), dice, notes=notes)


def _hp(desk: Desk, witch: Person, what: str) -> _Grown:
    amount, dice = _die(desk)
    growth = _growth(witch, "hp", "hp", witch.hp_max, witch.hp_max + amount)
    return _Grown(growth, reason("why.growth_hp", "§8.3"), dice)


def _die(desk: Desk) -> tuple[int, tuple[Die, ...]]:
    """“One die's worth”: 1d6, or 1 where the group reads it so (§13-6)."""
    if desk.tables.rule.growth_die == "plus_1":
        return 1, ()
    die = desk.die(reason("dice.growth", "§8.3"))
    return die.face, (die,)


# ---------------------------------------------------------------- magic power


def _power(desk: Desk, witch: Person, what: str) -> _Grown:
    """Draw one of 29 cards; its column gains a die. Strictly the greatest, it becomes the sign card."""
    drawn = desk.die(reason("dice.growth_card", "§8.3"), len(COLUMNS))
    card = drawn.face - 1
    amount, dice = _die(desk)
    before = witch.power[card]
    growth = _growth(witch, "power", str(card), before, before + amount, card)
    cards = [CardShown(str(card), reason("dice.growth_card", "§8.3"), amount)]
    thrown: list[Die] = [drawn, *dice]
    notes: list[Reason] = []
    if card != witch.sign and _strongest(desk, witch, card, before + amount):
        growth = replace(growth, sign=card)
        notes.append(Reason(refusal("L13", card=desk.tables.card(card)), "§8.3"))
        if card == witch.shadow:
            others = [column for column in COLUMNS if column != card]
            die = desk.die(reason("dice.shadow", "§13-12"), len(others))
            shadow = others[die.face - 1]
            growth = replace(growth, shadow=shadow)
            thrown.append(die)
            cards.append(CardShown(str(shadow), reason("dice.shadow", "§13-12")))
            notes.append(reason("why.shadow", "§13-12", True, card=desk.tables.card(shadow)))
    return _Grown(growth, reason("why.growth_power", "§8.3"), tuple(thrown), tuple(cards), tuple(notes))


def _strongest(desk: Desk, witch: Person, card: int, value: int) -> bool:
    """Strictly greater than every column that is compared (§13-9); ＊ may be left out altogether."""
    compared = COLUMNS if desk.tables.rule.compare_columns == "all29" else COLUMNS[1:]
    return card in compared and all(value > witch.power[column] for column in compared if column != card)


# ---------------------------------------------------------------- telling


def _told(desk: Desk, witch: Person, grown: _Grown) -> None:
    growth = replace(grown.growth, at=desk.command.at)
    name = _name(desk, witch, growth)
    change = Change(witch.id, f"{growth.choice}.{growth.target}", growth.before, growth.after, grown.why)
    values: dict[str, Any] = {"growths": (*witch.actor.growths, growth), "grown_on": desk.state.date_key}
    if growth.choice == "hp":
        values["hp"] = witch.actor.hp + growth.after - growth.before
    outcome = Outcome(
        "growth",
        reason("title.growth", "§8.3"),
        dice=grown.dice,
        cards=grown.cards,
        changes=(change,),
        notes=grown.notes,
    )
    said = words("log.growth", name=witch.name, what=name, before=growth.before, after=growth.after)
    desk.emit(
        "growth",
        said,
        actor=witch.id,
        outcome=outcome,
        actors={witch.id: values},
        choice=growth.choice,
        what=growth.target,
        before=growth.before,
        after=growth.after,
        card=growth.drawn,
        sign=growth.sign if growth.sign != witch.sign else None,
    )


def _name(desk: Desk, witch: Person, growth: Growth) -> object:
    if growth.choice == "power":
        return words("what.power_star") if growth.target == str(STAR) else words("what.power", day=growth.target)
    if growth.choice == "hp":
        return words("what.hp")
    return witch.means(f"{growth.choice}:{growth.target}")
