"""Days and the moon: nights pass, meetings come, the GM sets the moon or draws it (rules §6.2, §6.5, §10)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.engine.outcome import CardShown, Change, Die, Outcome
from rulesets.engine.play import ALL, GM
from rulesets.engine.text import Text
from rulesets.witch.moon import DAYS, BadDate, Calendar, Night, later, night, real_date, until, with_moon_day
from rulesets.witch.play.desk import Desk
from rulesets.witch.play.person import Person
from rulesets.witch.play.reading import FACES, Asked, choice, flag, number, refused, text
from rulesets.witch.play.registry import GM_ONLY, command, event
from rulesets.witch.play.state import State
from rulesets.witch.play.words import reason, words
from rulesets.witch.rows import COLUMNS, TRICKSTER, Recovery

event("day", shows=("day", "nights"))
event("rest")
event("moon", shows=("day", "card", "accident"))
event("meeting", shows=("meeting", "open"))

NIGHTS_MAX = 400
SABBATH, GATHERING = "sabbath", "gathering"
_DICE: dict[Recovery, int] = {"1d6": 1, "2d6": 2}


def meets(state: State, meeting: str) -> bool:
    """Whether witches meet (the 22nd) or cats (the 8th) tonight, or the GM opened or shut the meeting."""
    if meeting in state.meetings:
        return state.meetings[meeting]
    tonight = night(state.calendar, state.tables.rule)
    return tonight.sabbath if meeting == SABBATH else tonight.gathering


def night_data(found: Night) -> dict[str, Any]:
    return {
        "year": found.year,
        "month": found.month,
        "day": found.day,
        "moon_day": found.moon_day,
        SABBATH: found.sabbath,
        GATHERING: found.gathering,
    }


def date_words(found: Night) -> Text:
    """`4月1日、月齢1`; the moon day alone is missing while no real date was chosen."""
    if found.moon_day is None:
        return words("date.none")
    return words("date", month=found.month, day=found.day, moon=found.moon_day)


# ---------------------------------------------------------------- nights


@command(
    "day.advance",
    number("nights", 1, NIGHTS_MAX, required=False),
    FACES,
    roles=GM_ONLY,
    codes=("L38", "L44"),
    rule="§10",
)
def advance(desk: Desk, asked: Asked) -> None:
    """One night passes, or several: the date and the moon go on, MP and HP come back."""
    _pass(desk, asked.number("nights") or 1)


@command("day.until", choice("meeting", SABBATH, GATHERING), FACES, roles=GM_ONLY, codes=("L38", "L44"), rule="§6.2")
def jump(desk: Desk, asked: Asked) -> None:
    """On to the next night of a meeting."""
    ahead = until(desk.state.calendar, desk.tables.rule, asked.text("meeting"))
    if ahead is None:
        raise refused("L44")
    _pass(desk, ahead)


def _pass(desk: Desk, nights: int) -> None:
    if desk.state.fight is not None:
        raise refused("L38")
    try:
        calendar = later(desk.state.calendar, nights)
    except BadDate:
        raise refused("L44") from None
    tonight = night(calendar, desk.tables.rule)
    said = words("log.night" if nights == 1 else "log.nights", n=nights, date=date_words(tonight))
    open_, secret = _Rest(desk, nights), _Rest(desk, nights)
    for one in desk.state.actors.values():
        (secret if one.hidden or (one.npc and not one.numbers_shown) else open_).of(desk.person(one.id))
    desk.emit(
        "day",
        said,
        outcome=open_.outcome(),
        actors=open_.values,
        world={"calendar": calendar, "meetings": {}},
        audience=ALL,
        day=night_data(tonight),
        nights=nights,
    )
    if secret.values:
        desk.emit("rest", words("log.rest"), outcome=secret.outcome(), actors=secret.values, audience=GM)


class _Rest:
    """What some nights give back to some characters."""

    def __init__(self, desk: Desk, nights: int) -> None:
        self._desk = desk
        self._nights = nights
        self.values: dict[str, dict[str, Any]] = {}
        self._dice: list[Die] = []
        self._changes: list[Change] = []

    def of(self, person: Person) -> None:
        rule = self._desk.tables.rule
        found: dict[str, Any] = {}
        hp = self._recovered(person.actor.hp, person.hp_max, rule.hp_recovery)
        mp = self._recovered(person.actor.mp, person.mp_max, rule.mp_recovery)
        for stat, before, after in (("hp", person.actor.hp, hp), ("mp", person.actor.mp, mp)):
            if after != before:
                found[stat] = after
                self._changes.append(Change(person.id, stat, before, after, reason("why.night", "§10", True)))
        if person.actor.out:
            found["out"] = False
            self._changes.append(Change(person.id, "out", True, False, reason("why.morning", "§5.7", True)))
        if found:
            self.values[person.id] = found

    def _recovered(self, now: int, most: int, way: Recovery) -> int:
        if now >= most or way == "none":
            return now
        if way == "full":
            return most
        for _ in range(self._nights):
            if now >= most:
                break
            dice = self._desk.throw(_DICE[way], reason("dice.night", "§10", True))
            self._dice += dice
            now = min(most, now + sum(die.face for die in dice))
        return now

    def outcome(self) -> Outcome | None:
        if not self._changes:
            return None
        return Outcome("night", reason("title.night", "§10"), dice=tuple(self._dice), changes=tuple(self._changes))


# ---------------------------------------------------------------- the moon by hand


@command("moon.set", number("day", 1, DAYS), roles=GM_ONLY, codes=("L43", "P46"), rule="§6.2", retractable=True)
def set_moon(desk: Desk, asked: Asked) -> None:
    """Another moon day under the same date, where the story's calendar counts."""
    _moon(desk, asked.needed("day"), "log.moon_set", {})


