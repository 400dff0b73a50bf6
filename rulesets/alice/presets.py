"""Ready-made GM characters (rules §13.2) as fields."""

from __future__ import annotations

from rulesets.alice.cards import SUITS
from rulesets.alice.rows import PresetRow
from rulesets.alice.tables import Tables
from rulesets.engine.problems import Value
from rulesets.protocol import Fields, Preset


def presets(tables: Tables) -> tuple[Preset, ...]:
    """Every preset under these house rules."""
    return tuple(
        Preset(row.id, row.name, row.note, preset_fields(row), row.typical_count) for row in tables.presets.values()
    )


def preset_fields(row: PresetRow) -> Fields:
    fields: dict[str, Value] = {"name": row.name.ja}
    fields |= {f"cards.{suit}": getattr(row, suit) for suit in SUITS}
    fields |= {key: tags for key, tags in (("expert", row.expert), ("related", row.related)) if tags}
    return fields
