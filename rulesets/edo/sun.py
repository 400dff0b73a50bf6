"""Sunrise and sunset in Edo (rules §9.3), by the library ephem. A day is always asked for; there is no clock here."""

from __future__ import annotations

import datetime
import math
import re
from fractions import Fraction

import ephem  # type: ignore[import-untyped]

# Nihonbashi. Times are those of today's Japanese clock (UTC+9), as the examples of the rules use it.
LATITUDE, LONGITUDE = "35.68", "139.77"
UTC_OFFSET = datetime.timedelta(hours=9)
# A year for days asked for without one. Over the whole Edo period sunrise shifts by less than two minutes.
PLAIN_YEAR = 1830
_MIN_YEAR, _MAX_YEAR = 1600, 2100


class NoSuchDate(ValueError):
    """No day of the western calendar between 1600 and 2100."""


def day_of(asked: str | int) -> datetime.date:
    """A typed date (`1830-05-09`, `05-09`, `5月9日`), or the day on which the sun reaches so many degrees.

    Western calendar. Raises `NoSuchDate`.
    """
    if isinstance(asked, int):
        return _day_of_longitude(asked)
    match = re.fullmatch(r"(?:([0-9]{4})[-/年])?([0-9]{1,2})[-/月]([0-9]{1,2})日?", asked)
    if match is None:
        raise NoSuchDate(asked)
    year = int(match[1]) if match[1] else PLAIN_YEAR
    if not _MIN_YEAR <= year <= _MAX_YEAR:
        raise NoSuchDate(asked)
    try:
        return datetime.date(year, int(match[2]), int(match[3]))
    except ValueError as error:
        raise NoSuchDate(asked) from error


def _day_of_longitude(degrees: int) -> datetime.date:
    """The day in Edo, in the plain year, on which the sun's longitude is `degrees` (0 = spring equinox)."""
    moment = datetime.datetime(PLAIN_YEAR, 1, 1) - UTC_OFFSET
    start = _longitude(moment)
    moment += datetime.timedelta(days=(degrees - start) % 360 * 365.2422 / 360)
    for _ in range(5):  # the sun moves by about a degree a day, not evenly: a few corrections suffice
        off = (degrees - _longitude(moment) + 180) % 360 - 180
        moment += datetime.timedelta(days=off * 365.2422 / 360)
    return (moment + UTC_OFFSET).date()


def _longitude(moment: datetime.datetime) -> float:
    date = ephem.Date(moment)
    return math.degrees(ephem.Ecliptic(ephem.Sun(date), epoch=date).lon)


def sun_on(date: datetime.date) -> tuple[Fraction, Fraction]:
    """Sunrise and sunset of a day to the minute, in seconds after its midnight: upper limb, 34′ of refraction."""
    observer = ephem.Observer()
    observer.lat, observer.lon = LATITUDE, LONGITUDE
    observer.pressure, observer.horizon = 0, "-0:34"
    midnight = datetime.datetime(date.year, date.month, date.day) - UTC_OFFSET
    observer.date = ephem.Date(midnight)
    sun = ephem.Sun()
    rise = observer.next_rising(sun).datetime()
    observer.date = ephem.Date(rise)
    fall = observer.next_setting(sun).datetime()
    return _seconds(rise - midnight), _seconds(fall - midnight)


def _seconds(span: datetime.timedelta) -> Fraction:
    return Fraction(round(span.total_seconds() / 60) * 60)
