"""The page of reference tools (rules/edo.md §9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from characters.forms.tools import MONEY
from rulesets import services

SLUG = "edo"


@dataclass(frozen=True, slots=True)
class Input:
    """A field with what was typed and what is wrong with it."""

    name: str
    label: str
    typed: str
    error: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class BellRow:
    name: str
    animal: str
    clock: str
    day: bool
    now: bool


@dataclass(frozen=True, slots=True)
class ClockView:
    title: str
    sun: str
    day: str
    night: str
    now: str
    bells: tuple[BellRow, ...]


@dataclass(frozen=True, slots=True)
class ToolsPage:
    tool: str
    faulty: bool
    money_inputs: tuple[Input, ...]
    money_total: str
    money_coins: str
    money_each: tuple[Row, ...]
    measure_value: Input
    measure_unit: str
    measure_units: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    measure_each: tuple[Row, ...]
    clock_inputs: Mapping[str, Input]
    seasons: tuple[tuple[str, str], ...]
    clock: ClockView | None


def tools_page(tool: str, typed: Mapping[str, str]) -> ToolsPage:
    """The page with the answer of `tool` ("" = nothing asked yet: the clock shows today)."""
    lang = get_language() or "ja"
    tables = services.tables(SLUG, {})
    game: Any = services.get(SLUG)
    answer = game.reference(tool, typed, tables) if tool else None
    errors = {problem.path: problem.message.pick(lang) for problem in answer.problems} if answer else {}
    result = answer.result if answer else None
    money = result if tool == "money" else None
    measured = result if tool == "measure" else None

    def entry(owner: str, name: str, label: str, hint: str = "") -> Input:
        mine = tool == owner
        return Input(name, label, typed.get(name, "") if mine else "", errors.get(name, "") if mine else "", hint)

    return ToolsPage(
        tool=tool,
        faulty=bool(errors),
        money_inputs=tuple(entry("money", coin, tables.coins[coin].name.pick(lang)) for coin in MONEY),
        money_total=_("%(n)s文") % {"n": _plain(money.mon)} if money else "",
        money_coins=_coins(money, lang) if money else "",
        money_each=_rows(money.each, lang) if money else (),
        measure_value=entry("measure", "value", _("量")),
        measure_unit=typed.get("unit", "") if tool == "measure" else "",
        measure_units=_units(tables, lang),
        measure_each=_rows(measured.each, lang) if measured else (),
        clock_inputs={
            "date": entry("clock", "date", _("日付"), _("5月9日、1830-05-09 など")),
            "season": entry("clock", "season", _("または節気")),
            "sunrise": entry("clock", "sunrise", _("または日の出"), _("例：4:30")),
            "sunset": entry("clock", "sunset", _("日の入り"), _("例：19:00")),
            "time": entry("clock", "time", _("いまの時刻（任意）"), _("例：13:05")),
        },
        seasons=tuple((season.id, season.name.pick(lang)) for season in tables.seasons.values()),
        clock=_clock(result, lang) if tool == "clock" and result else None,
    )


def _plain(value: Any) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.3f}".rstrip("0").rstrip(".")


def _coins(money: Any, lang: str) -> str:
    """The sum in coins: `1両 3分 1朱`."""
    found = [f"{coin.text}{coin.label.pick(lang)}" for coin in money.coins if coin.value]
    if money.rest:
        found.append(_("あまり%(n)s文") % {"n": _plain(money.rest)})
    return " ".join(found) or "0"


def _rows(amounts: Any, lang: str) -> tuple[Row, ...]:
    return tuple(Row(amount.label.pick(lang), amount.text) for amount in amounts)


def _units(tables: Any, lang: str) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    names = {"length": _("長さ"), "weight": _("重さ"), "area": _("広さ")}
    groups: dict[str, list[tuple[str, str]]] = {}
    for unit in tables.measures.values():
        groups.setdefault(unit.kind, []).append((unit.id, unit.name.pick(lang)))
    return tuple((names[kind], tuple(units)) for kind, units in groups.items())


def _clock(clock: Any, lang: str) -> ClockView:
    now = ""
    if clock.now is not None:
        words = {"bell": clock.now.name.pick(lang), "n": _plain(clock.since)}
        now = _("いまは%(bell)s（鐘から%(n)s分）") % words
    return ClockView(
        title=clock.date,
        sun=_("日の出 %(rise)s・日の入り %(set)s") % {"rise": clock.sunrise_text, "set": clock.sunset_text},
        day=_("昼の一刻 %(n)s分") % {"n": clock.day_text},
        night=_("夜の一刻 %(n)s分") % {"n": clock.night_text},
        now=now,
        bells=tuple(
            BellRow(
                bell.name.pick(lang),
                bell.animal.pick(lang),
                bell.clock,
                bell.day,
                clock.now is not None and bell.id == clock.now.id,
            )
            for bell in clock.bells
        ),
    )
