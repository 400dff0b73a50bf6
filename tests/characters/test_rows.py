"""Rows of a sheet: written from the revision, readable back as the same build, rebuilt when lost."""

from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command

from characters.actions import builds, rows
from characters.models import Character, EdoSheet, EdoSkill, EdoStyle, Pool
from rulesets import services
from tests.factories import WORKED_EXAMPLE

RICH = {
    **WORKED_EXAMPLE,
    "skills.geino~1.level": 1,
    "skills.geino~1.speciality": "三味線",
    "skills.geino~1.base": "gi",
    "skills.geino~2.level": 2,
    "skills.geino~2.speciality": "踊り",
    "skills.yomikaki~1.level": 2,
    "skills.yomikaki~1.speciality": "蘭語",
    "skills.rangaku.level": 2,
    "style_name": "我流・桐生剣",
    "names.office": "主水",
    "status": "ronin",
    "occupation": "kenkaku",
    "possessions.1.id": "daito",
    "possessions.2.text": "母の形見の櫛 <b>",
    "possessions.3.id": "wakizashi",
    "possessions.3.text": "無銘",
    "money_dice.1": 4,
}


def fresh(character) -> Character:
    return Character.objects.select_related("campaign", "revision").get(pk=character.pk)


@pytest.mark.parametrize("name", ["worked", "rich", *(f"N{n:02}" for n in range(1, 18))])
def test_rows_give_the_build_back(table, name):
    if name.startswith("N"):
        character = table.make("gm", kind="npc", preset=name)
    else:
        character = table.make("gm", RICH if name == "rich" else WORKED_EXAMPLE, kind="npc")
    revision = fresh(character).revision
    assert revision is not None, "the build must be legal"
    build = rows.read(fresh(character))
    assert build == revision.build
    assert services.from_build("edo", build) == {**services.from_build("edo", revision.build)}
    assert services.to_build("edo", services.from_build("edo", build)) == build


def test_rows_carry_what_lists_need(table):
    character = table.make("gm", RICH, kind="npc")
    sheet = EdoSheet.objects.get(character=character)
    assert (sheet.endurance_max, sheet.evasion, sheet.given_name) == (8, 15, "新八郎")
    effective = {(row.skill, row.speciality): row.effective for row in sheet.skills.all()}
    assert effective["kenjutsu", ""] == 12 and effective["geino", "踊り"] == 9
    assert effective["yomikaki", "蘭語"] == 9


def test_a_new_revision_replaces_the_rows(table):
    character = table.make("gm", RICH, kind="npc")
    table.edit("gm", character, **{"skills__geino~1__level": None, "skills__geino~1__speciality": None})
    table.edit("gm", character, **{"skills__geino~1__base": None, "perks__iai": None})
    builds.save_build(access=table.view("gm", character))
    assert rows.read(fresh(character)) == fresh(character).revision.build
    assert EdoSkill.objects.filter(sheet_id=character.pk, skill="geino").count() == 1
    assert not EdoStyle.objects.filter(sheet_id=character.pk, ref="iai").exists()


def test_a_repeated_perk_a_gm_allowed(table):
    character = table.make("gm", {**WORKED_EXAMPLE, "perks.iai~2": True}, kind="npc")
    builds.save_build(access=table.view("gm", character), override_reason="二刀の居合")
    assert rows.read(fresh(character))["perks"].count("iai") == 2


def rebuild(*options: str) -> str:
    out = io.StringIO()
    call_command("rebuild_rows", *options, stdout=out)
    return out.getvalue()


def test_rebuilding_puts_rows_and_sums_right(table, hero):
    builds.save_build(access=table.view("nagisa", hero))
    assert rebuild("--check") == "0 differ\n"
    EdoSkill.objects.filter(sheet_id=hero.pk, skill="kenjutsu").update(level=1)
    npc = table.make("gm", kind="npc", preset="N01")
    EdoSheet.objects.filter(pk=npc.pk).delete()
    Pool.objects.filter(campaign=table.campaign).update(spent=7, allocated=3)
    with pytest.raises(CommandError):
        rebuild("--check")
    assert rebuild().endswith("4 put right\n")
    assert rebuild("--check") == "0 differ\n"
    assert rows.read(fresh(hero)) == fresh(hero).revision.build
    pool = Pool.objects.get(campaign=table.campaign)
    assert (pool.spent, pool.allocated) == (280, 280)
