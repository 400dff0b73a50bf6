"""Events of a game tell what changed of a collection, not the whole of it, and bring the state level all the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from hypothesis import example, given
from hypothesis import strategies as st

from rulesets.engine.playing.facts import table_after, told_of_table


@dataclass(frozen=True)
class Roll:
    total: int
    settled: bool = False


@dataclass(frozen=True)
class Table:
    step: int = 0
    rolls: Mapping[str, Roll] = field(default_factory=dict)


ROLLS = st.dictionaries(st.text("abcdefgh", min_size=1, max_size=2), st.builds(Roll, st.integers(0, 9)), max_size=6)


@given(ROLLS, ROLLS, st.integers(0, 3))
@example({"a": Roll(1), "b": Roll(2)}, {"b": Roll(2), "a": Roll(1)}, 0)
def test_what_is_told_brings_the_table_level(was, now, step):
    before, after = Table(0, was), Table(step, now)
    told = json.loads(json.dumps(told_of_table(Table, before, {"step": step, "rolls": now})))
    found = replace(before, **table_after(Table, before, told))
    assert found == after and [*found.rolls] == [*now]


def test_an_entry_is_told_alone():
    many = {f"r{n}": Roll(n) for n in range(200)}
    told = told_of_table(Table, Table(0, many), {"rolls": {**many, "new": Roll(5)}})
    assert told == {"entries": {"rolls": {"new": {"total": 5, "settled": False}}}}
    fewer = {key: roll for key, roll in many.items() if key != "r7"}
    assert told_of_table(Table, Table(0, many), {"rolls": fewer}) == {"gone": {"rolls": ["r7"]}}
    assert told_of_table(Table, Table(0, many), {"rolls": many}) == {}
