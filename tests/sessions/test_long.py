"""A long evening costs no more per press and per page than a short one (reliability F24)."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from live.models import Event, Topic
from sessions.actions import talk
from sessions.actions.undoing import undo
from sessions.models import Snapshot
from sessions.present.page import draw_page
from sessions.selectors import state as states

pytestmark = pytest.mark.django_db


def lengthen(here, by: int) -> None:
    """Thousands of lines of talk and a snapshot, as an evening leaves them."""
    topic, last = Topic.objects.get(name=here.session.topic), here.last()
    rows = [
        Event(
            topic=topic,
            seq=last.seq + n,
            at=last.at,
            kind="talk.said",
            audience=["all"],
            data={"text": f"{n}", "speaker": ""},
            hash=f"long {n}",
            prev_hash=f"long {n - 1}",
        )
        for n in range(1, by + 1)
    ]
    Event.objects.bulk_create(rows, batch_size=2000)
    Topic.objects.filter(pk=topic.pk).update(seq=last.seq + by, head=rows[-1].hash)
    newest = Snapshot.objects.filter(session=here.session).first()
    Snapshot.objects.filter(pk=newest.pk).update(seq=last.seq + by)


def cost(here, work) -> int:
    """Queries of a process that has just started."""
    states.memory.clear()
    with CaptureQueriesContext(connection) as found:
        work()
    return len(found)


def test_pages_and_presses_cost_the_same(here):
    for n in range(120):
        talk.say(access=here.at("nagisa"), text=f"{n}")
    here.do("nagisa", "walk", actor="hero", text="橋")
    viewer = here.at("watcher").viewer()
    works = (
        lambda: draw_page(here.session, viewer),
        lambda: here.do("nagisa", "walk", actor="hero", text="岸"),
        lambda: undo(access=here.at("gm")),
    )
    short = [cost(here, work) for work in works]
    before = here.state("watcher")
    lengthen(here, 5_000)
    states.memory.clear()
    assert here.state("watcher") == before
    for long, work in zip(short, works, strict=True):
        assert cost(here, work) <= long + 2
    assert len(draw_page(here.session, viewer).rows) == 100


def test_undo_far_back_folds_from_the_nearest_snapshot(here, monkeypatch):
    """What undo has to fold is bounded by the snapshots that are kept, not by the length of the log."""
    for n in range(120):
        here.do("nagisa", "walk", actor="hero", text=f"{n}")
    folded: list[int] = []
    evolve = states.evolve

    def counted(standing, events):
        events = list(events)
        folded.append(len(events))
        return evolve(standing, events)

    monkeypatch.setattr(states, "evolve", counted)
    for _ in range(70):
        undo(access=here.at("gm"))
    assert max(folded) <= 51
    assert here.state("watcher")["actors"][0]["place"] == "49"
