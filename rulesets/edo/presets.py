"""Ready-made NPCs (rules §13) as fields, and their points under either skill table."""

from __future__ import annotations

from rulesets.edo.rows import PresetRow
from rulesets.edo.tables import Edo
from rulesets.engine.problems import Value
from rulesets.protocol import Fields, Preset


def presets(tables: Edo) -> tuple[Preset, ...]:
    """Every preset under these house rules. The name stands as the given name, to be replaced by the GM."""
    return tuple(
        Preset(row.id, row.name, row.note, preset_fields(row), row.typical_count) for row in tables.presets.values()
    )


def preset_fields(row: PresetRow) -> Fields:
    fields: dict[str, Value] = {
        "role": row.role,
        "abilities.mind": row.mind,
        "abilities.gi": row.gi,
        "abilities.body": row.body,
        "names.given": row.name.ja,
    }
    numbers: dict[str, int] = {}
    for entry in row.skills:
        key = entry.skill
        if entry.speciality:
            numbers[key] = numbers.get(key, 0) + 1
            key = f"{key}~{numbers[key]}"
            fields[f"skills.{key}.speciality"] = entry.speciality
        fields[f"skills.{key}.level"] = entry.level
    if row.endurance_bought:
        fields["endurance_bought"] = row.endurance_bought
    if row.school:
        fields[f"schools.{row.school}"] = True
    fields |= {f"perks.{perk}": True for perk in row.perks}
    for number, item in enumerate(row.items, 1):
        fields[f"possessions.{number}.id"] = item
    for number, text in enumerate(row.texts, len(row.items) + 1):
        fields[f"possessions.{number}.text"] = text
    for key, value in (("status", row.status), ("occupation", row.occupation)):
        if value:
            fields[key] = value
    return fields
