"""Canary words in everything hidden are in no byte that reaches somebody who may not see it, before and after undo."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from live.reading import _render
from sessions.actions import sessions, talk
from sessions.actions.notes import save_note
from sessions.actions.undoing import undo
from sessions.live import SessionTopics
from sessions.present.export import json_lines, text_lines
from tests.sessions.table import PEOPLE, Session, begin, ready

pytestmark = pytest.mark.django_db

HIDDEN = {
    "HIDDENNPC": {"gm", "co"},
    "GAMESECRET": {"gm", "co"},
    "UNDONESECRET": {"gm", "co"},
    "SECRETREASON": {"gm", "co"},
    "SECRETROLL": {"gm", "co", "nagisa"},
    "GMNOTE": {"gm", "co"},
    "OWNNOTE": {"nagisa"},
    "LATESPY": {"gm", "co"},
    "GMPART": {"gm", "co"},
}


@pytest.fixture
def haunted(planned) -> Session:
    """A table with a canary in every place only some may look into."""
    spy = ready(planned.table, "gm", {"name": "HIDDENNPC", "level": 1, "luck": 1, "boss": False}, kind="npc")
    planned.people["spy"] = spy
    here = begin(planned)
    save_note(access=here.at("gm"), text="GMNOTE", title="GMNOTE")
    save_note(access=here.at("nagisa"), text="OWNNOTE")
    talk.say(access=here.at("nagisa"), text="S3D6 SECRETROLL")
    here.do("gm", "throw", actor="spy")
    here.do("gm", "hurt", actor="spy", amount=3)
    here.do("gm", "note", text="UNDONESECRET")
    undo(access=here.at("gm"), reason="SECRETREASON")
    here.do("gm", "note", text="GAMESECRET")
    late = ready(planned.table, "gm", {"name": "LATESPY", "level": 1, "luck": 1, "boss": False}, kind="npc")
    sessions.join_cast(access=here.at("gm"), character=late.pk, hidden=True)
    here.do("nagisa", "throw", actor="hero")
    return here


def leaks(where: str, who: str, content: str) -> list[str]:
    return [f"{word} in {where} of {who}" for word, may in HIDDEN.items() if word in content and who not in may]


def gm_part(here) -> None:
    """The game's own part for GMs within a public event."""
    event = next(row for row in here.events() if row.kind == "toy:thrown" and "all" in row.audience)
    event.data["gm"] = "GMPART"
    event.save()


def test_no_canary_reaches_anybody_it_is_not_for(haunted):
    here = haunted
    gm_part(here)
    slug, found, seen = here.table.campaign.slug, [], set()
    for who in PEOPLE:
        client = Client()
        client.force_login(here.table.users[who])
        pages = {name: reverse(name, args=[slug, 1]) for name in ("session", "session_state", "session_log")}
        pages |= {form: reverse("session_export", args=[slug, 1, form]) for form in ("jsonl", "txt")}
        pages |= {"campaign": reverse("campaign", args=[slug]), "fair": reverse("fair_json", args=[here.session.topic])}
        for name, url in pages.items():
            for accept in ("text/html", "application/json"):
                response = client.get(url, headers={"accept": accept})
                assert response.status_code == 200
                body = b"".join(response.streaming_content) if response.streaming else response.content
                content = body.decode()
                found += leaks(name, who, content)
                seen |= {(word, who) for word in HIDDEN if word in content}
        viewer = SessionTopics().viewer(here.table.users[who], here.session.topic, "ja")
        frame = _render(SessionTopics(), here.session.topic, here.events(), viewer).plain.decode()
        found += leaks("stream", who, frame)
    assert not found
    # The canaries do live where they may: else the test would prove nothing.
    for word, may in HIDDEN.items():
        assert {who for name, who in seen if name == word} == may, word


def test_answers_to_commands_hold_only_what_their_sender_may_see(haunted):
    here = haunted
    client = Client()
    client.force_login(here.table.users["nagisa"])
    url = reverse("session_command", args=[here.table.campaign.slug, 1, "throw"])
    response = client.post(url, {"data": {"actor": here.actor("hero")}}, content_type="application/json")
    body = response.json()
    assert body["ok"] and [event["kind"] for event in body["events"]] == ["toy:thrown"]
    assert "的" not in response.content.decode() and "hash" not in body["events"][0]
    for name in ("throw", "walk", "ask"):
        url = reverse("session_command", args=[here.table.campaign.slug, 1, name])
        data = {"actor": here.actor("spy"), "target": here.actor("spy"), "text": "x"}
        answer = client.post(url, {"data": data}, content_type="application/json")
        assert answer.status_code == 409 and "HIDDENNPC" not in json.dumps(answer.json(), ensure_ascii=False)


def test_a_removed_member_reads_nothing_more(haunted):
    from characters.actions import members

    here = haunted
    members.remove_seat(access=here.table.access("gm"), seat=here.table.seat("chiaki"))
    client = Client()
    client.force_login(here.table.users["chiaki"])
    for name in ("session", "session_state", "session_log"):
        assert client.get(reverse(name, args=[here.table.campaign.slug, 1])).status_code == 404


def test_exports_renumber_so_that_gaps_do_not_show(haunted):
    viewer = haunted.at("chiaki").viewer()
    rows = [json.loads(line) for line in json_lines(haunted.session, viewer)]
    assert [row["n"] for row in rows[1:]] == list(range(1, len(rows)))
    assert "seq" not in rows[1] and not any("first" in row["data"] for row in rows[1:] if row["kind"] == "event.undone")
    assert len("".join(text_lines(haunted.session, viewer)).splitlines()) >= len(rows)
