"""What people do on the pages, in their words. Locators go by roles and labels, so that they also test access."""

from __future__ import annotations

import re

from axe_core_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

PASSWORD = "ukiyo-zoshi-808"
# Differ between two drawings of the same page without meaning anything.
VOLATILE = [
    (re.compile(r'name="csrfmiddlewaretoken" value="[^"]*"'), 'name="csrfmiddlewaretoken" value=""'),
    (re.compile(r'name="command_id" value="[^"]*"'), 'name="command_id" value=""'),
    (re.compile(r"\s+"), " "),
]


def sign_up(page: Page, username: str) -> None:
    page.goto("/accounts/signup/")
    page.locator("input[name=username]").fill(username)
    page.locator("input[name=password1]").fill(PASSWORD)
    page.locator("input[name=password2]").fill(PASSWORD)
    page.locator("main form button[type=submit], main form button:not([type])").last.click()
    page.wait_for_url("**/")


def make_campaign(page: Page, name: str, gm_name: str, players: int) -> str:
    """Make a campaign of 八百八町浮世草子 under the default rules; its address."""
    page.goto("/campaigns/new/")
    page.locator("label:has(input[name=system][value=edo])").click()
    page.get_by_label("卓の名前").fill(name)
    page.get_by_label("あなたの呼び名（GM）").fill(gm_name)
    page.get_by_label("プレイヤーの人数").fill(str(players))
    page.get_by_role("button", name="卓を立てる").click()
    page.wait_for_url("**/c/*/")
    return page.url


def invite(page: Page) -> str:
    """Make an invitation for players on the campaign page; its link."""
    panel = page.locator("#panel-invite")
    panel.get_by_role("button", name="リンクを作る").click()
    field = panel.locator("input[readonly]").first
    expect(field).to_have_value(re.compile(r"/i/[\w-]{16,}/"))
    return field.input_value()


def join(page: Page, link: str, nickname: str) -> None:
    page.goto(link)
    page.get_by_label("呼び名").fill(nickname)
    page.get_by_role("button", name="卓に加わる").click()
    page.wait_for_url("**/c/*/")


def unfold(panel: Locator, title: str) -> Locator:
    """Open a `details` by its summary."""
    fold = panel.locator("details", has=panel.page.locator("summary", has_text=title)).first
    if fold.get_attribute("open") is None:
        fold.locator("summary").first.click()
    return fold


def saved(page: Page) -> None:
    """Wait until everything typed in the builder is stored."""
    expect(page.locator("#b-state, .appbar .live").first).to_contain_text("下書き保存済み")
    expect(page.locator("#build[data-busy], #build[data-dirty]")).to_have_count(0)


def fill(page: Page, fields: dict[str, object]) -> None:
    """Choose values in the builder by field key."""
    for key, value in fields.items():
        control = page.locator(f'[name="f.{key}"]')
        kind = control.first.get_attribute("type")
        if kind == "radio":
            page.locator(f'label:has([name="f.{key}"][value="{value}"])').click()
        elif kind == "checkbox":
            page.locator(f'label:has([name="f.{key}"])').first.click()
        elif control.first.evaluate("node => node.tagName") == "SELECT":
            control.first.select_option(str(value))
        else:
            control.first.fill(str(value))
            control.first.press("Tab")


def level(html: str) -> str:
    for pattern, plain in VOLATILE:
        html = pattern.sub(plain, html)
    return html


def drawn(page: Page) -> dict[str, str]:
    """Every live panel of a page as it stands in the browser, id -> markup."""
    panels: dict[str, str] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('[data-live]')].map(panel => {
            const copy = panel.cloneNode(true);
            copy.querySelectorAll('details[data-keep]').forEach(fold => fold.removeAttribute('open'));
            copy.querySelectorAll('[data-presence], .htmx-request').forEach(mark => mark.remove());
            copy.querySelectorAll('time').forEach(time => { time.textContent = ''; time.removeAttribute('title'); });
            return [panel.id, copy.outerHTML];
        }))"""
    )
    return {name: level(html) for name, html in panels.items()}


def live_equals_reload(page: Page) -> None:
    """What the stream drew is what the server draws afresh."""
    page.mouse.click(1, 1)  # leave any field, so that nothing waits for it
    page.wait_for_timeout(700)
    before = drawn(page)
    page.reload()
    page.wait_for_timeout(300)
    after = drawn(page)
    assert before.keys() == after.keys()
    for name, html in after.items():
        assert before[name] == html, f"{page.url} panel {name} differs after a reload"


def fits(page: Page) -> None:
    """Nothing wider than the window."""
    over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert over <= 0, f"{page.url} overflows by {over} px"


def accessible(page: Page) -> None:
    """axe finds nothing serious."""
    found = Axe().run(page)["violations"]
    serious = [f"{v['id']}: {v['nodes'][0]['html'][:160]}" for v in found if v["impact"] in ("serious", "critical")]
    assert not serious, f"{page.url}: {serious}"
