"""Character and party files: shape, audience, canaries."""

from __future__ import annotations

import json

import pytest

from characters.actions import builds, characters, notes
from characters.document_schema import CharacterDocument, PartyDocument, json_schema
from characters.documents import character_document, party_document, serialise
from characters.models import Character
from tests.characters.test_rows import RICH


@pytest.fixture
def sheet(table):
    """nagisa's saved PC with a note of every visibility from both sides, each with its own canary word."""
    from characters.actions.pool import allocate

    allocate(access=table.access("gm"), seat=table.seat("nagisa"), points=400)
    character = table.make("nagisa", RICH)
    builds.save_build(access=table.view("nagisa", character))
    for author in ("nagisa", "gm"):
        for visibility in ("owner", "gm", "group", "link", "listed"):
            if author == "gm" and visibility in ("link", "listed"):
                continue
            notes.save_note(
                access=table.view(author, character),
                title=f"T-{author}-{visibility}-CANARY",
                text=f"{author}-{visibility}-CANARY",
                visibility=visibility,
            )
    return character


def canaries(document) -> set[str]:
    text = serialise(document).decode()
    names = [f"{a}-{v}" for a in ("nagisa", "gm") for v in ("owner", "gm", "group", "link", "listed")]
    return {name for name in names if f"{name}-CANARY" in text}


OWN = {"nagisa-owner", "nagisa-gm"}
GROUP = {"nagisa-group", "nagisa-link", "nagisa-listed", "gm-group"}


@pytest.mark.parametrize(
    ("viewer", "audience", "sees"),
    [
        ("nagisa", "owner", OWN | GROUP),
        ("gm", "gm", {"nagisa-gm", "gm-owner", "gm-gm"} | GROUP),
        ("co", "gm", {"nagisa-gm", "gm-gm"} | GROUP),
        ("chiaki", "group", GROUP),
        ("watcher", "group", GROUP),
        (None, "public", {"nagisa-link", "nagisa-listed"}),
    ],
)
def test_only_what_the_reader_may_see(table, sheet, viewer, audience, sees):
    Character.objects.filter(pk=sheet.pk).update(visibility="listed")
    table.edit("nagisa", sheet, style_name="DRAFT-CANARY")
    document = character_document(table.view(viewer, sheet))
    assert document["audience"] == audience
    assert canaries(document) == sees
    assert (b"DRAFT-CANARY" in serialise(document)) is (audience in ("owner", "gm"))
    if audience != "owner":
        assert "/character/notes/*" in document["omitted"]
    CharacterDocument.model_validate(document)


def test_what_is_omitted_does_not_depend_on_what_there_is(table, sheet):
    empty = table.make("nagisa", RICH)
    for viewer in ("gm", "chiaki"):
        full = character_document(table.view(viewer, sheet))["omitted"]
        assert character_document(table.view(viewer, empty))["omitted"] == full


def test_a_public_file_names_no_player(table, sheet):
    characters.set_visibility(access=table.view("nagisa", sheet), visibility="listed")
    document = character_document(table.view(None, sheet))
    assert "player_name" not in document["character"]
    assert b'"nagisa"' not in serialise(document)


def test_the_whole_document(table, sheet):
    document = character_document(table.view("nagisa", sheet))
    assert list(document)[:5] == ["format", "format_version", "id", "revision", "system"]
    assert document["revision"] == 1 and document["id"] == str(sheet.uuid)
    assert document["system"]["id"] == "edo" and document["system"]["house_rules"] == {}
    assert document["system"]["ruleset_hash"].startswith("sha256:")
    part = document["character"]
    assert part["name"] and part["player_name"] == "nagisa"
    assert part["build"]["skills"][0] == {"id": "kenjutsu", "level": 5, "speciality": None, "base": None}
    counters = {row["key"]: (row["value"], row["max"]) for row in part["play"]["resources"]}
    assert counters["endurance"] == (8, 8) and counters["kp"] == (5, 7)
    assert document["derived"]["evasion"] == 15
    assert "draft" not in document


def test_a_draft_goes_along_for_the_owner(table, sheet):
    table.edit("nagisa", sheet, abilities__body="たくさん")
    document = character_document(table.view("nagisa", sheet))
    assert document["draft"]["fields"]["abilities.body"] == "たくさん"
    assert document["character"]["build"]["abilities"]["body"] == 6
    new = table.make("nagisa")
    document = character_document(table.view("nagisa", new))
    assert document["draft"]["only"] is True and document["character"]["name"] == "名前未定"
    CharacterDocument.model_validate(document)


def test_labels_in_english(table, sheet):
    rows = character_document(table.view("nagisa", sheet), "en")["character"]["play"]["resources"]
    assert all(row["label"].isascii() for row in rows)


def test_npcs_say_how_many(table):
    npc = table.make("gm", kind="npc", preset="N01", count=6)
    assert character_document(table.view("gm", npc))["character"]["npc"] == {"count": 6}


def test_a_party_file(table, sheet):
    hidden = table.make("chiaki", {"names.given": "HIDDEN-CANARY"})
    characters.set_visibility(access=table.view("chiaki", hidden), visibility="owner")
    table.make("gm", kind="npc", preset="N01")
    for viewer, count in (("gm", 1), ("nagisa", 1), ("chiaki", 2), ("watcher", 1)):
        document = party_document(table.access(viewer))
        assert len(document["characters"]) == count, viewer
        assert (b"HIDDEN-CANARY" in serialise(document)) is (viewer == "chiaki")
        PartyDocument.model_validate(document)
    assert document["pool"] == 850 and document["format"] == "takubiyori.party"
    assert canaries(document) == GROUP


def test_a_rule_that_is_gone_does_not_stop_the_export(table, sheet):
    sheet.refresh_from_db()
    revision = sheet.revision
    revision.house_rules = {"a rule of old": 1}
    revision.save()
    assert character_document(table.view("nagisa", sheet))["system"]["house_rules"] == {}


def test_the_schema_is_json(table):
    schema = json.loads(json.dumps(json_schema()))
    assert schema["$schema"].endswith("2020-12/schema")
    assert set(schema["required"]) >= {"format", "format_version", "id", "revision", "system", "character"}
