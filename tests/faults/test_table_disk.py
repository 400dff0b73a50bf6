"""F2, F5 at a real table: a power cut leaves half of what was written, and the disk is full."""

from __future__ import annotations

import random
import resource
import sqlite3
from pathlib import Path

import pytest

from tests.faults.conftest import FULL
from tests.faults.evening import DOCTOR, GM, TOKEN, Evening, kept, level
from tests.live.server import until

pytestmark = pytest.mark.server
CUTS = 500 if FULL else 60


def roll(evening: Evening, key: str = "") -> dict:
    return evening.do(DOCTOR, "roll", key, actor=evening.seeded.actor, what="chikaku")


def test_a_power_cut_leaves_the_beginning_of_the_log(own_evening, tmp_path):
    """The write-ahead log ends at any byte, or a block of it is empty: the file opens, and holds whole presses only."""
    evening = own_evening
    for _ in range(12):
        roll(evening)
    whole = evening.stored()
    database = Path(evening.site.env["DATABASE_URL"].removeprefix("sqlite:///"))
    wal = Path(f"{database}-wal").read_bytes()
    assert len(wal) > 100_000
    main, cut = database.read_bytes(), tmp_path / "cut.sqlite3"
    random.seed(2)
    found = [_after_a_cut(main, damaged, cut, whole) for damaged in _damages(wal)]
    assert 0 < min(found) < max(found) == whole["seq"]


def _damages(wal: bytes) -> list[bytes]:
    """Ends at a random byte, a block of zeros, a block of nonsense; the last is whole."""
    found = []
    for number in range(CUTS):
        at = random.randrange(len(wal))
        block = b"\0" * 4096 if number % 3 else random.randbytes(4096)
        found.append(wal[:at] if number % 2 else wal[:at] + block[: len(wal) - at] + wal[at + 4096 :])
    return [*found, wal]


def _after_a_cut(main: bytes, wal: bytes, path: Path, whole: dict) -> int:
    """How many events are left."""
    path.write_bytes(main)
    Path(f"{path}-wal").write_bytes(wal)
    Path(f"{path}-shm").unlink(missing_ok=True)
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        topic, seq = database.execute("SELECT id, seq FROM live_topic WHERE name = ?", [whole["topic"]]).fetchone()
        rows = database.execute("SELECT seq, kind FROM live_event WHERE topic_id = ? ORDER BY seq", [topic]).fetchall()
        last = database.execute("SELECT max(last) FROM live_command WHERE topic_id = ?", [topic]).fetchone()[0] or 0
    database.close()
    assert [list(row) for row in rows] == whole["events"][:seq] and last <= seq
    return seq


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs Linux' limits on another process")
def test_a_full_disk_refuses_presses_and_loses_nothing(own_evening):
    """Writing fails with an answer in words, reading goes on, and presses work again as soon as there is room."""
    evening = own_evening
    watcher = evening.listen(GM)
    until(lambda: watcher.stream.ready)
    acknowledged = {"before": roll(evening, "before")}
    pid = evening.site.process.pid
    limit = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, limit[1]))
    answers = [_press(evening, f"full-{number}") for number in range(6)]
    assert {status for status, _body in answers} == {503}, answers
    assert all("もう一度" in body for _status, body in answers), answers[0]
    status, body, _ = evening.site.ask("GET", evening.seeded.address, cookie=evening.cookie(GM))
    assert status == 200 and "両国橋" in body.decode()
    resource.prlimit(pid, resource.RLIMIT_FSIZE, limit)
    acknowledged["full-0"] = evening.say(GM, "ほう", "full-0")  # the first press that failed, pressed again
    kept(evening.stored(), acknowledged, 0)
    level([watcher])
    watcher.close()


def _press(evening: Evening, key: str) -> tuple[int, str]:
    path = f"{evening.seeded.address}say/"
    form = {"text": "ほう", "command_id": key, "csrfmiddlewaretoken": TOKEN}
    status, body, _ = evening.site.ask("POST", path, form, f"{evening.cookie(GM)}; csrf={TOKEN}")
    return status, body.decode()
