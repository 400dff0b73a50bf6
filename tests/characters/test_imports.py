"""Files coming back in: round trips (json-api §7), limits, reports, once only."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from characters.actions import builds, characters, imports, notes, pool
from characters.actions.errors import ActionRefused
from characters.documents import character_document, party_document, serialise
from characters.models import Character, Draft, ImportRecord, Note
from live.models import Event
from tests.characters.test_rows import RICH
from tests.factories import WORKED_EXAMPLE, make_table

FIXTURES = Path(__file__).parent / "files"
VOLATILE = ("exported_at", "generator", "id", "revision")


@pytest.fixture
def saved(table):
    """nagisa's saved PC with notes; 400 points are hers."""
    pool.allocate(access=table.access("gm"), seat=table.seat("nagisa"), points=400)
    character = table.make("nagisa", RICH)
    builds.save_build(access=table.view("nagisa", character))
    for visibility in ("owner", "gm", "group", "listed"):
        notes.save_note(
            access=table.view("nagisa", character), title="題", text=f"{visibility}の話\n二行", visibility=visibility
        )
    return character


@pytest.fixture
def elsewhere(db):
    """Another table where nagisa plays, as on a fresh server."""
    other = make_table("nagisa")
    pool.allocate(access=other.access("gm"), seat=other.seat("nagisa"), points=350)
    return other


def exported(table, character, name="nagisa") -> dict:
    return character_document(table.view(name, character))


def stable(document) -> dict:
    return {key: value for key, value in document.items() if key not in VOLATILE}


def take(table, document, name="nagisa", **kwargs):
    data = serialise(document) if isinstance(document, dict) else document
    return imports.import_document(access=table.access(name), data=data, **kwargs)


def fields(character) -> dict:
    return Draft.objects.get(pk=character.pk).fields


# ---------------------------------------------------------------- round trips


def test_r1_export_import_export(table, saved, elsewhere):
    document = exported(table, saved)
    document["updated_at"] = "2026-01-31T12:00:00Z"
    report = take(elsewhere, document)
    assert report.left_out == () and not report.repeated
    again = exported(elsewhere, report.character)
    assert stable(again) == stable(document)
    assert again["id"] != document["id"]
    elsewhere.edit("nagisa", report.character, style_name="新流")  # from now on it is younger than the file
    assert exported(elsewhere, report.character)["updated_at"] > "2026-01-31T12:00:00Z"


def test_r1_with_an_unsaved_draft(table, saved, elsewhere):
    table.edit("nagisa", saved, abilities__body="たくさん", names__given=None)
    document = {**exported(table, saved), "updated_at": "2026-01-31T12:00:00Z"}
    report = take(elsewhere, document)
    assert stable(exported(elsewhere, report.character)) == stable(document)


def test_r1_of_a_bare_draft(table, elsewhere):
    character = table.make("nagisa", {"names.given": "あ", "abilities.mind": "七"})
    document = exported(table, character)
    assert stable(exported(elsewhere, take(elsewhere, document).character)) == stable(document)


def test_r1_of_an_npc(table, elsewhere):
    document = exported(table, table.make("gm", kind="npc", preset="N11", count=3), "gm")
    report = take(elsewhere, document, "gm")
    assert (report.kind, report.character.count, report.character.status) == ("npc", 3, "cleared")
    assert stable(exported(elsewhere, report.character, "gm")) == stable(document)


def test_r2_every_part_arrives(table, saved, elsewhere):
    report = take(elsewhere, exported(table, saved))
    arrived = Character.objects.get(pk=report.character.pk)
    assert arrived.revision.fields == RICH and fields(arrived) == RICH and arrived.spent == saved.draft.spent
    assert [(n.title, n.text, n.visibility) for n in arrived.notes.all()] == [
        (n.title, n.text, n.visibility) for n in saved.notes.all()
    ]
    assert arrived.status == "draft" and arrived.cleared is None  # a file brings no clearing


