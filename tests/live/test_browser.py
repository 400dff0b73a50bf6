"""The page in a real browser: kept level, never robbing a person of what they type."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.live.server import Room, Site, until

pytestmark = [pytest.mark.server, pytest.mark.browser]
OFFLINE = (
    "ERR_CONNECTION_REFUSED",
    "ERR_INCOMPLETE_CHUNKED",
    "ERR_EMPTY_RESPONSE",
    "ERR_CONNECTION_RESET",
    "status of 422",
    "htmx:",  # htmx says so too
)


class Person:
    """A browser profile signed in to a room."""

    def __init__(self, browser: Browser, room: Room, name: str, role: str = "player") -> None:
        self.room = room
        self.wrong: list[str] = []
        self.cookie = room.enter(name, role)
        self.context: BrowserContext = browser.new_context(timezone_id="Asia/Tokyo", locale="ja-JP")
        session = dict(part.split("=", 1) for part in self.cookie.split("; "))
        self.context.add_cookies(
            [{"name": k, "value": v, "domain": "127.0.0.1", "path": "/"} for k, v in session.items()]
        )

    def open(self) -> Page:
        page = self.context.new_page()
        page.on("console", lambda m: self._note(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: self._note(f"page error: {error}"))
        page.goto(f"http://127.0.0.1:{self.room.site.port}/page/{self.room.topic}/")
        return page

    def _note(self, text: str) -> None:
        if not any(part in text for part in OFFLINE):
            self.wrong.append(text)


@pytest.fixture
def person(chrome: Browser, room: Room) -> Iterator[Callable[..., Person]]:
    people: list[Person] = []

    def come(name: str = "p", role: str = "player") -> Person:
        people.append(Person(chrome, room, name, role))
        return people[-1]

    yield come
    for one in people:
        one.context.close()
        assert one.wrong == []


def connected(page: Page) -> Page:
    """Wait until the stream runs (the person's own presence mark shows)."""
    expect(page.locator(".mark[data-online]").first).to_be_visible(timeout=8000)
    return page


def log(page: Page) -> list[str]:
    return page.locator("#log li").all_inner_texts()


def test_rows_and_panels_arrive(room, person):
    page = connected(person().open())
    room.say("<b>one</b>")
    seq = room.say("two")
    expect(page.locator("#log li")).to_have_text(["<b>one</b>", "two"])
    expect(page.locator("#last")).to_have_text(str(seq))


def test_the_live_page_equals_the_page_reloaded(room, person):
    page = connected(person().open())
    for n in range(5):
        room.say(f"word {n}")
    expect(page.locator("#log li")).to_have_count(5)
    live = page.content()
    page.reload()
    connected(page)
    assert plain(live) == plain(page.content())


def plain(html: str) -> str:
    """Without what differs on every page: tokens and command ids."""
    html = re.sub(r'(name="(?:csrfmiddlewaretoken|command_id)" value=")[^"]*', r"\1", html)
    html = re.sub(r' data-(seq="\d+"|online=""|hides="")', "", html)
    return re.sub(r"\s+", " ", html)


def test_pressing_in_a_panel_that_came_live(room, person):
    page = connected(person().open())
    room.say("first")
    expect(page.locator("#last")).to_have_text("2")  # this panel was made for everybody: it holds no token
    page.fill("#text", "from the fragment")
    page.click("#send")
    expect(page.locator("#log li")).to_have_text(["first", "from the fragment"])
    expect(page.locator("#text")).to_have_value("")
    page.fill("#other-text", "plainly")
    page.click("#other-send")
    expect(page.locator("#log li")).to_have_text(["first", "from the fragment", "plainly"])


def test_a_double_click_and_going_back_count_once(room, person):
    page = connected(person().open())
    for field, button, word in (("#text", "#send", "slow htmx"), ("#other-text", "#other-send", "slow plain")):
        page.fill(field, word)
        page.dblclick(button)
        expect(page.locator("#log li").last).to_have_text(word)
        time.sleep(0.6)
    page.go_back()
    page.wait_for_load_state()
    expect(page.locator("#log li")).to_have_text(["slow htmx", "slow plain"])
    assert room.status()["seq"] == 3


def test_typing_is_never_overwritten(room, person):
    page = connected(person().open())
    page.click("#text")
    page.keyboard.type("half a sent")
    room.say("meanwhile")
    expect(page.locator("#log li")).to_have_text(["meanwhile"])
    page.keyboard.type("ence")
    expect(page.locator("#text")).to_have_value("half a sentence")
    expect(page.locator("#last")).to_have_text("1")  # the panel waits …
    page.locator("#log").click()
    expect(page.locator("#text")).to_have_value("half a sentence")
    page.click(".live-news")  # … until the person asks for it, and keeps the words
    expect(page.locator("#last")).to_have_text("2")
    expect(page.locator("#text")).to_have_value("half a sentence")
    page.click("#send")
    expect(page.locator("#log li")).to_have_text(["meanwhile", "half a sentence"])
    expect(page.locator("#last")).to_have_text("3")
    expect(page.locator("#text")).to_have_value("")


def test_an_untouched_panel_waits_only_for_the_focus(room, person):
    page = connected(person().open())
    page.click("#text")
    room.say("meanwhile")
    expect(page.locator("#log li")).to_have_count(1)
    expect(page.locator("#last")).to_have_text("1")
    page.locator("#text").blur()
    expect(page.locator("#last")).to_have_text("2")


def test_an_answer_with_an_error_stays_while_others_act(room, person):
    page = connected(person().open())
    page.fill("#text", "wrong")
    page.fill("#other-text", "typed beside it")
    page.click("#send")
    expect(page.locator("#error")).to_have_text("that is wrong")
    expect(page.locator("#other-text")).to_have_value("typed beside it")
    room.say("meanwhile")
    expect(page.locator("#log li")).to_have_count(1)
    expect(page.locator("#error")).to_be_visible()
    page.fill("#text", "right")
    page.click("#send")
    expect(page.locator("#log li")).to_have_text(["meanwhile", "right"])
    expect(page.locator("#error")).to_have_count(0)


def test_folds_stay_open_and_the_focus_stays(room, person):
    page = connected(person().open())
    page.click("summary")
    page.focus("#send")
    room.say("meanwhile")
    expect(page.locator("#last")).to_have_text("2")
    expect(page.locator("details p")).to_be_visible()
    expect(page.locator("#send")).to_be_focused()


def test_times_are_the_readers_own(room, person):
    page = connected(person().open())
    expect(page.locator("time")).to_contain_text("12:04")
    room.say("again")
    expect(page.locator("#last")).to_have_text("2")
    expect(page.locator("time")).to_contain_text("12:04")


def test_presence_marks(room, person):
    first = connected(person("a").open())
    second = person("b")
    first.reload()
    expect(first.locator(".mark:visible")).to_have_count(1)
    connected(second.open())
    expect(first.locator(".mark:visible")).to_have_count(2, timeout=4000)
    second.context.close()
    expect(first.locator(".mark:visible")).to_have_count(1, timeout=8000)


def test_eight_tabs_share_one_stream(room, person):
    """F25: one stream for one browser, all tabs live, posts answered; the next tab takes over when the first closes."""
    someone = person()
    before = room.status()["counts"].get("admit", 0)
    pages = [connected(someone.open())]
    pages += [someone.open() for _ in range(7)]
    for page in pages:
        connected(page)
    room.say("to all tabs")
    for page in pages:
        expect(page.locator("#log li")).to_have_text(["to all tabs"])
    assert room.status()["counts"]["admit"] - before <= 2  # on a busy machine two may lead for a moment
    pages[3].fill("#text", "from the fourth")
    with pages[3].expect_response("**/say/**") as answer:
        pages[3].click("#send")
    assert answer.value.request.timing["responseStart"] < 1000
    expect(pages[3].locator("#log li")).to_have_count(2)
    pages[0].close()
    time.sleep(1)
    room.say("after the first is closed")
    for page in pages[1:]:
        expect(page.locator("#log li").last).to_have_text("after the first is closed")
    assert room.status()["counts"]["admit"] - before <= 4  # a moment of two leaders at most


def test_a_tab_opened_from_an_older_page_misses_nothing(room, person):
    """The second tab's page is drawn, then something happens, then its script starts."""
    someone = person()
    connected(someone.open())

    def say_first(route: Any) -> None:
        room.say("between page and script")
        time.sleep(0.3)
        route.continue_()

    second = someone.context.new_page()
    second.route("**/live.js", say_first)
    second.goto(f"http://127.0.0.1:{room.site.port}/page/{room.topic}/")
    expect(second.locator("#log li")).to_have_text(["between page and script"])


def test_somebody_removed_is_told(room, person):
    page = connected(person("goes").open())
    room.remove("goes")
    expect(page.locator("#live-banner")).to_be_visible(timeout=2000)
    expect(page.locator("#live-banner")).to_have_attribute("data-state", "gone")


def test_a_changed_role_reloads_unless_something_is_typed(room, person):
    page = connected(person("a").open())
    page.evaluate("window.before = true")
    room.change_role("a", "gm")
    expect(page.locator("body[data-seq='2']")).to_have_count(1)  # drawn anew, at the number of the change
    assert page.evaluate("window.before === undefined")
    connected(page)
    page.fill("#text", "half a sentence")
    room.change_role("a", "player")  # (adds nothing: still the gm) …
    room.remove("a")
    room.change_role("a", "player")
    expect(page.locator("#live-banner")).to_be_visible()
    expect(page.locator("#text")).to_have_value("half a sentence")


def test_the_page_says_when_it_is_cut_off_and_catches_up(chrome: Browser, sqlite_template, tmp_path):
    from tests.live import databases

    site = Site(f"sqlite:///{databases.copy_sqlite(sqlite_template, tmp_path / 'site.sqlite3')}").start()
    try:
        room = Room(site, "room:1")
        someone = Person(chrome, room, "p")
        page = connected(someone.open())
        page.fill("#text", "half a sentence")
        site.kill()
        expect(page.locator("#live-banner")).to_be_visible(timeout=10_500)
        assert re.search(r"\d{1,2}:\d{2} から", page.locator("#live-banner").inner_text())
        page.click("#send")  # never answered …
        time.sleep(0.5)
        site.start()
        seq = room.say("while you were away")
        expect(page.locator("#log li")).to_have_text(["while you were away"], timeout=8000)
        expect(page.locator("#live-banner")).to_be_hidden()
        page.click("#send")  # … and pressed again
        expect(page.locator("#log li")).to_have_text(["while you were away", "half a sentence"])
        until(lambda: room.status()["seq"] == seq + 1)
        someone.context.close()
        assert someone.wrong == []
    finally:
        site.kill()


def test_signing_in_anew_keeps_the_page_live(room, person):
    """The session changes its key (a guest claims an account); the stream still runs on the old one."""
    page = connected(person("a").open())
    number = room.topic.partition(":")[2]
    page.request.get(f"http://127.0.0.1:{room.site.port}/enter/{room.topic}/a.{number}/player/")
    room.enter("b")
    room.change_role("b", "gm")  # everybody's rights are read anew
    time.sleep(0.7)
    room.say("still here")
    expect(page.locator("#log li")).to_have_text(["still here"])
    expect(page.locator("#live-banner")).to_be_hidden()
