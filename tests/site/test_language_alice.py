"""English pages of アリス: builder, sheet, draft and table hold no Japanese that nobody typed."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from sessions.actions import parts
from sessions.actions.issuing import issue
from tests.sessions.pages import alice
from tests.sessions.table import Session
from tests.site.test_language import english, offenders, shown, typed  # noqa: F401

pytestmark = pytest.mark.django_db


def read(here: Session, who: str, *urls: str) -> None:
    client = Client()
    client.force_login(here.table.users[who])
    theirs = typed()
    for url in urls:
        response = client.get(url, headers={"accept-language": "en"})
        if response.status_code == 404:
            continue
        assert response.status_code == 200, url
        page = shown(response)
        assert not offenders(page.words, theirs), (who, url, offenders(page.words, theirs))


def table_page(here: Session) -> str:
    return reverse("session", args=[here.table.campaign.slug, here.session.number])


def test_the_table(english):  # noqa: F811
    here = alice.begun()
    page = table_page(here)
    everybody = ("gm", "akari", "watcher")
    for who in everybody:
        read(here, who, page, reverse("campaign", args=[here.table.campaign.slug]))
    steps: list[tuple[str, str, dict[str, Any]]] = [
        ("akari", "test.declare", {"actor": "akari", "text": "本を探す", "suit": "C"}),
        ("gm", "test.suit", {"suit": "C"}),
        ("gm", "test.difficulty", {"cards": 1}),
        ("gm", "test.class", {"actor": "akari", "cls": "expert"}),
        ("akari", "play.luck", {"actor": "akari"}),
        ("gm", "fight.start", {"actors": here.actor("akari") + "," + here.actor("wolf")}),
    ]
    for who, name, data in steps:
        alice.do(here, who, name, **data)
        for reader in everybody:
            read(here, reader, page)
    forms = (
        "test",
        "attack",
        "reason",
        "empathy",
        "acquire",
        "give",
        "state",
        "set",
        "race",
        "morning",
        "hurt",
        "acts",
    )
    where = [here.table.campaign.slug, here.session.number]
    for who in ("gm", "akari"):
        urls = [reverse("session_form", args=[*where, name]) + f"?actor={here.actor('akari')}" for name in forms]
        read(here, who, *urls)


def test_builder_sheet_and_draft(english):  # noqa: F811
    here = alice.planned()
    pages = ("character", "character_edit", "character_print", "character_history")
    for who, one in (("akari", "akari"), ("gm", "wolf")):
        read(here, who, *(reverse(name, args=[here.people[one].slug]) for name in pages))
    read(here, "gm", reverse("npc_new", args=[here.table.campaign.slug]))
    for one in alice.SHEETS:
        here.people[one].delete()
    draft = Session(here.table, parts.open_part(access=here.table.access("gm"), part="draft"))
    for who, name in (("gm", ""), ("gm", "start_draft"), ("gm", "run_janken"), ("gm", "choose"), ("gm", "reveal")):
        state = draft.state("gm")
        if name == "choose":
            data = {"player": state["janken"]["winner"], "command": "choose_parent", "parent": "akari"}
            issue(access=draft.at(who), name="act_for", data=data, expected_step=state["step"])
        elif name == "reveal":
            data = {"player": state["offer"]["asked"], "command": "reveal"}
            issue(access=draft.at(who), name="act_for", data=data, expected_step=state["step"])
        elif name:
            issue(access=draft.at(who), name=name, data={}, expected_step=state["step"])
        for reader in ("gm", "akari", "watcher"):
            read(draft, reader, table_page(draft))
