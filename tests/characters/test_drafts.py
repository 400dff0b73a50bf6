"""Saving fields one by one: merging, conflicts, refusals, rolling."""

from __future__ import annotations

import pytest

from characters.actions import builds, drafts
from characters.actions.drafts import FieldEdit, edit_draft
from characters.actions.errors import ActionRefused
from characters.models import Character, Draft
from live.models import Draw, Event


def fields(character) -> dict:
    return Draft.objects.get(pk=character.pk).fields


def summaries(table) -> list[dict]:
    rows = Event.objects.filter(topic__name=table.campaign.topic, kind="character.draft").order_by("seq")
    return [row.data for row in rows]


# ---------------------------------------------------------------- making


def test_a_new_pc_is_the_players_own_draft(table):
    character = table.make("nagisa")
    assert (character.kind, character.status, character.visibility) == ("pc", "draft", "group")
    assert character.owner == table.seat("nagisa")
    assert fields(character) == {"abilities.mind": 4, "abilities.gi": 4, "abilities.body": 4}
    assert character.draft.errors >= 2  # role and name


def test_a_gm_makes_pcs_for_players_and_npcs(table):
    assert table.make("gm", owner=table.seat("chiaki")).owner == table.seat("chiaki")
    npc = table.make("co", kind="npc", preset="N03", count=6)
    assert (npc.kind, npc.visibility, npc.count, npc.status) == ("npc", "gm", 6, "cleared")
    assert npc.revision.number == 1 and npc.cleared == npc.revision


@pytest.mark.parametrize(
    ("name", "kwargs", "status"),
    [
        ("watcher", {}, 403),
        ("nagisa", {"kind": "npc"}, 403),
        ("watcher", {"kind": "npc"}, 403),
        ("gm", {}, 422),  # a PC needs a player
        ("gm", {"kind": "npc", "preset": "N99"}, 404),
        ("gm", {"kind": "npc", "count": 0}, 422),
        ("gm", {"kind": "npc", "count": 100}, 422),
        ("nagisa", {"fields": {"nonsense": 1}}, 422),
    ],
)
def test_refused(table, name, kwargs, status):
    with pytest.raises(ActionRefused) as refused:
        table.make(name, **kwargs)
    assert refused.value.status == status
    assert not Character.objects.exists()


def test_not_for_somebody_else(table):
    with pytest.raises(ActionRefused):
        table.make("nagisa", owner=table.seat("chiaki"))


# ---------------------------------------------------------------- saving


def test_a_field_is_saved_with_its_author(table):
    character = table.make("nagisa")
    saved = table.edit("nagisa", character, role="lead", names__given="新八郎")
    assert saved.saved == ("role", "names.given") and saved.clean
    draft = Draft.objects.get(pk=character.pk)
    assert draft.fields["role"] == "lead" and draft.version == 2
    assert draft.authors["role"]["name"] == "nagisa"
    assert Character.objects.get(pk=character.pk).name == "新八郎"


def test_none_takes_a_field_away(table):
    character = table.make("nagisa", {"role": "lead", "endurance_bought": 2})
    table.edit("nagisa", character, endurance_bought=None)
    assert fields(character) == {"role": "lead"}


def test_different_fields_merge(table):
    character = table.make("nagisa", {"abilities.mind": 4, "abilities.gi": 4})
    seen = Draft.objects.get(pk=character.pk).version
    nagisa, gm = table.view("nagisa", character), table.view("gm", character)
    edit_draft(access=gm, edits={"abilities.mind": FieldEdit(4, 7)}, seen_version=seen)
    saved = edit_draft(access=nagisa, edits={"abilities.gi": FieldEdit(4, 8)}, seen_version=seen)
    assert saved.clean and saved.merged == {"abilities.mind": 7}
    assert fields(character) == {"abilities.mind": 7, "abilities.gi": 8}


def test_the_same_field_conflicts_and_keeps_both(table):
    character = table.make("nagisa", {"abilities.mind": 4})
    edit_draft(access=table.view("gm", character), edits={"abilities.mind": FieldEdit(4, 7)})
    saved = edit_draft(
        access=table.view("nagisa", character),
        edits={"abilities.mind": FieldEdit(4, 9), "role": FieldEdit(None, "lead")},
    )
    (conflict,) = saved.conflicts
    assert (conflict.key, conflict.base, conflict.yours, conflict.theirs) == ("abilities.mind", 4, 9, 7)
    assert conflict.by == "雪村" and conflict.at
    assert saved.saved == ("role",)  # the rest is not held back
    assert fields(character) == {"abilities.mind": 7, "role": "lead"}
    again = edit_draft(access=table.view("nagisa", character), edits={"abilities.mind": FieldEdit(7, 9)})
    assert again.clean and fields(character)["abilities.mind"] == 9


