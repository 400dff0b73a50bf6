"""Notes: versions, limits, and that the log never holds what they say."""

from __future__ import annotations

import pytest

from characters.actions import notes
from characters.actions.errors import ActionRefused, Conflict
from characters.models import Note
from live.models import Event


@pytest.fixture
def sheet(table):
    return table.make("nagisa")


def test_a_note_is_written_and_changed(table, sheet):
    note = notes.save_note(access=table.view("nagisa", sheet), title="外見", text="灰色の羽織\r\n二行目")
    assert (note.visibility, note.version, note.text) == ("owner", 1, "灰色の羽織\n二行目")
    changed = notes.save_note(
        access=table.view("nagisa", sheet), note=note, title="外見", text="黒羽織", base_version=1
    )
    assert (changed.pk, changed.version, Note.objects.get().text) == (note.pk, 2, "黒羽織")


def test_two_versions_are_both_shown(table, sheet):
    note = notes.save_note(access=table.view("nagisa", sheet), text="はじめ", visibility="group")
    notes.save_note(access=table.view("gm", sheet), note=note, text="GMの筆", visibility="group", base_version=1)
    with pytest.raises(Conflict) as refused:
        notes.save_note(
            access=table.view("nagisa", sheet), note=note, text="わたしの筆", visibility="group", base_version=1
        )
    (conflict,) = refused.value.conflicts
    assert (conflict.key, conflict.yours, conflict.theirs) == ("text", "わたしの筆", "GMの筆")
    assert refused.value.data["version"] == 2
    assert Note.objects.get().text == "GMの筆"


def test_the_same_text_is_no_conflict(table, sheet):
    note = notes.save_note(access=table.view("nagisa", sheet), text="はじめ")
    notes.save_note(access=table.view("nagisa", sheet), note=note, text="つぎ", base_version=1)
    same = notes.save_note(access=table.view("nagisa", sheet), note=note, text="つぎ", base_version=1)
    assert same.version == 2


def test_only_the_author_changes_who_reads(table, sheet):
    note = notes.save_note(access=table.view("nagisa", sheet), text="みんなに", visibility="group")
    with pytest.raises(ActionRefused):
        notes.save_note(access=table.view("gm", sheet), note=note, text="みんなに", visibility="listed")
    notes.save_note(access=table.view("nagisa", sheet), note=note, text="みんなに", visibility="gm")
    assert Note.objects.get().visibility == "gm"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"text": ""}, "text"),
        ({"text": "あ" * 20_001}, "text"),
        ({"title": "あ" * 101}, "title"),
        ({"visibility": "all"}, "visibility"),
    ],
)
def test_odd_notes(table, sheet, change, field):
    with pytest.raises(ActionRefused) as refused:
        notes.save_note(access=table.view("nagisa", sheet), **{"text": "x", **change})
    assert (refused.value.status, refused.value.field) == (422, field)


@pytest.mark.parametrize("name", ["chiaki", "watcher"])
def test_others_write_nothing(table, sheet, name):
    note = notes.save_note(access=table.view("nagisa", sheet), text="みんなに", visibility="group")
    for act in (
        lambda: notes.save_note(access=table.view(name, sheet), text="x"),
        lambda: notes.save_note(access=table.view(name, sheet), note=note, text="x"),
        lambda: notes.delete_note(access=table.view(name, sheet), note=note),
    ):
        with pytest.raises(ActionRefused) as refused:
            act()
        assert refused.value.status == 403


def test_a_hidden_note_is_not_there(table, sheet):
    note = notes.save_note(access=table.view("nagisa", sheet), text="ひそか", visibility="owner")
    for act in (
        lambda: notes.save_note(access=table.view("gm", sheet), note=note, text="x"),
        lambda: notes.delete_note(access=table.view("gm", sheet), note=note.pk),
        lambda: notes.delete_note(access=table.view("gm", sheet), note=note.pk + 1),
    ):
        with pytest.raises(ActionRefused) as refused:
            act()
        assert refused.value.status == 404


def test_deleting(table, sheet):
    note = notes.save_note(access=table.view("nagisa", sheet), text="いらない")
    notes.delete_note(access=table.view("nagisa", sheet), note=note)
    assert not Note.objects.exists()


def test_the_log_holds_no_word_of_a_note(table, sheet):
    for author, visibility in (("nagisa", "owner"), ("nagisa", "group"), ("gm", "owner"), ("gm", "gm")):
        notes.save_note(access=table.view(author, sheet), title="題CANARY", text="文CANARY", visibility=visibility)
    rows = Event.objects.filter(kind="character.note").order_by("seq")
    assert "CANARY" not in repr([row.data for row in rows])
    nagisa, gm = f"seat:{table.seat('nagisa').pk}", f"seat:{table.seat('gm').pk}"
    assert [set(row.audience) for row in rows] == [{nagisa}, {"all"}, {gm}, {gm, "gm"}]


def test_a_sheet_holds_so_many(table, sheet, monkeypatch):
    monkeypatch.setattr(notes, "MAX_NOTES", 1)
    notes.save_note(access=table.view("nagisa", sheet), text="一")
    with pytest.raises(ActionRefused):
        notes.save_note(access=table.view("nagisa", sheet), text="二")
