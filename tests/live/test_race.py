"""Many writers at once, on a SQLite file and on PostgreSQL."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model

from live.events import verify_chain
from live.models import Command, Draw, Event, Topic
from live.topics import current_seq, ensure_topic, write
from tests.live.threads import together


class Enough(Exception):
    pass


def test_twelve_ask_for_the_last_five(real_database):
    ensure_topic("pool:1")

    def take(number: int) -> int:
        with write("pool:1", actor=f"seat:{number}") as w:
            if Event.objects.filter(topic__name="pool:1", kind="taken").count() >= 5:
                raise Enough
            return w.append("taken", {"by": number}).seq

    results = together(12, take)
    assert sum(isinstance(r, int) for r in results) == 5
    assert sum(isinstance(r, Enough) for r in results) == 7
    assert verify_chain("pool:1") is None


def test_all_writers_get_a_number_each(real_database):
    ensure_topic("busy:1")
    before = current_seq("busy:1")

    def work(number: int) -> list[int]:
        seqs = []
        for n in range(5):
            with write("busy:1", actor=f"seat:{number}") as w:
                w.dice().roll(6)
                seqs.append(w.append("said", {"n": n}).seq)
        return seqs

    results = together(8, work)
    assert sorted(seq for seqs in results for seq in seqs) == list(range(before + 1, before + 41))
    assert list(Draw.objects.values_list("number", flat=True)) == list(range(40))
    assert verify_chain("busy:1") is None


def test_one_press_arriving_many_times(real_database):
    ensure_topic("press:1")
    user = get_user_model().objects.create(username="o-kiku")

    def press(number: int) -> dict:
        with write("press:1", user=user, command_id="one") as w:
            if not w.repeated:
                w.result = {"seq": w.append("pressed", {"by": number}).seq}
            return w.result

    results = together(8, press)
    assert Event.objects.filter(kind="pressed").count() == Command.objects.count() == 1
    assert all(result == results[0] for result in results) and results[0]["seq"]


def test_a_topic_is_made_once_by_all(real_database):
    assert together(8, lambda _: ensure_topic("new:1")) == [None] * 8
    assert Topic.objects.filter(name="new:1").count() == 1
    assert verify_chain("new:1") is None


@pytest.mark.usefixtures("real_database")
def test_topics_do_not_mix():
    for n in range(4):
        ensure_topic(f"many:{n}")

    def work(number: int) -> None:
        for n in range(5):
            with write(f"many:{number % 4}") as w:
                w.append("n", {"n": n})

    assert together(8, work) == [None] * 8
    for n in range(4):
        assert Event.objects.filter(topic__name=f"many:{n}", kind="n").count() == 10
        assert verify_chain(f"many:{n}") is None
