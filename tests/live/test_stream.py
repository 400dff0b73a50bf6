"""The stream of a real server: who gets what, from where, how often it is made."""

from __future__ import annotations

import json
import time
from collections import Counter

import pytest

from live.stream import unpacks
from tests.live.reader import Reader
from tests.live.server import Decoder, Listener, open_stream, until

pytestmark = pytest.mark.server


def read_until_end(connection) -> tuple[int, list]:
    decoder, messages = Decoder(), []
    with connection:
        while not decoder.ended and (data := connection.recv(65536)):
            messages += decoder.feed(data)
    return decoder.status, [m.event for m in messages if m.event != "heartbeat"]


def test_what_is_said_arrives_once_and_in_order(room):
    viewers = [room.listen(room.enter(f"p{n}"), after=1) for n in range(3)]
    until(lambda: all(v.ready for v in viewers))
    for n in range(20):
        room.say(f"word {n}")
    until(lambda: all(len(v.rows()) == 20 for v in viewers))
    for viewer in viewers:
        assert viewer.rows() == [f"word {n}" for n in range(20)]
        seqs = [m.seq for m in viewer.messages if m.event == "fragments"]
        assert seqs == sorted(set(seqs))
        viewer.close()


def test_secrets_go_to_their_audience_only(room):
    gm, player = room.listen(room.enter("gm", "gm"), 1), room.listen(room.enter("p"), 1)
    until(lambda: gm.ready and player.ready)
    room.say("canary-4711", audience="gm")
    room.say("for all")
    until(lambda: gm.rows() == ["canary-4711", "for all"] and player.rows() == ["for all"])
    assert not any("canary" in m.data for m in player.messages)
    missed = room.listen(player.cookie, 1)
    until(lambda: missed.rows() == ["for all"])
    assert not any("canary" in m.data for m in missed.messages)


def test_one_read_and_one_render_per_group(room):
    viewers = [room.listen(room.enter(f"p{n}"), 1) for n in range(8)]
    viewers += [room.listen(room.enter(f"g{n}", "gm"), 1) for n in range(3)]
    until(lambda: all(v.ready for v in viewers))
    before = Counter(room.status()["counts"])
    for n in range(5):
        room.say(f"word {n}")
        until(lambda: all(len(v.rows()) == n + 1 for v in viewers))
    counts = Counter(room.status()["counts"]) - before
    assert counts == {"read_batch": 5, "render gm.ja": 5, "render player.ja": 5}


def test_those_who_come_back_together_are_caught_up_once(room):
    cookie = room.enter("p")
    for n in range(10):
        room.say(f"word {n}")
    first = room.listen(cookie, 1)
    until(lambda: len(first.rows()) == 10)
    before = room.status()["counts"]
    viewers = [room.listen(cookie, 3) for _ in range(10)]
    until(lambda: all(v.rows() == [f"word {n}" for n in range(2, 10)] for v in viewers))
    after = room.status()["counts"]
    assert after["catch_up"] - before.get("catch_up", 0) == 1


@pytest.mark.parametrize(
    ("after", "last_id", "expected"), [(2, None, 3), (2, 4, 1), (4, 2, 1), (None, 3, 2), (5, None, 0)]
)
def test_resuming_from_the_larger_number(room, after, last_id, expected):
    cookie = room.enter("p")
    seqs = [room.say(f"word {n}") for n in range(4)]
    assert seqs == [2, 3, 4, 5]
    decoder, messages = Decoder(), []
    with room.stream(cookie, after, last_id=last_id) as connection:
        connection.settimeout(0.5)
        try:
            while data := connection.recv(65536):
                messages += decoder.feed(data)
        except TimeoutError:
            pass
    got = [line for m in messages if m.event == "fragments" for line in m.data.split("\n") if line.startswith("<li")]
    assert len(got) == expected


def test_a_page_too_far_behind_or_ahead_is_loaded_anew(room):
    cookie = room.enter("p")
    assert read_until_end(room.stream(cookie, 99)) == (200, ["resync"])
    first = room.listen(cookie, 1)
    until(lambda: first.ready)
    for n in range(502):
        room.say(f"word {n}") if n % 100 == 0 else room.say("", kind="other")
    until(lambda: len(first.rows()) == 6)
    assert read_until_end(room.stream(cookie, 1)) == (200, ["resync"])


@pytest.mark.parametrize("who", ["stranger", "nobody", "liar"])
def test_refusals_are_a_stream_that_says_gone(room, who):
    cookie = {
        "stranger": lambda: room.enter("s", "stranger"),
        "nobody": lambda: "",
        "liar": lambda: "session=" + "z" * 900,
    }
    assert read_until_end(room.stream(cookie[who](), 1)) == (200, ["gone"])


@pytest.mark.parametrize("topic", ["room:77", "nothing:1", "room:", "..%2f", "room:1/x", "room:1%00"])
def test_odd_topics_are_gone(site, room, topic):
    assert read_until_end(open_stream(site, room.enter("p"), 1, topic)) == (200, ["gone"])


def test_odd_numbers_do_no_harm(site, room):
    cookie = room.enter("p")
    for query in ["after=x", "after=-1", "after=" + "9" * 5000, "&".join(f"a{n}=1" for n in range(99)), "after=%ff"]:
        with open_stream(site, cookie, None, f"{room.topic}?{query}") as connection:
            decoder, events = Decoder(), []
            while not events:
                events = [m for m in decoder.feed(connection.recv(65536)) if m.event != "heartbeat"]
            assert events[0].event == "hello"


