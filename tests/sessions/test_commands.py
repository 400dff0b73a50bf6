"""Commands: what they store, who may, what is refused, and that a press counts once."""

from __future__ import annotations

import pytest

from characters.actions import members
from characters.actions.errors import ActionRefused
from live.events import verify_chain
from live.models import Command, Draw, Event
from sessions.actions import closing
from sessions.actions.commands import odds_of
from sessions.actions.errors import CommandRefused
from sessions.actions.undoing import undo
from sessions.models import CommandRecord, Snapshot
from sessions.selectors import state as states
from sessions.selectors.table import place

pytestmark = pytest.mark.django_db


def refusal(work) -> ActionRefused:
    with pytest.raises(ActionRefused) as caught:
        work()
    return caught.value


def test_a_command_is_stored_with_its_events_and_the_new_state(here):
    before = here.last().seq
    done = here.do("nagisa", "throw", actor="hero")
    [event] = [row for row in here.events() if row.seq > before]
    assert (done.first, done.last) == (event.seq, event.seq)
    assert (
        event.kind == "toy:thrown" and event.audience == ["all"] and event.actor == here.table.seat("nagisa").audience
    )
    draw = Draw.objects.get()
    assert event.data["@"] == {"draw": draw.number} and draw.values == [event.data["face"]]
    assert draw.event_seq == event.seq
    assert here.state("watcher")["actors"][0]["points"] == event.data["face"]
    assert Snapshot.objects.filter(session=here.session).first().data["people"][here.actor("hero")]["points"]
    record = CommandRecord.objects.get(first=done.first)
    assert (record.name, record.last, record.undone_by) == ("throw", done.last, None)
    assert verify_chain(here.session.topic) is None


def test_the_key_of_a_throw_goes_to_those_who_see_its_faces(here):
    here.do("nagisa", "throw", actor="hero")
    here.do("nagisa", "sneak", actor="hero")
    here.do("gm", "throw", actor="spy")
    seat = here.table.seat("nagisa").audience
    assert [draw.audience for draw in Draw.objects.all()] == [["all"], sorted(["gm", seat]), ["gm"]]


def test_a_game_that_tells_a_secret_throw_opens_its_key_but_not_that_of_one_taken_back(here):
    here.do("nagisa", "sneak", actor="hero")
    undo(access=here.at("gm"))
    here.do("nagisa", "sneak", actor="hero")
    here.do("chiaki", "sneak", actor="friend")
    here.do("gm", "tell", actor="hero")
    assert ["all" in draw.audience for draw in Draw.objects.all()] == [False, True, False]


@pytest.mark.parametrize("who", ["nagisa", "gm"])
def test_a_press_counts_once(here, who):
    first = here.do(who, "throw", actor="hero", command_id="one press")
    count = Event.objects.count()
    assert here.do(who, "throw", actor="hero", command_id="one press") == first
    assert Event.objects.count() == count and Draw.objects.count() == 1
    assert here.do(who, "throw", actor="hero", command_id="another") != first


def test_a_retry_after_closing_or_leaving_gets_the_first_result(here):
    first = here.do("nagisa", "walk", actor="hero", text="橋", command_id="walk")
    closing.close_session(access=here.at("gm"))
    assert here.do("nagisa", "walk", actor="hero", text="橋", command_id="walk") == first


def test_a_refused_command_changes_nothing_and_uses_no_draw(here):
    events = Event.objects.count()
    for who, command, data, code in [
        ("nagisa", "throw", {"actor": "friend"}, "T17"),
        ("nagisa", "throw", {"actor": "spy"}, "T20"),
        ("nagisa", "gamble", {}, "T99"),
        ("nagisa", "boom", {}, "failed"),
        ("nagisa", "nonsense", {}, "unknown_command"),
        ("nagisa", "evening.start", {}, "unknown_command"),
        ("gm", "sheet.refresh", {}, "unknown_command"),
        ("nagisa", "note", {"text": "x"}, "not_allowed"),
        ("watcher", "throw", {"actor": "hero"}, "not_allowed"),
        ("gm", "hurt", {"actor": "foe", "amount": 100}, "T21"),
        ("gm", "hurt", {"actor": "foe", "amount": "many"}, "T21"),
        ("gm", "hurt", {"actor": "foe"}, "T21"),
        ("chiaki", "answer", {"yes": True}, "T16"),
    ]:
        refused = refusal(lambda: here.do(who, command, **data))
        assert refused.code == code and 400 <= refused.status < 500 and refused.message
    assert Event.objects.count() == events and not Draw.objects.exists()
    assert Snapshot.objects.count() == 1 and not CommandRecord.objects.exists()


def test_the_refusal_speaks_the_language_of_the_page_and_says_if_a_gm_may_set_it_aside(here):
    from django.utils import translation

    for _ in range(7):
        here.do("gm", "throw", actor="hero", override="稽古")
    with translation.override("en"):
        refused = refusal(lambda: here.do("nagisa", "throw", actor="hero"))
    assert isinstance(refused, CommandRefused) and refused.overridable and refused.message == "T01"


def test_a_gm_sets_a_soft_refusal_aside_with_a_reason_in_the_log(here):
    for _ in range(7):
        here.do("gm", "throw", actor="hero", override="稽古")
    assert refusal(lambda: here.do("nagisa", "throw", actor="hero", override="私も")).code == "not_allowed"
    here.do("co", "throw", actor="hero", override="見逃す")
    assert here.last().data["@"]["override"] == "見逃す"
    from sessions.selectors.log import log_page

    page = log_page(here.session, here.at("watcher").viewer(), {})
    assert page.entries[-1].override == "見逃す"


