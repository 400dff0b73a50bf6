"""Casting: the three numbers with their reasons, the product of two dice, 6-6 that always fails (rules §6.6, §7)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rulesets.engine.outcome import CardShown, Die, Modifier, Outcome, Reason
from rulesets.witch.moon import night
from rulesets.witch.play import points
from rulesets.witch.play.challenge import ready
from rulesets.witch.play.desk import Desk
from rulesets.witch.play.person import Person
from rulesets.witch.play.reading import FACES, Asked, refused, text
from rulesets.witch.play.registry import command, event
from rulesets.witch.play.state import Attempt, Target
from rulesets.witch.play.targets import beliefs_kept, called, find
from rulesets.witch.play.words import reason, refusal, words
from rulesets.witch.rows import COLUMNS, SIDES, STAR, TRICKSTER

event("spell", shows=("attempt", "what", "rate", "product", "success", "paid"))


@dataclass(frozen=True, slots=True)
class Number:
    """One of the numbers of the rate, with the dice and card it came from."""

    value: int
    modifier: Modifier
    dice: tuple[Die, ...] = ()
    cards: tuple[CardShown, ...] = ()
    notes: tuple[Reason, ...] = ()


@command("spell.cast", text("attempt", required=True), FACES, codes=("L02", "L18", "L20", "L26", "L43"), rule="§7.10")
def cast(desk: Desk, asked: Asked) -> None:
    """Draw (トリックスター), roll belief and difficulty where they are open, the cat's dice, then the two dice."""
    attempt = desk.attempt(asked)
    ready(desk, attempt, "spell")
    if attempt.done:
        raise refused("L18")
    if not attempt.rated:
        raise refused("L20")
    witch = desk.person(attempt.actor)
    today = night(desk.state.calendar, desk.tables.rule).moon_day
    if today is None:
        raise refused("L43")
    target = find(desk.state, attempt.target)
    if target is None:
        raise refused("L20")
    power = _power(desk, witch, today)
    belief = _belief(desk, target)
    difficulty = _difficulty(desk, attempt)
    helped = _help(desk, attempt)
    _tested(desk, _Casting(attempt, witch, target, (power, difficulty, belief, *helped)))


def _power(desk: Desk, witch: Person, today: int) -> Number:
    """Today's column; a witch of the トリックスター draws first and uses ＊ when she draws that card (§6.6)."""
    dice: tuple[Die, ...] = ()
    cards: tuple[CardShown, ...] = ()
    notes: tuple[Reason, ...] = ()
    column = today
    if witch.draws:
        die = desk.die(reason("dice.trickster", "§6.6"), len(COLUMNS))
        card = die.face - 1
        column = STAR if card == TRICKSTER else today
        value = witch.power[column]
        words_ = (
            refusal("L09", power=value)
            if card == TRICKSTER
            else refusal("L10", card=desk.tables.card(card), power=value)
        )
        dice, cards = (die,), (CardShown(str(card), reason("dice.trickster", "§6.6")),)
        notes = (Reason(words_, "§6.6"),)
    key = "part.star" if column == STAR else "part.power"
    value = witch.power[column]
    return Number(value, Modifier("power", value, "rate", reason(key, "§7.2", day=column)), dice, cards, notes)


def _belief(desk: Desk, target: Target) -> Number:
    row = desk.tables.targets[target.category]
    if target.belief is not None:
        label = desk.tables.belief_label(target.belief)
        why = reason("part.belief", "§7.4", name=called(desk, target), label=label)
        return Number(target.belief, Modifier("belief", target.belief, "rate", why))
    dice = desk.throw(row.dice, reason("dice.belief", "§7.5"))
    value = sum(die.face for die in dice) + row.add
    why = reason("part.belief_rolled", "§7.5", name=called(desk, target), row=row.name)
    return Number(value, Modifier("belief", value, "rate", why), dice)


def _difficulty(desk: Desk, attempt: Attempt) -> Number:
    dice: tuple[Die, ...] = ()
    value = attempt.difficulty
    if value is None:
        dice = desk.throw(2, reason("dice.difficulty", "§7.2"))
        value = sum(die.face for die in dice)
    why = reason("part.difficulty", "§7.3", label=desk.tables.difficulty_label(value))
    return Number(value, Modifier("difficulty", value, "rate", why), dice)


