"""Notes: who reads them, what happens when two write, and that the log never holds their words."""

from __future__ import annotations

import pytest

from characters.actions import members
from characters.actions.errors import Conflict
from live.models import Event
from sessions.actions import closing
from sessions.actions.notes import delete_note, save_note
from sessions.models import SessionNote
from sessions.selectors.notes import visible_notes
from tests.sessions.test_table import refusal

pytestmark = pytest.mark.django_db

PEOPLE = ("gm", "co", "nagisa", "chiaki", "watcher")


def readers(here, note) -> set[str]:
    return {who for who in PEOPLE if note in visible_notes(here.at(who))}


def test_gms_share_their_notes_players_keep_theirs(here):
    plot = save_note(access=here.at("gm"), text="有村は下手人ではない")
    own = save_note(access=here.at("nagisa"), text="あやしい", title="疑い")
    mine = save_note(access=here.at("gm"), text="私だけ", visibility="own")
    assert readers(here, plot) == {"gm", "co"} and readers(here, own) == {"nagisa"} and readers(here, mine) == {"gm"}
    assert refusal(lambda: save_note(access=here.at("nagisa"), text="x", visibility="gm")).status == 403
    assert refusal(lambda: save_note(access=here.at("watcher"), text="x")).status == 403
    assert refusal(lambda: save_note(access=here.at("gm"), text="x", visibility="all")).field == "visibility"
    assert refusal(lambda: save_note(access=here.at("gm"), text=" ")).field == "text"
    for who in ("nagisa", "chiaki"):
        assert refusal(lambda: save_note(access=here.at(who), note=plot.pk, text="x")).status == 404
    assert not any("下手人" in str(event.data) or "疑い" in str(event.data) for event in here.events())


def test_a_co_gm_who_becomes_a_player_reads_the_gms_notes_no_more(here):
    note = save_note(access=here.at("co"), text="裏")
    members.set_role(access=here.table.access("gm"), seat=here.table.seat("co"), role="player")
    assert readers(here, note) == {"gm"}


def test_two_who_write_one_note_both_see_both_texts(here):
    note = save_note(access=here.at("gm"), text="一", command_id="n")
    assert save_note(access=here.at("gm"), text="一", command_id="n") == note
    save_note(access=here.at("co"), note=note.pk, text="二", base_version=1)
    with pytest.raises(Conflict) as caught:
        save_note(access=here.at("gm"), note=note.pk, text="三", base_version=1)
    assert [(row.yours, row.theirs) for row in caught.value.conflicts] == [("三", "二")]
    save_note(access=here.at("gm"), note=note.pk, text="三", base_version=2)
    note.refresh_from_db()
    assert (note.text, note.version) == ("三", 3)
    assert refusal(lambda: save_note(access=here.at("co"), note=note.pk, text="三", visibility="own")).status == 403


def test_whoever_may_read_hears_that_a_note_changed_and_nobody_else(here):
    note = save_note(access=here.at("gm"), text="一")
    assert set(here.last().audience) == {"gm", here.table.seat("gm").audience}
    save_note(access=here.at("gm"), note=note.pk, text="一", visibility="own")
    assert "gm" in here.last().audience  # the others' page drops it
    save_note(access=here.at("gm"), note=note.pk, text="二")
    assert here.last().audience == [here.table.seat("gm").audience]
    delete_note(access=here.at("gm"), note=note.pk)
    assert not SessionNote.objects.exists() and here.last().kind == "note.changed"
    count = Event.objects.count()
    assert refusal(lambda: delete_note(access=here.at("gm"), note=note.pk)).status == 404
    assert Event.objects.count() == count


def test_notes_are_written_before_the_table_opens_and_not_after_it_closed(planned):
    note = save_note(access=planned.at("gm"), text="支度")
    save_note(access=planned.at("gm"), note=note.pk, text="支度二")
    from tests.sessions.table import begin

    here = begin(planned)
    closing.close_session(access=here.at("gm"))
    assert refusal(lambda: save_note(access=here.at("gm"), note=note.pk, text="x")).code == "closed"
    assert readers(here, note) == {"gm", "co"}
