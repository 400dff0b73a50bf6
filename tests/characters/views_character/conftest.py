"""Browsers without JavaScript: they send whole forms, as the page holds them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.characters.views_campaign.conftest import as_, text  # noqa: F401


class Controls(HTMLParser):
    """The controls of one form as a browser would send them, wherever they stand on the page."""

    def __init__(self, form: str) -> None:
        super().__init__()
        self.form = form
        self.inside = False
        self.values: dict[str, str] = {}
        self.buttons: list[dict[str, str]] = []
        self._select = ""
        self._options: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        if tag == "form":
            self.inside = given.get("id") == self.form
        elif tag == "option" and self._select:
            self._options.append((given.get("value", ""), "selected" in given))
        elif self.inside or given.get("form") == self.form:
            self._control(tag, given)

    def _control(self, tag: str, given: dict[str, str]) -> None:
        name = given.get("name", "")
        if tag == "button":
            self.buttons.append(given)
        elif tag == "select":
            self._select, self._options = name, []
        elif tag == "input" and name and _sent(given):
            self.values[name] = given.get("value", "")

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False
        elif tag == "select" and self._select:
            chosen = [value for value, selected in self._options if selected]
            self.values[self._select] = (chosen or [value for value, _ in self._options] or [""])[0]
            self._select = ""


def _sent(given: dict[str, str]) -> bool:
    """Whether a browser sends this control."""
    return "disabled" not in given and (given.get("type") not in ("checkbox", "radio") or "checked" in given)


@dataclass
class Page:
    """One open builder: what it holds, what somebody types into it, and its buttons."""

    client: Client
    slug: str
    answer: Any
    typed: dict[str, str] = field(default_factory=dict)

    @property
    def html(self) -> str:
        return self.answer.content.decode()

    @property
    def controls(self) -> Controls:
        found = Controls("build")
        found.feed(self.html)
        return found

    def buttons_in(self, section: str) -> list[dict[str, str]]:
        """The buttons of one section of the page that belong to the form."""
        found = Controls("build")
        found.feed(self.html[self.html.index(f'<section class="panel" id="{section}"') :].partition("</section>")[0])
        return found.buttons

    def step(self, control: str, by: str) -> Page:
        """Press the minus (`-1`) or plus (`1`) of a stepper."""
        found = (b for b in self.controls.buttons if b.get("data-for") == control and b.get("data-step") == by)
        button = next(found)
        return self.send(button["formaction"], fix=button["value"])

    def value(self, key: str) -> str:
        return self.controls.values.get(f"f.{key}", "")

    def type(self, **changes: str) -> Page:
        """`abilities__mind="8"`; None clears a box."""
        self.typed |= {f"f.{key.replace('__', '.').replace('_n', '~')}": value for key, value in changes.items()}
        return self

    def send(self, name: str = "draft_save", **extra: str) -> Page:
        """Press a button; the typed texts go along, and an answer that is a page is the page from then on."""
        data = {**self.controls.values, **self.typed, **extra}
        data = {key: value for key, value in data.items() if value is not None}
        url = reverse(name, args=[self.slug]) if not name.startswith("/") else name
        self.answer = self.client.post(url, data)
        return self


@pytest.fixture
def open_(as_):  # noqa: F811
    """`open_("nagisa", character)` is the builder in that person's browser."""

    def builder(name: str, character: Any) -> Page:
        client = as_(name)
        answer = client.get(reverse("character_edit", args=[character.slug]))
        assert answer.status_code == 200
        return Page(client, character.slug, answer)

    return builder


def script_post(client: Client, url: str, values: dict[str, str], base: dict[str, Any], **extra: str) -> Any:
    """What builder.js sends: only changed fields, each with the value it was made from."""
    data = {f"f.{key}": value for key, value in values.items()}
    return client.post(url, {**data, "base": json.dumps(base), **extra}, headers={"HX-Request": "true"})


def fields_of(character: Any) -> dict[str, Any]:
    character.draft.refresh_from_db()
    return dict(character.draft.fields)


def marks(html: str, key: str) -> str:
    """What stands under a field."""
    from characters.present.board import dom_id

    start = html.index(f'id="m-{dom_id(key)}"')
    after = html.find('id="m-f-', start + 10)
    return html[start : after if after > 0 else start + 2000]