def test_r3_a_public_file_holds_and_deletes_nothing_hidden(table, saved):
    characters.set_visibility(access=table.view("nagisa", saved), visibility="listed")
    document = character_document(table.view(None, saved))
    assert "ownerの話" not in json.dumps(document, ensure_ascii=False)
    report = take(table, document, mode="update")
    assert report.character == saved and report.conflicts == ()
    assert Note.objects.filter(character=saved).count() == 4
    assert fields(saved) == RICH


def test_r4_a_newer_minor_version_passes_unharmed(table, saved, elsewhere):
    document = exported(table, saved)
    document["format_version"] = "1.7"
    document["aura"] = {"colour": "blue", "rings": [1, 2, {"x": None}]}
    document["character"]["weather"] = "雨"
    document["character"]["play"]["resources"].append({"key": "omen", "label": "兆し", "value": 3, "max": None})
    document["character"]["play"]["conditions"] = [{"key": "wet", "until": None}]
    document["character"] |= {"ruby": "きりゅう", "colour": "#b71c1c", "tags": ["浪人"], "palette": ["3d6k2 剣術"]}
    document["character"]["history"] = [
        {"at": "2026-05-08", "kind": "session", "title": "第一話", "changes": {"kp": 1}}
    ]
    document["extensions"] = {"udonarium": {"data": {"情報/好物": "スシ"}}}
    report = take(elsewhere, document)
    assert stable(exported(elsewhere, report.character)) == stable(document)


@pytest.mark.parametrize(
    "name",
    ['"quoted"', "👘🗡️", "</script><script>alert(1)</script>", "\u202eabc\u202c", "\u200fיוסף", "あ" * 100, "a\\b\n c"],
)
def test_r6_any_name_survives(table, elsewhere, name):
    character = table.make("nagisa", {**WORKED_EXAMPLE, "names.given": "-"})
    table.edit("nagisa", character, names__given=name)
    document = exported(table, character)
    report = take(elsewhere, document)
    assert fields(report.character)["names.given"] == fields(character)["names.given"]
    assert stable(exported(elsewhere, report.character))["character"] == stable(document)["character"]


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("character-1.0-*.json")), ids=lambda p: p.stem)
def test_r7_released_files_are_read_for_ever(elsewhere, path):
    pool.set_pool(access=elsewhere.access("gm"), total=1000)
    pool.allocate(access=elsewhere.access("gm"), seat=elsewhere.seat("nagisa"), points=1000)
    document = json.loads(path.read_text(encoding="utf-8"))
    report = take(elsewhere, path.read_bytes(), "gm" if "npc" in document["character"] else "nagisa")
    assert report.left_out == ()
    again = exported(elsewhere, report.character, "gm" if report.kind == "npc" else "nagisa")
    assert again["character"]["build"] == document["character"]["build"]
    assert again["character"]["notes"] == document["character"]["notes"]
    for key in ("endurance_max", "evasion"):
        assert again["derived"].get(key) == document["derived"].get(key)


# ---------------------------------------------------------------- once, and again


def test_the_same_file_twice_is_once(table, saved, elsewhere):
    document = exported(table, saved)
    first = take(elsewhere, document)
    document["exported_at"] = "2031-01-01T00:00:00Z"
    second = take(elsewhere, document)
    assert second.repeated and second.character == first.character
    assert Character.objects.filter(campaign=elsewhere.campaign).count() == 1
    assert Note.objects.filter(character=first.character).count() == 4
    third = take(elsewhere, document, again=True)
    assert third.character != first.character
    characters.delete_character(access=elsewhere.view("nagisa", first.character))
    characters.delete_character(access=elsewhere.view("nagisa", third.character))
    assert not take(elsewhere, document).repeated


def test_a_dry_run_writes_nothing(table, saved, elsewhere):
    before = (Character.objects.count(), Note.objects.count(), ImportRecord.objects.count())
    report = take(elsewhere, exported(table, saved), dry_run=True)
    assert report.dry_run and report.character is None and report.taken
    assert (Character.objects.count(), Note.objects.count(), ImportRecord.objects.count()) == before


def test_the_report_is_kept(table, saved, elsewhere):
    report = take(elsewhere, exported(table, saved))
    assert ImportRecord.objects.get().report["taken"] == list(report.taken)


# ---------------------------------------------------------------- updating


