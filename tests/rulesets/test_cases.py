"""Runs every case table of `tests/rulesets/<slug>/`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rulesets import cases, unlisted

CASES = cases.collect(Path(__file__).parent)


@pytest.fixture(scope="module", autouse=True)
def every_game() -> Iterator[None]:
    with unlisted.listed():
        yield


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: cases.Case) -> None:
    cases.run(case)
