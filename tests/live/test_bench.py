"""`manage.py bench` runs, counts every frame and prints each of its lines. Its times are nobody's test."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from tests.live.server import BASE
from tests.load import report

pytestmark = pytest.mark.server


def bench(*args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "manage.py", "bench", *args]
    return subprocess.run(command, cwd=BASE, capture_output=True, text=True, timeout=120, env={**os.environ})


def test_every_line_is_counted_and_printed(tmp_path):
    done = bench("--quick", "--check-only", "--json", str(tmp_path / "out.json"))
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((tmp_path / "out.json").read_text())
    lines = {line["metric"]: line for line in found["lines"]}
    few = {name for name in report.goals() if ".500." not in name}  # ten viewers stand for a hundred
    assert lines.keys() == few
    for line in lines.values():
        assert not line["invalid"] and len(line["a"]) == len(line["b"]) == 1 and min(*line["a"], *line["b"]) >= 0
        assert f"{line['metric']:<14}counted" in done.stdout
    assert found["calibration"].startswith("calibration: fsync") and found["calibration"] in done.stdout


def test_an_unknown_group_is_named():
    done = bench("fanuot")
    assert done.returncode == 1 and "fanuot" in done.stderr and "fanout" in done.stderr


def test_lines_say_whether_their_goal_is_met():
    met, missed = (
        report.Line("fan.500.last", (8.0, 8.8), (10.0, 10.0), "ms"),
        report.Line("mem.viewer", (12.0,), (10.0,)),
    )
    assert (met.verdict, missed.verdict) == ("ok", "FAIL")
    assert "0.85" in report.row(met) and "[0.80..0.88]" in report.row(met)
    assert report.Line("cpu.100.all", (9.0,), (1.0,)).verdict == "-"
    assert report.Line("fan.aud", invalid="3 frames lost").verdict == "INVALID"
    assert "3 frames lost" in report.row(report.Line("fan.aud", invalid="3 frames lost"))