def test_updating_the_same_character(table, saved):
    document = exported(table, saved)
    document["character"]["build"]["names"]["given"] = "権兵衛"
    document["character"]["notes"].append({"title": "新", "text": "新しい話", "visibility": "owner"})
    assert take(table, document, dry_run=True).known == saved
    report = take(table, document, mode="update")
    assert report.character == saved and fields(saved)["names.given"] == "権兵衛"
    assert Note.objects.filter(character=saved).count() == 5
    assert saved.draft_backups.get().fields == RICH


def test_both_sides_changed(table, saved):
    document = exported(table, saved)
    document["character"]["build"]["names"]["given"] = "権兵衛"
    document["character"]["build"]["abilities"]["mind"] = 8
    table.edit("nagisa", saved, names__given="小次郎", abilities__gi=8)
    foreseen = take(table, document, mode="update", dry_run=True)
    report = take(table, document, mode="update")
    for found in (foreseen, report):
        (conflict,) = found.conflicts
        assert (conflict.key, conflict.yours, conflict.theirs) == ("names.given", "権兵衛", "小次郎")
    now = fields(saved)
    assert (now["names.given"], now["abilities.mind"], now["abilities.gi"]) == ("小次郎", 8, 8)


@pytest.mark.parametrize("part", ["skills", "school", "perks", "possessions", "names", "money_dice"])
def test_missing_is_not_none(table, saved, part):
    document = exported(table, saved)
    del document["character"]["build"][part]
    take(table, document, mode="update")
    assert fields(saved) == RICH


def test_an_emptied_part_is_emptied(table, saved):
    document = exported(table, saved)
    document["character"]["build"]["possessions"] = []
    take(table, document, mode="update")
    assert not [key for key in fields(saved) if key.startswith("possessions")]


def test_updating_what_one_may_not_edit(table, saved):
    for name in ("chiaki",):
        with pytest.raises(ActionRefused) as refused:
            take(table, exported(table, saved), name, mode="update")
        assert refused.value.code == "unknown_id"
    assert take(table, exported(table, saved), "chiaki", dry_run=True).known is None


# ---------------------------------------------------------------- what does not fit


def test_an_illegal_build_becomes_a_draft(table, saved, elsewhere):
    document = exported(table, saved)
    document["character"]["build"]["abilities"]["mind"] = 12
    report = take(elsewhere, document)
    assert "V06" in {problem.code for problem in report.problems}
    assert report.character.revision is None and fields(report.character)["abilities.mind"] == 12
    assert any("下書き" in line for line in report.changed)


def test_a_build_dearer_than_the_allocation_becomes_a_draft(table, saved):
    other = make_table("nagisa")
    report = take(other, exported(table, saved))
    assert report.character.revision is None
    assert pool.pool_of(other.campaign).spent == 0


def test_computed_values_are_never_trusted(table, saved, elsewhere):
    document = exported(table, saved)
    document["derived"]["endurance_max"] = 99
    report = take(elsewhere, document)
    assert any("99" in line and "8" in line for line in report.changed)
    assert exported(elsewhere, report.character)["derived"]["endurance_max"] == 8


def test_nothing_that_gives_rights_is_taken(table, saved, elsewhere):
    document = exported(table, saved)
    document |= {"owner": 1, "campaign": 1, "share_token": "x"}
    document["character"] |= {"player_name": "だれか", "status": "cleared", "spent": 0}
    arrived = take(elsewhere, document).character
    assert (arrived.owner, arrived.status, arrived.link_nonce) == (elsewhere.seat("nagisa"), "draft", "")


def test_unreadable_parts_are_named(table, saved, elsewhere):
    document = exported(table, saved)
    build = document["character"]["build"]
    build["wings"] = 2
    build["abilities"]["mind"] = "七"
    build["skills"].append({"id": "flying", "level": 1})
    build["possessions"].append({"text": "長" * 300})
    document["character"]["notes"].append({"text": "x", "visibility": "everybody"})
    document["character"]["colour"] = "red"
    document["assets"] = [{"sha256": "0" * 64, "media_type": "image/png", "role": "token"}]
    report = take(elsewhere, document)
    left = "\n".join(report.left_out)
    for word in ("wings", "flying", "possessions", "手控え5枚目", "colour", "絵"):
        assert word in left, word
    assert any("abilities/mind" in line for line in report.changed)
    assert fields(report.character)["abilities.mind"] == "七"


