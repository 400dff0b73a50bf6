"""Wounds that heal or do not: first aid, daily care, recovery, illness, staying awake (rules §8.1–§8.4, §6.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulesets.edo.play import daily, kp
from rulesets.edo.play.acting import able
from rulesets.edo.play.attempts import CODES, attempt
from rulesets.edo.play.book import Book, audience_of, write
from rulesets.edo.play.checks import Plan, against, plan
from rulesets.edo.play.desk import Desk
from rulesets.edo.play.followups import follows
from rulesets.edo.play.masks import public
from rulesets.edo.play.person import ENDURANCE, Means, Person
from rulesets.edo.play.reading import FACES, Asked, actor, choice, flag, number, text
from rulesets.edo.play.registry import GM_ONLY, command, event
from rulesets.edo.play.state import ActorState, Care, Check, Life
from rulesets.edo.play.words import reason, words
from rulesets.engine.outcome import Modifier, Reason

HEALING = "ijutsu"
AUTO = flag("auto")

event("treated")
event("cared", shows=("medicine",))
event("recovery")
event("slept_in")
event("ill")


def _hurt(desk: Desk, one: ActorState) -> None:
    """Refuses P67 for the dead, P62 for the unhurt."""
    if one.life.gone:
        desk.refuse("P67", name=one.name)
    if not one.wounds:
        desk.refuse("P62", name=one.name)


def _number(person: Person, key: str, value: int | None = None) -> Modifier:
    """A named number of the tables as a summand of a difficulty."""
    row = person.tables.numbers[key]
    return against(key, row.value if value is None else value, row.name, row.section)


# ---------------------------------------------------------------- first aid (§8.1)


def first_aid_plan(healer: Person, patient: Person) -> Plan:
    """Medicine against 10 + every wound the patient has (E32)."""
    base = against("wound_base", healer.tables.number("wound_base"), words("part.care_base"), "§8.1")
    parts = (base, against("wounds", patient.actor.wounds, words("part.wounds"), "§8.1"))
    title = reason("title.first_aid", "§8.1")
    return plan(healer, "first_aid", healer.skill(HEALING), parts, title=title)


@command(
    "first_aid",
    actor(),
    actor("target"),
    AUTO,
    FACES,
    codes=("P27", "P62", "P63", "P65", "P67", "P77", *CODES),
    rule="§8.1",
)
def first_aid(desk: Desk, asked: Asked) -> None:
    """Treat somebody's wounds, or one's own."""
    healer, patient = desk.own(asked), desk.seen(asked.text("target"))
    _treatable(desk, healer, patient)
    if patient.care.first_aid == "ok":
        desk.refuse("P63", name=patient.name)
    planned = first_aid_plan(desk.person(healer.id), desk.person(patient.id))
    said = words("log.first_aid", name=healer.name, target=patient.name)
    attempt(desk, planned, said, target=patient.id, auto=asked.flag("auto"))


def _treatable(desk: Desk, healer: ActorState, patient: ActorState) -> None:
    able(desk, healer)
    _hurt(desk, patient)
    if desk.state.fight is not None:
        desk.refuse("P77")
    if patient.recovers:
        desk.refuse("P65", name=patient.name)


@follows("first_aid")
def _treated(desk: Desk, check: Check) -> None:
    patient = desk.state.actors[check.target]
    level = desk.person(check.who).level(HEALING)
    book = Book(desk.tables, patient)
    why = reason("why.treated" if check.success else "why.botched", "§8.1", n=desk.tables.number("bad_first_aid"))
    book.set("care.first_aid", "ok" if check.success else "bad", why)
    _care_for(book, level, 0, why)
    if check.success and patient.care.serious:
        book.set("care.serious", False, why)
        book.quietly(care=replace(book.actor.care, serious_deadline=None))
    write(desk, "treated", words("log.treated" if check.success else "log.botched", name=patient.name), book, why)


def _care_for(book: Book, level: int, medicine: int, why: Reason) -> None:
    """Care until the next morning: the nurse's level counts, the best of several where the group plays so (E46)."""
    care = book.actor.care
    best = book.tables.rule.healers == "best" and care.cared_today
    book.set("care.cared_today", True, why)
    book.set("care.nurse_level", max(level, care.nurse_level) if best else level, why)
    book.set("care.medicine", medicine or care.medicine, why)


