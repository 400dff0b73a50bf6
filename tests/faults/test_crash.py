"""F1, F8, F20: the server dies or is restarted while people write and listen."""

from __future__ import annotations

import http.client
import itertools
import random
import threading
import time
from collections.abc import Iterator

import pytest

from tests.live import databases
from tests.live.server import Room, Site, until

pytestmark = pytest.mark.server


@pytest.fixture
def own_site(sqlite_template, tmp_path) -> Iterator[Site]:
    path = databases.copy_sqlite(sqlite_template, tmp_path / "site.sqlite3")
    site = Site(f"sqlite:///{path}")
    try:
        yield site.start()
    finally:
        site.kill()


class Writers:
    """Clients that post as fast as they are answered and remember what was acknowledged. They retry like live.js:
    the same press (command id) until there is an answer."""

    def __init__(self, room: Room, cookies: list[str]) -> None:
        self.room = room
        self.acknowledged: dict[str, int] = {}
        self.pressed: set[str] = set()
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._run, args=a, daemon=True) for a in enumerate(cookies)]
        for thread in self._threads:
            thread.start()

    def _run(self, number: int, cookie: str) -> None:
        for n in itertools.count():
            if self._stop.is_set():
                return
            press = f"{number}.{n}"
            self.pressed.add(press)
            while press not in self.acknowledged:
                try:
                    self.acknowledged[press] = self.room.post_say(cookie, press)
                except OSError:
                    if self._stop.wait(0.05):
                        return

    def stop(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(20)
            assert not thread.is_alive()


class PressRoom(Room):
    def post_say(self, cookie: str, press: str) -> int:
        form = {"text": press, "command_id": press}
        return self.site.post(f"/say/{self.topic}/", cookie, **form)["seq"]


def test_killed_under_load_loses_nothing_and_repeats_nothing(own_site):
    """kill -9 at random moments: every acknowledged press is stored once, the numbers have no hole."""
    room = PressRoom(own_site, "room:1")
    cookies = [room.enter(f"p{n}") for n in range(4)]
    viewer = room.listen(cookies[0], comes_back=True)
    writers = Writers(room, cookies)
    for _ in range(3):
        time.sleep(0.3 + random.random() * 0.4)
        own_site.kill()
        started = time.monotonic()
        own_site.start()
        assert time.monotonic() - started < 8  # starting Python and Django included, on a busy machine
    time.sleep(0.3)
    writers.stop()
    status = room.status()
    assert status["broken"] is None
    assert len(writers.acknowledged) > 20
    seqs = sorted(writers.acknowledged.values())
    assert len(set(seqs)) == len(seqs)
    stored = status["seq"] - 1  # without the root of the dice
    assert len(seqs) <= stored <= len(writers.pressed)
    until(lambda: len(viewer.rows()) == stored, 10, "the viewer catches up")
    shown = viewer.rows()
    for press, seq in writers.acknowledged.items():
        assert shown[seq - 2] == press
    viewer.close()


def test_a_restart_with_many_viewers_is_short(own_site):
    """SIGTERM with open streams: gone within 3 s, all back and level within 5 s of the new server."""
    room = PressRoom(own_site, "room:1")
    cookies = [room.enter(f"p{n}") for n in range(4)]
    viewers = [room.listen(cookies[n % 4], comes_back=True) for n in range(40)]
    until(lambda: all(v.ready for v in viewers))
    writers = Writers(room, cookies[:2])
    time.sleep(0.3)
    assert own_site.stop() <= 3
    own_site.start()
    back = time.monotonic()
    time.sleep(0.3)
    writers.stop()
    last = room.status()["seq"]
    until(lambda: all(len(v.rows()) == last - 1 for v in viewers), 5 - (time.monotonic() - back), "all are level")
    assert room.status()["broken"] is None
    expected = viewers[0].rows()
    for viewer in viewers:
        assert viewer.rows() == expected
        viewer.close()
    assert "Traceback" not in own_site.log, own_site.log


def test_the_server_ends_quickly_with_a_slow_request_and_open_streams(own_site):
    room = Room(own_site, "room:1")
    viewer = room.listen(room.enter("p"))
    until(lambda: viewer.ready)
    slow = http.client.HTTPConnection("127.0.0.1", own_site.port)
    slow.putrequest("POST", "/big/1/")
    slow.putheader("Content-Length", "1000")
    slow.endheaders(b"only the beginning")
    assert own_site.stop() <= 3
    assert viewer.ended.wait(1)
    slow.close()


def test_each_press_counts_once_however_often_it_is_sent(site, room):
    """F8: presses sent 1–5 times, some with the connection cut before the answer."""
    press_room = PressRoom(site, room.topic)
    cookie = room.enter("p")
    random.seed(8)
    intents = 150
    for number in range(intents):
        press = f"press {number}"
        answers = set()
        for _ in range(random.randint(1, 4)):
            if random.random() < 0.3:
                send_and_hang_up(site, room, cookie, press)
            else:
                answers.add(press_room.post_say(cookie, press))
        answers.add(press_room.post_say(cookie, press))
        assert len(answers) == 1
    status = room.status()
    assert status["seq"] == intents + 1 and status["broken"] is None


def send_and_hang_up(site: Site, room: Room, cookie: str, press: str) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", site.port)
    body = f"text={press.replace(' ', '+')}&command_id={press.replace(' ', '+')}"
    headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", f"/say/{room.topic}/", body, headers)
    connection.close()


def test_two_presses_at_the_same_moment(site, room):
    press_room = PressRoom(site, room.topic)
    cookie = room.enter("p")
    answers: list[int] = []
    threads = [threading.Thread(target=lambda: answers.append(press_room.post_say(cookie, "same"))) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert len(answers) == 12 and len(set(answers)) == 1
    assert room.status()["seq"] == 2
