"""What hours, a night and a day's meals do to a body (rules §8.3–§8.5). Pure: works on a `Book`, asks no die."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.edo.play.book import Book
from rulesets.edo.play.kp import bar
from rulesets.edo.play.person import Person
from rulesets.edo.play.state import ActorState, Care, Life
from rulesets.edo.play.words import reason
from rulesets.edo.tables import Edo
from rulesets.engine.outcome import Reason

DAY = 24

# ---------------------------------------------------------------- endurance and life


def hurt(book: Book, points: int, why: Reason) -> None:
    """Lose endurance to a wound or an illness. At 0 or below the actor dies of it (C16)."""
    wounds_to(book, book.actor.wounds + points, why)
    if book.person.endurance <= 0 and not book.actor.life.gone:
        die(book, why)


def wounds_to(book: Book, wounds: int, why: Reason) -> None:
    """Set the wounds; the change is told as one of endurance."""
    before = book.person.endurance
    book.quietly(wounds=max(0, wounds))
    book.tell("endurance", before, book.person.endurance, why)


def die(book: Book, why: Reason, *, final: bool = False) -> None:
    """Dead. Unless `final`, whoever has the points may still have survived (§6.3)."""
    may = not final and bar(book.person, "survive") is None
    live(book, Life("dead", open=may), why)
    book.quietly(holds="", held_by="", choke=None, needs=replace(book.actor.needs, asleep=False))


def care_after_hit(person: Person, points: int, now: int) -> Care:
    """Treatment after a new wound at the hour `now`: it starts over (E32); a heavy hit is a serious wound (§8.3)."""
    care, rule = person.actor.care, person.tables.rule
    if points <= 0:
        return care
    if rule.bad_first_aid_duration != "stays_valid":
        care = replace(care, first_aid="none", cared_today=False)
    if rule.serious_wound_rule and not care.serious and 2 * points >= person.endurance_max:
        care = serious_care(person.tables, care, True, now)
    return care


def live(book: Book, life: Life, why: Reason) -> None:
    """A new state of life."""
    book.tell("life", book.actor.life.state, life.state, why)
    book.quietly(life=life)


def wake(book: Book, why: Reason) -> None:
    """Out of a faint, back from seeming death, or asleep no more."""
    if book.actor.life.state in ("unconscious", "seeming_dead"):
        come_round(book, why)
    if book.actor.needs.asleep:
        _slept_off(book)
    book.set("needs.asleep", False, why)


def _slept_off(book: Book) -> None:
    """Whoever fell asleep and slept for hours is rested, or badly, as after any night (§8.4)."""
    if book.actor.needs.slept:
        sleep(book, book.actor.needs.slept)
        book.quietly(needs=replace(book.actor.needs, slept=None))


def come_round(book: Book, why: Reason) -> None:
    """Awake again, with endurance 1 at least (§6.3)."""
    short = 1 - book.person.endurance
    if short > 0:
        wounds_to(book, book.actor.wounds - short, why)
    live(book, Life(), why)


# ---------------------------------------------------------------- hours


def hours_pass(book: Book, now: int, hours: int, *, counted: bool = True) -> None:
    """Hours go by until the hour `now`: awake or asleep, where that is `counted`. Faints last minutes (§7.10)."""
    if book.actor.life.state == "dead":
        return
    if book.actor.life.state == "unconscious":
        come_round(book, reason("why.faint_over", "§7.10"))
    if book.actor.life.state == "seeming_dead":
        come_round(book, reason("why.survived", "§6.3"))
    if book.actor.needs.hours_awake <= book.tables.number("hours_awake"):
        book.quietly(needs=replace(book.actor.needs, awake_rolled=0))
    needs = book.actor.needs
    if counted and needs.asleep:
        book.quietly(needs=replace(needs, slept=min((needs.slept or 0) + hours, DAY)))
    elif counted and hours:
        book.set("needs.hours_awake", needs.hours_awake + hours, reason("why.awake", "§8.4", n=hours))
    _bleed(book, now)


def _bleed(book: Book, now: int) -> None:
    """An untreated serious wound costs a point at its deadline and each hour after it (§8.3)."""
    care = book.actor.care
    if not care.serious or care.serious_deadline is None:
        return
    why = reason("why.serious", "§8.3")
    deadline = care.serious_deadline
    while deadline <= now and not book.actor.life.gone:
        hurt(book, 1, why)
        deadline += 1
    book.quietly(care=replace(book.actor.care, serious_deadline=deadline))


def sleepless_hour(person: Person) -> int | None:
    """The hour awake for which the 心 roll is due next, from the 21st on; None when none is (§8.4)."""
    needs = person.actor.needs
    if not person.actor.life.able or needs.asleep:
        return None
    hour = max(needs.awake_rolled, person.tables.number("hours_awake")) + 1
    return hour if hour <= needs.hours_awake else None


# ---------------------------------------------------------------- a night


def sleep(book: Book, slept: int) -> None:
    """The result of a night of `slept` hours: rested, rested badly, or no sleep at all (§8.4)."""
    enough = slept >= book.tables.number("hours_asleep")
    why = reason("why.slept" if slept else "why.no_sleep", "§8.4", n=slept)
    if slept:
        book.set("needs.hours_awake", 0, why)
        book.quietly(needs=replace(book.actor.needs, awake_rolled=0))
    book.set("needs.asleep", False, why)
    book.set("needs.short_sleep", not enough, why)
    if enough:
        book.set("needs.fatigued", False, why)


# ---------------------------------------------------------------- a day's food


def eat(book: Book, meals: int, drank: bool) -> None:
    """What the day's meals did: counters, loss by hunger, what comes back (§8.5)."""
    _count(book, meals, drank)
    if not meals:
        _starve(book, drank)
    else:
        _regain(book)