# ---------------------------------------------------------------- daily care (§8.1, §8.2)


@command(
    "care.give",
    actor(),
    actor("target"),
    choice("medicine", "none", "ointment", "other", required=False),
    number("points", 0, 9, required=False),
    codes=("P27", "P46", "P62", "P64", "P65", "P67", "P76", "P77"),
    rule="§8.1",
    retractable=True,
)
def give_care(desk: Desk, asked: Asked) -> None:
    """A day's nursing, with tools and a place: no roll. Other medicine than ointment works as the GM says."""
    nurse, patient = desk.own(asked), desk.seen(asked.text("target"))
    _treatable(desk, nurse, patient)
    if patient.care.first_aid == "none":
        desk.refuse("P64", name=patient.name)
    medicine = asked.text("medicine") or "none"
    if medicine == "other" and not desk.actor.is_gm:
        desk.refuse("P76", medicine=words("choice.medicine.other"))
    points = {"none": 0, "ointment": -desk.tables.number("ointment")}.get(medicine, asked.number("points") or 0)
    book = Book(desk.tables, patient)
    _care_for(book, desk.person(nurse.id).level(HEALING), points, reason("why.nursed", "§8.1"))
    if not book.changes:
        desk.refuse("P46")
    said = words("log.cared", name=nurse.name, target=patient.name)
    write(desk, "cared", said, book, reason("title.care", "§8.1"), by=nurse.id, medicine=medicine)


# ---------------------------------------------------------------- recovery (§8.2)


def recovery_plan(person: Person) -> Plan:
    """Three dice and the original endurance (C17) against 10 + wounds, with what nursing and medicine change."""
    most = person.endurance_max
    part = Modifier(ENDURANCE, most, "total", reason("part.endurance_max", "§8.2"))
    means = Means(ENDURANCE, words("what.endurance"), 3, most, (part,))
    return plan(person, "recovery", means, _recovery_parts(person), title=reason("title.recovery", "§8.2"))


def _recovery_parts(person: Person) -> Iterator[Modifier]:
    care = person.actor.care
    yield against("wound_base", person.tables.number("wound_base"), words("part.care_base"), "§8.2")
    yield against("wounds", person.actor.wounds, words("part.wounds"), "§8.2")
    if care.nurse_level:
        yield against("nurse", -care.nurse_level, words("part.nurse"), "§8.2")
    if care.first_aid == "bad":
        yield _number(person, "bad_first_aid")
    if care.medicine:
        yield against("medicine", -care.medicine, words("part.medicine"), "§5.4")


@command(
    "recovery.roll",
    actor(),
    AUTO,
    FACES,
    codes=("P62", "P66", "P67", *CODES),
    rule="§8.2",
)
def roll_recovery(desk: Desk, asked: Asked) -> None:
    """The morning's recovery of somebody who was cared for."""
    own = desk.own(asked)
    _hurt(desk, own)
    if not own.recovers:
        desk.refuse("P66", name=own.name)
    recover(desk, own, auto=asked.flag("auto"))


def recover(desk: Desk, one: ActorState, *, auto: bool = False) -> None:
    """Make the recovery roll; the care that gave it is used up."""
    over = replace(one.care, due=False, nurse_level=0, medicine=0)
    planned = recovery_plan(desk.person(one.id))
    attempt(desk, planned, words("log.recovery", name=one.name), auto=auto, values={"care": over})


@follows("recovery")
def _recovered(desk: Desk, check: Check) -> None:
    one = desk.state.actors[check.who]
    short = (check.difficulty or 0) - (check.total or 0)
    book = Book(desk.tables, one)
    word = "same"
    if check.success:
        word = "better"
        daily.wounds_to(book, one.wounds - 1, reason("why.healed", "§8.2"))
        daily.up(book, reason("why.healed", "§8.2"))
    elif short >= desk.tables.number("recovery_worse_by"):
        word = "worse"
        daily.hurt(book, 1, reason("why.worse", "§8.2", n=short))
    _care_after(book)
    title = reason(f"recovery.{word}", "§8.2")
    write(desk, "recovery", words(f"log.recovery_{word}", name=one.name), book, title, always=True)


