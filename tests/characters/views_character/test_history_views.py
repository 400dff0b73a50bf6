"""Versions: the list, the difference between any two, restoring, taking a draft back."""

from __future__ import annotations

import pytest
from django.urls import reverse

from characters.actions import builds
from characters.models import Character, DraftBackup
from tests.characters.views_campaign.conftest import text
from tests.characters.views_character.conftest import fields_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def three(table, hero) -> Character:
    """Three versions: the worked example, less fist fighting, another name and a possession."""
    builds.save_build(access=table.view("nagisa", hero), note="はじめ")
    table.edit("nagisa", hero, skills__kenpo__level=2)
    builds.save_build(access=table.view("nagisa", hero), note="拳法を減らした")
    table.edit("nagisa", hero, names__given="又八郎", possessions__1__id="daito")
    builds.save_build(access=table.view("nagisa", hero))
    return Character.objects.get(pk=hero.pk)


def history(client, character, **query) -> str:
    answer = client.get(reverse("character_history", args=[character.slug]), query)
    assert answer.status_code == 200
    return text(answer.content)


def test_any_two_versions_are_compared_in_words(three, as_):
    words = history(as_("nagisa"), three, a="1", b="3")
    assert "第1版 → 第3版" in words and "はじめ" in words and "拳法を減らした" in words
    assert "技能 拳法 3レベル → 2レベル" in words
    assert "新八郎 → 又八郎" in words and "持ち物1 なし → 大刀" in words
    assert "役作り点 280 → 276（−4）" in words
    assert "3か所" in words


def test_nonsense_in_the_address_means_the_newest_two(three, as_):
    for query in ({}, {"a": "x", "b": "99"}, {"a": "3", "b": "3"}, {"a": "<b>", "b": "-1"}):
        assert "→" in history(as_("nagisa"), three, **query)


def test_readers_do_not_see_the_draft(table, three, as_):
    table.edit("nagisa", three, names__office="秘密の名")
    assert "秘密の名" in history(as_("nagisa"), three)
    assert "秘密の名" not in history(as_("chiaki"), three, a="3", b="draft")


def test_restoring_puts_the_fields_into_the_draft_and_keeps_the_old_one(table, three, as_):
    table.edit("nagisa", three, names__office="書きかけ")
    owner = as_("nagisa")
    answer = owner.post(reverse("character_restore", args=[three.slug, 1]))
    assert answer.status_code == 303
    assert fields_of(three)["names.given"] == "新八郎" and "names.office" not in fields_of(three)
    assert Character.objects.get(pk=three.pk).revision.number == 3
    backup = DraftBackup.objects.get()
    assert owner.post(reverse("draft_backup", args=[three.slug, backup.pk])).status_code == 303
    assert fields_of(three)["names.office"] == "書きかけ"


def test_one_version_is_a_sheet_of_its_own(three, as_):
    answer = as_("chiaki").get(reverse("character_revision", args=[three.slug, 2]))
    words = text(answer.content)
    assert "新八郎" in words and "又八郎" not in words and "第1版との違い" in words
    assert "この版に戻す" not in words
    assert as_("chiaki").get(reverse("character_revision", args=[three.slug, 9])).status_code == 404


def test_others_restore_nothing(three, as_):
    before = fields_of(three)
    for who in ("chiaki", "watcher"):
        as_(who).post(reverse("character_restore", args=[three.slug, 1]))
    assert fields_of(three) == before