def test_the_same_value_twice_is_no_conflict(table):
    character = table.make("nagisa", {"abilities.mind": 4})
    table.edit("gm", character, abilities__mind=7)
    saved = edit_draft(access=table.view("nagisa", character), edits={"abilities.mind": FieldEdit(4, 7)})
    assert saved.clean and saved.saved == ("abilities.mind",)
    assert Draft.objects.get(pk=character.pk).version == 2


def test_true_is_not_one(table):
    character = table.make("nagisa", {"perks.iai": True})
    saved = edit_draft(access=table.view("nagisa", character), edits={"perks.iai": FieldEdit(1, None)})
    assert len(saved.conflicts) == 1


def test_illegal_values_are_kept_as_typed(table):
    character = table.make("nagisa")
    table.edit("nagisa", character, abilities__mind="たくさん", role="mook")
    assert fields(character)["abilities.mind"] == "たくさん"
    assert Draft.objects.get(pk=character.pk).errors > 0


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("names.given", "あ" * 10_000, "too_long"),
        ("names.given", "あ" * 201, "too_long"),
        ("abilities.mind", 10**7, "too_big"),
        pytest.param("abilities.mind", 10**6000, "too_big", id="huge"),
        ("abilities.mind", 1.5, "type"),
        ("abilities.mind", [7], "type"),
        ("skills.flying.level", 1, "unknown_field"),
        ("__proto__", 1, "unknown_field"),
        ("", 1, "unknown_field"),
        ("x" * 5000, 1, "unknown_field"),
    ],
)
def test_what_a_draft_cannot_hold_is_refused_at_its_field(table, key, value, code):
    character = table.make("nagisa", {"names.given": "新八郎"})
    saved = edit_draft(
        access=table.view("nagisa", character),
        edits={key: FieldEdit("新八郎" if key == "names.given" else None, value), "role": FieldEdit(None, "lead")},
    )
    (refused,) = saved.refused
    assert refused.code == code and refused.message
    assert fields(character) == {"names.given": "新八郎", "role": "lead"}


@pytest.mark.parametrize("name", ["👘新八郎", "<b>新八郎</b>", "桐生\u200f新", "'\"; DROP TABLE", "あ" * 200])
def test_any_name_is_kept(table, name):
    character = table.make("nagisa")
    assert table.edit("nagisa", character, names__given=name).clean
    assert fields(character)["names.given"] == name


def test_control_characters_are_dropped(table):
    character = table.make("nagisa")
    table.edit("nagisa", character, names__given="新\x00八\ud800郎\x1b")
    assert fields(character)["names.given"] == "新八郎"


@pytest.mark.parametrize("name", ["chiaki", "watcher"])
def test_others_cannot_edit(table, name):
    character = table.make("nagisa")
    with pytest.raises(ActionRefused) as refused:
        table.edit(name, character, role="lead")
    assert refused.value.status == 403


def test_a_stale_page_of_somebody_removed(table):
    from characters.actions import members

    character = table.make("nagisa")
    before = table.view("nagisa", character)
    members.remove_seat(access=table.access("gm"), seat=table.seat("nagisa"))
    with pytest.raises(ActionRefused) as refused:
        edit_draft(access=before, edits={"role": FieldEdit(None, "lead")})
    assert refused.value.code == "not_a_member"
    assert "role" not in fields(character)


def test_the_log_tells_only_what_others_need(table, hero):
    builds.save_build(access=table.view("nagisa", hero))
    table.edit("nagisa", hero, style_name="桐生流")
    start = len(summaries(table))
    table.edit("nagisa", hero, style_name="新桐生流")  # nothing the table's page shows
    assert len(summaries(table)) == start
    table.edit("nagisa", hero, names__given="新八")
    table.edit("nagisa", hero, endurance_bought=3)
    shown = [(row["shown"], row["spent"]) for row in summaries(table)[start:]]
    assert shown == [("桐生 新八", 280), ("桐生 新八", 285)]


