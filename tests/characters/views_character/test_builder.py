"""The builder: fields saved one by one or all at once, conflicts, refusals, repairs, dice; nothing typed is lost."""

from __future__ import annotations

import json
import re

import pytest
from django.urls import reverse

from characters.models import CreationRecord, Draft
from tests.characters.views_campaign.conftest import text
from tests.characters.views_character.conftest import fields_of, marks, script_post

pytestmark = pytest.mark.django_db


def url(name: str, character, *args) -> str:
    return reverse(name, args=[character.slug, *args])


# ---------------------------------------------------------------- the page


def test_page_shows_the_build_its_costs_and_its_numbers(hero, open_):
    page = open_("nagisa", hero)
    words = text(page.html)
    assert page.value("abilities.mind") == "7" and page.value("skills.kenjutsu.level") == "5"
    assert page.controls.values["f.role"] == "co_lead" and page.controls.values["f.perks.iai"] == "1"
    assert "合計 280 / 280" in words
    assert "8にすると ＋21点" in words and "6にすると −17点" in words
    assert "取った9" in words and "すべて32" in words
    assert "推定値" in words
    assert json.loads(page.controls.values["base"])["abilities.mind"] == 7


def test_every_control_has_a_name_for_those_who_do_not_see(hero, open_):
    html = open_("nagisa", hero).html
    labelled = set(re.findall(r'<label[^>]* for="([^"]+)"', html))
    for control in re.findall(r"<(?:input|select)[^>]*data-base[^>]*>", html):
        ident = re.search(r' id="([^"]+)"', control)
        named = "aria-label=" in control or (ident and ident[1] in labelled)
        assert named or 'type="radio"' in control or 'type="checkbox"' in control, control


def test_who_may_open_it(table, hero, as_):
    here = url("character_edit", hero)
    assert as_("nagisa").get(here).status_code == 200
    assert as_("gm").get(here).status_code == 200
    assert as_("chiaki").get(here).status_code == 403
    assert as_("watcher").get(here).status_code == 403
    assert as_(None).get(here).status_code == 302
    outsider = table.users.setdefault("outsider", type(table.users["gm"]).objects.create(username="outsider"))
    client = as_("outsider")
    assert outsider and client.get(here).status_code == 404
    assert (
        script_post(client, url("draft_save", hero), {"names.given": "x"}, {"names.given": "新八郎"}).status_code == 404
    )


def test_removed_member_gets_a_clear_answer_and_changes_nothing(table, hero, as_, open_):
    from characters.actions import members

    page = open_("nagisa", hero).type(names__given="直した")
    members.remove_seat(access=table.access("gm"), seat=table.seat("nagisa"))
    assert page.send().answer.status_code == 404
    assert fields_of(hero)["names.given"] == "新八郎"


def test_a_closed_table_is_said_in_words_and_keeps_what_was_typed(table, hero, open_):
    from django.utils import timezone

    from live.models import Topic

    page = open_("nagisa", hero).type(names__given="直した")
    Topic.objects.filter(name=table.campaign.topic).update(closed_at=timezone.now())
    page.send()
    assert page.answer.status_code == 409 and "この卓は閉じています" in text(page.html)
    assert page.value("names.given") == "直した"


# ---------------------------------------------------------------- saving


def test_script_sends_one_field_and_gets_the_parts_back(hero, as_):
    answer = script_post(as_("nagisa"), url("draft_save", hero), {"abilities.mind": "８"}, {"abilities.mind": 7})
    assert (answer.status_code, answer["X-Builder"]) == (200, "1")
    html = answer.content.decode()
    assert "<html" not in html and 'id="b-band"' in html and 'id="now"' in html and 'id="b-dock"' in html
    assert fields_of(hero)["abilities.mind"] == 8
    assert "301" in text(html) and "21点多く使っています" in text(html)


def test_whole_form_without_script_changes_only_what_was_typed(hero, open_):
    before = fields_of(hero)
    page = open_("nagisa", hero).type(names__office="新さん", abilities__body="7").send()
    assert page.answer.status_code == 303
    after = fields_of(hero)
    assert after == {**before, "names.office": "新さん", "abilities.body": 7}
    version = Draft.objects.get(pk=hero.pk).version
    open_("nagisa", hero).send()
    assert Draft.objects.get(pk=hero.pk).version == version


def test_taking_out_a_tick_and_clearing_a_field(hero, open_):
    page = open_("nagisa", hero)
    page.typed = {"f.perks.iai": None, "f.names.family": "", "f.skills.undo.level": "0"}
    page.send()
    left = fields_of(hero)
    assert "perks.iai" not in left and "names.family" not in left and "skills.undo.level" not in left
    assert left["perks.opp_defence_harder"] is True


