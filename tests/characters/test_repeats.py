"""Every action pressed twice with one command id does its work once and answers the same (reliability F8)."""

from __future__ import annotations

import pytest

from characters.actions import builds, campaigns, characters, drafts, imports, members, notes, pool, review
from characters.actions.drafts import FieldEdit
from characters.actions.errors import ActionRefused
from characters.documents import character_document, serialise
from characters.models import Character, PoolEntry
from live.models import Event
from tests.factories import WORKED_EXAMPLE, Table


def prepared(table: Table) -> dict:
    """Everything the acts below need."""
    pool.claim(access=table.access("nagisa"), points=300)
    hero = table.make("nagisa", {**WORKED_EXAMPLE, "status": "townsman"})
    builds.save_build(access=table.view("nagisa", hero))
    offer = pool.make_offer(access=table.access("nagisa"), receiver=table.seat("chiaki"), points=3)
    npc = table.make("gm", kind="npc", preset="N01")
    remark = review.add_remark(access=table.view("gm", hero), text="？", field="role")
    note = notes.save_note(access=table.view("nagisa", hero), text="一", visibility="group")
    invitation, _token = members.create_invitation(access=table.access("gm"))
    drafts.replace_draft(access=table.view("chiaki", table.make("chiaki")), fields={"role": "lead"})
    return {"hero": hero, "npc": npc, "offer": offer, "remark": remark, "note": note, "invitation": invitation}


def acts(t: Table, x: dict) -> dict:
    gm, nagisa, chiaki = (lambda: t.access("gm")), (lambda: t.access("nagisa")), (lambda: t.access("chiaki"))
    hero, npc = x["hero"], x["npc"]
    mine, judge = (lambda: t.view("nagisa", hero)), (lambda: t.view("gm", hero))
    document = serialise(character_document(mine()))
    other = Character.objects.get(owner=t.seat("chiaki"))
    _invitation, token = members.create_invitation(access=gm())
    newcomer = t.users["watcher"]
    return {
        "edit_campaign": lambda c: campaigns.edit_campaign(access=gm(), name="新", description="", command_id=c),
        "set_house_rules": lambda c: campaigns.set_house_rules(
            access=gm(), overrides={"skill_level_max": 9}, command_id=c
        ),
        "create_invitation": lambda c: members.create_invitation(access=gm(), command_id=c),
        "revoke_invitation": lambda c: members.revoke_invitation(access=gm(), invitation=x["invitation"], command_id=c),
        "join_campaign": lambda c: members.join_campaign(user=newcomer, token=token, name="見", command_id=c),
        "rename_seat": lambda c: members.rename_seat(access=gm(), seat=t.seat("nagisa"), name="ナギ", command_id=c),
        "set_role": lambda c: members.set_role(access=gm(), seat=t.seat("akari"), role="spectator", command_id=c),
        "remove_seat": lambda c: members.remove_seat(access=gm(), seat=t.seat("akari"), command_id=c),
        "set_pool": lambda c: pool.set_pool(access=gm(), total=900, command_id=c),
        "set_reserve": lambda c: pool.set_reserve(access=gm(), points=20, command_id=c),
        "allocate": lambda c: pool.allocate(access=gm(), seat=t.seat("akari"), points=9, command_id=c),
        "claim": lambda c: pool.claim(access=chiaki(), points=9, command_id=c),
        "release": lambda c: pool.release(access=nagisa(), points=2, command_id=c),
        "set_wish": lambda c: pool.set_wish(access=chiaki(), points=9, command_id=c),
        "set_agreed": lambda c: pool.set_agreed(access=chiaki(), agreed=True, command_id=c),
        "make_offer": lambda c: pool.make_offer(access=nagisa(), receiver=t.seat("akari"), points=1, command_id=c),
        "answer_offer": lambda c: pool.answer_offer(access=chiaki(), offer=x["offer"], take=True, command_id=c),
        "withdraw_offer": lambda c: pool.withdraw_offer(access=nagisa(), offer=x["offer"], command_id=c),
        "create_character": lambda c: drafts.create_character(access=chiaki(), command_id=c),
        "create_npc": lambda c: drafts.create_character(access=gm(), kind="npc", preset="N02", command_id=c),
        "edit_draft": lambda c: drafts.edit_draft(
            access=mine(), edits={"role": FieldEdit("co_lead", "support")}, command_id=c
        ),
        "replace_draft": lambda c: drafts.replace_draft(access=mine(), fields={"role": "lead"}, command_id=c),
        "restore_backup": lambda c: drafts.restore_backup(
            access=t.view("chiaki", other), backup=other.draft_backups.last(), command_id=c
        ),
        "roll_creation": lambda c: drafts.roll_creation(access=mine(), step="money", command_id=c),
        "save_build": lambda c: builds.save_build(access=judge(), override_reason="もう一度", command_id=c),
        "restore_revision": lambda c: builds.restore_revision(access=mine(), number=1, command_id=c),
        "ask_review": lambda c: builds.ask_review(access=mine(), command_id=c),
        "clear_character": lambda c: builds.clear_character(access=judge(), command_id=c),
        "add_remark": lambda c: review.add_remark(access=judge(), text="？", command_id=c),
        "settle_remark": lambda c: review.settle_remark(access=mine(), remark=x["remark"], command_id=c),
        "confirm_field": lambda c: review.confirm_field(access=judge(), field="role", command_id=c),
        "set_visibility": lambda c: characters.set_visibility(access=mine(), visibility="gm", command_id=c),
        "make_share_link": lambda c: characters.make_share_link(access=mine(), command_id=c),
        "set_count": lambda c: characters.set_count(access=t.view("gm", npc), count=6, command_id=c),
        "delete_character": lambda c: characters.delete_character(access=mine(), command_id=c),
        "transfer_character": lambda c: characters.transfer_character(
            access=judge(), seat=t.seat("akari"), command_id=c
        ),
        "duplicate_npc": lambda c: characters.duplicate_npc(access=t.view("gm", npc), command_id=c),
        "save_note": lambda c: notes.save_note(access=mine(), text="二", command_id=c),
        "change_note": lambda c: notes.save_note(
            access=mine(), note=x["note"], text="三", visibility="group", base_version=1, command_id=c
        ),
        "delete_note": lambda c: notes.delete_note(access=mine(), note=x["note"], command_id=c),
        "import_document": lambda c: imports.import_document(access=nagisa(), data=document, command_id=c),
    }


