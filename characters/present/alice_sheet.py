"""The sheet of アリス, on the screen and on paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from characters.present.board import Board, StatView, stat
from characters.present.systems import Around


@dataclass(frozen=True, slots=True)
class AbilityCard:
    """An ability as it lies before its player. `hurt`: what it reads at 軽傷."""

    suit: str
    name: str
    card: str
    stat: StatView
    hurt: str
    boost: str
    dealt: bool


@dataclass(frozen=True, slots=True)
class Line:
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class TradeClass:
    """How the trade usually counts for a kind of test (§5.5): a start for the GM, decided in play."""

    test: str
    cls: str
    inferred: bool


@dataclass(frozen=True, slots=True)
class AliceSheet:
    """What `alice/sheet.html` and `alice/print.html` show."""

    slip: str
    sheet_template: str
    print_template: str
    title: str
    npc: bool
    abilities: tuple[AbilityCard, ...]
    source: str
    person: tuple[Line, ...]
    texts: tuple[Line, ...]
    trade: str
    expert: str
    related: str
    classes: tuple[TradeClass, ...]
    boxes: tuple[int, ...] = (1, 2, 3)
    free: bool = True  # nothing costs points


def alice_sheet(board: Board, around: Around, tables: Any, slip: str) -> AliceSheet:
    """Everything of a build, from its fields and report."""
    trade = tables.known_occupations.get(_text(board, "occupation"))
    known = trade is not None and hasattr(trade, "expert")
    return AliceSheet(
        slip=slip,
        sheet_template="alice/sheet.html",
        print_template="alice/print.html",
        title=_title(board),
        npc=around.npc,
        abilities=tuple(_abilities(board, around, tables)),
        source=board.say("ability_source", board.value("ability_source")) if board.value("ability_source") else "",
        person=tuple(_person(board, around.npc)),
        texts=tuple(_texts(board)),
        trade=_text(board, "occupation"),
        expert=board.pick(trade.expert) if known else _text(board, "expert"),
        related=board.pick(trade.related) if known else _text(board, "related"),
        classes=tuple(_classes(board, tables, trade)) if trade is not None else (),
    )


def _text(board: Board, key: str) -> str:
    value = board.value(key)
    return value if isinstance(value, str) else ""


def _title(board: Board) -> str:
    age = board.number("age")
    years = _("%(n)s歳") % {"n": age} if age is not None else ""
    return _("・").join(word for word in (_text(board, "occupation"), years, _text(board, "sex")) if word)


def _abilities(board: Board, around: Around, tables: Any) -> Iterator[AbilityCard]:
    derived = board.report.derived
    for suit in tables.suits.values():
        reading = derived.get(f"ability_{suit.id}")
        if reading is None:
            continue
        hurt, boost = derived.get(f"light_{suit.id}"), derived.get(f"boost_{suit.id}")
        record = around.rolled.get(f"cards.{suit.id}")
        rank = _text(board, f"cards.{suit.id}")
        yield AbilityCard(
            suit=suit.id,
            name=board.pick(suit.ability),
            card="" if rank in ("0", "1") else f"{suit.id}{rank}",
            stat=stat(reading, board.lang),
            hurt=str(hurt.value) if hurt is not None else "",
            boost=str(boost.value) if boost is not None else "",
            dealt=record is not None and record.step == "draft",
        )


def _person(board: Board, npc: bool) -> Iterator[Line]:
    keys = ("expert", "related", "out_at") if npc else ("name", "sex", "age", "occupation", "current_job")
    for key in keys:
        value = board.value(key)
        if value not in (None, ""):
            yield Line(board.label(key), board.say(key, value))


def _texts(board: Board) -> Iterator[Line]:
    for key in ("background", "belongings", "notes"):
        if _text(board, key):
            yield Line(board.label(key), _text(board, key))


def _classes(board: Board, tables: Any, trade: Any) -> Iterator[TradeClass]:
    tests = {
        "combat": _("戦い"),
        "reason": _("道理（専門外のこと）"),
        "empathy": _("交感"),
        "acquire": _("獲得"),
    }
    for key, label in tests.items():
        cls = tables.classes[getattr(trade, key)]
        yield TradeClass(label, board.pick(cls.name), bool(trade.inferred_in(key)))
