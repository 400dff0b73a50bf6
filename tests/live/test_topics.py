"""The log: order, chain, one press once, who may read what."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model

from live import bus
from live.events import ChainBreak, verify_chain
from live.kinds import Viewer
from live.models import Command, Draw, Event, FairRoot, Topic
from live.topics import TopicClosed, UnknownTopic, current_seq, ensure_topic, read_events, write

pytestmark = pytest.mark.django_db


def viewer(*tokens: str) -> Viewer:
    return Viewer(1, frozenset(tokens), "player", 7, "ja", "g")


@pytest.fixture
def topic() -> str:
    ensure_topic("table:1")
    return "table:1"


@pytest.fixture
def user():
    return get_user_model().objects.create(username="o-kiku")


def test_events_are_numbered_without_holes(topic):
    start = current_seq(topic)
    with write(topic, actor="seat:7") as w:
        first = w.append("a", {"n": 1})
        second = w.append("b", {"n": 2})
    assert (first.seq, second.seq) == (start + 1, start + 2)
    assert current_seq(topic) == start + 2
    assert [e.actor for e in Event.objects.filter(seq__gt=start)] == ["seat:7", "seat:7"]


def test_a_topic_is_made_once(topic):
    before = Event.objects.count()
    ensure_topic(topic)
    assert Event.objects.count() == before


@pytest.mark.parametrize("name", ["", "table", "table:", "table:../x", "Table:1", "table:" + "1" * 61])
def test_odd_topic_names_are_refused(name):
    with pytest.raises(ValueError, match="no topic name"):
        ensure_topic(name)


def test_an_unknown_topic_cannot_be_written():
    with pytest.raises(UnknownTopic), write("table:99"):
        pass
    with pytest.raises(UnknownTopic):
        current_seq("table:99")


def test_a_failed_write_leaves_nothing(topic):
    before = current_seq(topic)
    with pytest.raises(KeyError), write(topic) as w:
        w.append("a", {})
        raise KeyError
    assert current_seq(topic) == before
    assert verify_chain(topic) is None


def test_a_press_counts_once(topic, user):
    results = []
    for _ in range(2):
        with write(topic, user=user, command_id="press-1") as w:
            if not w.repeated:
                w.append("rolled", {"face": 6})
                w.result = {"face": 6}
            results.append((w.repeated, w.result))
    assert results == [(False, {"face": 6}), (True, {"face": 6})]
    assert Event.objects.filter(kind="rolled").count() == 1
    command = Command.objects.get()
    assert command.first == command.last == current_seq(topic)


def test_a_repeated_press_may_not_write(topic, user):
    with write(topic, user=user, command_id="x"):
        pass
    with write(topic, user=user, command_id="x") as w, pytest.raises(RuntimeError):
        w.append("a", {})


def test_command_ids_belong_to_one_person(topic, user):
    other = get_user_model().objects.create(username="o-hana")
    for person in (user, other):
        with write(topic, user=person, command_id="same") as w:
            assert not w.repeated


@pytest.mark.parametrize("command_id", ["x" * 5000, "\x00", "\ud800", "<b>", "絵"])
def test_odd_command_ids_work(topic, user, command_id):
    for repeated in (False, True):
        with write(topic, user=user, command_id=command_id) as w:
            assert w.repeated is repeated


def test_a_failed_press_may_be_tried_again(topic, user):
    with pytest.raises(KeyError), write(topic, user=user, command_id="x"):
        raise KeyError
    with write(topic, user=user, command_id="x") as w:
        assert not w.repeated


def test_a_write_inside_joins(topic, user):
    with write(topic, user=user, command_id="outer") as outer:
        outer.append("a", {})
        with write(topic) as inner:
            assert inner is outer
            inner.append("b", {})
        outer.append("c", {})
    assert [e.kind for e in Event.objects.order_by("seq")][-3:] == ["a", "b", "c"]
    assert verify_chain(topic) is None


def test_a_failed_write_inside_takes_back_only_its_own(topic):
    with write(topic) as outer:
        outer.append("a", {})
        with pytest.raises(KeyError), write(topic) as inner:
            inner.append("b", {})
            inner.dice().roll(6)
            raise KeyError
        outer.append("c", {})
    assert [e.kind for e in Event.objects.order_by("seq")][-2:] == ["a", "c"]
    assert verify_chain(topic) is None


def test_reading_filters_by_audience(topic):
    with write(topic) as w:
        w.append("open", {})
        w.append("behind", {}, audience=["gm"])
        w.append("mine", {}, audience=["seat:7", "gm"])
        w.append("nobody", {}, audience=[])
    kinds = {"open", "behind", "mine", "nobody"}

    def seen(*tokens: str) -> list[str]:
        return [e.kind for e in read_events(topic, 0, viewer(*tokens), kinds=kinds)]

    assert seen("all", "seat:8") == ["open"]
    assert seen("all", "seat:7") == ["open", "mine"]
    assert seen("all", "gm") == ["open", "behind", "mine"]
    assert seen() == []


def test_reading_after_a_number_and_the_newest(topic):
    with write(topic) as w:
        numbers = [w.append("n", {"n": n}).seq for n in range(10)]
    everyone = viewer("all")
    assert [e.data["n"] for e in read_events(topic, numbers[3], everyone, limit=3)] == [4, 5, 6]
    assert [e.data["n"] for e in read_events(topic, 0, everyone, limit=3, newest=True)] == [7, 8, 9]


def test_data_is_kept_as_plain_json(topic):
    with write(topic) as w:
        event = w.append("a", {"pair": (1, 2), "set": {3}, 7: "x", "bad": "a\x00b\ud800", "deep": {"none": None}})
    stored = Event.objects.get(pk=event.pk)
    bad = "a\ufffdb\ufffd\ufffd\ufffd"
    assert stored.data == {"pair": [1, 2], "set": [3], "7": "x", "bad": bad, "deep": {"none": None}}
    assert verify_chain(topic) is None


@pytest.mark.parametrize("value", [1.5, object(), b"x"])
def test_other_data_is_refused(topic, value):
    with write(topic) as w, pytest.raises(TypeError):
        w.append("a", {"value": value})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"data": {"n": 99}}, "altered"),
        ({"kind": "z"}, "altered"),
        ({"actor": "seat:1"}, "altered"),
        ({"audience": ["gm"]}, "altered"),
        ({"hash": "0" * 64}, "altered"),
        ({"seq": 77}, "missing"),
    ],
)
def test_the_chain_names_the_first_altered_event(topic, change, reason):
    with write(topic) as w:
        target = [w.append("n", {"n": n}) for n in range(5)][2]
    assert verify_chain(topic) is None
    Event.objects.filter(pk=target.pk).update(**change)
    assert verify_chain(topic) == ChainBreak(target.seq, reason)


def test_the_chain_notices_a_cut_end(topic):
    with write(topic) as w:
        last = [w.append("n", {"n": n}) for n in range(3)][-1]
    Event.objects.filter(pk=last.pk).delete()
    assert verify_chain(topic) == ChainBreak(last.seq, "cut")


def test_a_closed_topic_can_only_be_read(topic, user):
    with write(topic, user=user, command_id="end") as w:
        w.append("ended", {})
        w.close()
    with pytest.raises(TopicClosed), write(topic):
        pass
    with write(topic, user=user, command_id="end") as w:
        assert w.repeated
    assert read_events(topic, 0, viewer("all"))[-1].kind == "ended"


def test_the_bus_is_woken_after_the_commit(topic, django_capture_on_commit_callbacks, monkeypatch):
    woken = []
    monkeypatch.setattr(bus, "_listeners", [lambda name, seq: woken.append((name, seq))])
    with django_capture_on_commit_callbacks(execute=True):
        with write(topic) as w:
            w.append("a", {})
        assert woken == []
    assert woken == [(topic, current_seq(topic))]


def test_a_refused_command_uses_no_draw(topic):
    with write(topic) as w:
        dice = w.dice()
        assert dice.number is None
    assert Topic.objects.get().draws == 0
    with pytest.raises(KeyError), write(topic) as w:
        w.dice().roll(6)
        raise KeyError
    assert Topic.objects.get().draws == 0 and not Draw.objects.exists()


def test_a_draw_is_recorded_with_what_was_asked(topic):
    with write(topic) as w:
        dice = w.dice(audience=["gm", "seat:7"])
        faces = [dice.roll(6), dice.roll(100)]
        event = w.append("rolled", {"draw": dice.number, "faces": faces})
        order = w.dice().shuffle(5)
    first, second = Draw.objects.order_by("number")
    assert (first.requests, first.values, first.audience) == ([6, 100], faces, ["gm", "seat:7"])
    assert (first.number, first.event_seq, second.number) == (event.data["draw"], event.seq, 1)
    assert (second.requests, second.values) == ([{"shuffle": 5}], [list(order)])


def test_dice_survive_a_block_taken_back(topic):
    with write(topic) as w:
        dice = w.dice()
        with pytest.raises(KeyError), write(topic):
            dice.roll(6)
            raise KeyError
        faces = [dice.roll(6), dice.roll(6)]
    assert Draw.objects.get().values == faces


def test_roots_are_published_before_their_keys_are_needed(topic):
    Topic.objects.update(draws=4096 - 70)
    for _ in range(8):
        with write(topic) as w:
            w.dice().roll(6)
            w.append("rolled", {})
    roots = [(e.seq, e.data["first"]) for e in Event.objects.filter(kind="fair.root").order_by("seq")]
    assert [first for _, first in roots] == [0, 4096] == list(FairRoot.objects.values_list("first", flat=True))
    rolled = Event.objects.filter(kind="rolled").order_by("seq").values_list("seq", flat=True)
    assert roots[1][0] < rolled[7]
    assert verify_chain(topic) is None
