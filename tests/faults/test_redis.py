"""F3: two processes on PostgreSQL, and a Redis that stops, hangs, dies and comes back."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
import time
from collections.abc import Iterator

import pytest

from tests.live.server import Listener, Room, Site, free_port, until

pytestmark = [pytest.mark.server, pytest.mark.postgres, pytest.mark.redis]


class Redis:
    """A private redis-server."""

    def __init__(self, folder) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        command = ["redis-server", *options, "--dir", str(self.folder)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def send(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait(5)


@pytest.fixture(scope="module")
def redis(tmp_path_factory) -> Iterator[Redis]:
    server = Redis(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def two_sites(postgres_url, redis) -> Iterator[tuple[Site, Site]]:
    sites = Site(postgres_url, redis_url=redis.url), Site(postgres_url, redis_url=redis.url)
    try:
        for site in sites:
            site.start()
        yield sites
    finally:
        for site in sites:
            site.kill()
    for site in sites:
        assert "Traceback" not in site.log, site.log


def seconds_until_shown(viewer: Listener, text: str, limit: float) -> float:
    started = time.monotonic()
    until(lambda: text in viewer.rows(), limit, f"{text} is shown")
    return time.monotonic() - started


def connected(room: Room, here: Site, there: Listener) -> None:
    """Wait until words cross from one process to the other at once."""
    for n in range(20):
        word = f"ping {time.monotonic()}"
        room.say(word, site=here)
        if seconds_until_shown(there, word, 8) < 0.5 and n:
            return
    raise AssertionError("the bus does not connect the processes")


def test_two_processes_and_a_redis_that_comes_and_goes(two_sites, redis):
    a, b = two_sites
    room = Room(a, "room:redis")
    cookie = room.enter("p")
    here, there = room.listen(cookie, site=a), room.listen(cookie, site=b)
    until(lambda: here.ready and there.ready)
    connected(room, a, there)
    connected(room, b, here)

    for fault, mend in ((hang, mend_hang), (die, mend_dead)):
        fault(redis)
        waits = []
        for n in range(20):
            word = f"{fault.__name__} {n}"
            started = time.monotonic()
            room.say(word, site=a)
            posted = time.monotonic() - started
            waits.append(posted + seconds_until_shown(here, word, 2))
            time.sleep(0.05)
        assert sorted(waits)[-2] < 0.5, waits  # the writer's own viewers notice nothing
        seconds_until_shown(there, word, 6)  # the others compare numbers themselves
        room.say(f"{fault.__name__} last", site=a)
        mend(redis)
        seconds_until_shown(there, f"{fault.__name__} last", 2.2)
        connected(room, a, there)

    last = room.status(b)["seq"]
    until(lambda: len(here.rows()) == len(there.rows()) == last - 1)
    assert here.rows() == there.rows()
    assert room.status(a)["broken"] is None


def hang(redis: Redis) -> None:
    redis.send(signal.SIGSTOP)


def mend_hang(redis: Redis) -> None:
    redis.send(signal.SIGCONT)


def die(redis: Redis) -> None:
    redis.kill()


def mend_dead(redis: Redis) -> None:
    redis.start()


def test_presence_and_removal_reach_the_other_process(two_sites):
    a, b = two_sites
    room = Room(a, "room:people")
    first, second = room.listen(room.enter("a"), site=a), room.listen(room.enter("b"), site=b)
    until(lambda: first.ready and second.ready)

    def online(viewer: Listener) -> int:
        said = [json.loads(m.data)["online"] for m in list(viewer.messages) if m.event == "presence"]
        return len(said[-1]) if said else 0

    until(lambda: online(first) == online(second) == 2, 6)
    connected(room, a, second)
    room.remove("b")
    assert second.ended.wait(1)
    assert second.kinds()[-1] == "gone"


def test_writers_in_two_processes_keep_one_order(two_sites):
    a, b = two_sites
    room = Room(a, "room:order")
    cookie = room.enter("p")
    viewers = [room.listen(cookie, site=site) for site in (a, b)]
    until(lambda: all(v.ready for v in viewers))

    def talk(site: Site, name: str) -> None:
        for n in range(30):
            room.say(f"{name} {n}", site=site)

    threads = [threading.Thread(target=talk, args=args) for args in ((a, "a"), (b, "b"), (a, "c"), (b, "d"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    until(lambda: all(len(v.rows()) == 120 for v in viewers), 5)
    assert viewers[0].rows() == viewers[1].rows()
    assert room.status()["broken"] is None


def test_a_server_starts_without_redis(postgres_url):
    site = Site(postgres_url, redis_url=f"redis://127.0.0.1:{free_port()}/0")
    try:
        site.start()
        room = Room(site, "room:alone")
        viewer = room.listen(room.enter("p"))
        until(lambda: viewer.ready)
        started = time.monotonic()
        room.say("hello")
        until(lambda: viewer.rows() == ["hello"])
        assert time.monotonic() - started < 0.5
        assert site.stop() <= 3
    finally:
        site.kill()
    assert "Traceback" not in site.log, site.log
