"""The house rules page: read by all, changed by GMs, a row at a time, nothing lost, characters flagged."""

from __future__ import annotations

import pytest

from characters.actions import builds
from characters.forms import rules as forms
from characters.models import Campaign
from rulesets import services
from tests.characters.views_campaign.conftest import panel, post, text

pytestmark = pytest.mark.django_db


def overrides(table) -> dict:
    return Campaign.objects.get(pk=table.campaign.pk).house_rules


def rule(table, key):
    return next(row for row in services.house_rules("edo", overrides(table)) if row.key == key)


def controls(table, key, **changed) -> dict[str, str]:
    """What a browser would send for a row, with some controls changed."""
    from characters.present.rules import control_text

    row = rule(table, key)
    sent = {cell.control: control_text(forms.cell_value(row, cell, row.value)) for cell in forms.cells(row)}
    typed = {("v" if name == "v" else f"v:{name}"): value for name, value in changed.items()}
    return {**sent, **typed, "key": key, "base": forms.base_of(row), "do": "set"}


def test_every_row_is_there_for_everybody(table, as_, at):
    rows = services.house_rules("edo", {})
    for name in ("gm", "nagisa", "watcher"):
        page = as_(name).get(at("campaign_rules")).content.decode()
        for row in rows:
            assert row.label.ja in page
        assert ('name="do" value="set"' in page) is (name == "gm")
    assert page.count("推定値") >= sum(row.inferred for row in rows)


def test_setting_a_row_and_taking_it_back(table, as_, at):
    gm = as_("gm")
    answer = post(gm, at("campaign_rules"), controls(table, "skill_level_max", v="７"))
    assert answer.status_code == 303 and answer["Location"].endswith("#rule-skill-level-max")
    assert overrides(table) == {"skill_level_max": 7}
    assert "変更" in panel(gm.get(at("campaign")), "rules")
    post(gm, at("campaign_rules"), {"key": "skill_level_max", "do": "reset"}, htmx=True)
    assert overrides(table) == {}


def test_alternatives_are_one_click_and_add_up(table, as_, at):
    gm = as_("gm")
    assert post(gm, at("campaign_rules"), {"key": "skill_base_ability", "do": "alt:0"}).status_code == 303
    answer = post(gm, at("campaign_rules"), {"key": "skill_base_ability", "do": "alt:1"}, htmx=True)
    assert answer.content.decode().lstrip().startswith('<div class="setting" id="rule-skill-base-ability"')
    assert overrides(table)["skill_base_ability"] == {"jujutsu": "body", "kenpo": "body"}
    for odd in ("alt:99", "alt:-1", "alt:x", "alt:", "alt:²", "alt:" + "9" * 5_000):
        assert post(gm, at("campaign_rules"), {"key": "skill_base_ability", "do": odd}).status_code == 404


def test_a_wrong_value_stays_in_its_row_and_changes_nothing(table, as_, at):
    for htmx in (False, True):
        sent = controls(table, "ability_cost", **{"4": "ただ", "5": "14"})
        answer = post(as_("gm"), at("campaign_rules"), sent, htmx=htmx)
        page = answer.content.decode()
        assert answer.status_code == 422
        assert 'id="rule-ability-cost-error"' in page and 'value="ただ"' in page
        assert page.count('aria-invalid="true"') == 1
    assert overrides(table) == {}


def test_two_gms_change_different_cells_and_lose_nothing(table, as_, at):
    first = controls(table, "ability_cost", **{"4": "6"})
    second = controls(table, "ability_cost", **{"5": "15"})
    assert post(as_("gm"), at("campaign_rules"), first).status_code == 303
    assert post(as_("co"), at("campaign_rules"), second).status_code == 303
    assert overrides(table)["ability_cost"] == {"4": 6, "5": 15}


def test_two_gms_change_the_same_cell_and_the_second_is_told(table, as_, at):
    first, second = (controls(table, "ability_cost", **{"4": value}) for value in ("6", "7"))
    post(as_("gm"), at("campaign_rules"), first)
    answer = post(as_("co"), at("campaign_rules"), second)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "ほかのGM" in page and 'value="7"' in page
    assert overrides(table)["ability_cost"] == {"4": 6}


@pytest.mark.parametrize("key", ["", "no_such_rule", "x" * 10_000, "<b>"])
def test_unknown_rows_are_refused_in_words(table, as_, at, key):
    for do in ("set", "reset", "alt:0"):
        answer = post(as_("gm"), at("campaign_rules"), {"key": key, "do": do})
        assert answer.status_code == 404 and "読み込み直して" in text(answer.content)


@pytest.mark.parametrize("base", ["", "{", "[1,2]", "null", '{"4":{"x":1}}', "[" * 100_000, '{"\\ud800":1}'])
def test_a_broken_base_never_fails(table, as_, at, base):
    sent = controls(table, "ability_cost", **{"4": "6"}) | {"base": base}
    assert post(as_("gm"), at("campaign_rules"), sent).status_code in (303, 409, 422)


@pytest.mark.parametrize("name", ["nagisa", "watcher"])
def test_only_gms_change_rules(table, as_, at, name):
    answer = post(as_(name), at("campaign_rules"), controls(table, "skill_level_max", v="7"))
    assert answer.status_code == 403
    assert overrides(table) == {}
    assert post(as_(name), at("campaign_rules"), {"do": "reset_all"}).status_code == 403


def test_who_is_affected_is_said_and_nobody_is_rewritten(table, hero, as_, at):
    builds.save_build(access=table.view("nagisa", hero))
    before = hero.draft.fields
    answer = as_("gm").post(at("campaign_rules"), controls(table, "skill_cost", v="n_n_plus_1"), follow=True)
    said = text(answer.content)
    assert "1人の役を確かめ直しました" in said and "見直しが要るのは1人" in said
    assert "桐生" in text(panel(answer, "flags"))
    hero.draft.refresh_from_db()
    assert hero.draft.fields == before
    answer = as_("gm").post(at("campaign_rules"), {"do": "reset_all"}, follow=True)
    assert "見直しが要るのは0人" in text(answer.content)


def test_searching_and_narrowing_work_without_a_script(table, as_, at):
    gm = as_("gm")
    found = gm.get(at("campaign_rules"), {"q": "初太刀"}).content.decode()
    assert "初太刀とは" in found and "一座の役作り点" not in found
    assert "あてはまる決めごとはありません" in text(gm.get(at("campaign_rules"), {"q": "ぬるぽ"}).content)
    post(gm, at("campaign_rules"), controls(table, "skill_level_max", v="7"))
    page = gm.get(at("campaign_rules"), {"show": "changed"})
    assert [row.key for group in page.context["page"].groups for row in group.rows] == ["skill_level_max"]
