"""Visibility, links, counts, putting away, copies."""

from __future__ import annotations

import pytest
from django.http import Http404

from characters.actions import builds, characters
from characters.actions.errors import ActionRefused
from characters.models import Character
from characters.selectors.access import character_for, shared_character
from live.models import Event
from tests.factories import UserFactory


def events(kind: str) -> list[Event]:
    return list(Event.objects.filter(kind=kind).order_by("seq"))


# ---------------------------------------------------------------- visibility and links


def test_the_owner_decides(table):
    character = table.make("nagisa")
    characters.set_visibility(access=table.view("nagisa", character), visibility="owner")
    assert not table.view("gm", character).may_see
    for name in ("gm", "chiaki", "watcher"):
        with pytest.raises(ActionRefused) as refused:
            characters.set_visibility(access=table.view(name, character), visibility="listed")
        assert refused.value.status in (403, 404)
    with pytest.raises(ActionRefused) as refused:
        characters.set_visibility(access=table.view("nagisa", character), visibility="everybody")
    assert refused.value.status == 422


def test_what_the_gm_was_asked_about_is_not_hidden_again(table, hero):
    builds.ask_review(access=table.view("nagisa", hero))
    with pytest.raises(ActionRefused) as refused:
        characters.set_visibility(access=table.view("nagisa", hero), visibility="owner")
    assert refused.value.code == "seen_by_gm"
    characters.set_visibility(access=table.view("nagisa", hero), visibility="gm")
    assert table.view("gm", hero).may_see and not table.view("chiaki", hero).may_see


def test_gms_decide_for_npcs(table):
    npc = table.make("gm", kind="npc")
    characters.set_visibility(access=table.view("co", npc), visibility="group")
    assert table.view("nagisa", npc).may_see
    with pytest.raises(ActionRefused):
        characters.set_visibility(access=table.view("nagisa", npc), visibility="listed")


def test_a_share_link(table):
    character = table.make("nagisa")
    token = characters.make_share_link(access=table.view("nagisa", character))
    assert len(token) == 32
    assert characters.make_share_link(access=table.view("nagisa", character)) == token
    shared = shared_character(token)
    assert shared.character == character and shared.audience == "public" and not shared.may_edit
    assert shared_character(token, table.users["nagisa"]).may_edit
    assert token not in repr(Character.objects.values())
    characters.drop_share_link(access=table.view("nagisa", character))
    with pytest.raises(Http404):
        shared_character(token)
    again = characters.make_share_link(access=table.view("nagisa", character))
    assert again != token


@pytest.mark.parametrize("visibility", ["owner", "gm", "group"])
def test_narrowing_ends_the_link(table, visibility):
    character = table.make("nagisa")
    token = characters.make_share_link(access=table.view("nagisa", character))
    characters.set_visibility(access=table.view("nagisa", character), visibility=visibility)
    with pytest.raises(Http404):
        shared_character(token)
    assert Character.objects.get(pk=character.pk).link_hash is None


@pytest.mark.parametrize("token", ["", "x", "\x00", "あ", "\ud800", "f" * 32])
def test_odd_tokens(table, token):
    table.make("nagisa")
    with pytest.raises(Http404):
        shared_character(token)


def test_a_put_away_character_is_not_shared(table):
    character = table.make("nagisa")
    token = characters.make_share_link(access=table.view("nagisa", character))
    characters.delete_character(access=table.view("nagisa", character))
    with pytest.raises(Http404):
        shared_character(token, UserFactory())


def test_a_listed_character_is_for_all(table):
    character = table.make("nagisa")
    characters.set_visibility(access=table.view("nagisa", character), visibility="listed")
    assert character_for(UserFactory(), character.slug).audience == "public"


def test_those_who_lose_sight_learn_only_that(table):
    character = table.make("nagisa", {"names.given": "からくり左門"})
    characters.set_visibility(access=table.view("nagisa", character), visibility="owner")
    for event in events("character.shared"):
        if "all" in event.audience or "gm" in event.audience:
            assert "左門" not in repr(event.data)
    table.edit("nagisa", character, role="lead")
    newest = events("character.draft")[-1]
    assert newest.audience == [f"seat:{table.seat('nagisa').pk}"]


# ---------------------------------------------------------------- npcs


def test_counts(table):
    npc = table.make("gm", kind="npc", preset="N01")
    characters.set_count(access=table.view("co", npc), count=6)
    assert Character.objects.get(pk=npc.pk).count == 6
    for count in (0, 100, True, "6"):
        with pytest.raises(ActionRefused) as refused:
            characters.set_count(access=table.view("gm", npc), count=count)
        assert refused.value.status == 422
    with pytest.raises(ActionRefused):
        characters.set_count(access=table.view("gm", table.make("nagisa")), count=2)


def test_a_copy_stands_alone(table):
    npc = table.make("gm", kind="npc", preset="N09", count=2)
    copy = characters.duplicate_npc(access=table.view("co", npc))
    assert copy.pk != npc.pk and copy.uuid != npc.uuid and copy.count == 2
    assert copy.draft.fields == npc.draft.fields and copy.revision.number == 1
    table.edit("gm", copy, abilities__mind=10)
    assert table.view("gm", npc).character.draft.fields["abilities.mind"] == 6
    for target, name in ((npc, "nagisa"), (table.make("nagisa"), "gm")):
        with pytest.raises(ActionRefused):
            characters.duplicate_npc(access=table.view(name, target))


def test_npcs_are_told_to_gms_only(table):
    npc = table.make("gm", kind="npc", preset="N10")
    table.edit("gm", npc, names__given="有村 左内")
    characters.delete_character(access=table.view("gm", npc))
    for event in Event.objects.filter(kind__startswith="character."):
        assert event.audience == ["gm"], event.kind


# ---------------------------------------------------------------- putting away


def test_put_away_characters_are_not_edited(table):
    character = table.make("nagisa")
    characters.delete_character(access=table.view("nagisa", character))
    with pytest.raises(ActionRefused) as refused:
        table.edit("nagisa", character, role="lead")
    assert refused.value.code == "put_away"
    characters.restore_character(access=table.view("gm", character))
    assert table.edit("nagisa", character, role="lead").clean


@pytest.mark.parametrize("name", ["chiaki", "watcher"])
def test_others_do_not_put_away(table, name):
    character = table.make("nagisa")
    with pytest.raises(ActionRefused):
        characters.delete_character(access=table.view(name, character))
    with pytest.raises(ActionRefused):
        characters.transfer_character(access=table.view(name, character), seat=table.seat("chiaki"))


def test_handing_over(table):
    character = table.make("nagisa")
    characters.transfer_character(access=table.view("gm", character), seat=table.seat("chiaki"))
    assert table.view("chiaki", character).is_owner and not table.view("nagisa", character).may_edit
    for seat in ("gm", "watcher"):
        with pytest.raises(ActionRefused):
            characters.transfer_character(access=table.view("gm", character), seat=table.seat(seat))
    with pytest.raises(ActionRefused):
        characters.transfer_character(access=table.view("gm", table.make("gm", kind="npc")), seat=table.seat("nagisa"))


def test_a_table_has_room_for_so_many(table, monkeypatch):
    monkeypatch.setattr(characters, "MAX_CHARACTERS", 1)
    table.make("nagisa")
    with pytest.raises(ActionRefused) as refused:
        table.make("chiaki")
    assert refused.value.code == "too_many_characters"
