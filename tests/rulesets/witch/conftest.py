"""The game behind the facade, before the site lists it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.rulesets import unlisted


@pytest.fixture(scope="module", autouse=True)
def every_game() -> Iterator[None]:
    with unlisted.listed():
        yield