def test_a_repeated_press_gives_the_same_answer(table):
    character = table.make("nagisa", {"abilities.mind": 4})
    edits = {"abilities.mind": FieldEdit(4, 7), "names.given": FieldEdit(None, "あ" * 300)}
    first = edit_draft(access=table.view("nagisa", character), edits=edits, command_id="press-1")
    table.edit("gm", character, abilities__mind=5)
    second = edit_draft(access=table.view("nagisa", character), edits=edits, command_id="press-1")
    assert (second.version, second.saved, second.conflicts) == (first.version, first.saved, first.conflicts)
    assert [r.code for r in second.refused] == [r.code for r in first.refused] == ["too_long"]
    assert fields(character)["abilities.mind"] == 5


# ---------------------------------------------------------------- replacing


def test_replacing_keeps_the_old_draft(table):
    character = table.make("nagisa", {"role": "lead", "names.given": "あ"})
    drafts.replace_draft(access=table.view("nagisa", character), fields={"role": "support"})
    assert fields(character) == {"role": "support"}
    backup = character.draft_backups.get()
    assert backup.fields == {"role": "lead", "names.given": "あ"}
    drafts.restore_backup(access=table.view("nagisa", character), backup=backup)
    assert fields(character) == {"role": "lead", "names.given": "あ"}


def test_backups_are_limited_and_ones_own(table):
    character, other = table.make("nagisa"), table.make("nagisa")
    for n in range(25):
        drafts.replace_draft(access=table.view("nagisa", character), fields={"names.given": f"第{n}"})
    assert character.draft_backups.count() == drafts.MAX_BACKUPS
    with pytest.raises(ActionRefused):
        drafts.restore_backup(access=table.view("nagisa", other), backup=character.draft_backups.first())


def test_a_saved_revision_needs_no_backup(table, hero):
    builds.save_build(access=table.view("nagisa", hero))
    drafts.replace_draft(access=table.view("nagisa", hero), fields={"role": "support"})
    assert not hero.draft_backups.exists()


# ---------------------------------------------------------------- dice


MONEY = {"role": "support", "status": "townsman"}


def test_money_is_rolled_on_the_server(table):
    character = table.make("nagisa", MONEY)
    record = drafts.roll_creation(access=table.view("nagisa", character), step="money")
    draw = Draw.objects.get(topic__name=table.campaign.topic, number=record.draw)
    assert record.faces == draw.values and not record.told
    assert fields(character)["money_dice.1"] == record.faces[0]
    event = Event.objects.get(topic__name=table.campaign.topic, seq=record.event_seq)
    assert event.kind == "character.rolled" and event.data["faces"] == record.faces
    assert draw.event_seq == event.seq


def test_a_player_rolls_once_a_gm_again(table):
    character = table.make("nagisa", MONEY)
    drafts.roll_creation(access=table.view("nagisa", character), step="money")
    table.edit("nagisa", character, money_dice__1=None)
    with pytest.raises(ActionRefused) as refused:
        drafts.roll_creation(access=table.view("nagisa", character), step="money")
    assert refused.value.code == "already_rolled"
    drafts.roll_creation(access=table.view("gm", character), step="money")
    assert character.creation_records.count() == 2


def test_told_faces_are_marked(table):
    character = table.make("nagisa", MONEY)
    record = drafts.roll_creation(access=table.view("nagisa", character), step="money", told_faces=[4])
    assert record.told and record.draw is None and record.faces == [4]
    assert fields(character)["money_dice.1"] == 4
    assert not Draw.objects.exists()


@pytest.mark.parametrize("faces", [[], [7], [0], [3, 4]])
def test_wrong_faces(table, faces):
    character = table.make("nagisa", MONEY)
    with pytest.raises(ActionRefused) as refused:
        drafts.roll_creation(access=table.view("nagisa", character), step="money", told_faces=faces)
    assert (refused.value.code, refused.value.status) == ("faces", 422)
    assert "money_dice.1" not in fields(character)
    assert not character.creation_records.exists()


def test_a_step_that_does_not_exist(table):
    character = table.make("nagisa", MONEY)
    with pytest.raises(ActionRefused) as refused:
        drafts.roll_creation(access=table.view("nagisa", character), step="fate")
    assert refused.value.status == 422