@command("moon.draw", flag("with_trickster"), FACES, roles=GM_ONLY, codes=("L43",), rule="§6.2")
def draw_moon(desk: Desk, asked: Asked) -> None:
    """Draw the moon day from 28 cards; with the トリックスター among them an accident may come first."""
    if desk.tables.rule.moon_mode == "astronomical":
        raise refused("L43")
    dice: list[Die] = []
    card = TRICKSTER
    accident = False
    if asked.flag("with_trickster"):
        dice.append(desk.die(reason("dice.moon", "§6.2"), len(COLUMNS)))
        card = dice[-1].face - 1
        accident = card == TRICKSTER
    if card == TRICKSTER:
        dice.append(desk.die(reason("dice.moon", "§6.2"), DAYS))
        card = dice[-1].face
    shown = tuple(
        CardShown(str(one), reason("dice.moon", "§6.2")) for one in ([TRICKSTER] if accident else []) + [card]
    )
    notes = (reason("why.accident", "§6.2"),) if accident else ()
    outcome = Outcome("moon", reason("title.moon", "§6.2"), total=card, dice=tuple(dice), cards=shown, notes=notes)
    _moon(desk, card, "log.moon_drawn", {"card": card, "accident": accident}, outcome)


def _moon(desk: Desk, day: int, key: str, data: dict[str, Any], outcome: Outcome | None = None) -> None:
    if desk.tables.rule.moon_mode == "astronomical":
        raise refused("L43")
    calendar = with_moon_day(desk.state.calendar, day)
    if calendar == desk.state.calendar and outcome is None:
        raise refused("P46")
    said = words(key, day=day, card=desk.tables.card(day))
    world = {"calendar": calendar, "meetings": {}}
    desk.emit("moon", said, outcome=outcome, world=world, audience=ALL, day=day, **data)


@command(
    "day.set",
    text("date"),
    number("month", 1, 13, required=False),
    number("day", 1, 31, required=False),
    roles=GM_ONLY,
    codes=("L38", "L44", "P46"),
    rule="§6.3",
    retractable=True,
)
def set_date(desk: Desk, asked: Asked) -> None:
    """The real date (`2026-05-09`) where the real moon counts; else month and day of the story's year."""
    if desk.state.fight is not None:
        raise refused("L38")
    rule = desk.tables.rule
    calendar = desk.state.calendar
    if rule.moon_mode == "astronomical":
        try:
            calendar = replace(calendar, real=real_date(asked.text("date")).isoformat())
        except BadDate:
            raise refused("L44") from None
    else:
        calendar = _story_date(desk, calendar, asked)
    if calendar == desk.state.calendar:
        raise refused("P46")
    tonight = night(calendar, rule)
    said = words("log.date", date=date_words(tonight))
    world = {"calendar": calendar, "meetings": {}}
    desk.emit("day", said, world=world, audience=ALL, day=night_data(tonight), nights=0)


def _story_date(desk: Desk, calendar: Calendar, asked: Asked) -> Calendar:
    rule = desk.tables.rule
    month, day = asked.needed("month"), asked.needed("day")
    if month > rule.months or day > rule.month_length:
        raise refused("L44")
    year = night(calendar, rule).year
    ordinal = ((year - 1) * rule.months + month - 1) * rule.month_length + day - 1
    moved = Calendar(ordinal, calendar.offset, calendar.real)
    return moved


@command(
    "meeting.open",
    choice("meeting", SABBATH, GATHERING),
    flag("open"),
    roles=GM_ONLY,
    codes=("P46",),
    rule="§8.3",
    retractable=True,
)
def open_meeting(desk: Desk, asked: Asked) -> None:
    """Hold a sabbath or a gathering outside its date, or end one early; the next day it is as the calendar says."""
    meeting, wanted = asked.text("meeting"), asked.flag("open")
    if meets(desk.state, meeting) == wanted:
        raise refused("P46")
    said = words(f"log.{meeting}_{'opened' if wanted else 'shut'}")
    world = {"meetings": {**desk.state.meetings, meeting: wanted}}
    desk.emit("meeting", said, world=world, audience=ALL, meeting=meeting, open=wanted)
