"""Ready-made NPCs (rules §7.4, §8) as fields. What no source gives stays open."""

from __future__ import annotations

from rulesets.engine.problems import Value
from rulesets.ninja.rows import ABILITIES, PresetRow
from rulesets.ninja.sheet import NPC_FLAGS
from rulesets.ninja.tables import Ninja
from rulesets.protocol import Fields, Preset

_NUMBERS = (
    *("hp", "mp", "legs", "attack", "shoot", "initiative", "hack", "evade", "precise", "cartwheel", "cast"),
    *("emergency", "reduction", "multi_attack", "multi_shot", "damage", "shoot_damage"),
)


def presets(tables: Ninja) -> tuple[Preset, ...]:
    """Every preset under these house rules."""
    rows = tables.presets.values()
    return tuple(Preset(row.id, row.name, row.note, preset_fields(row), row.typical_count) for row in rows)


def preset_fields(row: PresetRow) -> Fields:
    fields: dict[str, Value] = {"method": "npc", "name": row.name.ja, "npc.kind": row.kind, "npc.preset": row.id}
    fields |= {f"abilities.{ability}": getattr(row, ability) for ability in ABILITIES}
    fields |= {f"npc.{name}": getattr(row, name) for name in _NUMBERS}
    fields |= {f"npc.{name}": getattr(row, name) or None for name in NPC_FLAGS}
    fields |= {"money": row.money, "karma_good": row.karma_good or None}
    fields |= {f"skills.{skill}": "owned" for skill in row.skills}
    carried = [weapon for weapon in row.weapons if weapon not in ("unarmed", "shuriken")]
    fields |= {f"equipment.{n}.id": weapon for n, weapon in enumerate(carried, 1)}
    return {key: value for key, value in fields.items() if value is not None}