def test_foreign_data_too_big_is_named(table, saved, elsewhere):
    document = exported(table, saved)
    document["extensions"] = {"x": "y" * 70_000}
    document["aura"] = "z" * 70_000
    report = take(elsewhere, document)
    assert any("extensions" in line for line in report.left_out)
    assert any("aura" in line for line in report.left_out)
    assert report.character.extensions == {}


# ---------------------------------------------------------------- refusals


def text_of(document, **change) -> str:
    return json.dumps({**document, **change}, ensure_ascii=False)


BASE = {
    "format": "takubiyori.character",
    "format_version": "1.0",
    "system": {"id": "edo", "ruleset": "1"},
    "character": {"name": "x", "build": {"abilities": {"mind": 4, "gi": 4, "body": 4}}},
}


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "syntax"),
        (b"{", "syntax"),
        (b"[]", "format"),
        (b"null", "format"),
        (b'"x"', "format"),
        (b"\xff\xfe{\x00}\x00", "encoding"),
        (b'{"a":"\xff"}', "encoding"),
        (b'{"a":\x00}', "nul"),
        (b'{"a":1,"b":{"x":1,\n "x":2}}', "duplicate"),
        (b'{"a":NaN}', "number"),
        (b'{"a":-Infinity}', "number"),
        (b'{"a":-1e999}', "number"),
        (b'{"a":' + b"9" * 5000 + b"}", "number"),
        (b"[" * 33 + b"]" * 33, "depth"),
        (b"[" * 100_000, "depth"),
        (b'{"a":' * 5000 + b"1" + b"}" * 5000, "depth"),
        (b" " * (1024 * 1024 + 1), "size"),
        (text_of(BASE, format="other"), "format"),
        (text_of(BASE, format_version="2.0"), "format_version"),
        (text_of(BASE, format_version=1), "format_version"),
        (text_of(BASE, format_version=None), "format_version"),
        (text_of(BASE, system={"id": "alice"}), "system"),
        (text_of(BASE, system="edo"), "system"),
        (text_of(BASE, character={"name": "x"}), "format"),
        (text_of(BASE, character=[]), "format"),
    ],
)
def test_refused_files(table, data, code):
    with pytest.raises(ActionRefused) as refused:
        take(table, data)
    assert (refused.value.code, refused.value.status) == (code, 422)
    assert not Character.objects.exists()


def test_the_place_is_said(table):
    with pytest.raises(ActionRefused) as refused:
        take(table, b'{"a":1,\n  "b":{"x":1,\n "x":2}}')
    assert "3行2字目" in refused.value.message and "「x」" in refused.value.message


def test_a_version_from_the_future_says_who_wrote_it(table):
    with pytest.raises(ActionRefused) as refused:
        take(table, text_of(BASE, format_version="2.1", generator={"name": "takubiyori", "version": "9.0"}))
    assert "1.x" in refused.value.message and "takubiyori 9.0" in refused.value.message


def test_a_byte_order_mark_is_skipped(table):
    assert take(table, b"\xef\xbb\xbf" + text_of(BASE).encode()).character is not None


def test_32_levels_are_read(table):
    deep = json.loads("[" * 30 + "]" * 30)
    assert take(table, text_of(BASE, aura=deep)).character is not None


@pytest.mark.parametrize(("name", "status"), [("watcher", 403), ("gm", 422)])
def test_who_may_import_a_pc(table, name, status):
    with pytest.raises(ActionRefused) as refused:
        take(table, text_of(BASE), name, kind="pc")
    assert refused.value.status == status


def test_npcs_are_the_gms(table):
    with pytest.raises(ActionRefused) as refused:
        take(table, text_of(BASE), kind="npc")
    assert refused.value.status == 403
    assert take(table, text_of(BASE), "gm").kind == "npc"
    assert take(table, text_of(BASE), "gm", owner=table.seat("chiaki")).character.owner == table.seat("chiaki")