def test_two_editors_on_different_fields_merge(hero, open_):
    mine, theirs = open_("nagisa", hero), open_("gm", hero)
    theirs.type(names__office="与吉").send()
    mine.type(names__given="新吉").send()
    assert mine.answer.status_code == 303
    assert (fields_of(hero)["names.office"], fields_of(hero)["names.given"]) == ("与吉", "新吉")
    # the page says that somebody else changed something
    shown = mine.client.get(mine.answer["Location"])
    assert "ほかの人の変更1件" in shown.content.decode()


def test_same_field_shows_both_versions_and_keeps_everything_typed(hero, open_):
    mine, theirs = open_("nagisa", hero), open_("gm", hero)
    theirs.type(names__given="三太").send()
    mine.type(names__given="梅吉", names__office="うめさん").send()
    assert mine.answer.status_code == 409
    at = marks(mine.html, "names.given")
    assert "梅吉" in at and "三太" in at and "雪村" in at
    assert "自分の値にする" in at and "相手の値にする" in at
    assert mine.value("names.given") == "梅吉"
    assert fields_of(hero)["names.given"] == "三太" and fields_of(hero)["names.office"] == "うめさん"
    # seen both: sending again is the choice of one's own, "take" the choice of the other
    mine.typed = {}
    assert mine.send().answer.status_code == 303
    assert fields_of(hero)["names.given"] == "梅吉"


def test_taking_the_other_value_drops_ones_own(hero, open_):
    mine, theirs = open_("nagisa", hero), open_("gm", hero)
    theirs.type(names__given="三太").send()
    mine.type(names__given="梅吉").send()
    mine.typed = {}
    assert mine.send(take="names.given").answer.status_code == 303
    assert fields_of(hero)["names.given"] == "三太"


def test_conflict_for_the_script_is_409_with_parts(hero, as_, open_):
    open_("gm", hero).type(names__given="三太").send()
    answer = script_post(as_("nagisa"), url("draft_save", hero), {"names.given": "梅吉"}, {"names.given": "新八郎"})
    assert (answer.status_code, answer["X-Builder"]) == (409, "1")
    html = answer.content.decode()
    assert 'data-conflict="names.given"' in html and "data-kept" in html and '"三太"' in html.replace("&quot;", '"')


def test_the_same_press_twice_counts_once_and_answers_the_same(hero, as_):
    client = as_("nagisa")
    press = {"command_id": "0123456789abcdef" * 2}
    first = script_post(client, url("draft_save", hero), {"names.given": "一"}, {"names.given": "新八郎"}, **press)
    version = Draft.objects.get(pk=hero.pk).version
    again = script_post(client, url("draft_save", hero), {"names.given": "一"}, {"names.given": "新八郎"}, **press)
    assert (first.status_code, again.status_code) == (200, 200)
    assert Draft.objects.get(pk=hero.pk).version == version


def test_going_back_without_a_script_and_typing_more_loses_nothing(hero, open_):
    page = open_("nagisa", hero)
    left = page.answer  # what "Back" brings again, with the id it was drawn with
    page.type(names__office="新さん").send()
    page.answer = left
    page.type(names__given="一").send()
    assert page.answer.status_code == 303
    assert (fields_of(hero)["names.office"], fields_of(hero)["names.given"]) == ("新さん", "一")


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("key", "typed", "words"),
    [
        ("abilities.mind", "たくさん", "心は4〜10の整数"),
        ("abilities.mind", "99", "心は4〜10の整数"),
        ("skills.kenjutsu.level", "-3", "剣術のレベルは"),
        ("skills.kenjutsu.level", "1e9", "剣術のレベルは"),
        ("endurance_bought", "九", "耐久点"),
        ("role", "mook", "役格を選んでください"),
        ("role", "<script>", "役格を選んでください"),
        ("style_skill", "drop table", ""),
    ],
)
def test_wrong_values_are_kept_and_explained_at_their_field(hero, as_, open_, key, typed, words):
    base = {key: fields_of(hero).get(key)}
    answer = script_post(as_("nagisa"), url("draft_save", hero), {key: typed}, base)
    assert answer.status_code == 200
    assert fields_of(hero)[key] == type(fields_of(hero)[key])(typed)
    page = open_("nagisa", hero)
    assert words in text(marks(page.html, key)) and "field__err" in marks(page.html, key)
    assert "<script>" not in page.html.replace('<script src="', "")


def test_far_too_long_text_is_refused_at_its_field_and_stays_on_the_page(hero, open_):
    page = open_("nagisa", hero).type(names__given="あ" * 10_000, names__office="新さん").send()
    assert page.answer.status_code == 422
    assert "200字まで" in marks(page.html, "names.given")
    assert page.value("names.given") == "あ" * 10_000
    assert fields_of(hero)["names.given"] == "新八郎" and fields_of(hero)["names.office"] == "新さん"


