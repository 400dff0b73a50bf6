"""F6, F11, F12, F25, F26: bad lines, slow readers, people who come while others act."""

from __future__ import annotations

import contextlib
import random
import socket
import statistics
import threading
import time
from pathlib import Path

import pytest

from tests.live.server import Decoder, Message, Room, Site, rows, until

pytestmark = pytest.mark.server


def read_some(room: Room, cookie: str, after: int, messages: list[Message], limit: int) -> None:
    """Open a stream like a browser that comes back, read at most `limit` bytes, and cut it."""
    last = max((m.seq for m in messages if m.seq is not None), default=None)
    decoder, left = Decoder(), limit
    with room.stream(cookie, after, last) as connection:
        connection.settimeout(0.3)
        try:
            while left > 0 and (data := connection.recv(min(left, 4096))):
                left -= len(data)
                messages += decoder.feed(data)
        except TimeoutError:
            pass


def test_streams_cut_at_random_bytes_show_everything_once(room):
    """F11: 200 cuts at any byte while people talk; the shown list equals the stored one."""
    random.seed(11)
    cookie = room.enter("p")
    stop = threading.Event()

    def talk() -> None:
        for n in range(150):
            if stop.is_set():
                return
            room.say(f"word {n}")

    talking = threading.Thread(target=talk)
    talking.start()
    messages: list[Message] = []
    try:
        for _ in range(200):
            read_some(room, cookie, 1, messages, random.randint(1, 1500))
    finally:
        stop.set()
        talking.join()
    last = room.status()["seq"]
    for _ in range(50):
        if max((m.seq or 0 for m in messages), default=0) == last:
            break
        read_some(room, cookie, 1, messages, 100_000)
    said = [f"word {n}" for n in range(last - 1)]
    assert rows(messages) == said
    seqs = [m.seq for m in messages if m.event == "fragments"]
    assert seqs == sorted(set(seqs)), "a frame came twice"


def test_people_who_come_while_others_act_miss_nothing(room):
    """F12: pages loaded at a number, their streams opened later, under fire."""
    cookie = room.enter("p")
    stop = threading.Event()

    def talk() -> None:
        n = 0
        while not stop.is_set():
            room.say(f"word {n}")
            n += 1
            time.sleep(0.005)

    talking = threading.Thread(target=talk)
    talking.start()
    viewers = []
    try:
        for _ in range(40):
            drawn_at = room.status()["seq"]
            time.sleep(random.random() * 0.03)
            viewers.append((drawn_at, room.listen(cookie, drawn_at)))
    finally:
        stop.set()
        talking.join()
    last = room.status()["seq"]
    for drawn_at, viewer in viewers:
        until(lambda: len(viewer.rows()) == last - drawn_at, 10)
        assert viewer.rows() == [f"word {n}" for n in range(drawn_at - 1, last - 1)]
        viewer.close()


def memory_kb(pid: int) -> int:
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    raise AssertionError("no Pss line")


def test_a_viewer_that_does_not_read_is_sent_to_reload_and_hurts_nobody(site: Site, room: Room):
    """F6: at most 1 MiB is kept for it; the others are as quick as before."""
    good = room.listen(room.enter("good"))
    slow_cookie = room.enter("slow")
    until(lambda: good.ready)

    def times(count: int, size: int) -> list[float]:
        found = []
        for _ in range(count):
            before = len(good.shown)
            started = time.perf_counter()
            room.say("", size=size)
            while len(good.shown) == before:
                time.sleep(0.0005)
            found.append(time.perf_counter() - started)
        return found

    times(5, 64 * 1024)
    alone = times(30, 4096)
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", site.port))
        address = f"/live/stream/{room.topic}?after={room.status()['seq']}"
        slow.sendall(f"GET {address} HTTP/1.1\r\nHost: localhost\r\nCookie: {slow_cookie}\r\n\r\n".encode())
        assert b"200" in slow.recv(512)  # and never again
        memory = memory_kb(site.process.pid)
        beside: list[float] = []
        for _ in range(6):  # the kernel's own buffers take some megabytes before the server notices anything
            times(20, 64 * 1024)
            beside += times(5, 4096)
        grown = memory_kb(site.process.pid) - memory
        rest = b""
        slow.settimeout(5)
        with contextlib.suppress(TimeoutError, ConnectionError):
            while data := slow.recv(1 << 20):
                rest = (rest + data)[-200:]
    assert b"event: resync" in rest, rest
    assert grown < 5 * 1024, f"{grown} KiB"
    assert statistics.median(beside) <= 2 * statistics.median(alone) + 0.01


