"""Ready-made witches and cats for the GM, as fields."""

from __future__ import annotations

from rulesets.engine.problems import Value
from rulesets.protocol import Fields, Preset
from rulesets.witch.rows import COLUMNS, PresetRow
from rulesets.witch.tables import Witch


def presets(tables: Witch) -> tuple[Preset, ...]:
    """Every preset under these house rules."""
    return tuple(
        Preset(row.id, row.name, row.note, preset_fields(row, tables), row.typical_count)
        for row in tables.presets.values()
    )


def preset_fields(row: PresetRow, tables: Witch) -> Fields:
    """The fields of a row; factors that the group does not use are left out, further ones start at 3."""
    published = tables.cat_factors if row.kind == "cat" else tables.factors
    values = dict(zip(published, row.factors, strict=False))
    fields: dict[str, Value] = {"kind": row.kind, "age": row.age, "hp": row.hp}
    fields |= {"birthday.month": row.birthday[0], "birthday.day": row.birthday[1]}
    fields |= {f"factors.{factor}": values.get(factor, 3) for factor in tables.factors_of(row.kind)}
    if row.kind == "cat":
        fields |= {"whisker_name": row.name.ja, "sex": row.sex, "color": row.color, "mp": row.mp}
        if row.pattern:
            fields["pattern"] = row.pattern
        return fields | {f"spells.{spell}": True for spell in row.spells if spell in tables.spells}
    fields |= {"common_name": row.name.ja, "sign_card": row.sign, "shadow_card": row.shadow}
    fields |= {f"power.{column}": value for column, value in zip(COLUMNS, row.power, strict=True)}
    for number, skill in enumerate(row.skills, 1):
        fields |= {f"skills.{number}.name": skill.name, f"skills.{number}.value": skill.value}
        if skill.factor:
            fields[f"skills.{number}.factor"] = skill.factor
    return fields
