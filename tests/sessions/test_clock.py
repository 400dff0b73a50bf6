"""F9: clocks that jump, or differ between two servers: the log goes by number, never by time."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from live.events import verify_chain
from sessions.actions import talk
from sessions.actions.undoing import undo
from sessions.present.page import draw_page
from sessions.selectors import state as states
from sessions.selectors.log import log_page
from sessions.selectors.state import fold_from_start, standing
from tests.sessions.test_live import viewer_of

pytestmark = pytest.mark.django_db
JUMPS = (0, 86_400, -86_400, 300, -300, 0)  # seconds


def test_a_clock_that_jumps_moves_nothing(here, monkeypatch):
    now = timezone.now()
    after = here.last().seq
    for number, jump in enumerate(JUMPS):
        monkeypatch.setattr(timezone, "now", lambda by=jump: now + timedelta(seconds=by))
        talk.say(access=here.at("nagisa"), text=f"{number}")
        here.do("chiaki", "walk", actor="friend", text=f"{number}")
    events = here.events()
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    times = [event.at for event in events if event.seq > after]
    assert times != sorted(times)  # the clock did jump
    assert verify_chain(here.session.topic) is None

    viewer = viewer_of(here, "nagisa")
    told = log_page(here.session, viewer, {}).entries
    assert [entry.data["text"] for entry in told if entry.kind == "talk.said"] == [str(n) for n in range(len(JUMPS))]
    rows = draw_page(here.session, viewer).rows
    assert [row.count('id="entry-') for row in rows] == [1] * len(rows)
    last = here.last().seq
    shown = here.state("gm")
    states.memory.clear()
    assert here.state("gm") == shown
    assert fold_from_start(here.session, last).state == standing(here.session, last, here.last().hash).state
    undo(access=here.at("gm"))  # takes back the last by number, whatever its time
    assert here.last().data["first"] == max(event.seq for event in events if event.kind.startswith("toy:"))