def _help(desk: Desk, attempt: Attempt) -> tuple[Number, ...]:
    if attempt.help.state != "accepted":
        return ()
    dice = desk.throw(attempt.help.granted, reason("dice.help", "§7.9"))
    value = sum(die.face for die in dice)
    return (Number(value, Modifier("help", value, "rate", reason("part.help", "§7.9")), dice),)


@dataclass(frozen=True, slots=True)
class _Casting:
    """A spell with its numbers in the order power, difficulty, belief, help; dice fell in the order of §7.10."""

    attempt: Attempt
    witch: Person
    target: Target
    numbers: tuple[Number, ...]

    @property
    def rate(self) -> int:
        return sum(number_.value for number_ in self.numbers)

    @property
    def thrown(self) -> tuple[Die, ...]:
        power, difficulty, belief, *helped = self.numbers
        return tuple(die for one in (power, belief, difficulty, *helped) for die in one.dice)


def _tested(desk: Desk, casting: _Casting) -> None:
    """The product of two dice against the rate; 6-6 always fails (§7.8)."""
    attempt, rate_ = casting.attempt, casting.rate
    pair = desk.throw(2, reason("dice.test", "§7.8"))
    product = pair[0].face * pair[1].face
    sixes = all(die.face == SIDES for die in pair)
    success = product <= rate_ and not sixes
    helped = casting.numbers[3:]
    bill = points.bill(desk, casting.witch.id, helped[0].value) if helped else None
    notes = [note for one in casting.numbers for note in one.notes]
    if sixes:
        notes.append(Reason(refusal("L07"), "§7.8"))
    elif rate_ <= 0:
        notes.append(Reason(refusal("L08", rate=rate_), "§7.8"))
    if bill is not None:
        notes += bill.notes
    degree = "success" if success else "failure"
    outcome = Outcome(
        "spell",
        reason("title.spell", "§7.8", what=attempt.what),
        degree=degree,
        degree_label=words(f"degree.{degree}"),
        total=product,
        target=rate_,
        margin=rate_ - product,
        dice=(*casting.thrown, *pair),
        cards=tuple(card for one in casting.numbers for card in one.cards),
        modifiers=tuple(one.modifier for one in casting.numbers),
        changes=bill.changes if bill is not None else (),
        notes=tuple(notes),
    )
    _told(desk, casting, outcome, success, bill)


def _told(desk: Desk, casting: _Casting, outcome: Outcome, success: bool, bill: points.Bill | None) -> None:
    attempt = casting.attempt
    done = replace(attempt, done=True, success=success, help=replace(attempt.help, state="none", granted=0))
    put = {"attempts": {attempt.id: done}, **(bill.put if bill is not None else {})}
    put |= beliefs_kept(desk, casting.target, casting.numbers[2].value)
    key = "log.spell_success" if success else "log.spell_failure"
    said = words(key, name=casting.witch.name, what=attempt.what, target=called(desk, casting.target))
    secret = _secret(desk, casting)
    public = _masked(outcome, secret) if secret else None
    more: dict[str, Any] = {} if secret else {"rate": casting.rate}
    if bill is not None:
        more["paid"] = bill.paid
    desk.emit(
        "spell",
        said,
        actor=casting.witch.id,
        outcome=outcome,
        public=public,
        put=put,
        attempt=attempt.id,
        what=attempt.what,
        product=outcome.total,
        success=success,
        **more,
    )


def _secret(desk: Desk, casting: _Casting) -> frozenset[str]:
    """Numbers that are the GM's alone: a difficulty not shown, the belief of a secret target, an NPC's power."""
    found = set()
    if not desk.tables.rule.difficulty_visible and casting.attempt.difficulty is not None:
        found.add("difficulty")
    if casting.target.secret and casting.target.belief is not None:
        found.add("belief")
    if casting.witch.actor.npc and not casting.witch.actor.numbers_shown:
        found.add("power")
    return frozenset(found)


def _masked(outcome: Outcome, secret: frozenset[str]) -> Outcome:
    """The outcome without what is the GM's; the rate would give it away."""
    shown = tuple(modifier for modifier in outcome.modifiers if modifier.key not in secret)
    notes = outcome.notes if "power" not in secret else ()
    return replace(outcome, target=None, margin=None, modifiers=shown, notes=notes)
