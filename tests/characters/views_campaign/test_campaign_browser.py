"""The campaign's pages in a real browser on a phone: what is shown, reached and kept."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.characters.views_character.test_builder_browser import made  # noqa: F401
from tests.e2e.conftest import people, site  # noqa: F401

pytestmark = [pytest.mark.browser, pytest.mark.server]

HIDDEN = "box => [...box.querySelectorAll('*')].some(e => e.getBoundingClientRect().right > innerWidth)"


@pytest.fixture
def phone(people, made):  # noqa: F811
    """`phone("chiaki")` signs in on a small screen and opens the campaign."""

    def opened(name: str) -> Page:
        page = people(name, width=360, height=740).page
        page.goto("/accounts/login/")
        page.fill("[name=login]", made["prefix"] + name)
        page.fill("[name=password]", "hashi-no-tamoto-8")
        page.click("main button[type=submit], main form button")
        page.wait_for_url("**/")
        page.goto(f"/c/{made['table']}/")
        return page

    return opened


def fold(page: Page, name: str):
    """A form of the pool panel, unfolded."""
    form = f"form[action$='/pool/{name}/']"
    found = page.locator(f"#panel-pool {form}")
    if not found.is_visible():
        page.locator("#panel-pool details", has=page.locator(form)).locator("summary").first.click()
    return found


def test_ones_own_press_is_no_news_beside_something_half_typed(phone):
    page = phone("chiaki")
    fold(page, "claim").locator("[name=points]").fill("9")
    wish = fold(page, "wish")
    wish.locator("[name=points]").fill("300")
    wish.get_by_role("button").click()
    expect(page.locator("#panel-pool")).to_contain_text("希望 300点")
    page.wait_for_timeout(1_500)  # the stream tells the same a moment later
    assert page.locator(".live-news").count() == 0
    expect(fold(page, "claim").locator("[name=points]")).to_have_value("9")


def test_news_of_others_fits_the_screen_and_keeps_what_is_typed(phone):
    page, other = phone("chiaki"), phone("kaito")
    fold(page, "claim").locator("[name=points]").fill("9")
    wish = fold(other, "wish")
    wish.locator("[name=points]").fill("123")
    wish.get_by_role("button").click()
    news = page.locator("#panel-pool .live-news")
    expect(news).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    news.click()
    expect(page.locator("#panel-pool")).to_contain_text("希望 123点")
    expect(fold(page, "claim").locator("[name=points]")).to_have_value("9")


def test_every_figure_of_the_ledger_is_on_the_screen(phone, made):  # noqa: F811
    page = phone("gm")
    page.goto(f"/c/{made['table']}/ledger/")
    assert page.locator(".ledger__moved").first.is_visible()
    assert not page.locator(".ledger").evaluate(HIDDEN)


def test_what_is_to_be_done_leads_to_the_button_that_does_it(phone):
    page = phone("chiaki")
    page.locator("#panel-todo").get_by_role("link", name="続ける").click()
    page.locator("#review").get_by_role("button", name="GMに見てもらう").click()
    expect(page.locator("#review")).to_contain_text("確認待ち")
    gm = phone("gm")
    gm.locator("#panel-todo").get_by_role("link", name="見る").first.click()
    expect(gm.locator("#review").get_by_role("button", name="確認した")).to_be_in_viewport()
    marked = gm.locator(".dock [aria-current]")
    expect(marked).to_have_count(1)
    expect(marked).to_contain_text("出す")
