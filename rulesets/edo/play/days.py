"""Hours and mornings: what was slept, eaten and drunk, and what comes of it (rules §8.3–§8.5, order of §10)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.edo.play import daily
from rulesets.edo.play.book import Book, audience_of, write
from rulesets.edo.play.daily import DAY
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.followups import FOLLOW
from rulesets.edo.play.person import Person
from rulesets.edo.play.reading import FACES, Asked, actor, flag, number, text
from rulesets.edo.play.registry import GM_ONLY, command, event
from rulesets.edo.play.state import ActorState, Clock, State
from rulesets.edo.play.words import listed, reason, words
from rulesets.edo.play.wounds import recover

HOURS_MAX = 240
# What a morning counts for whoever noted nothing, and when it dawns unless another hour is named.
FULL_NIGHT = 8
DAWN = 6

event("time", shows=("hours", "day", "hour"))
event("morning")
event("noted", shows=("slept", "meals", "drank"))


def counted(actor_state: ActorState) -> bool:
    """Whose hours and meals a morning looks at unless others are named: the party, and whoever is starving."""
    party = not actor_state.npc or actor_state.ally
    return not actor_state.life.gone and (party or bool(actor_state.hunger_loss) or actor_state.care.cared_today)


def open_rolls(state: State) -> tuple[ActorState, ...]:
    """Whoever still has to roll against sleep (§8.4) or for recovery (§8.2), or has such a roll open."""
    waiting = {check.who for check in state.rolls.values() if not check.settled and check.kind in FOLLOW}
    due = (one.id for one in state.actors.values() if one.recovers or _sleepless(state, one) is not None)
    return tuple(state.actors[who] for who in {**dict.fromkeys(due), **dict.fromkeys(sorted(waiting))})


def _sleepless(state: State, one: ActorState) -> int | None:
    return daily.sleepless_hour(Person(state.tables, one))


def _peaceful(desk: Desk) -> None:
    if desk.state.fight is not None or desk.state.exchange is not None:
        desk.refuse("P60")


# ---------------------------------------------------------------- hours


@command("time.pass", number("hours", 1, HOURS_MAX), roles=GM_ONLY, codes=("P60",), rule="§8.4")
def pass_time(desk: Desk, asked: Asked) -> None:
    """Hours go by: people awake stay awake, faints end, untreated serious wounds bleed."""
    _peaceful(desk)
    hours = asked.needed("hours")
    _move_clock(desk, desk.state.clock.hours + hours)
    for one in list(desk.state.actors.values()):
        book = Book(desk.tables, one)
        daily.hours_pass(book, desk.state.clock.hours, hours, counted=counted(one))
        write(desk, "morning", words("log.hours", name=one.name, n=hours), book, reason("title.hours", "§8.4"))


def _move_clock(desk: Desk, until: int) -> None:
    clock = Clock(until // DAY + 1, until % DAY)
    hours = until - desk.state.clock.hours
    said = words("log.time", n=hours, day=clock.day, hour=clock.hour)
    desk.emit("time", said, world={"clock": clock}, hours=hours, day=clock.day, hour=clock.hour)


# ---------------------------------------------------------------- what the day was like


@command(
    "day.note",
    actor(),
    number("slept", 0, DAY, required=False),
    number("meals", 0, 9, required=False),
    flag("drank"),
    codes=("P46", "P67"),
    rule="§8.5",
    retractable=True,
)
def note_day(desk: Desk, asked: Asked) -> None:
    """What somebody slept, ate and drank since the last morning; the next one counts it."""
    own = desk.own(asked)
    if own.life.gone:
        desk.refuse("P67", name=own.name)
    drank = asked.values.get("drank")
    given = {"slept": asked.number("slept"), "meals": asked.number("meals"), "drank": drank}
    noted: dict[str, Any] = {
        key: value for key, value in given.items() if value is not None and getattr(own.needs, key) != value
    }
    if not noted:
        desk.refuse("P46")
    desk.emit(
        "noted",
        words("log.noted", name=own.name),
        actor=own.id,
        actors={own.id: {"needs": replace(own.needs, **noted)}},
        audience=audience_of(desk, own),
        **noted,
    )


# ---------------------------------------------------------------- a morning


@command(
    "day.tick",
    number("hour", 0, DAY - 1, required=False),
    number("slept", 0, DAY, required=False),
    number("meals", 0, 9, required=False),
    flag("no_water"),
    text("actors"),
    flag("roll_now"),
    FACES,
    roles=GM_ONLY,
    codes=("P18", "P24", "P42", "P43", "P60", "P61"),
    rule="§10",
)
def tick(desk: Desk, asked: Asked) -> None:
    """The next morning of the party (or of `actors`): sleep, conditions, hunger, eating, then recovery falls due.

    `slept`, `meals`, `no_water` are for whoever noted nothing: a full night, two meals and water unless said. With
    `roll_now` the recovery rolls are thrown at once.
    """
    _peaceful(desk)
    waiting = open_rolls(desk.state)
    if waiting:
        desk.refuse("P61", names=listed(one.name for one in waiting))
    named = desk.several(asked.listed("actors"))
    since = desk.state.clock.hours
    _move_clock(desk, _next_morning(desk.state.clock, asked.number("hour")))
    for one in list(desk.state.actors.values()):
        if (one in named) if named else counted(one):
            _morning_of(desk, asked, one, desk.state.clock.hours - since)
        else:
            book = Book(desk.tables, one)
            daily.hours_pass(book, desk.state.clock.hours, 0, counted=False)
            write(desk, "morning", words("log.morning", name=one.name), book, reason("title.morning", "§10"))
    if asked.flag("roll_now"):
        for one in [one for one in desk.state.actors.values() if one.recovers]:
            recover(desk, one)


def _next_morning(clock: Clock, typed: int | None) -> int:
    hour = typed if typed is not None else DAWN
    day_start = (clock.day - 1) * DAY
    return day_start + hour if hour > clock.hour else day_start + DAY + hour


def _morning_of(desk: Desk, asked: Asked, one: ActorState, hours: int) -> None:
    needs, book = one.needs, Book(desk.tables, one)
    meals = _first(needs.meals, asked.number("meals"), desk.tables.number("meals_a_day"))
    drank = needs.drank if needs.drank is not None else not asked.flag("no_water")
    if needs.asleep:
        daily.hours_pass(book, desk.state.clock.hours, hours)
        slept = book.actor.needs.slept or 0
    else:
        slept = _first(needs.slept, asked.number("slept"), FULL_NIGHT)
        daily.hours_pass(book, desk.state.clock.hours, hours, counted=not slept)
    daily.morning(book, slept, meals, drank)
    write(desk, "morning", words("log.morning", name=one.name), book, reason("title.morning", "§10"))


def _first(*values: int | None) -> int:
    return next((value for value in values if value is not None), 0)


@command("wake", actor(), roles=GM_ONLY, codes=("P46", "P67"), rule="§7.10", retractable=True)
def wake_up(desk: Desk, asked: Asked) -> None:
    """Somebody who fainted or fell asleep is awake again."""
    one = desk.seen(asked.text("actor"))
    if one.life.state == "dead":
        desk.refuse("P67", name=one.name)
    book = Book(desk.tables, one)
    daily.wake(book, reason("why.woken", "§7.10"))
    if not book.changes:
        desk.refuse("P46")
    said = words("log.woken", name=one.name)
    write(desk, "morning", said, book, reason("title.woken", "§7.10"))
