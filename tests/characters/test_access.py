"""Who sees and changes what: every role, both kinds, every visibility."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import Http404

from characters.actions import characters, members, notes
from characters.models import Character, Note
from characters.selectors import access as gates
from tests.factories import UserFactory

VIEWERS = ("gm", "co", "nagisa", "chiaki", "watcher", None)
# Visibility -> who of VIEWERS sees it: nagisa is the PC's owner, gm made the NPC; None is a stranger.
SEES = {
    ("pc", "owner"): {"nagisa"},
    ("pc", "gm"): {"gm", "co", "nagisa"},
    ("pc", "group"): {"gm", "co", "nagisa", "chiaki", "watcher"},
    ("pc", "link"): {"gm", "co", "nagisa", "chiaki", "watcher"},
    ("pc", "listed"): {"gm", "co", "nagisa", "chiaki", "watcher", None},
    ("npc", "owner"): {"gm", "co"},
    ("npc", "gm"): {"gm", "co"},
    ("npc", "group"): {"gm", "co", "nagisa", "chiaki", "watcher"},
    ("npc", "link"): {"gm", "co", "nagisa", "chiaki", "watcher"},
    ("npc", "listed"): {"gm", "co", "nagisa", "chiaki", "watcher", None},
}
AUDIENCES = {
    "pc": {"gm": "gm", "co": "gm", "nagisa": "owner", "chiaki": "group", "watcher": "group", None: "public"},
    "npc": {"gm": "owner", "co": "gm", "nagisa": "group", "chiaki": "group", "watcher": "group", None: "public"},
}


def make(table, kind: str, visibility: str) -> Character:
    character = table.make("gm", kind="npc") if kind == "npc" else table.make("nagisa")
    Character.objects.filter(pk=character.pk).update(visibility=visibility)
    return character


@pytest.mark.parametrize(("kind", "visibility"), SEES)
def test_matrix(table, kind, visibility):
    character = make(table, kind, visibility)
    editors = {"gm", "co"} if kind == "npc" else {"gm", "co", "nagisa"}
    for viewer in VIEWERS:
        access = table.view(viewer, character)
        sees = viewer in SEES[kind, visibility]
        assert access.may_see is sees, viewer
        assert access.may_edit is (sees and viewer in editors), viewer
        assert access.may_review is (sees and viewer in {"gm", "co"}), viewer
        assert access.audience == AUDIENCES[kind][viewer], viewer
        user = table.users[viewer] if viewer else UserFactory()
        if sees:
            assert gates.character_for(user, character.slug).character == character
        else:
            with pytest.raises(Http404):
                gates.character_for(user, character.slug)
        if viewer is not None:
            listed = [item.character for item in gates.characters_in(table.access(viewer))]
            assert (character in listed) is sees, viewer


@pytest.mark.parametrize("visibility", ["owner", "gm", "group", "link", "listed"])
@pytest.mark.parametrize("kind", ["pc", "npc"])
def test_share_link(table, kind, visibility):
    character = make(table, kind, visibility)
    assert table.view(None, character, by_link=True).may_see is (visibility in ("link", "listed"))
    assert not table.view(None, character, by_link=True).may_edit


def test_put_away_is_for_the_owner_and_the_gms(table):
    character = table.make("nagisa")
    characters.delete_character(access=table.view("nagisa", character))
    for viewer in VIEWERS:
        access = table.view(viewer, character)
        assert access.may_see is (viewer in {"gm", "co", "nagisa"}), viewer
        assert not access.may_edit


def test_a_removed_seat_is_a_stranger(table):
    character = table.make("nagisa")
    members.remove_seat(access=table.access("gm"), seat=table.seat("chiaki"))
    user = table.users["chiaki"]
    with pytest.raises(Http404):
        gates.campaign_for(user, table.campaign.slug)
    with pytest.raises(Http404):
        gates.character_for(user, character.slug)
    assert gates.campaigns_of(user) == []


def test_a_gm_who_stepped_down_loses_npcs(table):
    npc = table.make("co", kind="npc")
    members.set_role(access=table.access("gm"), seat=table.seat("co"), role="spectator")
    assert not table.view("co", npc).may_see
    assert table.view("gm", npc).may_edit


@pytest.mark.parametrize("user", [AnonymousUser(), None])
def test_nobody_has_no_campaign(table, user):
    with pytest.raises(Http404):
        gates.campaign_for(user, table.campaign.slug)
    assert gates.campaigns_of(user) == []


def test_tokens(table):
    seats = {name: table.seat(name) for name in ("gm", "co", "nagisa", "watcher")}
    for name, seat in seats.items():
        extra = {"gm"} if name in ("gm", "co") else set()
        assert table.access(name).tokens == {"all", f"seat:{seat.pk}"} | extra


# Author and visibility -> who of VIEWERS reads the note on nagisa's PC (which everybody of the table sees).
READS = {
    ("nagisa", "owner"): {"nagisa"},
    ("nagisa", "gm"): {"nagisa", "gm", "co"},
    ("nagisa", "group"): {"nagisa", "gm", "co", "chiaki", "watcher"},
    ("nagisa", "link"): {"nagisa", "gm", "co", "chiaki", "watcher", None},
    ("nagisa", "listed"): {"nagisa", "gm", "co", "chiaki", "watcher", None},
    ("gm", "owner"): {"gm"},
    ("gm", "gm"): {"gm", "co"},
    ("gm", "group"): {"nagisa", "gm", "co", "chiaki", "watcher"},
}


@pytest.mark.parametrize(("author", "visibility"), READS)
def test_notes(table, author, visibility):
    character = make(table, "pc", "listed")
    note = notes.save_note(access=table.view(author, character), text="ひそか", visibility=visibility)
    for viewer in VIEWERS:
        access = table.view(viewer, character)
        assert gates.may_see_note(note, access) is (viewer in READS[author, visibility]), viewer
        assert (note in gates.visible_notes(access)) is (viewer in READS[author, visibility])


def test_a_note_is_never_wider_than_its_character(table):
    character = make(table, "pc", "owner")
    note = notes.save_note(access=table.view("nagisa", character), text="ひそか", visibility="listed")
    for viewer in VIEWERS:
        assert gates.may_see_note(note, table.view(viewer, character)) is (viewer == "nagisa")


def test_notes_of_others_are_left_alone(table):
    character = table.make("nagisa")
    mine = notes.save_note(access=table.view("nagisa", character), text="わたしの", visibility="owner")
    theirs = notes.save_note(access=table.view("gm", character), text="GMの", visibility="group")
    nagisa, gm = table.view("nagisa", character), table.view("gm", character)
    assert gates.may_edit_note(mine, nagisa)
    assert not gates.may_edit_note(mine, gm)
    assert gates.may_edit_note(theirs, nagisa)  # everybody reads it, so both sides keep it
    assert not gates.may_edit_note(theirs, table.view("chiaki", character))
    assert Note.objects.count() == 2
