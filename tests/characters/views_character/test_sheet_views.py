"""The sheet: every number with its parts, who sees what, notes, links, files, paper."""

from __future__ import annotations

import json
import re

import pytest
from django.urls import reverse

from characters.actions import builds, notes
from characters.models import Character, Note
from tests.characters.views_campaign.conftest import text

pytestmark = pytest.mark.django_db

ROLES = ("gm", "co", "nagisa", "chiaki", "watcher")


def page(client, name: str, *args) -> str:
    answer = client.get(reverse(name, args=args))
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture
def saved(table, hero) -> Character:
    builds.save_build(access=table.view("nagisa", hero), note="はじめ")
    return Character.objects.get(pk=hero.pk)


@pytest.fixture
def secrets(table, saved) -> dict[str, str]:
    """A note of each visibility by the owner, and one of the GM's own."""
    words = {}
    for visibility in ("owner", "gm", "group", "link", "listed"):
        words[visibility] = f"canary-{visibility}-{saved.pk}"
        notes.save_note(access=table.view("nagisa", saved), title="題", text=words[visibility], visibility=visibility)
    words["gms own"] = f"canary-private-{saved.pk}"
    notes.save_note(access=table.view("gm", saved), text=words["gms own"], visibility="owner")
    return words


def test_every_number_unfolds_into_its_parts(saved, as_):
    html = page(as_("chiaki"), "character", saved.slug)
    evasion = re.search(r'<details class="stat" id="s-evasion">.*?</details>', html, re.S)[0]
    assert "回避値 15" in text(evasion) and "技 7" in text(evasion) and "体さばき 3レベル ＋3" in text(evasion)
    assert "規則 4.6" in text(evasion)
    assert "剣術" in text(html) and "98%" in text(html)
    assert "受けづらい太刀" in html and "居合抜き" in html
    assert "第1版" in text(html)


def test_unlearned_skills_say_two_dice(saved, as_):
    words = text(page(as_("chiaki"), "character", saved.slug))
    assert "柔術" in words and "槍術 2個＋7" in words and "錠前破り 2個＋7（GM次第）" in words and "蘭学 —" in words


def test_each_reader_gets_exactly_the_notes_meant_for_them(table, saved, secrets, as_):
    seen = {
        "nagisa": {"owner", "gm", "group", "link", "listed"},
        "gm": {"gm", "group", "link", "listed", "gms own"},
        "co": {"gm", "group", "link", "listed"},
        "chiaki": {"group", "link", "listed"},
        "watcher": {"group", "link", "listed"},
    }
    for who, allowed in seen.items():
        for name in ("character", "character_export"):
            body = page(as_(who), name, saved.slug)
            found = {kind for kind, word in secrets.items() if word in body}
            assert found == allowed, (who, name)
    printed = page(as_("nagisa"), "character_print", saved.slug)
    assert {kind for kind, word in secrets.items() if word in printed} == {"group", "link", "listed"}


def test_a_share_link_shows_only_what_the_public_may_see(table, saved, secrets, as_):
    owner = as_("nagisa")
    assert owner.post(reverse("character_link", args=[saved.slug]), {"link": "make"}).status_code == 303
    link = re.search(r"/s/([0-9a-f]{32})/", page(owner, "character", saved.slug))[1]
    for who in (None, "nagisa", "gm"):
        for name in ("shared_character", "shared_print", "shared_export"):
            body = page(as_(who), name, link)
            assert {kind for kind, word in secrets.items() if word in body} == {"link", "listed"}, (who, name)
            assert "大川端捕物控" not in body
            assert who is not None or "nagisa" not in body
    assert owner.post(reverse("character_link", args=[saved.slug]), {"link": "drop"}).status_code == 303
    assert as_(None).get(reverse("shared_character", args=[link])).status_code == 404
    assert as_(None).get(reverse("shared_character", args=["0" * 32])).status_code == 404


@pytest.mark.parametrize(
    ("visibility", "allowed"),
    [
        ("owner", {"nagisa"}),
        ("gm", {"nagisa", "gm", "co"}),
        ("group", set(ROLES)),
        ("listed", {*ROLES, None}),
    ],
)
def test_visibility_decides_who_opens_the_sheet(saved, as_, visibility, allowed):
    as_("nagisa").post(reverse("character_visibility", args=[saved.slug]), {"visibility": visibility})
    for who in (*ROLES, None):
        for name in ("character", "character_print", "character_export"):
            status = as_(who).get(reverse(name, args=[saved.slug])).status_code
            assert status == (200 if who in allowed else 404), (who, name)


def test_only_the_owner_publishes(saved, as_):
    for who, status in (("gm", 403), ("chiaki", 403), ("watcher", 403)):
        answer = as_(who).post(reverse("character_visibility", args=[saved.slug]), {"visibility": "listed"})
        assert answer.status_code == status and "持ち主" in text(answer.content)
    answer = as_("nagisa").post(reverse("character_visibility", args=[saved.slug]), {"visibility": "everyone"})
    assert answer.status_code == 422
    assert Character.objects.get(pk=saved.pk).visibility == "group"


def test_the_file_is_a_character_document(saved, as_):
    answer = as_("nagisa").get(reverse("character_export", args=[saved.slug]))
    assert answer["Content-Type"].startswith("application/json") and "attachment" in answer["Content-Disposition"]
    document = json.loads(answer.content)
    assert document["format"] == "takubiyori.character" and document["character"]["build"]["role"] == "co_lead"


