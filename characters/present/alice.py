"""What the pages of アリス・ザ・フェアリーワールド show. The panels are in `alice_builder.py` and `alice_sheet.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from characters.present.alice_builder import AliceBuilder, alice_builder
from characters.present.alice_sheet import AliceSheet, alice_sheet
from characters.present.board import Board
from characters.present.systems import Around, CostRow, PresetRow
from rulesets import services
from rulesets.engine.problems import Report, Value
from rulesets.protocol import Preset

SLIP = gettext_noop("登場人物")

_ORDER = (
    *("ability_source", "cards", "occupation", "current_job", "job_visibility", "name", "sex", "age"),
    *("background", "belongings", "expert", "related", "out_at", "luck_spend", "boost", "notes"),
)


def builder(board: Board, around: Around) -> AliceBuilder:
    return alice_builder(board, around, services.tables(board.slug, board.house_rules), _(SLIP))


def sheet(board: Board, around: Around) -> AliceSheet:
    return alice_sheet(board, around, services.tables(board.slug, board.house_rules), _(SLIP))


def subtitle(fields: Mapping[str, Value], tables: Any, lang: str) -> str:
    """`書士・19歳・女`."""
    age = fields.get("age")
    years = _("%(n)s歳") % {"n": age} if isinstance(age, int) else ""
    found = [str(fields.get("occupation") or ""), years, str(fields.get("sex") or "")]
    return _("・").join(word for word in found if word)


def costs(report: Report, fields: Mapping[str, Value], tables: Any, lang: str) -> Sequence[CostRow]:
    """Nothing costs anything: abilities are dealt."""
    return ()


def stat_keys(report: Report) -> Sequence[str]:
    """The four readings, then what each is once or when hurt."""
    main = [key for key in report.derived if key.startswith("ability_")]
    boosts = [key for key in report.derived if key.startswith("boost_")]
    return [*main, *boosts, *(key for key in ("hand_size",) if key in report.derived)]


def order(key: str, tables: Any) -> tuple[Any, ...]:
    head, _dot, rest = key.partition(".")
    place = _ORDER.index(head) if head in _ORDER else len(_ORDER)
    suits = list(tables.suits)
    return place, suits.index(rest) if rest in suits else len(suits), rest


def named(fields: Mapping[str, Value], name: str) -> Mapping[str, Value]:
    return {"name": name}


def preset(preset: Preset, report: Report, tables: Any, lang: str) -> PresetRow:
    fields = preset.fields
    cards = [f"{suit.symbol}{fields.get(f'cards.{suit.id}', '—')}" for suit in tables.suits.values()]
    able = [
        (_("専門"), _tags(fields.get("expert"), tables, lang)),
        (_("関連"), _tags(fields.get("related"), tables, lang)),
    ]
    return PresetRow(
        id=preset.id,
        name=preset.name.pick(lang),
        icon="users" if preset.typical_count > 1 else "cards",
        role="",
        abilities=_("　").join(cards),
        skills=_("・").join(_("%(cls)s：%(what)s") % {"cls": label, "what": what} for label, what in able if what),
        note=preset.note.pick(lang),
        points=0,
        count=preset.typical_count,
    )


def _tags(value: Value, tables: Any, lang: str) -> str:
    """What a preset is good at, in the reader's language where its words are known."""
    found = [tag for tag in str(value or "").split("・") if tag]
    known = [tables.labels.get(f"tag.{tag}") for tag in found]
    return _("・").join(row.text.pick(lang) if row else tag for tag, row in zip(found, known, strict=True))
