"""Versions and review from the builder: saving, asking, clearing, returning, remarks, confirmations, overrides."""

from __future__ import annotations

import pytest
from django.urls import reverse

from characters.models import Character, Confirmation, Remark
from tests.characters.views_campaign.conftest import text
from tests.characters.views_character.conftest import fields_of, marks

pytestmark = pytest.mark.django_db


def now(character) -> Character:
    return Character.objects.select_related("revision", "cleared").get(pk=character.pk)


def test_a_version_is_saved_with_its_note_and_what_was_typed(hero, open_):
    page = open_("nagisa", hero).type(names__office="新さん").send("character_save", note="はじめの版")
    assert page.answer.status_code == 303
    revision = now(hero).revision
    assert (revision.number, revision.note, revision.spent) == (1, "はじめの版", 280)
    assert revision.fields["names.office"] == "新さん"
    assert "第2版として保存" in text(open_("nagisa", hero).html)


def test_ask_clear_and_highlight_what_changed_since(hero, open_):
    open_("nagisa", hero).send("character_ask")
    assert now(hero).status == "asked"
    page = open_("gm", hero).send("character_clear", seen_number="1")
    assert page.answer.status_code == 303 and now(hero).status == "cleared"
    page = open_("nagisa", hero).type(skills__kenpo__level="2").send()
    html = open_("gm", hero).html
    assert "確認済み：3レベル" in text(marks(html, "skills.kenpo.level"))
    assert "確認のあとで変えたところ 1" in text(html)


def test_a_broken_build_says_why_it_cannot_go_and_is_kept(hero, open_):
    page = open_("nagisa", hero).type(abilities__mind="8").send()
    page = open_("nagisa", hero)
    ask = next(b for b in page.controls.buttons if "ask" in b.get("formaction", ""))
    assert ask["aria-disabled"] == "true" and ask["aria-describedby"] == "why-not"
    assert "直すところが1つあるため、まだ出せません" in text(page.html)
    refused = page.type(names__office="新さん").send("character_ask")
    assert refused.answer.status_code in (409, 422)
    assert "超えています" in text(refused.html) or "まだ版にできません" in text(refused.html)
    assert now(hero).revision is None and fields_of(hero)["names.office"] == "新さん"


def test_gm_lets_a_broken_rule_pass_with_a_reason_everybody_sees(table, hero, open_, as_):
    open_("nagisa", hero).type(names__family="", names__given="").send()
    page = open_("gm", hero).send("character_save")
    assert page.answer.status_code == 422
    page = open_("gm", hero).send("character_save", reason="名は第二話で明かす")
    assert page.answer.status_code == 303
    assert now(hero).revision.override_reason == "名は第二話で明かす"
    shown = as_("chiaki").get(reverse("character", args=[hero.slug])).content.decode()
    assert "名は第二話で明かす" in shown and "特に認めた版" in shown
    # a player's reason is no reason
    open_("nagisa", hero).type(occupation="剣客").send()
    page = open_("nagisa", hero).send("character_save", reason="自分で認める")
    assert page.answer.status_code == 422 and now(hero).revision.number == 1


def test_remarks_stand_at_their_field_until_settled(hero, open_):
    page = open_("gm", hero).send("remark_add", remark_field="names.given", remark_text="読みは？<b>")
    assert page.answer.status_code == 303
    remark = Remark.objects.get()
    html = open_("nagisa", hero).html
    assert "読みは？&lt;b&gt;" in marks(html, "names.given")
    page = (
        open_("nagisa", hero).type(names__office="しんさん").send(reverse("remark_settle", args=[hero.slug, remark.pk]))
    )
    assert page.answer.status_code == 303
    assert Remark.objects.get().settled_at is not None and fields_of(hero)["names.office"] == "しんさん"
    assert "読みは" not in open_("nagisa", hero).html


def test_returning_carries_a_remark_and_keeps_the_version(hero, open_):
    open_("nagisa", hero).send("character_ask")
    page = open_("gm", hero).send("character_return", remark_text="もう一度")
    assert page.answer.status_code == 303
    assert now(hero).status == "draft" and now(hero).revision.number == 1
    assert "もう一度" in text(open_("nagisa", hero).html)


