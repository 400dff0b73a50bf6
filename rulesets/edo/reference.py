"""Reference tools of the period: money, measures, the hours of Edo (rules §9).

Inputs are texts as people type them; every fault of an input is a problem at its name. Values are exact fractions.

    money    oban, ryo, bu, shu, mon, kanmon, momme (silver): any of them, added up
    measure  value, unit
    clock    sunrise and sunset (`4:30`), or date (`1830-05-09`, `5月9日`), or season (`geshi`, `夏至`); time optional
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rulesets.edo.rows import Coin, Measure
from rulesets.edo.sun import NoSuchDate, day_of, sun_on
from rulesets.edo.tables import Edo
from rulesets.engine.problems import Problem
from rulesets.engine.text import Text

DAY = 24 * 60 * 60
MAX_NUMBER = 10**12
_DIGITS = str.maketrans("：．，－", ":.,-")


@dataclass(frozen=True, slots=True)
class Amount:
    """So much of one unit."""

    unit: str
    label: Text
    value: Fraction

    @property
    def text(self) -> str:
        """The value as people read it: whole numbers plain, others to three decimals."""
        return plain(self.value)


@dataclass(frozen=True, slots=True)
class Money:
    """A sum in 文, the same in each unit, and as coins (`rest` is what is less than one 文)."""

    mon: Fraction
    each: tuple[Amount, ...]
    coins: tuple[Amount, ...]
    rest: Fraction


@dataclass(frozen=True, slots=True)
class Measured:
    """A length, weight or area in each unit of its kind; `steps` is it in whole larger and smaller Japanese units."""

    kind: str
    each: tuple[Amount, ...]


@dataclass(frozen=True, slots=True)
class BellAt:
    """A bell with the time it sounds (seconds after midnight) and how long its 刻 lasts."""

    id: str
    name: Text
    animal: Text
    strokes: int
    at: Fraction
    day: bool

    @property
    def clock(self) -> str:
        return clock_text(self.at)


@dataclass(frozen=True, slots=True)
class Clock:
    """A day of Edo: lengths of a 刻 in minutes, the twelve bells from sunrise on, and the one that sounded last.

    `date` is the day (`1830-06-22`) when a date or season was asked for. Times are those of today's Japanese clock.
    """

    sunrise: Fraction
    sunset: Fraction
    day_koku: Fraction
    night_koku: Fraction
    bells: tuple[BellAt, ...]
    date: str = ""
    now: BellAt | None = None
    since: Fraction | None = None

    @property
    def sunrise_text(self) -> str:
        return clock_text(self.sunrise)

    @property
    def sunset_text(self) -> str:
        return clock_text(self.sunset)

    @property
    def day_text(self) -> str:
        return plain(self.day_koku)

    @property
    def night_text(self) -> str:
        return plain(self.night_koku)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool says: a result, or the problems of what was typed."""

    tool: str
    result: Money | Measured | Clock | None = None
    problems: tuple[Problem, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Plain data: fractions as `a/b` or whole numbers, times as `h:mm[:ss]`."""
        told: dict[str, Any] = {"tool": self.tool, "problems": [p.code for p in self.problems]}
        told["at"] = {p.path: p.message.ja for p in self.problems}
        if isinstance(self.result, Money):
            told |= {
                "mon": _exact(self.result.mon),
                "each": {amount.unit: _exact(amount.value) for amount in self.result.each},
                "coins": {amount.unit: _exact(amount.value) for amount in self.result.coins},
                "rest": _exact(self.result.rest),
            }
        elif isinstance(self.result, Measured):
            told |= {"kind": self.result.kind, "each": {a.unit: _exact(a.value) for a in self.result.each}}
            told["text"] = {a.unit: a.text for a in self.result.each}
        elif isinstance(self.result, Clock):
            told |= _clock_json(self.result)
        return told


def _clock_json(clock: Clock) -> dict[str, Any]:
    return {
        "sunrise": clock.sunrise_text,
        "sunset": clock.sunset_text,
        "day_koku": _exact(clock.day_koku),
        "night_koku": _exact(clock.night_koku),
        "bells": {bell.name.ja: bell.clock for bell in clock.bells},
        "animals": {bell.animal.ja: bell.clock for bell in clock.bells},
        "date": clock.date,
        "now": clock.now.name.ja if clock.now else "",
        "since": _exact(clock.since) if clock.since is not None else "",
    }


def _exact(value: Fraction) -> int | str:
    return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def plain(value: Fraction) -> str:
    """`7250`, `1.818`; three decimals, halves up, no trailing zeros."""
    thousandths = math.floor(abs(value) * 1000 + Fraction(1, 2))
    whole, rest = divmod(thousandths, 1000)
    sign = "-" if value < 0 and thousandths else ""
    return f"{sign}{whole}" + (f".{rest:03d}".rstrip("0") if rest else "")


def clock_text(seconds: Fraction) -> str:
    """`6:55`, with seconds where there are any: `11:37:30`."""
    total = math.floor(seconds + Fraction(1, 2)) % DAY
    hours, minutes, rest = total // 3600, total // 60 % 60, total % 60
    return f"{hours}:{minutes:02d}" + (f":{rest:02d}" if rest else "")


# ---------------------------------------------------------------- asking


class _Reader:
    """Reads typed inputs and gathers what is wrong with them."""

    def __init__(self, typed: Mapping[str, Any], tables: Edo, known: tuple[str, ...]) -> None:
        self._typed = {key: _folded(value) for key, value in typed.items() if value is not None}
        self.tables = tables
        self.problems: list[Problem] = []
        for key in sorted(self._typed.keys() - set(known)):
            self.fault("T11", key, value=key)

    def fault(self, code: str, path: str, **params: object) -> None:
        message = self.tables.messages[code]
        self.problems.append(Problem(code, "error", path, message.text.format(**params), message.rule, params))

    def text(self, key: str) -> str:
        return self._typed.get(key, "")

    def number(self, key: str, label: Text, example: str) -> Fraction | None:
        """A number of at most twelve digits, decimals and thousands' commas allowed; None when empty or faulty."""
        text = self.text(key).replace(",", "")
        if not text:
            return None
        if not re.fullmatch(r"[0-9]{1,30}(\.[0-9]{1,9})?", text):
            self.fault("T02", key, label=label, example=example)
            return None
        value = Fraction(text)
        if value > MAX_NUMBER:
            self.fault("T10", key, label=label, max=MAX_NUMBER)
            return None
        return value

    def time(self, key: str, label: Text, example: str) -> Fraction | None:
        """Seconds after midnight."""
        text = self.text(key)
        if not text:
            return None
        match = re.fullmatch(r"([0-9]{1,2})(?::|時)([0-9]{1,2})(?:分)?(?::([0-9]{1,2}))?", text)
        parts = [int(part or 0) for part in match.groups()] if match else []
        if not parts or parts[0] > 23 or parts[1] > 59 or parts[2] > 59:
            self.fault("T05", key, label=label, example=example)
            return None
        return Fraction(parts[0] * 3600 + parts[1] * 60 + parts[2])


def _folded(value: Any) -> str:
    text = unicodedata.normalize("NFKC", str(value)) if isinstance(value, str | int | Fraction) else "?"
    return text.translate(_DIGITS).strip()[:100]


def answer(tool: str, typed: Mapping[str, Any], tables: Edo) -> Answer:
    """Ask a tool. Never raises over what was typed: faults come back as problems at the input's name."""
    tools: dict[str, Callable[[Mapping[str, Any], Edo], Answer]] = {
        "money": _money,
        "measure": _measure,
        "clock": _clock,
    }
    if tool not in tools:
        message = tables.messages["T01"]
        params = {"value": tool[:40]}
        problem = Problem("T01", "error", "", message.text.format(**params), message.rule, params)
        return Answer(tool[:40], None, (problem,))
    return tools[tool](typed, tables)


# ---------------------------------------------------------------- §9.1 money


def _money(typed: Mapping[str, Any], tables: Edo) -> Answer:
    reader = _Reader(typed, tables, tuple(tables.coins))
    given = {coin.id: reader.number(coin.id, coin.name, "3") for coin in tables.coins.values()}
    if not reader.problems and all(value is None for value in given.values()):
        reader.fault("T03", "ryo")
    if reader.problems:
        return Answer("money", None, tuple(reader.problems))
    mon = sum((value * worth(tables.coins[coin]) for coin, value in given.items() if value is not None), Fraction(0))
    return Answer("money", money_of(mon, tables))


def worth(coin: Coin) -> Fraction:
    """What one of it is worth, in 文."""
    return Fraction(coin.numerator, coin.denominator)


def money_of(mon: Fraction, tables: Edo) -> Money:
    """A sum of 文 in every unit and in the fewest coins."""
    each = tuple(Amount(coin.id, coin.name, mon / worth(coin)) for coin in tables.coins.values())
    coins: list[Amount] = []
    left = mon
    for coin in sorted((c for c in tables.coins.values() if c.change), key=worth, reverse=True):
        count = left // worth(coin)
        coins.append(Amount(coin.id, coin.name, Fraction(count)))
        left -= count * worth(coin)
    return Money(mon, each, tuple(coins), left)


# ---------------------------------------------------------------- §9.2 measures


def _measure(typed: Mapping[str, Any], tables: Edo) -> Answer:
    reader = _Reader(typed, tables, ("value", "unit"))
    label = Text("量", "the amount")
    value = reader.number("value", label, "3.5")
    unit = _unit(reader.text("unit"), tables)
    if value is None and not any(problem.path == "value" for problem in reader.problems):
        reader.fault("T02", "value", label=label, example="3.5")
    if unit is None:
        reader.fault("T04", "unit", value=reader.text("unit"))
    if reader.problems or value is None or unit is None:
        return Answer("measure", None, tuple(reader.problems))
    base = value * _size(unit)
    same_kind = [row for row in tables.measures.values() if row.kind == unit.kind]
    return Answer("measure", Measured(unit.kind, tuple(Amount(r.id, r.name, base / _size(r)) for r in same_kind)))


def _unit(typed: str, tables: Edo) -> Measure | None:
    units = tables.measures.values()
    return next((row for row in units if typed and typed in (row.id, row.name.ja, row.name.en)), None)


def _size(unit: Measure) -> Fraction:
    return Fraction(unit.numerator, unit.denominator)


# ---------------------------------------------------------------- §9.3 the hours


def _clock(typed: Mapping[str, Any], tables: Edo) -> Answer:
    reader = _Reader(typed, tables, ("sunrise", "sunset", "date", "season", "time"))
    at = reader.time("time", Text("時刻", "the time"), "13:05")
    day = _sun(reader)
    if reader.problems or day is None:
        return Answer("clock", None, tuple(reader.problems))
    sunrise, sunset, date = day
    return Answer("clock", clock_of(sunrise, sunset, tables, date=date, at=at))


def _sun(reader: _Reader) -> tuple[Fraction, Fraction, str] | None:
    """Sunrise and sunset as typed, or those of the day asked for."""
    if reader.text("sunrise") or reader.text("sunset"):
        return _typed_sun(reader)
    if reader.text("date"):
        try:
            date = day_of(reader.text("date"))
        except NoSuchDate:
            reader.fault("T07", "date")
            return None
        return (*sun_on(date), date.isoformat())
    typed = reader.text("season")
    if not typed:
        reader.fault("T09", "sunrise")
        return None
    seasons = reader.tables.seasons.values()
    season = next((row for row in seasons if typed in (row.id, row.name.ja, row.name.en)), None)
    if season is None:
        reader.fault("T08", "season", value=typed)
        return None
    date = day_of(season.value)
    return (*sun_on(date), date.isoformat())


def _typed_sun(reader: _Reader) -> tuple[Fraction, Fraction, str] | None:
    names = {"sunrise": (Text("日の出", "sunrise"), "4:30"), "sunset": (Text("日の入り", "sunset"), "19:00")}
    found: dict[str, Fraction] = {}
    for key, (label, example) in names.items():
        value = reader.time(key, label, example)
        if value is not None:
            found[key] = value
        elif not reader.text(key):
            reader.fault("T05", key, label=label, example=example)
    if len(found) < 2:
        return None
    if found["sunset"] <= found["sunrise"]:
        reader.fault("T06", "sunset")
        return None
    return found["sunrise"], found["sunset"], ""


def clock_of(sunrise: Fraction, sunset: Fraction, tables: Edo, *, date: str = "", at: Fraction | None = None) -> Clock:
    """Six 刻 from sunrise to sunset and six through the night."""
    day = (sunset - sunrise) / 6
    night = (DAY - (sunset - sunrise)) / 6
    bells = []
    for place, bell in enumerate(tables.bells.values()):
        start = sunrise + place * day if place < 6 else sunset + (place - 6) * night
        bells.append(BellAt(bell.id, bell.name, bell.animal, bell.strokes, start % DAY, place < 6))
    now, since = _last_bell(bells, at)
    return Clock(sunrise, sunset, day / 60, night / 60, tuple(bells), date, now, since)


def _last_bell(bells: list[BellAt], at: Fraction | None) -> tuple[BellAt | None, Fraction | None]:
    """The bell that sounded last before a time, and how many minutes ago."""
    if at is None:
        return None, None
    ago = [((at - bell.at) % DAY, bell) for bell in bells]
    since, bell = min(ago, key=lambda row: row[0])
    return bell, since / 60