# ---------------------------------------------------------------- a party


def test_a_party_finds_its_players_by_name(table, saved):
    table.make("chiaki", WORKED_EXAMPLE)
    document = party_document(table.access("gm"))
    other = make_table("nagisa")
    report = take(other, document, "gm")
    assert [part.character.owner.name for part in report.parts] == ["nagisa"]
    assert len(report.left_out) == 1
    again = take(other, document, "gm")
    assert [part.repeated for part in again.parts] == [True]
    with pytest.raises(ActionRefused):
        take(other, document, "nagisa")


@pytest.mark.parametrize(
    "broken",
    [
        {"character": "x"},
        {"character": [1]},
        {"character": None},
        {"character": {"name": "x", "player_name": ["chiaki"], "build": {}}},
        {"character": {"name": "x", "player_name": "chiaki"}},
        {"format_version": None},
        {"format_version": "2.0"},
        {"format": "takubiyori.party"},
        {"system": {"id": "witch"}},
    ],
)
@pytest.mark.parametrize("dry_run", [True, False])
def test_an_unusable_member_is_left_out_with_its_reason_and_the_others_come(table, saved, broken, dry_run):
    document = party_document(table.access("gm"))
    [good] = document["characters"]
    bad = copy.deepcopy(good) | {"id": "0" * 32} | broken
    other = make_table("nagisa", "chiaki")
    report = take(other, document | {"characters": [bad, good]}, "gm", dry_run=dry_run)
    assert len(report.left_out) == 1 and len(report.parts) == 1
    assert Character.objects.filter(campaign=other.campaign).count() == (0 if dry_run else 1)
    with pytest.raises(ActionRefused) as refused:
        take(other, document | {"characters": [bad]}, "gm", dry_run=dry_run)
    assert refused.value.status == 422


def test_a_member_that_fails_half_way_leaves_nothing(table, saved, monkeypatch):
    document = party_document(table.access("gm"))
    [good] = document["characters"]
    other = make_table("nagisa")
    add_notes = imports._add_notes

    def fail_first(character, *rest):
        if Character.objects.filter(campaign=other.campaign).count() == 1:
            monkeypatch.setattr(imports, "_add_notes", add_notes)
            raise ActionRefused("no")

    monkeypatch.setattr(imports, "_add_notes", fail_first)
    report = take(other, document | {"characters": [good, good | {"id": "1" * 32}]}, "gm")
    assert (len(report.left_out), len(report.parts)) == (1, 1)
    assert Character.objects.filter(campaign=other.campaign).count() == 1
    assert Event.objects.filter(topic__name=other.campaign.topic, kind="character.made").count() == 1


# ---------------------------------------------------------------- anything at all


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)
PLACES = [
    ("id",),
    ("revision",),
    ("system",),
    ("system", "house_rules"),
    ("updated_at",),
    ("derived",),
    ("assets",),
    ("extensions",),
    ("draft",),
    ("draft", "fields"),
    ("character", "name"),
    ("character", "npc"),
    ("character", "play"),
    ("character", "play", "resources"),
    ("character", "notes"),
    ("character", "tags"),
    ("character", "history"),
    ("character", "build"),
    ("character", "build", "skills"),
    ("character", "build", "school"),
    ("character", "build", "perks"),
    ("character", "build", "names"),
    ("character", "build", "abilities"),
    ("character", "build", "possessions"),
    ("character", "build", "role"),
]


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.sampled_from(PLACES), value=JSON)
def test_no_file_breaks_the_site(table, place, value):
    document = copy.deepcopy(BASE)
    document["character"]["play"], document["draft"] = {}, {}
    holder = document
    for step in place[:-1]:
        holder = holder[step]
    holder[place[-1]] = value
    for kwargs in ({"dry_run": True}, {"again": True}):
        try:
            report = take(table, json.dumps(document), **kwargs)
        except ActionRefused as refused:
            assert 400 <= refused.status < 500 and refused.message
        else:
            if report.character is not None:
                serialise(exported(table, report.character))
                Character.objects.filter(pk=report.character.pk).delete()
