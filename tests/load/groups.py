"""What is measured: events to many viewers, several audiences, idle viewers. Every run counts frames and statuses.

A round measures both sides one after the other, the next round the other way round.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from tests.load.harness import Invalid, Load
from tests.load.report import Line, median
from tests.load.sides import ONE, THREE, Side, TheLimit, TheSite

SETTLE = 0.3  # seconds until viewers that came or left are forgotten or greeted
WARM = 8  # events thrown away first


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured."""

    rounds: int
    events: int
    crowds: tuple[int, ...]
    idle: int
    warm: int = WARM
    settled: int = 48  # rolls after which the table remembers as many as it ever does

    @property
    def people(self) -> int:
        return max(*self.crowds, self.idle)


FULL = Plan(rounds=5, events=60, crowds=(100, 500), idle=400)
QUICK = Plan(rounds=3, events=12, crowds=(100, 500), idle=400)
CHECK = Plan(rounds=1, events=4, crowds=(10,), idle=10, warm=2, settled=2)  # counts alone: its ratios mean nothing


@dataclass(frozen=True, slots=True)
class Sample:
    """Of one event: seconds until the last viewer had it and from the first viewer to the last, CPU seconds of the
    server and of its event loop, bytes to a viewer."""

    last: float
    spread: float
    cpu: float
    loop: float
    size: float


def run(names: tuple[str, ...], plan: Plan, site: TheSite, bare: TheLimit) -> Iterator[Line]:
    """The lines of these groups, as they are ready."""
    load = Load()
    try:
        for name in names:
            yield from GROUPS[name](plan, site, bare, load)
    finally:
        load.end()


def sample(side: Side, load: Load, viewers: int, plan: Plan, audiences: str = ONE) -> Sample:
    """Events to so many viewers. Raises Invalid when one was lost, came twice or was refused."""
    server = side.server
    load.do("open", port=server.port, requests=side.heads(viewers, audiences))
    try:
        time.sleep(SETTLE)
        load.do("post", port=server.port, requests=side.presses(plan.warm), pid=server.pid)
        found = load.do("post", port=server.port, requests=side.presses(plan.events), pid=server.pid)
    finally:
        load.do("close")
    if found["lost"] or found["refused"]:
        raise Invalid(f"{side.name}: {found['lost']} frames lost, {found['refused']} presses refused")
    last, spread = median(found["last"]), median(found["spread"])
    return Sample(last, spread, found["cpu"] / plan.events, found["loop"] / plan.events, found["bytes"])


def _pairs(plan: Plan, one: Callable[[], Sample], other: Callable[[], Sample]) -> list[tuple[Sample, Sample]]:
    found = []
    for number in range(plan.rounds):
        if number % 2:
            second, first = other(), one()
        else:
            first, second = one(), other()
        found.append((first, second))
    return found


# ---------------------------------------------------------------- events to many viewers


def fanout(plan: Plan, site: TheSite, bare: TheLimit, load: Load) -> Iterator[Line]:
    """Time to the last viewer and CPU per delivery: with the command that made the event, and without."""
    try:
        for _ in range(plan.settled // plan.warm):
            bare.learn(sample(site, load, 1, plan).size)
        for crowd in plan.crowds:
            found = _pairs(plan, partial(sample, site, load, crowd, plan), partial(sample, bare, load, crowd, plan))
            for part in FIGURES:
                yield _line(part, crowd, found)
    except Invalid as why:
        yield from (Line(_metric(part, crowd), invalid=str(why)) for part in FIGURES for crowd in plan.crowds)


FIGURES: dict[str, Callable[[Sample, int], float]] = {
    "fan.last": lambda found, crowd: found.last * 1e3,
    "fan.spread": lambda found, crowd: found.spread * 1e3,
    "cpu.all": lambda found, crowd: found.cpu * 1e6 / crowd,
    "cpu.loop": lambda found, crowd: found.loop * 1e6 / crowd,
}


def _line(part: str, crowd: int, found: list[tuple[Sample, Sample]]) -> Line:
    sides = [tuple(FIGURES[part](pair[side], crowd) for pair in found) for side in (0, 1)]
    return Line(_metric(part, crowd), sides[0], sides[1], "ms" if part.startswith("fan") else "us")


def _metric(part: str, crowd: int) -> str:
    """`fan.500.last`; the few viewers of a check stand for a hundred."""
    kind, _, figure = part.partition(".")
    return f"{kind}.{max(crowd, 100)}.{figure}"


# ---------------------------------------------------------------- several audiences


def audiences(plan: Plan, site: TheSite, bare: TheLimit, load: Load) -> Iterator[Line]:
    """Three audiences by one among as many viewers; both sides are the site."""
    crowd = max(plan.crowds)
    try:
        found = _pairs(plan, partial(sample, site, load, crowd, plan, THREE), partial(sample, site, load, crowd, plan))
    except Invalid as why:
        yield Line("fan.aud", invalid=str(why))
        return
    three, one = (tuple(pair[side].last * 1e3 for pair in found) for side in (0, 1))
    yield Line("fan.aud", three, one, "ms")


# ---------------------------------------------------------------- idle viewers


def memory(plan: Plan, site: TheSite, bare: TheLimit, load: Load) -> Iterator[Line]:
    """Memory of a viewer that waits. Once, while the processes are fresh: later ones live in what earlier ones left."""
    try:
        sides = [(_per_viewer(side, load, plan.idle),) for side in (site, bare)]
    except Invalid as why:
        yield Line("mem.viewer", invalid=str(why))
        return
    yield Line("mem.viewer", sides[0], sides[1], "KiB")


def _per_viewer(side: Side, load: Load, viewers: int) -> float:
    load.do("open", port=side.server.port, requests=side.heads(1))
    load.do("close")
    time.sleep(SETTLE)
    before = side.server.memory()
    load.do("open", port=side.server.port, requests=side.heads(viewers))
    time.sleep(SETTLE)
    after = side.server.memory()
    load.do("close")
    return max((after - before) / viewers, 0.0)


GROUPS: dict[str, Callable[[Plan, TheSite, TheLimit, Load], Iterator[Line]]] = {
    "memory": memory,  # first, while neither process has grown
    "fanout": fanout,
    "audiences": audiences,
}
