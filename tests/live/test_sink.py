"""One viewer's end of the stream against a socket that stops and goes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from live import sink as sink_module
from live.frames import NOTHING, RESYNC, pack
from live.sink import QUEUE_BYTES, Sink


class Wire:
    """Stands for the server's side: takes bytes unless it is full."""

    def __init__(self) -> None:
        self.got: list[bytes] = []
        self.closed = False
        self.aborted = False
        self.room = asyncio.Event()
        self.room.set()

    @property
    def transport(self) -> Wire:
        return self

    def abort(self) -> None:
        self.aborted = True

    async def send(self, message: dict) -> None:
        while not self.room.is_set():
            await self.room.wait()
        if self.closed:
            raise RuntimeError("already completed")
        if message["body"]:
            self.got.append(message["body"])
        self.closed = not message["more_body"]


def play(scene: Callable[[Sink, Wire], Awaitable[None]]) -> Wire:
    async def run() -> Wire:
        wire = Wire()
        await scene(Sink(wire.send), wire)
        return wire

    return asyncio.run(run())


def test_a_viewer_that_keeps_up_is_written_to_at_once():
    async def scene(sink: Sink, wire: Wire) -> None:
        sink.push(pack(b"a"))
        assert wire.got == [b"a"] and not sink.behind
        sink.end(pack(b"z"))
        sink.push(pack(b"late"))
        sink.end(pack(b"again"))

    wire = play(scene)
    assert (wire.got, wire.closed) == ([b"a", b"z"], True)


def test_a_slow_viewer_gets_everything_in_order():
    async def scene(sink: Sink, wire: Wire) -> None:
        for n in range(20):
            if n == 3:
                wire.room.clear()
            if n == 12:
                wire.room.set()
                await asyncio.sleep(0)
            sink.push(pack(b"%d" % n))
        await asyncio.sleep(0.01)
        assert not sink.behind
        sink.push(pack(b"end"))

    assert play(scene).got == [*(b"%d" % n for n in range(20)), b"end"]


def test_too_slow_a_viewer_is_told_to_reload():
    async def scene(sink: Sink, wire: Wire) -> None:
        sink.push(pack(b"first"))
        wire.room.clear()
        for _ in range(40):
            sink.push(pack(b"x" * (QUEUE_BYTES // 20)))
        assert sink.ended
        wire.room.set()
        await asyncio.sleep(0.01)

    wire = play(scene)
    assert wire.got[0] == b"first" and wire.got[-1] == RESYNC.plain and wire.closed
    assert sum(map(len, wire.got)) < QUEUE_BYTES // 10


def test_a_viewer_that_does_not_even_read_the_last_word_is_cut_off(monkeypatch):
    monkeypatch.setattr(sink_module, "LAST_WORD_SECONDS", 0.02)

    async def scene(sink: Sink, wire: Wire) -> None:
        wire.room.clear()
        sink.push(pack(b"never read"))
        sink.end(pack(b"gone"))
        await asyncio.sleep(0.05)
        sink.forget()

    assert play(scene).aborted


def test_somebody_removed_gets_nothing_of_what_still_waits():
    async def scene(sink: Sink, wire: Wire) -> None:
        wire.room.clear()
        sink.push(pack(b"on the wire already"))
        sink.push(pack(b"secret"))
        sink.end(pack(b"gone"))
        wire.room.set()
        await asyncio.sleep(0.01)

    assert play(scene).got == [b"on the wire already", b"gone"]


def test_what_was_missed_comes_before_what_happens():
    async def scene(sink: Sink, wire: Wire) -> None:
        sink.hold()
        sink.push(pack(b"new"))
        sink.release([pack(b"missed"), NOTHING])
        sink.push(pack(b"newer"))

    assert play(scene).got == [b"missed", b"new", b"newer"]


@pytest.mark.parametrize("overflow", [False, True])
def test_the_end_while_the_missed_is_being_made(overflow):
    async def scene(sink: Sink, wire: Wire) -> None:
        sink.hold()
        for _ in range(30 if overflow else 1):
            sink.push(pack(b"x" * (QUEUE_BYTES // 20)))
        assert sink.ended is overflow
        sink.end(pack(b"gone"))
        sink.release([pack(b"missed")])

    wire = play(scene)
    assert (wire.got, wire.closed) == ([RESYNC.plain if overflow else b"gone"], True)


def test_an_overflow_while_the_missed_is_being_made_says_so():
    async def scene(sink: Sink, wire: Wire) -> None:
        sink.hold()
        for _ in range(30):
            sink.push(pack(b"x" * (QUEUE_BYTES // 20)))
        sink.release([pack(b"missed")])

    wire = play(scene)
    assert (wire.got, wire.closed) == ([RESYNC.plain], True)


def test_a_connection_that_fails_ends_the_sink():
    async def scene(sink: Sink, wire: Wire) -> None:
        wire.closed = True
        sink.push(pack(b"a"))
        assert sink.ended

    assert play(scene).aborted


def test_a_connection_that_is_gone_stops_its_tasks():
    async def scene(sink: Sink, wire: Wire) -> None:
        wire.room.clear()
        sink.push(pack(b"a"))
        sink.push(pack(b"b"))
        sink.forget()
        wire.room.set()
        await asyncio.sleep(0.01)
        assert len(asyncio.all_tasks()) == 1

    assert play(scene).got == []