def _count(book: Book, meals: int, drank: bool) -> None:
    needs = book.actor.needs
    missed = needs.meal_miss_days + 1 if meals < book.tables.number("meals_a_day") else 0
    book.set("needs.meal_miss_days", missed, reason("why.meals", "§8.5", n=meals))
    foodless = 0 if meals else needs.no_food_days + 1
    book.set("needs.no_food_days", foodless, reason("why.meals", "§8.5", n=meals))
    dry = 0 if drank else needs.no_water_days + 1
    book.set("needs.no_water_days", dry, reason("why.water" if drank else "why.no_water", "§8.5"))


def _starve(book: Book, drank: bool) -> None:
    if book.actor.life.state == "helpless":
        _one_day_nearer(book)
        return
    days = book.actor.needs.no_food_days
    if not drank:
        loss, why = book.tables.number("parched_loss"), reason("why.parched", "§8.5")
    elif days % max(1, book.tables.number("foodless_days")) == 0:
        loss, why = 1, reason("why.starving", "§8.5", n=days)
    else:
        return
    book.set("hunger_loss", book.actor.hunger_loss + min(loss, book.person.endurance), why)
    if book.person.endurance == 0:
        live(book, Life("helpless", days=1), reason("why.helpless", "§8.5"))


def _one_day_nearer(book: Book) -> None:
    """The loss stops at 0; three days helpless without help kill (C16)."""
    day = book.actor.life.days
    if day >= book.tables.number("helpless_days"):
        die(book, reason("why.starved", "§8.5", n=day), final=True)
    else:
        book.set("life.days", day + 1, reason("why.helpless_day", "§8.5", n=day + 1))


def _regain(book: Book) -> None:
    if book.actor.hunger_loss:
        book.set("hunger_loss", book.actor.hunger_loss - 1, reason("why.eating", "§8.5"))
    up(book, reason("why.eating", "§8.5"))


def up(book: Book, why: Reason) -> None:
    """Helpless no more, once there is endurance again."""
    if book.actor.life.state == "helpless" and book.person.endurance > 0:
        live(book, Life(), why)


def life_after(tables: Edo, actor: ActorState, key: str) -> dict[str, Any]:
    """The state of life that follows from `wounds` or `hunger_loss` set by hand: the cause decides (C16)."""
    left = Person(tables, actor).endurance
    if left > 0:
        return {"life": Life()} if actor.life.state == "helpless" else {}
    if actor.life.gone:
        return {}
    if key == "wounds":
        return {"life": Life("dead")}
    return {"life": Life("helpless", days=1)} if actor.life.state != "helpless" else {}


def able_again(tables: Edo, actor: ActorState) -> dict[str, Any]:
    """Values with which somebody who is said to live does so: endurance 1 at least."""
    short = 1 - Person(tables, actor).endurance
    if short <= 0:
        return {}
    healed = min(short, actor.wounds)
    return {"wounds": actor.wounds - healed, "hunger_loss": actor.hunger_loss - (short - healed)}


def serious_care(tables: Edo, care: Care, serious: bool, now: int) -> Care:
    """A serious wound from the hour `now` on, or no more (§8.3)."""
    deadline = now + tables.number("serious_hours") if serious else None
    return replace(care, serious=serious, serious_deadline=deadline)


def morning(book: Book, slept: int, meals: int, drank: bool) -> None:
    """Sleep result and conditions, hunger, eating recovery, in the order of §10; what was noted is used up."""
    if book.actor.life.gone:
        return
    sleep(book, slept)
    eat(book, meals, drank)
    book.quietly(needs=replace(book.actor.needs, slept=None, meals=None, drank=None))
    _care_over(book)


def _care_over(book: Book) -> None:
    """Yesterday's care gives the recovery roll of this morning and is used up (§8.1, §8.2)."""
    care = book.actor.care
    if care.cared_today and book.actor.wounds and not book.actor.life.gone:
        book.quietly(care=replace(care, cared_today=False, due=True))
    else:
        book.quietly(care=replace(care, cared_today=False, due=False, nurse_level=0, medicine=0))
