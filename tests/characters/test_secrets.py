"""Nothing a character hides leaves through the log, the ledger or a file (bar 6, at the level of the actions)."""

from __future__ import annotations

import pytest

from characters.actions import builds, characters, drafts, notes, pool, review
from characters.actions.errors import ActionRefused
from characters.selectors.access import characters_in
from characters.selectors.pool import ledger
from live.kinds import Viewer
from live.topics import read_events
from tests.factories import WORKED_EXAMPLE

VIEWERS = ("gm", "co", "nagisa", "chiaki", "watcher")


def log_of(table, name: str) -> str:
    """Everything the stream may hand to a seat."""
    access = table.access(name)
    viewer = Viewer(access.user.pk, access.tokens, access.role, access.seat.pk, "ja", name)
    return repr([(event.kind, event.data) for event in read_events(table.campaign.topic, 0, viewer, 1000)])


def live_a_life(table, character, owner: str) -> None:
    """Everything that can happen to a character, with a canary in every text."""
    table.edit(owner, character, names__given="CANARY", names__family="CANARY", style_name="CANARY")
    table.edit(owner, character, possessions__1__text="CANARY", occupation="CANARY", status="townsman")
    drafts.roll_creation(access=table.view(owner, character), step="money")
    builds.save_build(access=table.view(owner, character), note="CANARY")
    for visibility in ("owner", "gm", "group"):
        notes.save_note(access=table.view(owner, character), title="CANARY", text="CANARY", visibility=visibility)
    table.edit(owner, character, endurance_bought=1)
    builds.save_build(access=table.view(owner, character))
    builds.restore_revision(access=table.view(owner, character), number=1)
    if table.view("gm", character).may_see:
        review.add_remark(access=table.view("gm", character), field="names.given", text="CANARY")
        review.confirm_field(access=table.view("gm", character), field="possessions.1.text")
        if character.kind == "pc":
            builds.ask_review(access=table.view(owner, character))
        builds.clear_character(access=table.view("gm", character))
    pool.set_pool(access=table.access("gm"), total=100)  # flags it
    pool.set_pool(access=table.access("gm"))
    characters.delete_character(access=table.view(owner, character))
    characters.restore_character(access=table.view(owner, character))


@pytest.mark.parametrize(
    ("kind", "visibility", "who_knows"),
    [
        ("pc", "owner", {"nagisa"}),
        ("pc", "gm", {"nagisa", "gm", "co"}),
        ("npc", "gm", {"gm", "co"}),
        ("npc", "owner", {"gm", "co"}),
    ],
)
def test_the_log_and_the_ledger(table, kind, visibility, who_knows):
    pool.claim(access=table.access("nagisa"), points=300)
    owner = "nagisa" if kind == "pc" else "gm"
    fields = {key: value for key, value in WORKED_EXAMPLE.items() if not key.startswith("names.")}
    character = table.make(owner, fields, kind=kind)
    characters.set_visibility(access=table.view(owner, character), visibility=visibility)
    live_a_life(table, character, owner)
    for name in VIEWERS:
        assert ("CANARY" in log_of(table, name)) is (name in who_knows), name
        listed = [item.character for item in characters_in(table.access(name))]
        assert (character in listed) is (name in who_knows), name
        named = {entry.character.name for entry in ledger(table.access(name)) if entry.character is not None}
        assert any("CANARY" in text for text in named) is (name in who_knows and kind == "pc"), name


def test_the_names_of_a_groups_characters_are_in_the_ledger(table, hero):
    builds.save_build(access=table.view("nagisa", hero))
    [entry] = [entry for entry in ledger(table.access("chiaki")) if entry.kind == "spend"]
    assert entry.character.name == "桐生 新八郎"
    characters.set_visibility(access=table.view("nagisa", hero), visibility="owner")
    assert [e.character for e in ledger(table.access("chiaki")) if e.kind == "spend"] == [None]


def test_refusals_name_nothing_hidden(table):
    character = table.make("nagisa", {"names.given": "CANARY"})
    characters.set_visibility(access=table.view("nagisa", character), visibility="owner")
    for act in (
        lambda: builds.clear_character(access=table.view("gm", character)),
        lambda: review.add_remark(access=table.view("gm", character), text="？"),
        lambda: characters.transfer_character(access=table.view("gm", character), seat=table.seat("chiaki")),
    ):
        with pytest.raises(ActionRefused) as refused:
            act()
        assert refused.value.status == 404 and "CANARY" not in refused.value.message