def test_markup_and_emoji_in_names_stay_text(hero, open_):
    page = open_("nagisa", hero).type(names__family="", names__given='<b onclick="x">梅</b>😀').send()
    assert page.answer.status_code == 303
    html = open_("nagisa", hero).html
    assert "<b onclick" not in html and "&lt;b onclick=&quot;x&quot;&gt;梅&lt;/b&gt;😀" in html


@pytest.mark.parametrize("base", ["", "{", "[]", '{"a": {"b": 1}}', "null", '{"abilities.mind": ' + "9" * 400 + "}"])
def test_broken_hidden_fields_are_400_in_words(hero, as_, base):
    for headers in ({}, {"HX-Request": "true"}):
        answer = as_("nagisa").post(url("draft_save", hero), {"base": base, "f.abilities.mind": "9"}, headers=headers)
        assert answer.status_code == 400
        assert "読み込み直してください" in answer.content.decode()
    assert fields_of(hero)["abilities.mind"] == 7


def test_unknown_fields_are_left_out_and_unknown_repairs_refused(hero, as_):
    answer = script_post(
        as_("nagisa"), url("draft_save", hero), {"nonsense": "1", "skills.x.level": "2"}, {"nonsense": None}
    )
    assert answer.status_code == 200
    answer = as_("nagisa").post(url("draft_fix", hero), {"base": "{}", "fix": '{"nonsense": 1}'})
    assert answer.status_code == 422 and "知らない項目" in answer.content.decode()
    assert "nonsense" not in fields_of(hero)


# ---------------------------------------------------------------- repairs, steps, dice


@pytest.mark.parametrize(
    ("base", "fix"),
    [
        ({}, {"\ud800": 1}),
        ({"names.given": "x"}, {"names.given": "\udfffa"}),
        ({"names.given": "\ud800\0"}, {"names.given": "b"}),
        ({}, {"names.given": "\ud800" * 300}),
    ],
)
def test_halves_of_characters_in_hidden_fields_are_refused_in_words(hero, open_, base, fix):
    before = fields_of(hero)
    page = open_("nagisa", hero).send("draft_fix", base=json.dumps(base), fix=json.dumps(fix))
    assert page.answer.status_code in (409, 422) and fields_of(hero) == before


def test_repair_is_one_press_and_carries_what_was_typed(hero, open_):
    page = open_("nagisa", hero).type(abilities__mind="8").send()
    page = open_("nagisa", hero)
    fixes = page.buttons_in("fix")
    assert fixes, "an overspent build offers repairs"
    changes = json.loads(fixes[0]["value"])
    page.type(names__office="新さん").send(fixes[0]["formaction"], fix=fixes[0]["value"])
    assert page.answer.status_code == 303
    after = fields_of(hero)
    assert all(after.get(key) == value for key, value in changes.items())
    assert after["names.office"] == "新さん"
    assert "多く使っています" not in text(open_("nagisa", hero).html)


def test_stepper_buttons_work_without_script(hero, open_):
    open_("nagisa", hero).step("f-abilities-gi", "1")
    assert fields_of(hero)["abilities.gi"] == 8
    for left in (1, None):
        open_("nagisa", hero).step("f-skills-undo-level", "-1")
        assert fields_of(hero).get("skills.undo.level") == left


def test_specialities_are_rows_of_their_own(hero, open_):
    page = open_("nagisa", hero)
    page.typed = {"f.skills.geino~1.level": "2", "f.skills.geino~1.speciality": "踊り"}
    page.send()
    page = open_("nagisa", hero)
    assert "row-geino_1" in page.html and "row-geino_2" in page.html
    page.typed = {"f.skills.geino~2.level": "1", "f.skills.geino~2.speciality": "三味線"}
    page.send()
    remove = next(
        b["value"] for b in open_("nagisa", hero).controls.buttons if "geino~1.speciality" in b.get("value", "")
    )
    open_("nagisa", hero).send("draft_fix", fix=remove)
    left = {key for key in fields_of(hero) if key.startswith("skills.geino")}
    assert left == {"skills.geino~2.level", "skills.geino~2.speciality"}


def test_possessions_are_added_and_taken_away(hero, open_):
    page = open_("nagisa", hero)
    page.typed = {"f.possessions.1.id": "daito", "f.possessions.1.text": "無銘"}
    page.send()
    page = open_("nagisa", hero)
    assert "大刀" in page.html and page.value("possessions.2.id") == ""
    remove = next(b["value"] for b in page.controls.buttons if "possessions.1.id" in b.get("value", ""))
    page.send("draft_fix", fix=remove)
    assert not [key for key in fields_of(hero) if key.startswith("possessions")]


