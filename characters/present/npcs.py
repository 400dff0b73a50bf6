"""Ready-made NPCs as choices, and the fields one starts with."""

from __future__ import annotations

from characters.models import Campaign
from characters.present.systems import PresetRow, presenter
from rulesets import services
from rulesets.engine.problems import Value
from rulesets.protocol import Context


def preset_rows(campaign: Campaign, lang: str) -> list[PresetRow]:
    """Every preset under the campaign's house rules, with its points."""
    system, rules = campaign.system, campaign.house_rules
    game, tables = presenter(system), services.tables(system, rules)
    rows = []
    for preset in services.presets(system, rules):
        report = services.check(system, preset.fields, rules, Context(kind="npc"))
        rows.append(game.preset(preset, report, tables, lang))
    return rows


def started(campaign: Campaign, preset: str, name: str) -> dict[str, Value]:
    """The fields of a new NPC: a preset or a blank sheet, under a name of its own if one was typed."""
    system, rules = campaign.system, campaign.house_rules
    fields = dict(services.blank(system, "npc", rules))
    for row in services.presets(system, rules):
        if row.id == preset:
            fields = dict(row.fields)
    if name:
        fields |= presenter(system).named(fields, name)
    return fields
