"""Undo takes back effects, one command at a time, and deletes nothing."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from live.events import verify_chain
from live.models import Draw, Event
from sessions.actions import sessions, talk
from sessions.actions.errors import ActionRefused
from sessions.actions.undoing import undo
from sessions.models import CommandRecord
from sessions.selectors import state as states
from sessions.selectors.log import log_page
from sessions.selectors.table import place
from tests.sessions.table import PEOPLE
from tests.sessions.test_table import refusal

pytestmark = pytest.mark.django_db


def now(here):
    return states.standing(here.session, *place(here.session)).state


def test_undo_restores_the_state_before_and_leaves_the_entry_struck(here):
    before = now(here)
    done = here.do("nagisa", "throw", actor="hero")
    events = Event.objects.count()
    undo(access=here.at("gm"), reason="射線に新八郎がいた", command_id="u")
    undo(access=here.at("gm"), reason="射線に新八郎がいた", command_id="u")
    assert now(here) == before and Event.objects.count() == events + 1
    names = {here.table.seat("gm").audience: "雪村"}
    page = log_page(here.session, here.at("watcher").viewer(), names)
    struck = next(entry for entry in page.entries if entry.seq == done.first)
    assert struck.undone is not None and (struck.undone.by, struck.undone.reason) == ("雪村", "射線に新八郎がいた")
    assert [entry.undone for entry in page.entries if entry.seq != done.first] == [None] * (len(page.entries) - 1)
    assert verify_chain(here.session.topic) is None


def test_a_repeated_roll_is_a_fresh_draw(here):
    here.do("nagisa", "throw", actor="hero")
    undo(access=here.at("gm"))
    here.do("nagisa", "throw", actor="hero")
    assert list(Draw.objects.values_list("number", flat=True)) == [0, 1]


def test_undo_goes_back_step_by_step_and_past_talk(here):
    seen = [now(here)]
    for n in range(4):
        here.do("nagisa", "walk", actor="hero", text=f"{n}")
        talk.say(access=here.at("chiaki"), text="ほう")
        sessions.set_scene(access=here.at("gm"), title=f"場{n}")
        seen.append(now(here))
    for expected in reversed(seen[:-1]):
        undo(access=here.at("co"))
        assert now(here) == expected
    assert refusal(lambda: undo(access=here.at("gm"))).code == "nothing_to_undo"


def test_a_player_takes_back_only_an_own_last_command_that_drew_and_showed_nothing(here):
    here.do("nagisa", "walk", actor="hero", text="橋")
    for who in ("chiaki", "watcher"):
        assert refusal(lambda: undo(access=here.at(who))).status == 403
    undo(access=here.at("nagisa"))
    here.do("nagisa", "throw", actor="hero")
    assert refusal(lambda: undo(access=here.at("nagisa"))).status == 403  # it drew
    here.do("nagisa", "ask", actor="hero", target="friend")
    assert refusal(lambda: undo(access=here.at("nagisa"))).status == 403  # it showed something
    here.do("nagisa", "walk", actor="hero", text="橋")
    here.do("chiaki", "walk", actor="friend", text="岸")
    assert refusal(lambda: undo(access=here.at("nagisa"))).status == 403  # somebody else came after


def test_nothing_is_taken_back_when_another_command_came_after_the_one_meant(here):
    done = here.do("nagisa", "walk", actor="hero", text="橋")
    here.do("chiaki", "walk", actor="friend", text="岸")
    assert refusal(lambda: undo(access=here.at("gm"), first=done.first)).code == "not_last"
    undo(access=here.at("gm"), first=here.last().seq)


def test_undoing_a_hidden_command_is_hidden_too(here):
    here.do("gm", "note", text="偽の起請文")
    undo(access=here.at("gm"), reason="秘密の理由")
    assert here.last().audience == ["gm"]
    page = log_page(here.session, here.at("nagisa").viewer(), {})
    assert "秘密" not in repr(page) and all(entry.kind != "event.undone" for entry in page.entries)


def test_those_who_saw_nothing_of_it_are_told_that_their_view_changed(here):
    here.do("gm", "whisper", actor="hero", text="橋の下")
    assert (here.last().kind, here.last().data) == ("table.changed", {})
    assert here.last().audience == ["all"]  # spectators see it too
    here.do("gm", "note", text="だれの目にも同じ")
    assert here.last().kind == "toy:noted"
    undo(access=here.at("gm"))
    assert here.last().kind == "event.undone"
    undo(access=here.at("gm"))
    assert here.last().kind == "table.changed"


MOVES = st.sampled_from(
    [
        ("nagisa", "throw", {"actor": "hero"}),
        ("nagisa", "sneak", {"actor": "hero"}),
        ("chiaki", "walk", {"actor": "friend", "text": "岸"}),
        ("nagisa", "ask", {"actor": "hero", "target": "friend"}),
        ("chiaki", "answer", {"yes": True}),
        ("gm", "hurt", {"actor": "foe", "amount": 2}),
        ("gm", "reveal", {"actor": "spy"}),
        ("gm", "throw", {"actor": "spy"}),
        ("gm", "note", {"text": "秘"}),
        ("gm", "whisper", {"actor": "friend", "text": "陰"}),
        ("gm", "boom", {}),
        ("gm", "evening", {}),
        ("gm", "undo", {}),
        ("nagisa", "undo", {}),
        ("chiaki", "say", {}),
    ]
)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(MOVES, min_size=3, max_size=18))
def test_any_commands_and_undoes_fold_to_what_is_kept(here, moves):
    """Undo restores exactly the state before, whatever came in between; snapshot = full fold; the chain holds."""
    from django.db import transaction

    with transaction.atomic():
        stack = [now(here)]
        for who, what, data in moves:
            records = CommandRecord.objects.filter(session=here.session, undone_by=None).count()
            try:
                if what == "undo":
                    undo(access=here.at(who))
                elif what == "say":
                    talk.say(access=here.at(who), text="2D6")
                elif what == "evening":
                    step = sessions.end_evening if here.at("gm").session.evening_open else sessions.start_evening
                    step(access=here.at("gm"))
                else:
                    here.do(who, what, step=now(here).step, **data)
            except ActionRefused:
                assert now(here) == stack[-1]
                continue
            grown = CommandRecord.objects.filter(session=here.session, undone_by=None).count() - records
            if grown > 0:
                stack.append(now(here))
            elif grown < 0:
                stack.pop()
            assert now(here) == stack[-1]
        seq, head = place(here.session)
        full = states.fold_from_start(here.session, seq).state
        states.memory.clear()
        assert states.standing(here.session, seq, head).state == full == stack[-1]
        assert verify_chain(here.session.topic) is None
        for who in PEOPLE:
            here.state(who)
        transaction.set_rollback(True)
