"""Runs every case table of `tests/rulesets/<slug>/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rulesets import cases

CASES = cases.collect(Path(__file__).parent)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: cases.Case) -> None:
    cases.run(case)
