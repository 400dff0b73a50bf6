"""F6, F11, F21, F26 at a real table: lines that break, a viewer that never reads, somebody who is sent away."""

from __future__ import annotations

import contextlib
import re
import socket
import time
from statistics import median

import pytest

from tests.faults.conftest import FULL
from tests.faults.evening import ASKED, DOCTOR, GM, HERO, TOKEN, Evening, Watcher, level
from tests.faults.line import Line
from tests.live.server import Site, until

pytestmark = pytest.mark.server
AWAY_SECONDS = 30.0 if FULL else 1.5


def roll(evening: Evening) -> dict:
    return evening.do(DOCTOR, "roll", actor=evening.seeded.actor, what="chikaku")


def seen(evening: Evening, watcher: Watcher) -> float:
    """Seconds from a press until somebody sees what came of it."""
    started, last = time.monotonic(), roll(evening)["last"]
    until(lambda: watcher.number >= last, 10, "the others go on")
    return time.monotonic() - started


@pytest.mark.parametrize("end", ["mended", "broken"])
def test_a_client_cut_off_catches_up(evening, end):
    """F11: nothing passes for a while; then the line is mended, or breaks and the client comes back."""
    line = Line(evening.site.port)
    away = Site("", settings="")
    away.port = line.port
    watcher = Watcher(evening, evening.cookie(HERO), site=away)
    beside = evening.listen(ASKED)
    until(lambda: watcher.stream.ready and beside.stream.ready)
    line.hold()
    had = watcher.number
    ends = time.monotonic() + AWAY_SECONDS
    while time.monotonic() < ends:
        roll(evening)
        evening.say(GM, "まだか")
        time.sleep(AWAY_SECONDS / 10)
    level([beside])
    assert watcher.number == had
    if end == "broken":
        line.cut()
    line.release()
    level([watcher])
    assert watcher.repeated() == []
    for one in (watcher, beside):
        one.close()
    line.close()


def test_a_viewer_that_never_reads_is_given_up_and_hurts_nobody(evening):
    """F6: a GM whose notes are long reads nothing; the table is as fast as before, and the last word is `resync`."""
    beside = evening.listen(HERO)
    until(lambda: beside.stream.ready)
    for number in range(4):
        evening.post(GM, "notes/", title="", text=f"{number}" + "闇" * 19000)
    seq = evening.stored()["seq"]
    with socket.socket() as idle:
        idle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        idle.connect(("127.0.0.1", evening.site.port))
        head = f"GET /live/stream/{evening.topic}?after={seq} HTTP/1.1\r\nHost: localhost\r\n"
        idle.sendall(f"{head}Cookie: {evening.cookie(GM)}\r\n\r\n".encode())
        assert b"200" in idle.recv(512)  # and never again
        usual, waits = [seen(evening, beside) for _ in range(8)], []
        for number in range(30):
            evening.post(GM, "notes/", title="", text=f"{number}")
            waits.append(seen(evening, beside))
        rest = b""
        idle.settimeout(5)
        with contextlib.suppress(TimeoutError, ConnectionError):
            while data := idle.recv(1 << 20):
                rest = (rest + data)[-200:]
    assert b"event: resync" in rest, rest
    assert median(waits) < 2 * median(usual) + 0.2, (waits, usual)
    gm = evening.listen(GM)  # the page loaded anew is level
    level([gm, beside])
    for one in (gm, beside):
        one.close()


def test_an_event_nobody_can_read_stops_nothing(evening):
    """F21: a damaged event in the log: pages and streams go on, and each page equals the page loaded anew."""
    watchers = [evening.listen(who) for who in (GM, HERO)]
    until(lambda: all(watcher.stream.ready for watcher in watchers))
    seq = evening.site.post(f"/poison/{evening.topic}/")["seq"]
    roll(evening)
    level(watchers)
    for watcher in watchers:
        assert watcher.number > seq
        watcher.close()


def test_somebody_sent_away_gets_nothing_more(evening):
    """F26: within a second of the GM's press the stream ends; what is told later does not reach it."""
    cookie = evening.seeded.onlookers[-1]
    goes = Watcher(evening, cookie, comes_back=True)
    stays = Watcher(evening, evening.seeded.onlookers[-2])
    until(lambda: goes.stream.ready and stays.stream.ready)
    remove_newest(evening)
    assert goes.stream.ended.wait(1)
    assert goes.stream.kinds()[-1] == "gone"
    had = goes.number
    roll(evening)
    level([stays])
    assert goes.number == had < stays.number
    stays.close()


def remove_newest(evening: Evening) -> None:
    """The GM sends away who came last."""
    campaign = evening.seeded.address.partition("sessions/")[0]
    page = evening.site.get(campaign, evening.cookie(GM)).decode()
    seat = max(map(int, re.findall(r"/seats/(\d+)/remove/", page)))
    form = {"sure": "on", "csrfmiddlewaretoken": TOKEN}
    cookie = f"{evening.cookie(GM)}; csrf={TOKEN}"
    status, body, _ = evening.site.ask("POST", f"{campaign}seats/{seat}/remove/", form, cookie)
    assert status in (200, 302, 303), body[:500]
