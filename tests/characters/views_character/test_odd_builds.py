"""Pages of builds nobody would make: drafts may hold anything, and groups may set any price their rules allow."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.urls import reverse

from characters.actions.house_rules import change_house_rules
from characters.models import Campaign, Draft
from rulesets import services
from tests.characters.views_campaign.conftest import as_, text  # noqa: F401
from tests.factories import WORKED_EXAMPLE

pytestmark = pytest.mark.django_db

PAGES = ("character_edit", "character", "character_print", "character_export")
TYPED: tuple[Any, ...] = (0, 1, 2, 3, 4, 6, 10, 11, 16, -3, 99_999, "abc", "三", True)


def pages(client: Any, character: Any) -> dict[str, Any]:
    """Every page that draws a build, all answered."""
    answers = {name: client.get(reverse(name, args=[character.slug])) for name in PAGES}
    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(PAGES, 200)
    return answers


def test_endurance_may_be_free(table, hero, as_):  # noqa: F811
    change_house_rules(access=table.access("gm"), change=lambda _now: {"endurance_cost": 0})
    shown = pages(as_("nagisa"), hero)
    assert "2×0" in text(shown["character_edit"].content)


def test_a_mistyped_number_is_drawn(table, hero, as_):  # noqa: F811
    table.edit("nagisa", hero, abilities__gi=77_777, skills__undo__level=-4)
    pages(as_("nagisa"), hero)


@pytest.mark.parametrize("seed", range(6))
def test_every_page_of_any_draft_under_any_house_rules(table, hero, as_, seed):  # noqa: F811
    chance = random.Random(seed)
    npc = table.make("gm", None, kind="npc", preset="N11")
    Campaign.objects.filter(pk=table.campaign.pk).update(house_rules=some_house_rules(chance))
    for name, character in (("nagisa", hero), ("gm", npc)):
        Draft.objects.filter(character=character).update(fields=some_fields(chance))
        pages(as_(name), character)
    gm = as_("gm")
    for page in ("campaign", "campaign_rules", "party_export"):
        assert gm.get(reverse(page, args=[table.campaign.slug])).status_code == 200, page


def some_house_rules(chance: random.Random) -> dict[str, Any]:
    """About half of the rows changed, each to something allowed."""
    found: dict[str, Any] = {}
    for rule in services.house_rules("edo", {}):
        if chance.random() < 0.5:
            continue
        value = _value(rule.schema, chance)
        if not services.check_house_rules("edo", {**found, rule.key: value}):
            found[rule.key] = value
    assert found
    return found


def _value(schema: Any, chance: random.Random) -> Any:
    kind = schema["type"]
    if kind == "table":
        columns = schema["columns"]
        rows = [row["id"] for row in schema["rows"] if chance.random() < 0.4]
        if len(columns) == 1:
            return {row: _value(columns[0], chance) for row in rows}
        return {row: {column["id"]: _value(column, chance) for column in columns} for row in rows}
    if kind == "int":
        low, high = schema["min"], schema["max"]
        return chance.choice([low, high, chance.randint(low, high)])
    if kind == "bool":
        return chance.random() < 0.5
    return chance.choice(schema["choices"])["value"] if kind == "choice" else chance.choice(["", "ほげ<b>"])


def some_fields(chance: random.Random) -> dict[str, Any]:
    """A draft with anything in its fields, of the keys a draft may have."""
    tables = services.tables("edo", {})
    found: dict[str, Any] = {f"abilities.{one}": chance.choice(TYPED) for one in ("mind", "gi", "body")}
    for skill in tables.skills.values():
        if chance.random() < 0.4:
            row = chance.choice([skill.id, f"{skill.id}~1", f"{skill.id}~2"])
            found[f"skills.{row}.level"] = chance.choice(TYPED)
            found[f"skills.{row}.speciality"] = chance.choice(["踊り", "蘭語", "<script>", "日本語", " ", 5])
            found[f"skills.{row}.base"] = chance.choice(["gi", "zz", 5])
    for group, ids in (("schools", [*tables.schools, "own_1"]), ("perks", [*tables.perks, "iai~2"])):
        found |= {f"{group}.{one}": chance.choice([True, "x"]) for one in ids if chance.random() < 0.3}
    arms = [*tables.weapons, *tables.ranged, *tables.armour, "excalibur", 4]
    found |= {f"possessions.{n}.id": chance.choice(arms) for n in range(1, 6)}
    found |= {f"money_dice.{n}": chance.choice([1, 6, 7, "x"]) for n in range(1, 3)}
    found |= {
        "role": chance.choice([*tables.roles, "hero", 5]),
        "endurance_bought": chance.choice(TYPED),
        "style_skill": chance.choice(["kenjutsu", "undo", "kenjutsu~2", "zz", 7]),
        "style_name": chance.choice(["甲", 3]),
        "names.family": chance.choice(["甲", "<b>", 5]),
        "status": chance.choice([*tables.statuses, "宇宙人", 3]),
        "occupation": chance.choice([*tables.occupations, "x", 3]),
    }
    kept = {key: value for key, value in found.items() if services.known_field("edo", key) and chance.random() < 0.9}
    assert len(kept) > len(WORKED_EXAMPLE)
    return kept