def test_paper_holds_the_sheet_on_one_page(saved, as_):
    html = page(as_("chiaki"), "character_print", saved.slug)
    words = text(html)
    assert '<main class="paper"' in html and "<style" not in html and "style=" not in html
    assert "桐生 新八郎" in words and "剣術 技7 5 12" in words and "最大8＝体6＋買い足し2" in words
    assert html.count('<i class="o"></i>') == 7
    assert "割り当て280・使った280" in words


def test_put_away_and_back(table, saved, as_):
    owner = as_("nagisa")
    assert owner.post(reverse("character_delete", args=[saved.slug])).status_code == 303
    assert as_("chiaki").get(reverse("character", args=[saved.slug])).status_code == 404
    html = page(owner, "character", saved.slug)
    assert "片付けた人物です" in html
    assert as_("nagisa").get(reverse("character_edit", args=[saved.slug])).status_code == 403
    assert owner.post(reverse("character_restore_deleted", args=[saved.slug])).status_code == 303
    assert as_("chiaki").get(reverse("character", args=[saved.slug])).status_code == 200


def test_a_gm_hands_a_character_over(table, saved, as_):
    seat = table.seat("chiaki")
    url = reverse("character_transfer", args=[saved.slug])
    assert as_("nagisa").post(url, {"seat": seat.pk}).status_code == 403
    for wrong in ("", "abc", "999999", "9" * 40):
        assert as_("gm").post(url, {"seat": wrong}).status_code in (404, 422)
    answer = as_("gm").post(url, {"seat": seat.pk})
    assert answer.status_code == 303 and Character.objects.get(pk=saved.pk).owner_id == seat.pk


def test_a_flagged_sheet_says_what_no_longer_fits(table, saved, as_):
    from characters.actions.campaigns import set_house_rules

    set_house_rules(access=table.access("gm"), overrides={"skill_cost": "n_n_plus_1"})
    words = text(page(as_("nagisa"), "character", saved.slug))
    assert "見直しが要る" in words and "30点" in words
    assert Character.objects.get(pk=saved.pk).revision.spent == 280


# ---------------------------------------------------------------- notes


def note_url(saved, note: Note, name: str = "note_save") -> str:
    return reverse(name, args=[saved.slug, note.pk])


def test_notes_are_written_changed_and_deleted(table, saved, as_):
    owner = as_("nagisa")
    new = reverse("note_new", args=[saved.slug])
    data = {"title": "人となり", "text": "提灯屋の娘に\n借りがある。<b>", "visibility": "group"}
    assert owner.post(new, data).status_code == 303
    note = Note.objects.get()
    assert "借りがある。&lt;b&gt;" in page(as_("chiaki"), "character", saved.slug)
    change = {**data, "text": "借りは返した。", "base_version": note.version}
    assert owner.post(note_url(saved, note), change).status_code == 303
    assert Note.objects.get().text == "借りは返した。"
    assert as_("chiaki").post(note_url(saved, note, "note_delete")).status_code == 403
    assert Note.objects.count() == 1
    assert owner.post(note_url(saved, note, "note_delete")).status_code == 303
    assert not Note.objects.exists()


def test_two_writers_of_one_note_see_both_texts(table, saved, as_):
    note = notes.save_note(access=table.view("nagisa", saved), text="はじめ", visibility="group")
    form = {"title": "", "visibility": "group", "base_version": str(note.version)}
    assert as_("gm").post(note_url(saved, note), {**form, "text": "GMの文"}).status_code == 303
    answer = as_("nagisa").post(note_url(saved, note), {**form, "text": "自分の文"})
    assert answer.status_code == 409
    html = answer.content.decode()
    assert "GMの文" in html and "自分の文</textarea>" in html and "両方" in html
    assert Note.objects.get().text == "GMの文"
    version = re.search(r'name="base_version" value="(\d+)"', html)[1]
    assert (
        as_("nagisa").post(note_url(saved, note), {**form, "text": "自分の文", "base_version": version}).status_code
        == 303
    )
    assert Note.objects.get().text == "自分の文"


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": ""},
        {"text": "   "},
        {"text": "長" * 20001},
        {"text": "よい", "visibility": "everyone"},
        {"text": "よい", "title": "題" * 101},
    ],
)
def test_wrong_notes_come_back_with_what_was_typed(saved, as_, wrong):
    data = {"title": "題", "visibility": "group", **wrong}
    answer = as_("nagisa").post(reverse("note_new", args=[saved.slug]), data)
    assert 400 <= answer.status_code < 500
    html = answer.content.decode()
    assert "field__err" in html and data["text"].strip() in html
    assert not Note.objects.exists()


def test_strangers_write_no_notes(table, saved, as_):
    for who in ("chiaki", "watcher"):
        answer = as_(who).post(reverse("note_new", args=[saved.slug]), {"text": "いたずら", "visibility": "group"})
        assert answer.status_code == 403
    assert not Note.objects.exists()


def test_an_npc_says_in_its_own_words_who_sees_it(table, as_):
    npc = table.make("gm", {"names.given": "影"}, kind="npc")
    for visibility, words in (("gm", "GMだけ"), ("owner", "GMだけ"), ("group", "一座")):
        type(npc).objects.filter(pk=npc.pk).update(visibility=visibility)
        band = as_("gm").get(reverse("character", args=[npc.slug])).content.decode().partition("<main")[0]
        assert f">{words}<" in band and "本人とGM" not in band