NAMES = [
    "edit_campaign",
    "set_house_rules",
    "create_invitation",
    "revoke_invitation",
    "join_campaign",
    "rename_seat",
    "set_role",
    "remove_seat",
    "set_pool",
    "set_reserve",
    "allocate",
    "claim",
    "release",
    "set_wish",
    "set_agreed",
    "make_offer",
    "answer_offer",
    "withdraw_offer",
    "create_character",
    "create_npc",
    "edit_draft",
    "replace_draft",
    "restore_backup",
    "roll_creation",
    "save_build",
    "restore_revision",
    "ask_review",
    "clear_character",
    "add_remark",
    "settle_remark",
    "confirm_field",
    "set_visibility",
    "make_share_link",
    "set_count",
    "delete_character",
    "transfer_character",
    "duplicate_npc",
    "save_note",
    "change_note",
    "delete_note",
    "import_document",
]


def told(answer: object) -> object:
    """What of an answer must be the same the second time."""
    if isinstance(answer, imports.ImportReport):
        return answer.character, answer.taken, answer.left_out
    if isinstance(answer, drafts.DraftSaved):
        return answer.version, tuple(answer.saved), answer.conflicts, answer.refused
    return answer


@pytest.mark.parametrize("name", NAMES)
def test_twice_is_once(table, name):
    prepared_things = prepared(table)
    act = acts(table, prepared_things)[name]
    first = told(act("one press"))
    seq, entries = Event.objects.count(), PoolEntry.objects.count()
    second = told(act("one press"))
    assert second == first
    assert (Event.objects.count(), PoolEntry.objects.count()) == (seq, entries)
    assert seq > 0


def test_every_act_is_here(table):
    assert set(acts(table, prepared(table))) == set(NAMES)


def test_another_commands_id_is_no_answer(table):
    pool.claim(access=table.access("nagisa"), points=10, command_id="same")
    for act in (
        lambda: pool.make_offer(
            access=table.access("nagisa"), receiver=table.seat("chiaki"), points=1, command_id="same"
        ),
        lambda: drafts.create_character(access=table.access("nagisa"), command_id="same"),
    ):
        with pytest.raises(ActionRefused) as refused:
            act()
        assert 400 <= refused.value.status < 500


def test_two_people_may_use_the_same_id(table):
    for name in ("nagisa", "chiaki"):
        pool.claim(access=table.access(name), points=10, command_id="same")
    assert pool.pool_of(table.campaign).allocated == 20


@pytest.mark.parametrize("command_id", ["x" * 5000, "\x00", "\ud800", "あ", " "])
def test_odd_ids(table, command_id):
    for _n in range(2):
        pool.claim(access=table.access("nagisa"), points=10, command_id=command_id)
    assert pool.pool_of(table.campaign).allocated == 10
