"""The moon: which of the 28 columns a date has, and what the coming nights bring (rules §6).

Real dates come from the library `ephem`; the story's calendar is counted. Nothing here looks at a clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from math import degrees, floor
from zoneinfo import ZoneInfo

import ephem  # type: ignore[import-untyped]

from rulesets.witch.rows import Rules

DAYS = 28  # columns of the moon
FIRST_DATE, LAST_DATE = date(1900, 1, 1), date(2099, 12, 31)


class BadDate(ValueError):
    """Text that is no date, or one too far away."""


def real_date(text: str) -> date:
    """A date written `2026-05-09`, from 1900 to 2099. Raises `BadDate`."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        raise BadDate(text) from None
    if not FIRST_DATE <= found <= LAST_DATE or text != found.isoformat():
        raise BadDate(text)
    return found


def local_date(moment: str, zone: str) -> str:
    """The date of a moment (`2026-05-09T12:03:44Z`) in a time zone. Raises `BadDate`."""
    try:
        at = datetime.fromisoformat(moment)
    except ValueError:
        raise BadDate(moment) from None
    return real_date(at.astimezone(ZoneInfo(zone)).date().isoformat()).isoformat()


# ---------------------------------------------------------------- the real moon (§6.3, §6.4)


def instant(day: date, hour: int, zone: str) -> datetime:
    """The reference moment of a date, in UTC."""
    return datetime.combine(day, time(hour), ZoneInfo(zone)).astimezone(UTC)


def elongation(moment: datetime) -> float:
    """Apparent longitude of the Moon minus that of the Sun in degrees, 0 ≤ e < 360: 0 is new, 180 full."""
    at = ephem.Date(moment.astimezone(UTC).replace(tzinfo=None))
    longitudes = []
    for body in (ephem.Moon(at), ephem.Sun(at)):
        equatorial = ephem.Equatorial(body.g_ra, body.g_dec, epoch=at)
        longitudes.append(float(ephem.Ecliptic(equatorial, epoch=at).lon))
    return degrees(longitudes[0] - longitudes[1]) % 360


def column_of(angle: float) -> int:
    """The moon day of an elongation: the cycle in 28 equal parts."""
    return min(floor(angle / 360 * DAYS), DAYS - 1) + 1


@lru_cache(maxsize=4096)
def moon_day(day: date, hour: int, zone: str, mapping: str) -> int:
    """The moon day (1–28) of a real date."""
    if mapping == "old_calendar":
        return _old_calendar(day, zone)
    return column_of(elongation(instant(day, hour, zone)))


def _old_calendar(day: date, zone: str) -> int:
    """Days since the date of the last new moon, that date being 1; 29 and 30 count as 28."""
    midnight = instant(day + timedelta(days=1), 0, zone)
    last = ephem.previous_new_moon(ephem.Date(midnight.replace(tzinfo=None))).datetime().replace(tzinfo=UTC)
    began = last.astimezone(ZoneInfo(zone)).date()
    return min(int((day - began).days) + 1, DAYS)


# ---------------------------------------------------------------- calendars


@dataclass(frozen=True)
class Calendar:
    """Where the campaign stands: `ordinal` days since its first (from 0), `offset` of the moon day to it (0–27), the
    real date (`2026-05-09`, "" while none was chosen)."""

    ordinal: int = 0
    offset: int = 0
    real: str = ""


@dataclass(frozen=True, slots=True)
class Night:
    """One day: year, month and day of its calendar, the moon day (None without a date), and what meets that night."""

    year: int
    month: int
    day: int
    moon_day: int | None
    sabbath: bool
    gathering: bool


def later(calendar: Calendar, days: int) -> Calendar:
    """So many days on, or back."""
    real = calendar.real
    if real:
        moved = real_date(real).toordinal() + days
        if not FIRST_DATE.toordinal() <= moved <= LAST_DATE.toordinal():
            raise BadDate(real)
        real = date.fromordinal(moved).isoformat()
    return Calendar(max(0, calendar.ordinal + days), calendar.offset, real)


def with_moon_day(calendar: Calendar, wanted: int) -> Calendar:
    """The same date under another moon: only the offset changes (§6.2)."""
    return Calendar(calendar.ordinal, (wanted - 1 - calendar.ordinal) % DAYS, calendar.real)


def night(calendar: Calendar, rule: Rules) -> Night:
    """The day a calendar stands at."""
    if rule.moon_mode == "astronomical":
        return _real_night(calendar, rule)
    month, day = divmod(calendar.ordinal, rule.month_length)
    moon = (calendar.ordinal + calendar.offset) % DAYS + 1
    number = day + 1 if rule.event_basis == "date" else moon
    year, month = divmod(month, rule.months)
    return Night(year + 1, month + 1, day + 1, moon, number == rule.sabbath_day, number == rule.gathering_day)


def _real_night(calendar: Calendar, rule: Rules) -> Night:
    if not calendar.real:
        return Night(0, 0, 0, None, False, False)
    day = real_date(calendar.real)
    moon = _moon(day, rule)
    if rule.event_basis != "moon_day":
        meets = (day.day == rule.sabbath_day, day.day == rule.gathering_day)
    else:
        meets = (_first_at(day, rule.sabbath_day, rule), _first_at(day, rule.gathering_day, rule))
    return Night(day.year, day.month, day.day, moon, *meets)


def _moon(day: date, rule: Rules) -> int:
    return moon_day(day, rule.moon_hour, rule.moon_zone, rule.moon_mapping)


def _first_at(day: date, wanted: int, rule: Rules) -> bool:
    """Whether this is the first day of its cycle at or past a column, which the real moon may skip (§6.5)."""
    now, before = _moon(day, rule), _moon(day - timedelta(days=1), rule)
    return before < wanted <= now


def nights(calendar: Calendar, rule: Rules, count: int) -> list[Night]:
    """The day itself and those that follow, as far as dates reach."""
    found = []
    for ahead in range(count):
        try:
            found.append(night(later(calendar, ahead), rule))
        except BadDate:
            break
    return found


def until(calendar: Calendar, rule: Rules, event: str) -> int | None:
    """Days to the next sabbath or gathering after today; None when there is none within three months."""
    for ahead in range(1, 100):
        try:
            found = night(later(calendar, ahead), rule)
        except BadDate:
            return None
        if found.sabbath if event == "sabbath" else found.gathering:
            return ahead
    return None
