"""Revisions: legal builds in one transaction with their points and rows; overrides; restoring."""

from __future__ import annotations

import pytest

from characters.actions import builds, campaigns, pool
from characters.actions.builds import save_build
from characters.actions.errors import ActionRefused, Conflict, PoolExceeded
from characters.models import Character, EdoSheet, Pool, Revision
from characters.selectors import history
from characters.selectors.builds import draft_view, revision_view, sheet_view
from tests.factories import WORKED_EXAMPLE


def spent(table) -> int:
    return Pool.objects.get(campaign=table.campaign).spent


def fresh(character) -> Character:
    return Character.objects.select_related("revision", "cleared", "draft").get(pk=character.pk)


# ---------------------------------------------------------------- saving


def test_the_worked_example_becomes_a_revision(table, hero):
    revision = save_build(access=table.view("nagisa", hero), note="はじめの版")
    assert (revision.number, revision.spent, revision.note) == (1, 280, "はじめの版")
    assert revision.made_by == table.seat("nagisa")
    assert revision.fields == WORKED_EXAMPLE
    assert spent(table) == 280
    sheet = EdoSheet.objects.get(character=hero)
    assert (sheet.mind, sheet.gi, sheet.body, sheet.endurance_max, sheet.evasion) == (7, 7, 6, 8, 15)
    assert fresh(hero).revision == revision


def test_saving_the_same_again_gives_the_same_revision(table, hero):
    first = save_build(access=table.view("nagisa", hero))
    assert save_build(access=table.view("nagisa", hero)) == first
    assert Revision.objects.count() == 1


def test_an_illegal_draft_is_refused_with_every_problem_and_kept(table):
    character = table.make("nagisa", {**WORKED_EXAMPLE, "role": "mook", "abilities.mind": 11})
    with pytest.raises(ActionRefused) as refused:
        save_build(access=table.view("nagisa", character))
    assert {"V05", "V06"} <= {problem.code for problem in refused.value.problems}
    assert refused.value.status == 422 and refused.value.field
    assert not Revision.objects.exists() and spent(table) == 0
    assert fresh(character).draft.fields["role"] == "mook"


def test_v02_beyond_the_allocation(table, hero):
    table.edit("nagisa", hero, endurance_bought=3)
    with pytest.raises(ActionRefused) as refused:
        save_build(access=table.view("nagisa", hero))
    assert refused.value.code == "V02"
    assert spent(table) == 0


def test_without_allocations_only_the_pool_counts(table, hero):
    campaigns.set_house_rules(access=table.access("gm"), overrides={"allocations": False})
    table.edit("nagisa", hero, endurance_bought=3)
    assert save_build(access=table.view("nagisa", hero)).spent == 285
    assert spent(table) == 285


def test_v01_beyond_the_pool(table, hero):
    campaigns.set_house_rules(access=table.access("gm"), overrides={"allocations": False})
    pool.set_pool(access=table.access("gm"), total=270)
    with pytest.raises(PoolExceeded) as refused:
        save_build(access=table.view("nagisa", hero))
    assert (refused.value.code, refused.value.left) == ("V01", 270)
    assert "10点超えています（合計280/270点）" in refused.value.message


def test_v03a_when_somebody_else_was_faster(table, hero):
    campaigns.set_house_rules(access=table.access("gm"), overrides={"allocations": False})
    other = table.make("chiaki", WORKED_EXAMPLE)
    pool.set_pool(access=table.access("gm"), total=500)
    save_build(access=table.view("chiaki", other))
    with pytest.raises(PoolExceeded) as refused:
        save_build(access=table.view("nagisa", hero))
    assert (refused.value.code, refused.value.left) == ("V03a", 220)
    assert "残りは220点" in refused.value.message


def test_v04_while_the_allocations_are_above_a_cut_pool(table, hero):
    pool.allocate(access=table.access("gm"), seat=table.seat("chiaki"), points=500)
    pool.set_pool(access=table.access("gm"), total=700)
    with pytest.raises(PoolExceeded) as refused:
        save_build(access=table.view("nagisa", hero))
    assert refused.value.code == "V04"


def test_a_decrease_always_succeeds(table, hero):
    save_build(access=table.view("nagisa", hero))
    pool.set_pool(access=table.access("gm"), total=100)
    assert fresh(hero).flagged == ["V28"]
    table.edit("nagisa", hero, endurance_bought=1)
    assert save_build(access=table.view("nagisa", hero)).spent == 275
    assert spent(table) == 275
    table.edit("nagisa", hero, names__given="新八")  # nothing more spent
    save_build(access=table.view("nagisa", hero))
    table.edit("nagisa", hero, endurance_bought=2)
    with pytest.raises(PoolExceeded):
        save_build(access=table.view("nagisa", hero))
    assert spent(table) == 275