def test_status_and_occupation_are_typed_as_words(hero, open_):
    open_("nagisa", hero).type(status="浪人", occupation="剣客").send()
    assert (fields_of(hero)["status"], fields_of(hero)["occupation"]) == ("ronin", "kenkaku")
    page = open_("nagisa", hero)
    assert (page.value("status"), page.value("occupation")) == ("浪人", "剣客")
    assert "剣客に向く技能" in text(page.html)
    open_("nagisa", hero).type(occupation="火付盗賊改方").send()
    assert fields_of(hero)["occupation"] == "火付盗賊改方"


def test_cash_is_rolled_once_on_the_server_with_its_evidence(table, hero, open_):
    from characters.actions.campaigns import set_house_rules

    set_house_rules(access=table.access("gm"), overrides={"track_money": True})
    open_("nagisa", hero).type(status="武士（小身）").send()
    page = open_("nagisa", hero).send("draft_roll", step="money")
    assert page.answer.status_code == 303
    record = CreationRecord.objects.get(character=hero)
    assert not record.told and record.draw is not None and len(record.faces) == 2
    html = open_("nagisa", hero).html
    assert f"サーバーのダイス #{record.draw}" in html and "振り直せるのはGMだけ" in html
    refused = open_("nagisa", hero).send("draft_roll", step="money")
    assert refused.answer.status_code == 409 and CreationRecord.objects.count() == 1


@pytest.mark.parametrize(("told", "faces"), [("3 5", [3, 5]), ("３、５", [3, 5]), ("35", [3, 5])])
def test_dice_of_the_table_are_told_and_marked(table, hero, open_, told, faces):
    from characters.actions.campaigns import set_house_rules

    set_house_rules(access=table.access("gm"), overrides={"track_money": True})
    open_("nagisa", hero).type(status="武士（小身）").send()
    open_("nagisa", hero).send("draft_roll", step="money:told", told=told)
    record = CreationRecord.objects.get(character=hero)
    assert (record.told, record.faces) == (True, faces)
    assert "卓で振った目" in open_("nagisa", hero).html


@pytest.mark.parametrize("told", ["", "7 1", "3", "3 4 5", "さいころ", "9" * 500])
def test_impossible_dice_are_refused_at_their_field(table, hero, open_, told):
    from characters.actions.campaigns import set_house_rules

    set_house_rules(access=table.access("gm"), overrides={"track_money": True})
    open_("nagisa", hero).type(status="武士（小身）").send()
    page = open_("nagisa", hero).send("draft_roll", step="money:told", told=told)
    assert page.answer.status_code == 422 and 'id="told-err"' in page.html
    assert not CreationRecord.objects.exists()


def test_asking_for_points_is_a_wish_at_the_table(table, hero, open_):
    open_("nagisa", hero).type(abilities__mind="8").send()
    page = open_("nagisa", hero)
    button = next(b for b in page.controls.buttons if b.get("name") == "wish")
    page.send(button["formaction"], wish=button["value"])
    assert table.seat("nagisa").wish == 280 + int(button["value"])
    assert "願い出ています" in text(open_("nagisa", hero).html)


@pytest.mark.parametrize("typed", ["", "x", "-1", "9" * 5_000])
def test_a_wish_that_is_no_number_is_refused_in_words(table, hero, open_, typed):
    page = open_("nagisa", hero).send("draft_wish", wish=typed)
    assert page.answer.status_code == 422 and "読み取れません" in text(page.html)
    assert table.seat("nagisa").wish is None


def test_offers_to_me_are_answered_beside_the_draft(table, hero, as_, open_):
    from characters.actions import pool

    pool.allocate(access=table.access("gm"), seat=table.seat("chiaki"), points=100)
    offer = pool.make_offer(access=table.access("chiaki"), receiver=table.seat("nagisa"), points=5, note="譲るよ")
    html = open_("nagisa", hero).html
    assert "譲るよ" in html and "受け取る（280 → 285）" in html
    answer = as_("nagisa").post(reverse("offer_answer", args=[table.campaign.slug, offer.pk]), {"take": "1"})
    assert answer.status_code == 303
    assert table.seat("nagisa").allocation == 285


def test_level_page_costs_nothing(hero, as_, open_):
    page = open_("nagisa", hero)
    here = url("character_edit", hero)
    seq, version = page.answer["X-Builder-Seq"], page.controls.values["seen"]
    ask = {"parts": "1", "version": version, "seq": seq}
    assert page.client.get(here, ask).status_code == 204
    open_("gm", hero).type(names__office="与吉").send()
    answer = page.client.get(here, ask)
    assert answer.status_code == 200 and "与吉" in answer.content.decode()
