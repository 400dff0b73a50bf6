"""Clocks beside the table, and the word to those everybody waits for."""

from __future__ import annotations

from datetime import timedelta

import pytest

from characters.actions.errors import ActionRefused
from live.models import Event
from live.reading import _render
from sessions.actions import counters, nudging, undoing
from sessions.live import SessionTopics
from sessions.present.counters import slices
from sessions.present.page import draw_page
from sessions.selectors.counters import counters_at

pytestmark = pytest.mark.django_db


def refused(work) -> str:
    with pytest.raises(ActionRefused) as caught:
        work()
    return caught.value.code


def start(here, title="橋番が駆けつける", size=3, shown=False, who="gm") -> int:
    return counters.start_counter(access=here.at(who), title=title, size=size, shown=shown).first


def turn(here, counter: int, how, who="gm") -> None:
    counters.turn_counter(access=here.at(who), counter=counter, turn=how)


def standing(here) -> list[tuple[str, int, bool]]:
    return [(one.title, one.filled, one.shown) for one in counters_at(here.session, here.last().seq)]


def panel(here, who: str) -> str:
    return draw_page(here.session, here.at(who).viewer()).own_panels["counters"]


def test_a_clock_moves_a_step_at_a_time_until_it_is_full(here):
    clock = start(here, size=2)
    turn(here, clock, "step")
    turn(here, clock, "step")
    assert standing(here) == [("橋番が駆けつける", 2, False)] and "満ちた" in panel(here, "gm")
    assert refused(lambda: turn(here, clock, "step")) == "full"
    turn(here, clock, "back")
    turn(here, clock, "back")
    assert refused(lambda: turn(here, clock, "back")) == "empty"
    turn(here, clock, "remove")
    assert standing(here) == [] and refused(lambda: turn(here, clock, "step")) == "no_such_counter"


def test_a_hidden_clock_is_in_nothing_a_player_gets_until_it_is_shown(here):
    clock = start(here)
    turn(here, clock, "step")
    for who in ("nagisa", "watcher"):
        frame = _render(SessionTopics(), here.session.topic, here.events(), here.at(who).viewer()).plain.decode()
        assert "橋番" not in panel(here, who) + frame
    assert "GMのみ" in panel(here, "gm")
    turn(here, clock, "show")
    assert 'aria-label="橋番が駆けつける 3分の1"' in panel(here, "watcher") and "<form" not in panel(here, "watcher")
    assert refused(lambda: turn(here, clock, "show")) == "open"


def test_a_turn_of_a_clock_can_be_taken_back_and_the_page_follows(here):
    clock = start(here, shown=True)
    turn(here, clock, "step")
    turn(here, clock, "remove")
    undoing.undo(access=here.at("gm"))
    assert standing(here) == [("橋番が駆けつける", 1, True)]
    event = here.last()
    frame = _render(SessionTopics(), here.session.topic, [event], here.at("nagisa").viewer()).plain.decode()
    assert "panel-counters" in frame and "3分の1" in frame
    undoing.undo(access=here.at("gm"))
    undoing.undo(access=here.at("gm"))
    assert standing(here) == []


def test_only_gms_have_clocks_to_turn(here):
    clock = start(here, shown=True)
    assert refused(lambda: start(here, who="nagisa")) == "not_allowed"
    assert refused(lambda: turn(here, clock, "step", who="nagisa")) == "not_allowed"
    for size in (None, 1, 13):
        assert refused(lambda size=size: start(here, size=size)) == "size"
    assert refused(lambda: start(here, title=" ")) == "required"
    for n in range(counters.MAX_COUNTERS - 1):
        start(here, title=f"時計{n}")
    assert refused(lambda: start(here)) == "too_many"


@pytest.mark.parametrize("size", range(2, 13))
def test_the_slices_of_a_clock_go_once_around(size):
    paths = slices(size)
    assert len(set(paths)) == size and paths[0].startswith("M24 24L24.0 3.0A")
    ends = [path[:-1].rpartition(" 1 ")[2] for path in paths]
    starts = [path[6:].partition("A")[0][1:] for path in paths]
    assert [*starts[1:], starts[0]] == ends


# ---------------------------------------------------------------- who is waited for


def test_a_nudge_calls_whom_it_is_for_and_nobody_else(here):
    seat = here.table.seat("nagisa")
    nudging.nudge(access=here.at("gm"), seats=[seat.pk])
    event = here.last()
    frames = {
        who: _render(SessionTopics(), here.session.topic, [event], here.at(who).viewer()).plain.decode()
        for who in ("gm", "nagisa")
    }
    assert "data-nudge" in frames["nagisa"] and "皆があなたを待っています" in frames["nagisa"]
    assert "data-nudge" not in frames["gm"] and "なぎさ" not in frames["nagisa"]
    assert not here.at("chiaki").viewer().sees(event.audience)
    assert refused(lambda: undoing.undo(access=here.at("gm"))) == "nothing_to_undo"


def test_nobody_is_nudged_twice_at_once_and_only_players_are(here):
    nagisa, chiaki = here.table.seat("nagisa").pk, here.table.seat("chiaki").pk
    nudging.nudge(access=here.at("gm"), seats=[nagisa])
    assert refused(lambda: nudging.nudge(access=here.at("gm"), seats=[nagisa])) == "too_soon"
    nudging.nudge(access=here.at("gm"), seats=[nagisa, chiaki])
    assert here.last().data["seats"] == [chiaki]
    Event.objects.filter(kind="nudge.sent").update(at=here.last().at - timedelta(minutes=1))
    nudging.nudge(access=here.at("co"), seats=[nagisa])
    for seats in ([], [here.table.seat("watcher").pk], [here.table.seat("gm").pk], [10**9]):
        assert refused(lambda seats=seats: nudging.nudge(access=here.at("gm"), seats=seats)) == "nobody"
    assert refused(lambda: nudging.nudge(access=here.at("nagisa"), seats=[chiaki])) == "not_allowed"