def test_two_characters_share_one_allocation(table, hero):
    save_build(access=table.view("nagisa", hero))
    second = table.make("nagisa", {**WORKED_EXAMPLE, "role": "support"})
    assert "V02" in {p.code for p in draft_view(table.view("nagisa", second)).report.errors}
    with pytest.raises(ActionRefused):
        save_build(access=table.view("nagisa", second))


# ---------------------------------------------------------------- overrides


def test_a_gm_overrides_with_a_reason(table, hero):
    table.edit("nagisa", hero, abilities__body=11)
    with pytest.raises(ActionRefused) as refused:
        save_build(access=table.view("nagisa", hero), override_reason="特別")
    assert refused.value.status == 403
    revision = save_build(access=table.view("gm", hero), override_reason="鬼の血を引くため")
    assert revision.override_reason == "鬼の血を引くため"
    assert "V06" in revision.problems
    assert fresh(hero).flagged == []  # what was allowed is not held against it


def test_no_override_beyond_the_pool(table, hero):
    campaigns.set_house_rules(access=table.access("gm"), overrides={"allocations": False})
    pool.set_pool(access=table.access("gm"), total=200)
    with pytest.raises(PoolExceeded):
        save_build(access=table.view("gm", hero), override_reason="どうしても")
    assert spent(table) == 0


def test_an_override_beyond_the_allocation_is_the_gms_to_give(table, hero):
    table.edit("nagisa", hero, endurance_bought=4)
    revision = save_build(access=table.view("gm", hero), override_reason="卓の合意")
    assert revision.spent == 290 and revision.problems == ["V02"]
    assert fresh(hero).flagged == []
    pool.set_pool(access=table.access("gm"), total=285)  # more than the share was let pass, not more than the pool
    assert fresh(hero).flagged == ["V28"]
    pool.set_pool(access=table.access("gm"), total=290)
    assert fresh(hero).flagged == []


@pytest.mark.parametrize("value", ["たくさん", -3, 40_000])
def test_no_override_of_what_is_no_number(table, hero, value):
    table.edit("nagisa", hero, abilities__body=value)
    with pytest.raises(ActionRefused) as refused:
        save_build(access=table.view("gm", hero), override_reason="どうしても")
    assert refused.value.status == 422
    assert not Revision.objects.exists() and not EdoSheet.objects.exists() and spent(table) == 0


# ---------------------------------------------------------------- rules that change


def test_a_new_price_flags_and_rewrites_nothing(table, hero):
    save_build(access=table.view("nagisa", hero))
    before = Revision.objects.get().fields
    campaigns.set_house_rules(access=table.access("gm"), overrides={"skill_cost": "n_n_plus_1"})
    assert fresh(hero).flagged == ["V28"]
    assert Revision.objects.get().fields == before and fresh(hero).spent == 280
    assert revision_view(table.view("nagisa", hero)).report.spent == 310
    campaigns.set_house_rules(access=table.access("gm"), overrides={})
    assert fresh(hero).flagged == []


def test_a_narrower_rule_flags_the_broken_code(table, hero):
    save_build(access=table.view("nagisa", hero))
    campaigns.set_house_rules(access=table.access("gm"), overrides={"skill_level_max": 4})
    assert "V07" in fresh(hero).flagged
    with pytest.raises(ActionRefused):
        builds.clear_character(access=table.view("gm", hero))


def test_house_rules_that_do_not_fit(table):
    for overrides in ({"nonsense": 1}, {"skill_level_max": "ten"}, {"ability_cost": {"5": -1}}):
        with pytest.raises(ActionRefused) as refused:
            campaigns.set_house_rules(access=table.access("gm"), overrides=overrides)
        assert refused.value.status == 422 and refused.value.problems
    with pytest.raises(ActionRefused) as refused:
        campaigns.set_house_rules(access=table.access("nagisa"), overrides={})
    assert refused.value.status == 403


# ---------------------------------------------------------------- history


def test_differences_in_words(table, hero):
    save_build(access=table.view("nagisa", hero))
    table.edit("nagisa", hero, abilities__body=5, skills__undo__level=None, endurance_bought=1, role="support")
    save_build(access=table.view("nagisa", hero))
    changes = {c.key: c for c in history.revision_changes(table.view("nagisa", hero), 2)}
    assert set(changes) == {"abilities.body", "skills.undo.level", "endurance_bought", "role"}
    assert (changes["role"].before_text.ja, changes["role"].after_text.ja) == ("準主役", "脇役")
    assert changes["skills.undo.level"].after is None and changes["skills.undo.level"].after_text is None
    assert "運動" in changes["skills.undo.level"].label.ja
    lines = history.history(table.view("nagisa", hero))
    assert [line.revision.number for line in lines] == [2, 1]
    assert lines[0].is_newest and len(lines[0].changes) == 4


