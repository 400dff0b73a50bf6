"""What a game keeps between a player and the GMs is in no byte for anybody else: pages, versions, files."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from characters.actions import builds, notes, review
from tests.factories import make_table
from tests.sessions.pages.alice import SECRET_JOB, sheet

pytestmark = pytest.mark.django_db
PAGES = ("character", "character_print", "character_export", "character_history")


@pytest.fixture
def table():
    made = make_table("chiaki", "nagisa", system="alice")
    made.join("watcher", "spectator")
    return made


@pytest.fixture
def character(table):
    made = table.make("chiaki", sheet("chiaki"))
    review.confirm_field(access=table.view("gm", made), field="ability_source")
    builds.save_build(access=table.view("chiaki", made))
    table.edit("chiaki", made, current_job=SECRET_JOB + "・昔")
    builds.save_build(access=table.view("chiaki", made))
    return made


def read(table, who: str, url: str) -> str:
    client = Client()
    client.force_login(table.users[who])
    response = client.get(url)
    assert response.status_code == 200
    return response.content.decode()


def addresses(table, character) -> list[str]:
    campaign = [table.campaign.slug]
    pages = [reverse(name, args=[character.slug]) for name in PAGES]
    versions = [reverse("character_revision", args=[character.slug, number]) for number in (1, 2)]
    return [*pages, *versions, reverse("party_export", args=campaign), reverse("campaign", args=campaign)]


@pytest.mark.parametrize("who", ["nagisa", "watcher"])
def test_others_read_nothing_of_it(table, character, who):
    for url in addresses(table, character):
        assert SECRET_JOB not in read(table, who, url), url


@pytest.mark.parametrize("who", ["chiaki", "gm"])
def test_player_and_gm_read_it(table, character, who):
    for name in ("character", "character_print", "character_export"):
        assert SECRET_JOB in read(table, who, reverse(name, args=[character.slug])), name


def test_told_to_everybody_it_is_read(table, character):
    table.edit("chiaki", character, job_visibility="group")
    builds.save_build(access=table.view("chiaki", character))
    assert SECRET_JOB in read(table, "nagisa", reverse("character", args=[character.slug]))


def test_what_a_gm_notes_on_an_npc_shown_to_all_stays_with_the_gms(table):
    npc = table.make(
        "gm", {"name": "老人", **{f"cards.{suit}": "4" for suit in "SCHD"}, "notes": "手紙の主"}, kind="npc"
    )
    from characters.actions.characters import set_visibility

    set_visibility(access=table.view("gm", npc), visibility="group")
    notes.save_note(access=table.view("gm", npc), title="", text="橋番", visibility="group")
    assert "手紙の主" not in read(table, "nagisa", reverse("character", args=[npc.slug]))
    assert "手紙の主" not in read(table, "nagisa", reverse("character_export", args=[npc.slug]))
    assert "手紙の主" in read(table, "gm", reverse("character", args=[npc.slug]))
