"""Ratios, their goals, and the table that is printed."""

from __future__ import annotations

import math
import os
import platform
import statistics
import tempfile
import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

NOISY = 0.15  # a spread of the rounds beyond this share of the median is named


@dataclass(frozen=True, slots=True)
class Goal:
    number: int
    what: str
    goal: float = math.inf


@lru_cache(maxsize=1)
def goals() -> Mapping[str, Goal]:
    rows = tomllib.loads((Path(__file__).parent / "targets.toml").read_text(encoding="utf-8"))
    return {name: Goal(**row) for name, row in rows.items()}


@dataclass(frozen=True, slots=True)
class Line:
    """One metric: side A, side B and A / B of each round; `unit` of the sides. `invalid`: why there is no number."""

    metric: str
    a: tuple[float, ...] = ()
    b: tuple[float, ...] = ()
    unit: str = ""
    invalid: str = ""

    @property
    def ratios(self) -> tuple[float, ...]:
        return tuple(one / other if other > 0 else math.nan for one, other in zip(self.a, self.b, strict=True))

    @property
    def ratio(self) -> float:
        return median(self.ratios)

    @property
    def verdict(self) -> str:
        """`ok`, `FAIL`, `INVALID`, or `-` without a goal or where this machine cannot say."""
        goal = goals()[self.metric].goal
        if self.invalid:
            return "INVALID"
        if math.isinf(goal) or math.isnan(self.ratio):
            return "-"
        return "ok" if self.ratio <= goal else "FAIL"

    @property
    def noisy(self) -> bool:
        found = self.ratios
        return len(found) > 1 and max(found) - min(found) > 2 * NOISY * abs(self.ratio)

    def as_json(self) -> dict[str, Any]:
        goal = goals()[self.metric]
        known = {"goal": None if math.isinf(goal.goal) else goal.goal, "number": goal.number, "what": goal.what}
        return asdict(self) | {"ratio": self.ratio, "verdict": self.verdict} | known


def median(values: Sequence[float]) -> float:
    """nan for none."""
    return statistics.median(values) if values else math.nan


HEAD = f"{'metric':<14}{'A: site':>12}{'B: bare':>12}{'ratio':>8}  {'[min..max]':<14}{'goal':>5}  verdict"


def row(line: Line, *, counted: bool = False) -> str:
    """A line of the table; `counted`: the run only counts, its times mean nothing."""
    goal = goals()[line.metric]
    if line.invalid:
        return f"{line.metric:<14}INVALID: {line.invalid}"
    if counted:
        return f"{line.metric:<14}counted"
    spread = f"[{min(line.ratios):.2f}..{max(line.ratios):.2f}]"
    sides = f"{_value(line.a, line.unit):>12}{_value(line.b, line.unit):>12}"
    aim = "-" if math.isinf(goal.goal) else f"{goal.goal:.2f}"
    tail = f"{line.verdict:<5}{'noisy ' if line.noisy else ''} {goal.number}: {goal.what}"
    return f"{line.metric:<14}{sides}{line.ratio:>8.2f}  {spread:<14}{aim:>5}  {tail}"


def _value(values: Sequence[float], unit: str) -> str:
    return f"{median(values):.3g} {unit}"


def calibration(folder: Path, pinned: bool) -> str:
    """What makes runs on two machines comparable at a glance."""
    cores = f"{os.cpu_count()} cores ({'pinned' if pinned else 'shared'})"
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"calibration: fsync {_fsync(folder) * 1000:.2f} ms, python {platform.python_version()}, {cores}{load}"


def _fsync(folder: Path) -> float:
    """Seconds for 4 KiB to reach the disk."""
    times = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(20):
            file.write(b"x" * 4096)
            started = time.perf_counter()
            file.flush()
            os.fsync(file.fileno())
            times.append(time.perf_counter() - started)
    return median(times)