def test_restoring_fills_the_draft_and_loses_nothing(table, hero):
    save_build(access=table.view("nagisa", hero))
    table.edit("nagisa", hero, names__given="権兵衛", endurance_bought=None)
    assert {c.key for c in history.restore_changes(table.view("nagisa", hero), 1)} == {
        "names.given",
        "endurance_bought",
    }
    builds.restore_revision(access=table.view("nagisa", hero), number=1)
    assert fresh(hero).draft.fields == WORKED_EXAMPLE
    assert hero.draft_backups.get().fields["names.given"] == "権兵衛"
    assert history.draft_changes(table.view("nagisa", hero)) == []


def test_no_such_revision(table, hero):
    with pytest.raises(ActionRefused) as refused:
        builds.restore_revision(access=table.view("nagisa", hero), number=9)
    assert refused.value.status == 404
    assert history.revision_changes(table.view("nagisa", hero), 9) is None


# ---------------------------------------------------------------- review


def test_draft_asked_cleared(table, hero):
    asked = builds.ask_review(access=table.view("nagisa", hero))
    assert asked.status == "asked" and asked.revision.number == 1
    cleared = builds.clear_character(access=table.view("gm", hero), number=1)
    assert cleared.status == "cleared" and cleared.cleared == cleared.revision
    table.edit("nagisa", hero, abilities__body=5)
    now = fresh(hero)
    assert now.status == "cleared"  # what was cleared still stands
    assert history.highlights(now, now.draft.fields) == {"abilities.body"}
    save_build(access=table.view("nagisa", hero))
    now = fresh(hero)
    assert now.status == "draft" and now.cleared.number == 1 and now.revision.number == 2
    builds.restore_revision(access=table.view("nagisa", hero), number=1)
    save_build(access=table.view("nagisa", hero))
    assert fresh(hero).status == "cleared"  # back to what the GM had seen


def test_asking_with_problems_is_refused(table):
    character = table.make("nagisa")
    with pytest.raises(ActionRefused) as refused:
        builds.ask_review(access=table.view("nagisa", character))
    assert refused.value.problems
    assert fresh(character).status == "draft"


def test_asking_shows_a_private_character_to_the_gm(table, hero):
    Character.objects.filter(pk=hero.pk).update(visibility="owner")
    assert not table.view("gm", hero).may_see
    builds.ask_review(access=table.view("nagisa", hero))
    assert table.view("gm", hero).may_see
    assert not table.view("chiaki", hero).may_see


def test_returning_with_a_word(table, hero):
    builds.ask_review(access=table.view("nagisa", hero))
    builds.return_character(access=table.view("co", hero), text="名前をもう一度")
    assert fresh(hero).status == "draft"
    assert hero.remarks.get().text == "名前をもう一度"
    with pytest.raises(ActionRefused) as refused:
        builds.return_character(access=table.view("co", hero))
    assert refused.value.code == "not_asked"


def test_the_gm_clears_what_was_seen(table, hero):
    builds.ask_review(access=table.view("nagisa", hero))
    table.edit("nagisa", hero, abilities__body=5)
    save_build(access=table.view("nagisa", hero))
    with pytest.raises(Conflict) as refused:
        builds.clear_character(access=table.view("gm", hero), number=1)
    assert refused.value.code == "newer_revision"
    builds.clear_character(access=table.view("gm", hero), number=2)


def test_clearing_an_illegal_draft_needs_a_reason(table):
    character = table.make("nagisa", {**WORKED_EXAMPLE, "abilities.body": 3})
    with pytest.raises(ActionRefused):
        builds.clear_character(access=table.view("gm", character))
    pool.allocate(access=table.access("gm"), seat=table.seat("nagisa"), points=400)
    cleared = builds.clear_character(access=table.view("gm", character), override_reason="まだ子どもなので")
    assert cleared.status == "cleared" and cleared.revision.override_reason == "まだ子どもなので"


@pytest.mark.parametrize("name", ["nagisa", "chiaki", "watcher"])
def test_only_gms_review(table, hero, name):
    builds.ask_review(access=table.view("nagisa", hero))
    for act in (builds.clear_character, builds.return_character):
        with pytest.raises(ActionRefused) as refused:
            act(access=table.view(name, hero))
        assert refused.value.status == 403


def test_a_sheet_shows_the_revision_not_the_draft(table, hero):
    assert sheet_view(table.view("chiaki", hero)).source == "draft"
    save_build(access=table.view("nagisa", hero))
    table.edit("nagisa", hero, abilities__body=5)
    view = sheet_view(table.view("chiaki", hero))
    assert (view.source, view.number, view.fields["abilities.body"]) == ("revision", 1, 6)
