"""The browser computes the same as Python, on plain http and under the site's content policy."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.test import Client, override_settings
from django.urls import reverse
from playwright.sync_api import Page, expect

from live import kinds
from live.topics import ensure_topic, write
from tests.live.site.kind import RoomKind

pytestmark = pytest.mark.browser
ADDRESS = "http://192.0.2.1/"  # no secure context: the browser's own crypto is not there
STATIC = Path("static")


@pytest.fixture
def page(chrome) -> Iterator[Page]:
    context = chrome.new_context()
    page = context.new_page()
    page.wrong = []
    page.on("console", lambda m: page.wrong.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    yield page
    assert page.wrong == []
    context.close()


def serve(page: Page, html: str, headers: dict[str, str] | None = None) -> None:
    """Show a page as if it came from a server of the home network."""

    def answer(route: Any) -> None:
        name = route.request.url.removeprefix(ADDRESS)
        if not name:
            route.fulfill(body=html, headers={"content-type": "text/html; charset=utf-8", **(headers or {})})
        elif (file := STATIC / name.removeprefix("static/")).is_file():
            route.fulfill(path=file)
        else:
            route.fulfill(body="", content_type="text/javascript" if name.endswith(".js") else "text/plain")

    page.route("**/*", answer)
    page.goto(ADDRESS)


BARE = '<!doctype html><meta charset="utf-8"><script src="/static/js/fair.js"></script>'


def test_the_hashes_are_sha256(page):
    serve(page, BARE)
    assert page.evaluate("isSecureContext") is False
    random.seed(1)
    for length in (0, 1, 55, 56, 63, 64, 65, 119, 120, 1000):
        data, key = random.randbytes(length), random.randbytes(length)
        found = page.evaluate(
            "([data, key]) => { const f = takubiyoriFair, b = (x) => Uint8Array.from(x);"
            "return [f.hex(f.sha256(b(data))), f.hex(f.hmac(b(key), b(data)))] }",
            [list(data), list(key)],
        )
        assert found == [hashlib.sha256(data).hexdigest(), hmac.new(key, data, "sha256").hexdigest()]


def test_the_common_vectors(page):
    serve(page, BARE)
    vectors = json.loads(Path("tests/rulesets/engine/fair_vectors.json").read_text(encoding="utf-8"))
    assert vectors["draws"]
    for draw in vectors["draws"]:
        record = {
            "topic": draw["topic"],
            "roots": [{"first": draw["first"], "size": draw["size"], "root": draw["root"]}],
            "salts": [{"since": 0, "text": salt} for salt in draw["salts"]],
        }
        found = page.evaluate("([record, draw]) => takubiyoriFair.verify(record, draw)", [record, draw])
        assert found["key"] and found["values"], draw["number"]
        assert (found["leaf"], found["seed"]) == (draw["leaf"], draw["seed"])
        forged = draw | {"values": draw["values"][:-1]}
        assert not page.evaluate("([r, d]) => takubiyoriFair.verify(r, d).values", [record, forged])
        forged = draw | {"path": [*draw["path"][1:], "00" * 32]}
        assert not page.evaluate("([r, d]) => takubiyoriFair.verify(r, d).key", [record, forged])


@pytest.mark.django_db
@override_settings(AUTHENTICATION_BACKENDS=["django.contrib.auth.backends.ModelBackend"])
def test_the_page_shows_a_verdict_for_every_draw(page):
    ensure_topic("room:1")
    with write("room:1") as w:
        for number in range(5):
            dice = w.dice()
            dice.roll(6), dice.roll(20), dice.shuffle(number + 3)
            w.add_salt(f"<b>言葉</b> {number}", by="お菊")
        w.append("rolled", {})
    kinds.register(RoomKind())
    try:
        user = get_user_model().objects.create(username="o-kiku", nickname="お菊")
        user.groups.add(Group.objects.create(name="room:1"))
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        answer = client.get(reverse("fair", args=["room:1"]))
    finally:
        kinds._kinds.pop("room")
    assert answer.status_code == 200
    html = answer.content.decode()
    policy = {
        "content-security-policy": answer.headers["Content-Security-Policy"].replace("upgrade-insecure-requests", "")
    }
    serve(page, html, policy)
    expect(page.locator("[data-verdict=ok]")).to_have_count(6)  # five rows and the sum
    expect(page.locator("#fair-sum")).to_contain_text("5回すべて一致")
    page.locator("#draw-2 summary").click()
    expect(page.locator("#draw-2 .steps > li")).to_have_count(4)
    expect(page.locator("#draw-2 .steps")).to_contain_text("根に一致")
    page.unroute_all()
    start = html.index('<script id="fair-record"')
    forged = html[:start] + html[start:].replace('"since": 1', '"since": 2', 1)
    assert forged != html
    serve(page, forged, policy)
    expect(page.locator("#draw-1 [data-verdict=wrong]")).to_have_count(1)
    expect(page.locator("#fair-sum")).to_contain_text("不一致")