def test_an_answer_carries_its_step_and_a_stale_one_is_refused(here):
    here.do("nagisa", "ask", actor="hero", target="friend")
    step = here.view("chiaki").step
    assert step == 1
    assert refusal(lambda: here.do("chiaki", "answer", yes=True, step=0)).code == "T16"
    assert refusal(lambda: here.do("nagisa", "answer", yes=True, step=step)).code == "T17"
    here.do("nagisa", "walk", actor="hero", text="橋")  # talk and walks make no answer stale
    here.do("chiaki", "answer", yes="on", step=step)
    assert here.last().data["yes"] is True
    assert refusal(lambda: here.do("chiaki", "answer", yes=True, step=step)).code == "T16"


def test_a_removed_member_is_refused_and_so_is_everybody_when_it_is_closed(here):
    access = here.at("chiaki")
    members.remove_seat(access=here.table.access("gm"), seat=here.table.seat("chiaki"))
    from sessions.actions.commands import run_command

    assert refusal(lambda: run_command(access=access, name="boom", data={})).code == "not_a_member"
    closing.close_session(access=here.at("gm"))
    for who in ("gm", "nagisa"):
        assert refusal(lambda: here.do(who, "throw", actor="hero")).code == "closed"


def test_a_planned_session_plays_nothing(planned):
    assert refusal(lambda: planned.do("gm", "throw", actor="hero")).code == "not_open"


@pytest.mark.parametrize(
    "data",
    [
        {"x" * 10: {"a": {"b": {"c": {"d": {"e": {"f": {"g": 1}}}}}}}},
        {str(n): 1 for n in range(100)},
        {"text": "あ" * 5000},
        {"amount": 10**30},
        {"amount": 1.5},
        {"list": list(range(1000))},
    ],
)
def test_data_no_command_can_mean_is_refused(here, data):
    refused = refusal(lambda: here.do("gm", "boom", **data))
    assert refused.code == "too_large" and refused.status == 413


def test_forms_say_numbers_in_full_width_and_leave_what_is_empty(here):
    here.do("gm", "hurt", actor="hero", amount="３", nothing="")
    assert here.last().data["amount"] == 3


def test_chances_are_told_from_what_one_may_know(here):
    found = odds_of(here.at("nagisa"), "throw", {"actor": here.actor("hero")})
    assert found is not None and str(found.chance("out")) == "1/6"
    assert odds_of(here.at("nagisa"), "walk", {"actor": here.actor("hero")}) is None
    assert refusal(lambda: odds_of(here.at("watcher"), "throw", {})).code == "not_allowed"
    assert refusal(lambda: odds_of(here.at("nagisa"), "throw", {"actor": "nobody"})).code == "no_odds"


def test_the_stored_state_is_the_fold_of_the_whole_log(here):
    for n in range(60):
        here.do("nagisa", "walk", actor="hero", text=f"{n}")
        if n % 7 == 0:
            here.do("gm", "hurt", actor="foe", amount=1)
    seq, head = place(here.session)
    states.memory.clear()
    kept = states.standing(here.session, seq, head)
    assert kept.state == states.fold_from_start(here.session, seq).state
    assert Snapshot.objects.count() > 1


def test_snapshots_grow_thin(here, monkeypatch):
    from sessions.actions import writing

    for name, value in (("SNAPSHOT_EVERY", 2), ("RECENT", 10), ("SPARSE", 20)):
        monkeypatch.setattr(writing, name, value)
    for n in range(70):
        here.do("nagisa", "walk", actor="hero", text=f"{n}")
    assert Snapshot.objects.count() < 15


def test_a_snapshot_of_another_version_is_folded_anew(here):
    here.do("nagisa", "walk", actor="hero", text="橋")
    Snapshot.objects.update(data={"people": "?"})
    states.memory.clear()
    assert here.state("nagisa")["actors"][0]["place"] == "橋"


POISON = [
    ("toy:thrown", {}),
    ("toy:walked", [1]),
    ("toy:?", {"x": 1}),
    ("talk.said", "text"),
    ("nogame:x", {}),
    ("entry.opened", {"kind": "toy:thrown"}),
    ("talk.rolled", {"roll": 3}),
    ("event.undone", {}),
    ("scene.set", {}),
]


def test_a_poisoned_event_does_not_stop_the_table(here):
    from sessions.selectors.log import log_page

    here.do("nagisa", "walk", actor="hero", text="橋")
    for number, (kind, data) in enumerate(POISON):
        row = here.last()
        facts = {"at": row.at, "kind": kind, "data": data, "audience": ["all"], "hash": f"poison {number}"}
        Event.objects.create(topic=row.topic, seq=row.seq + 1, **facts)
        row.topic.seq += 1
        row.topic.save()
    states.memory.clear()
    assert here.state("nagisa")["actors"][0]["place"] == "橋"
    from sessions.present.page import draw_page

    for who in ("gm", "nagisa", "watcher"):
        access = here.at(who)
        page = log_page(here.session, access.viewer(), {})
        assert [entry.unreadable for entry in page.entries].count(True) >= 4
        assert "表示できません" in "".join(draw_page(here.session, access.viewer()).rows)
    here.do("nagisa", "walk", actor="hero", text="岸")
    assert here.state("nagisa")["actors"][0]["place"] == "岸"


def test_one_query_budget(here, django_assert_max_num_queries):
    here.do("nagisa", "throw", actor="hero")
    access = here.at("nagisa")
    from sessions.actions.commands import run_command

    with django_assert_max_num_queries(16):
        run_command(access=access, name="throw", data={"actor": here.actor("hero")}, command_id="x")
    assert Command.objects.filter(command_id="x").exists()