def test_gm_confirms_a_possession_and_it_lapses_with_the_words(hero, open_):
    page = open_("nagisa", hero)
    page.typed = {"f.possessions.1.id": "daito", "f.possessions.1.text": "無銘"}
    page.send()
    page = open_("gm", hero)
    confirm = next(b for b in page.controls.buttons if b.get("name") == "confirm")
    page.send(confirm["formaction"], confirm=confirm["value"])
    assert Confirmation.objects.get().field == confirm["value"]
    assert "GM確認済み" in text(open_("nagisa", hero).html)
    page = open_("nagisa", hero)
    page.typed = {"f.possessions.1.text": "正宗"}
    page.send()
    assert "GM待ち" in text(open_("nagisa", hero).html)


@pytest.mark.parametrize("name", ["character_clear", "character_return", "remark_add", "confirm_field"])
def test_players_cannot_review_themselves(hero, open_, name):
    open_("nagisa", hero).send("character_ask")
    page = open_("nagisa", hero).send(name, remark_text="よし", confirm="names.given")
    assert page.answer.status_code == 403 and "GMだけ" in text(page.html)
    assert now(hero).status == "asked" and not Remark.objects.exists() and not Confirmation.objects.exists()


def test_a_stale_clear_is_a_conflict(hero, open_):
    open_("nagisa", hero).send("character_ask")
    page = open_("gm", hero)
    open_("nagisa", hero).type(skills__kenpo__level="2").send("character_save")
    page.send("character_clear", seen_number="1")
    assert page.answer.status_code == 409 and "第2版が保存されました" in text(page.html)
    assert now(hero).status != "cleared"


# ---------------------------------------------------------------- texts beside the draft


def beside(page, name: str) -> str:
    return page.controls.values.get(name, "")


def follow(page):
    """The page a browser without script is led to."""
    assert page.answer.status_code == 303
    page.answer = page.client.get(page.answer["Location"])
    return page


def test_without_a_script_a_note_outlives_every_press_that_does_not_use_it(hero, open_):
    page = follow(open_("nagisa", hero).send("draft_save", note="火消し<案>"))
    assert beside(page, "note") == "火消し<案>"
    page = follow(page.type(names__office="新さん").send("character_save"))
    assert now(hero).revision.note == "火消し<案>" and beside(page, "note") == ""
    assert beside(open_("nagisa", hero), "note") == ""


def test_a_refused_press_keeps_the_texts_and_says_which_is_wrong(hero, open_):
    open_("nagisa", hero).type(abilities__mind="8").send()
    page = open_("nagisa", hero).send("character_save", note="案")
    assert page.answer.status_code in (409, 422) and beside(page, "note") == "案"
    page = open_("gm", hero).send("character_save", note="長" * 300, reason="よい")
    assert page.answer.status_code == 422
    assert beside(page, "note") == "長" * 300 and beside(page, "reason") == "よい"
    assert 'id="note-err"' in page.html and "200字まで" in text(page.html)
    page = open_("gm", hero).send("remark_add", remark_field="abilities.mind", remark_text="長" * 600)
    assert 'id="remark-err"' in page.html and beside(page, "remark_text") == "長" * 600
    assert beside(page, "remark_field") == "abilities.mind"


def test_the_script_is_told_which_texts_were_used(hero, as_):
    def used(who: str, name: str, *args: object, **data: str) -> str:
        answer = as_(who).post(
            reverse(name, args=[hero.slug, *args]), {"base": "{}", **data}, headers={"HX-Request": "true"}
        )
        assert answer.status_code == 200
        return str(answer["X-Builder-Used"])

    assert used("nagisa", "draft_save") == ""
    assert used("nagisa", "draft_wish", wish="5", note="あとで") == ""
    assert used("nagisa", "character_save", note="いま") == "note reason"
    assert used("gm", "remark_add", remark_text="一言") == "remark_text"
