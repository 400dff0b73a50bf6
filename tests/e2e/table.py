"""The table in real browsers: its pages by who looks at them, what people press there, and whether all stay level."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from axe_core_python.base import AXE_SCRIPT
from playwright.sync_api import Locator, Page, expect

from tests.e2e.keyboard import choose, tap, write

LEVEL = (Path(__file__).parent / "level.js").read_text(encoding="utf-8")
PATIENCE_MS = 30_000


@dataclass
class Evening:
    """The pages of a table by who looks at them. After every press all of them are level with the server."""

    pages: dict[str, Page]
    # Word -> whose page alone may hold it, on the screen and in what the server sends.
    secrets: dict[str, set[str]] = field(default_factory=dict)
    presses: int = 0

    def press(self, page: Page, button: Locator, *, status: int = 204) -> None:
        """Press a button that posts, wait for its answer, then for everybody's page."""
        with page.expect_response(lambda response: response.request.method == "POST") as answer:
            tap(button)
        told = answer.value
        assert told.status == status, f"{told.url}: {told.status} {told.text() if told.status >= 400 else ''}"
        self.presses += 1
        if status in (303, 302):
            page.wait_for_load_state()
        self.level()

    def level(self) -> None:
        """Each live page equals the page the server draws now, fits its window, and holds nobody else's secrets."""
        words = list(self.secrets)
        found = self._everywhere("([words, patience]) => takubiyoriTest.level(words, patience)", [words, PATIENCE_MS])
        for who, told in found.items():
            for name, here, there in told["wrong"]:
                raise AssertionError(f"{who}'s page differs at {name}\nlive:   {here}\nserver: {there}")
            assert told["over"] <= 0, f"{who}'s page is {told['over']} px wider than the window"
            assert not [word for word in told["words"] if who not in self.secrets[word]], f"{who} reads {told['words']}"

    def accessible(self, *who: str) -> None:
        """axe finds nothing serious on these pages; on all of them without a name."""
        run = """async script => {
            if (!window.axe) (0, eval)(script);
            const found = await axe.run(document, {resultTypes: ['violations']});
            return found.violations.filter(one => ['serious', 'critical'].includes(one.impact))
                .map(one => `${one.id}: ${one.nodes.map(node => node.html.slice(0, 160)).join(' | ')}`);
        }"""
        found = self._everywhere(run, AXE_SCRIPT, who)
        assert not any(found.values()), found

    def _everywhere(self, script: str, argument: Any, who: Sequence[str] = ()) -> dict[str, Any]:
        """What an asynchronous function gives on each page; all of them run it at the same time."""
        pages = {name: self.pages[name] for name in who or self.pages}
        for page in pages.values():
            page.evaluate(f"argument => {{ window.takubiyoriAnswer = ({script})(argument); }}", argument)
        return {name: page.evaluate("() => window.takubiyoriAnswer") for name, page in pages.items()}


# ---------------------------------------------------------------- forms


def sheet(page: Page, link: Locator) -> Locator:
    """Press something that opens a form over the page."""
    tap(link)
    found = page.locator("dialog.sheet[open]")
    expect(found).to_be_visible()
    return found


def filled(form: Locator, button: str, **fields: object) -> Locator:
    """Fill in a form by the names of its fields (`field__what` is `field.what`); its button."""
    for name, value in fields.items():
        fill(form, name.replace("__", "."), value)
    return form.get_by_role("button", name=button, exact=True)


def fill(form: Locator, name: str, value: object) -> None:
    control = form.locator(f'[name="{name}"]').first
    kind = control.evaluate("node => node.type")
    if kind == "select-one":
        choose(control, str(value))
    elif kind == "radio":
        tap(form.locator(f'label:has([name="{name}"][value="{value}"])').first)
    elif kind == "checkbox":
        if control.is_checked() != bool(value):
            tap(control)
    else:
        write(unfold(control), str(value))


def unfold(control: Locator) -> Locator:
    """Open the fold a control is in, if it is closed; the control."""
    if not control.is_visible():
        tap(control.locator("xpath=ancestor::details[not(@open)]").first.locator("summary").first)
    return control


def pick(form: Locator, words: str) -> None:
    """Choose one of the big choices by its words."""
    tap(form.locator("label.act", has_text=re.compile(words)).first)


# ---------------------------------------------------------------- places on the page


def ask(page: Page) -> Locator:
    return page.locator("#panel-ask")


def answer(page: Page, choice: str, faces: str = "", button: str = "これで決める") -> Locator:
    """Choose an answer to the question that is open on a page; the button that sends it."""
    form = ask(page).locator("form.question").first
    pick(form, choice)
    if faces:
        fill(form, "field.faces", faces)
    return form.get_by_role("button", name=button, exact=True)


def tile(page: Page, name: str) -> Locator:
    return page.locator("article.person", has=page.get_by_role("heading", name=re.compile(name)))


def act(page: Page, name: str) -> Locator:
    """An act of one's own, unfolded if need be."""
    return unfold(page.locator("#panel-acts a.act", has_text=name).first)


def deed(page: Page, who: str, name: str) -> Locator:
    """The form of an NPC's deed, from the GM's tile."""
    opened = sheet(page, tile(page, who).get_by_role("link", name="行い", exact=True))
    opened.locator("a.act", has_text=name).first.click()
    form = opened.locator("form[data-command]").first
    expect(form).to_be_visible()
    return form


def row(page: Page, text: str) -> Locator:
    return page.locator("#log-rows > li", has_text=text).first


def say(page: Page, text: str) -> Locator:
    page.locator("#say").fill(text)
    return page.locator("#panel-say button")