def test_eight_tabs_of_one_person(room):
    """F25, server side: eight streams of one session, and posts are still answered."""
    cookie = room.enter("p")
    tabs = [room.listen(cookie) for _ in range(8)]
    until(lambda: all(t.ready for t in tabs))
    started = time.monotonic()
    room.say("hello")
    assert time.monotonic() - started < 1
    until(lambda: all(t.rows() == ["hello"] for t in tabs))


def test_somebody_removed_under_fire(room):
    """F26: nothing committed after the removal reaches the one who was removed."""
    goes = room.listen(room.enter("goes"))
    until(lambda: goes.ready)
    stop = threading.Event()
    said: list[tuple[int, str]] = []

    def talk() -> None:
        n = 0
        while not stop.is_set():
            said.append((room.say(f"word {n}"), f"word {n}"))
            n += 1

    threads = [threading.Thread(target=talk) for _ in range(2)]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    room.remove("goes")
    removed_at = room.status()["seq"]
    assert goes.ended.wait(1)
    time.sleep(0.2)
    stop.set()
    for thread in threads:
        thread.join()
    shown = {int(m.seq) for m in goes.messages if m.seq is not None}
    assert max(shown) <= removed_at
    assert goes.kinds()[-1] == "gone"


@pytest.mark.parametrize("size", [3_000_000, 20_000_000])
def test_slow_readers_of_large_answers_hold_no_thread(site: Site, size: int):
    """More of them than there are threads, and pages are still answered."""
    lazy = []
    for _ in range(10):
        connection = socket.create_connection(("127.0.0.1", site.port))
        connection.sendall(f"GET /big/{size}/ HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        lazy.append(connection)
    try:
        started = time.monotonic()
        assert site.get("/big/10/") == b"y" * 10
        assert time.monotonic() - started < 10
        received = 0
        while data := lazy[0].recv(1 << 20):
            received += len(data)
            if received > size:
                break
        assert received > size
    finally:
        for connection in lazy:
            connection.close()


def test_slow_bodies_hold_no_thread(site: Site):
    """More of them than there are threads: pages are answered all the same."""
    slow = []
    for _ in range(12):
        connection = socket.create_connection(("127.0.0.1", site.port))
        connection.sendall(b"POST /big/1/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nabc")
        slow.append(connection)
    try:
        started = time.monotonic()
        assert site.get("/big/10/") == b"y" * 10
        assert time.monotonic() - started < 1
        slow[0].sendall(b"x" * 97)
        answer = b""
        while not answer.endswith(b"\r\n\r\n100"):
            answer += (part := slow[0].recv(4096))
            assert part, answer
    finally:
        for connection in slow:
            connection.close()


def test_a_body_that_is_too_large_is_refused(site: Site):
    status, body, _ = site.ask("POST", "/big/1/", {"x": "y" * (6 * 1024 * 1024)})
    assert status == 413 and "大きすぎます" in body.decode()


def test_a_chunked_body_that_never_ends_is_refused(site: Site):
    with socket.create_connection(("127.0.0.1", site.port), timeout=10) as connection:
        connection.sendall(b"POST /big/1/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        chunk = b"%x\r\n" % 65536 + b"z" * 65536 + b"\r\n"
        with contextlib.suppress(ConnectionError):
            for _ in range(2000):
                connection.sendall(chunk)
        with contextlib.suppress(ConnectionError):
            assert b" 413 " in connection.recv(4096)
    assert site.get("/big/1/") == b"y"


@pytest.mark.parametrize(
    "raw",
    [
        b"GET /big/1/?x=\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /%00%ff/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /caf\xe9/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /big/1/ HTTP/1.1\r\nHost: localhost\r\nCookie: a=\xff; session=\x80\r\n\r\n",
        b"POST /big/1/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: abc\r\n\r\n",
        b"POST /big/1/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GARBAGE\r\n\r\n",
        b"GET /live/stream/room:1?after=\xff HTTP/1.1\r\nHost: localhost\r\nCookie: \xff\r\n\r\n",
        b"GET /big/1/ HTTP/1.1\r\nHost: localhost\r\nContent_Type: x\r\nX: " + b"h" * 60_000 + b"\r\n\r\n",
    ],
)
def test_malformed_requests_are_no_server_error(site: Site, raw: bytes):
    with socket.create_connection(("127.0.0.1", site.port), timeout=10) as connection:
        connection.sendall(raw)
        status = connection.recv(4096).split(b" ")[1]
    assert int(status) < 500
