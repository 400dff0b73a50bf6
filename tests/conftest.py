from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from django.utils import translation
from playwright.sync_api import Browser, sync_playwright

from tests.needs import CHROMIUM_FLAGS, chromium, missing, required

# The browser driver keeps an event loop in the thread of its tests; Django would take them for async code.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what cannot run here; under REQUIRE_ALL let it run and fail."""
    if required():
        return
    for item in items:
        for need, why in missing().items():
            if item.get_closest_marker(need):
                item.add_marker(pytest.mark.skip(reason=why))


@pytest.fixture(autouse=True)
def _language() -> Iterator[None]:
    """No test leaves its language to the next: a request of the test client does."""
    yield
    translation.deactivate()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]):
    """Under REQUIRE_ALL a skipped test counts as failed."""
    outcome = yield
    report = outcome.get_result()
    if required() and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped although REQUIRE_ALL=1: {report.longrepr}"


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    """One Chromium a file: a process can hold only one driver, and a later file may run a loop of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
        yield browser
        browser.close()
