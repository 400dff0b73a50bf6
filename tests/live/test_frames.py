"""Frames as browsers that unpack get them: any of them one after the other are one gzip stream."""

from __future__ import annotations

import zlib

import pytest

from live.frames import GONE, GZIP_HEAD, HEARTBEAT, NOTHING, Frame, frame, json_frame, opening, pack


@pytest.mark.parametrize("size", [1, 3, 255, 256, 257, 4096, 70_000])
def test_each_frame_can_be_read_as_soon_as_it_is_there(size):
    text = pack(bytes(b"abc \n"[n % 5] for n in range(size)))
    frames = [opening(), text, HEARTBEAT, text + HEARTBEAT, json_frame("hello", {"seq": 7}), text, GONE]
    unpack = zlib.decompressobj(31)
    for one in frames:
        assert unpack.decompress(one.packed) == one.plain
    assert not unpack.eof  # another may follow


def test_the_stream_begins_as_gzip_does():
    assert opening().packed.startswith(GZIP_HEAD)


def test_a_long_frame_is_short():
    rows = "\n".join(f'<li id="entry-{n}" data-prepend="log-rows">佐吉の知覚</li>' for n in range(50))
    long = frame("fragments", rows, 12)
    assert len(long.packed) * 5 < len(long.plain)
    assert long.plain.startswith(b"event: fragments\nid: 12\ndata: <li") and long.plain.endswith(b"\n\n")


def test_nothing_is_nothing():
    assert not pack(b"") and pack(b"") == NOTHING == Frame(b"", b"")