def test_other_methods_are_refused(site, room):
    assert site.ask("POST", "/live/stream/room:1", {})[0] == 405


def test_somebody_removed_gets_nothing_more_within_a_second(room):
    stays, goes = room.listen(room.enter("a"), 1), room.listen(room.enter("b"), 1)
    until(lambda: stays.ready and goes.ready)
    room.say("before")
    until(lambda: len(goes.rows()) == 1)
    removed_at = time.monotonic()
    room.remove("b")
    room.say("after the removal")
    until(lambda: stays.rows() == ["before", "after the removal"])
    assert goes.ended.wait(1)
    assert [m.event for m in goes.messages if m.event not in {"heartbeat", "presence"}][-1] == "gone"
    assert goes.arrived[-1] - removed_at < 1
    assert goes.rows() == ["before"]
    assert not any("left" in m.data or "after" in m.data for m in goes.messages)
    assert read_until_end(room.stream(goes.cookie, 1)) == (200, ["gone"])


def test_a_changed_role_loads_the_page_anew(room):
    viewer = room.listen(room.enter("a"), 1)
    until(lambda: viewer.ready)
    room.change_role("a", "gm")
    assert viewer.ended.wait(2)
    assert viewer.kinds()[-1] == "resync"
    again = room.listen(viewer.cookie, 2)
    until(lambda: again.ready)
    room.say("for the gm", audience="gm")
    until(lambda: again.rows() == ["for the gm"])


def test_presence_shows_who_is_here(room):
    first = room.listen(room.enter("a"), 1)

    def online(viewer: Listener) -> list[str]:
        said = [json.loads(m.data)["online"] for m in list(viewer.messages) if m.event == "presence"]
        return said[-1] if said else []

    until(lambda: len(online(first)) == 1)
    second = room.listen(room.enter("b"), 1)
    until(lambda: len(online(first)) == len(online(second)) == 2)
    second.close()
    until(lambda: len(online(first)) == 1, 6)


def test_a_heartbeat_every_four_seconds(room):
    viewer = room.listen(room.enter("a"), 1)
    until(lambda: sum(m.event == "heartbeat" for m in list(viewer.messages)) >= 2, 6)
    assert all(m.seq is None for m in viewer.messages if m.event == "heartbeat")


def test_an_event_nobody_can_read_or_draw_stops_nothing(site, room):
    viewer = room.listen(room.enter("a"), 1)
    until(lambda: viewer.ready)
    room.say("one")
    room.say("bad", kind="poison")
    room.say("bad", kind="poison-look")
    room.say("two")
    until(lambda: viewer.rows() == ["one", "two"])
    again = room.listen(viewer.cookie, 1)
    until(lambda: again.rows() == ["one", "two"])
    until(lambda: "cannot be projected" in site.log)


def test_an_event_written_by_another_process_arrives(site, room):
    """A management command beside the server: seen by comparing numbers."""
    import subprocess
    import sys

    viewer = room.listen(room.enter("a"), 1)
    until(lambda: viewer.ready)
    code = (
        "import django; django.setup()\n"
        "from live.topics import write\n"
        f"with write('{room.topic}') as w: w.append('said', {{'text': 'from a command'}})"
    )
    subprocess.run([sys.executable, "-c", code], env=site.env, check=True, cwd=site.env["PYTHONPATH"])
    until(lambda: viewer.rows() == ["from a command"], 4)


def test_a_browser_that_unpacks_gets_the_same_in_fewer_bytes(room):
    """Packed once for all: whoever came earlier or later can read every frame as it arrives."""
    cookie = room.enter("p")
    plain = room.listen(cookie)
    early = Reader(room.site, room.topic, cookie, after=1, packed=True)
    until(lambda: plain.ready and early.has("event: hello"))
    room.say("ほう " * 200)
    until(lambda: early.has("ほう"))
    late = Reader(room.site, room.topic, cookie, after=1, packed=True)
    until(lambda: late.has("ほう"))
    room.say("なるほど " * 200)
    until(lambda: len(plain.rows()) == 2 and early.has("なるほど") and late.has("なるほど"))
    for one in (early, late):
        assert one.rows() == plain.rows()
        assert len(one.body) < 1500 < len(one.text.encode())
        assert b"content-encoding: gzip" in one.head and b"vary: accept-encoding" in one.head
        one.close()
    plain.close()


@pytest.mark.parametrize(
    ("accepted", "yes"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("", False),
        ("identity", False),
        ("gzip;q=0, br", False),
        ("gzip;q=0.000", False),
        ("x-gzip", False),
        ("*", False),
    ],
)
def test_who_unpacks(accepted, yes):
    assert unpacks(accepted) is yes


def test_headers_of_the_stream(room):
    with room.stream(room.enter("p"), 1) as connection:
        head = connection.recv(65536).decode().lower()
    assert head.startswith("http/1.1 200")
    for line in ("content-type: text/event-stream", "x-accel-buffering: no", "content-security-policy:", "nosniff"):
        assert line in head
    assert "content-encoding" not in head