def _care_after(book: Book) -> None:
    """A healed wound needs no care; a botched treatment may be forgotten after a day (E32)."""
    care = book.actor.care
    if not book.actor.wounds:
        book.quietly(care=Care())
    elif care.first_aid == "bad" and book.tables.rule.bad_first_aid_duration == "one_day":
        book.set("care.first_aid", "ok", reason("why.one_day", "§8.1", inferred=True))


# ---------------------------------------------------------------- staying awake (§8.4)


def awake_plan(person: Person, hour: int) -> Plan:
    """心 against 10 + hours beyond 20; conditions do not count unless the group says so (E33)."""
    beyond = hour - person.tables.number("hours_awake")
    parts = (_number(person, "stay_awake"), against("beyond", beyond, words("part.beyond", n=hour), "§8.4"))
    conditions = not person.tables.rule.stay_awake_ignores_conditions
    title = reason("title.awake", "§8.4", n=hour)
    return plan(person, "awake", person.means("mind"), parts, title=title, conditions=conditions)


@command("awake.roll", actor(), AUTO, FACES, codes=("P67", "P68", *CODES), rule="§8.4")
def roll_awake(desk: Desk, asked: Asked) -> None:
    """Fight sleep for one more hour, from the 21st on."""
    own = desk.own(asked)
    if own.life.gone:
        desk.refuse("P67", name=own.name)
    hour = daily.sleepless_hour(desk.person(own.id))
    if hour is None:
        most = desk.tables.number("hours_awake")
        desk.refuse("P68", name=own.name, n=most)
        hour = max(own.needs.hours_awake, most + 1)
    said = words("log.awake", name=own.name, n=hour)
    needs = replace(own.needs, awake_rolled=hour)
    planned = awake_plan(desk.person(own.id), hour)
    attempt(desk, planned, said, auto=asked.flag("auto"), values={"needs": needs})


@follows("awake")
def _fell_asleep(desk: Desk, check: Check) -> None:
    if check.success:
        return
    one = desk.state.actors[check.who]
    book = Book(desk.tables, one)
    why = reason("why.fell_asleep", "§8.4")
    book.set("needs.asleep", True, why)
    since = max(0, one.needs.hours_awake - one.needs.awake_rolled)
    book.set("needs.hours_awake", one.needs.hours_awake - since, why)
    book.quietly(needs=replace(book.actor.needs, slept=since))
    write(desk, "slept_in", words("log.fell_asleep", name=one.name), book, why)


# ---------------------------------------------------------------- illness, 実は生きていた


@command(
    "illness",
    actor(),
    number("points", 1, 99),
    text("reason", required=True),
    roles=GM_ONLY,
    codes=("P67", "P71"),
    rule="§8",
)
def fall_ill(desk: Desk, asked: Asked) -> None:
    """Endurance lost to an illness: counted and cured like wounds (E51)."""
    one = desk.seen(asked.text("actor"))
    if one.life.gone:
        desk.refuse("P67", name=one.name)
    if desk.tables.rule.illness == "gm":
        desk.refuse("P71")
    book = Book(desk.tables, one)
    daily.hurt(book, asked.needed("points"), reason("why.ill", "§8", inferred=True, text=asked.text("reason")))
    write(desk, "ill", words("log.ill", name=one.name, reason=asked.text("reason")), book, reason("title.ill", "§8"))


@command("survive", actor(), codes=("P01", "P03", "P79"), rule="§6.3")
def survive(desk: Desk, asked: Asked) -> None:
    """実は生きていた, for a death outside an exchange: two points, and endurance 1 after a while."""
    own = desk.own(asked)
    if own.life.state != "dead" or not own.life.open:
        desk.refuse("P79", name=own.name)
    person = desk.person(own.id)
    price = kp.must(desk, person, "survive")
    why = reason("use.survive", "§6.3")
    book = Book(desk.tables, own)
    book.set("kp", max(0, own.kp - price), why)
    daily.wounds_to(book, person.endurance_max - own.hunger_loss - 1, why)
    daily.live(book, Life("seeming_dead"), why)
    outcome = book.outcome("survive", why)
    masked = public(desk.state, outcome, of=own.id)
    said = words("log.survived", name=own.name)
    values = {own.id: book.values}
    desk.emit(
        "recovery", said, actor=own.id, outcome=outcome, public=masked, actors=values, audience=audience_of(desk, own)
    )
