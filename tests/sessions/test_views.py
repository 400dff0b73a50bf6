"""Presses over HTTP: forms, htmx and JSON; refusals in words with a 4xx, nothing lost, never a 500."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.urls import reverse

from characters.models import Seat
from live.models import Event
from sessions.models import GameSession, SessionNote

pytestmark = pytest.mark.django_db


class Person:
    def __init__(self, here, who: str, checks: bool = False) -> None:
        self.here, self.client = here, Client(enforce_csrf_checks=checks)
        self.client.force_login(here.table.users[who])

    def url(self, name: str, *args) -> str:
        return reverse(name, args=[self.here.table.campaign.slug, self.here.session.number, *args])

    def post(self, name: str, *args, headers=None, **data):
        return self.client.post(self.url(name, *args), data, headers=headers or {})

    def json(self, name: str, *args, **body):
        return self.client.post(self.url(name, *args), body, content_type="application/json")

    def get(self, name: str, *args, query: str = "", headers=None):
        return self.client.get(self.url(name, *args) + query, headers=headers or {})


@pytest.fixture
def gm(here) -> Person:
    return Person(here, "gm")


@pytest.fixture
def nagisa(here) -> Person:
    return Person(here, "nagisa")


def test_a_whole_session_by_plain_forms(planned):
    gm, nagisa = Person(planned, "gm"), Person(planned, "nagisa")
    slug = planned.table.campaign.slug
    made = gm.client.post(reverse("session_new", args=[slug]), {"title": "三の巻"})
    assert made.status_code == 303 and made["Location"].endswith("/sessions/2/")
    page = gm.get("session").content.decode()
    assert "顔ぶれを決めて始める" in page and "新八郎" in page
    assert "顔ぶれを決めて始める" not in nagisa.get("session").content.decode()
    cast = [str(character.pk) for character in planned.people.values()]
    assert gm.post("session_start", cast=cast, hidden=cast[3:]).status_code == 303
    assert gm.post("session_evening", do="start").status_code == 303
    assert gm.post("session_scene", title="両国橋").status_code == 303
    assert nagisa.post("session_command", "throw", **{"field.actor": planned.actor("hero")}).status_code == 303
    assert nagisa.post("session_say", text="参る").status_code == 303
    assert gm.post("session_undo", reason="もう一度").status_code == 303
    assert gm.post("session_notes", text="裏").status_code == 303
    note = SessionNote.objects.get()
    assert gm.post("session_note", note.pk, text="裏二", base_version="1").status_code == 303
    assert (
        gm.post("session_command", "hurt", **{"field.actor": planned.actor("hero"), "field.amount": "2"}).status_code
        == 303
    )
    page = nagisa.get("session").content.decode()
    for words in ("参る", "もう一度", "両国橋", "第1夜"):
        assert words in page
    assert "裏二" not in page and "裏二" in gm.get("session").content.decode()
    assert gm.post("session_closing", do="ask").status_code == 303
    assert "持ち帰るもの" in nagisa.get("session").content.decode()
    assert gm.post("session_closing", do="close").status_code == 409
    assert nagisa.post("session_carry", planned.actor("hero"), accept="1").status_code == 303
    assert gm.post("session_closing", do="close").status_code == 303
    assert GameSession.objects.get(pk=planned.session.pk).state == "closed"
    assert gm.post("session_say", text="もう一言").status_code == 409
    assert nagisa.get("session").status_code == 200


def test_a_refusal_is_said_on_the_page_and_what_was_typed_is_kept(nagisa):
    count = Event.objects.count()
    answer = nagisa.post("session_say", text="2D6>=", mode="roll")
    page = answer.content.decode()
    assert answer.status_code == 422 and "2D6&gt;=" in page and 'role="alert"' in page
    assert Event.objects.count() == count


def test_a_refused_command_of_any_game_stands_again_as_it_was_sent(gm, here):
    answer = gm.post("session_command", "hurt", **{"field.actor": here.actor("foe"), "field.amount": "1000"})
    form = answer.content.decode().split('id="do"')[1].split('id="panel-', 1)[0]
    assert answer.status_code == 409 and 'role="alert"' in form and "1〜99" in form
    assert 'value="1000"' in form and f'value="{here.actor("foe")}" selected' in form


def test_an_answer_to_what_is_asked_no_more_is_not_offered_to_be_sent_again(here, nagisa):
    answer = nagisa.post("session_command", "answer", **{"field.yes": "1", "expected_step": "7"})
    assert answer.status_code == 409 and "もう一度送る" not in answer.content.decode()


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("session_say", {"text": "長" * 2001}),
        ("session_scene", {"title": "長" * 101}),
        ("session_scene", {"title": "橋", "text": "長" * 1001}),
        ("session_edit", {"title": "長" * 101}),
        ("session_notes", {"text": "長" * 20001}),
        ("session_counters", {"title": "長" * 61, "size": "6"}),
    ],
)
def test_what_is_too_long_is_refused_whole_and_never_cut(gm, name, typed):
    count = Event.objects.count()
    answer = gm.post(name, **typed)
    assert answer.status_code == 422 and Event.objects.count() == count
    assert max(typed.values(), key=len) in answer.content.decode() and "maxlength" not in answer.content.decode()


def test_htmx_hears_only_that_it_worked_the_stream_brings_the_rest(nagisa, gm):
    answer = nagisa.post("session_say", text="参る", headers={"HX-Request": "true"})
    assert answer.status_code == 204 and not answer.content
    refused = nagisa.post("session_undo", headers={"HX-Request": "true"})
    assert (
        refused.status_code == 409
        and "<html" not in refused.content.decode()
        and "取り消せる" in refused.content.decode()
    )


def test_json_says_what_happened_and_why_not(here, nagisa, gm):
    answer = nagisa.json("session_command", "throw", data={"actor": here.actor("hero")}, command_id="p")
    body = answer.json()
    assert answer.status_code == 200 and body["ok"] and body["events"][0]["data"]["actor"] == here.actor("hero")
    again = nagisa.json("session_command", "throw", data={"actor": here.actor("hero")}, command_id="p")
    assert again.json() == body
    refused = nagisa.json("session_command", "throw", data={"actor": here.actor("friend")})
    assert refused.status_code == 409 and refused.json()["code"] == "T17" and not refused.json()["ok"]
    odds = nagisa.json("session_odds", "throw", data={"actor": here.actor("friend")}).json()
    assert odds["ok"] and odds["odds"]["outcomes"]
    unread = nagisa.json("session_say", text="2D6>=", mode="roll").json()
    assert unread["suggestions"] and unread["field"] == "text"
    state = nagisa.get("session_state").json()
    assert state["session"] == "open" and state["state"]["actors"][0]["name"] == "新八郎"
    log = nagisa.get("session_log", headers={"accept": "application/json"}).json()
    assert log["entries"][-1]["kind"] == "toy:thrown" and log["older"] is None


@pytest.mark.parametrize("body", [b"[]", b"{", b"\xff", b"[" * 50_000, b"null", b'"x"', b"1e999"])
def test_a_body_that_is_no_object_is_refused(nagisa, body):
    for name in ("session_say", "session_undo", "session_scene"):
        answer = nagisa.client.post(nagisa.url(name), body, content_type="application/json")
        assert answer.status_code == 400 and answer.json()["code"] == "unreadable"


ODD: list = [
    None,
    True,
    3.5,
    -1,
    "",
    "x" * 3000,
    [],
    [1],
    {},
    {"a": 1},
    "９９",
    10**40,
    "\ud800",
    "null\u0000",
    "１\n２",
]
ADDRESSES = [
    ("session_command", ("throw",)),
    ("session_command", ("ask",)),
    ("session_command", ("answer",)),
    ("session_command", ("nothing",)),
    ("session_odds", ("throw",)),
    ("session_say", ()),
    ("session_undo", ()),
    ("session_nudge", ()),
    ("session_counters", ()),
    ("session_counter", (1,)),
    ("session_scene", ()),
    ("session_evening", ()),
    ("session_cast", ()),
    ("session_notes", ()),
    ("session_note", (1,)),
    ("session_closing", ()),
    ("session_carry", ("c1",)),
    ("session_edit", ()),
    ("session_start", ()),
    ("entry_open", (2,)),
]
KEYS = ("data", "expected_step", "override", "command_id", "text", "title", "mode", "speaker", "do", "reason", "first")
MORE = ("seat", "size", "shown", "character", "hidden", "visibility", "base_version", "accept", "seen", "cast")


@pytest.mark.parametrize(("name", "args"), ADDRESSES)
def test_odd_bodies_never_break_anything(gm, name, args):
    for value in ODD[ADDRESSES.index((name, args)) % 6 :: 6]:
        for body in (dict.fromkeys((*KEYS, *MORE), value), {"data": {"actor": value, "target": value, "x": value}}):
            text = json.dumps(body)
            answer = gm.client.post(gm.url(name, *args), text, content_type="application/json")
            assert answer.status_code < 500, (name, body, answer.content[:500])
            form = {key: str(value) for key in (*KEYS, *MORE, "field.actor")}
            form = {key: text.encode("utf-8", "replace").decode() for key, text in form.items()}
            assert gm.client.post(gm.url(name, *args), form).status_code < 500


@pytest.mark.parametrize(
    "query", ["?before=0", "?before=x", "?before=-1", "?before=99999999999999999999", "?before=３"]
)
def test_odd_pages_of_the_log(nagisa, query):
    assert nagisa.get("session_log", query=query).status_code == 200


def test_who_is_not_of_the_table_finds_nothing(here):
    from tests.factories import UserFactory

    stranger = Client()
    stranger.force_login(UserFactory())
    person = Person(here, "gm")
    person.client = stranger
    for name in ("session", "session_state", "session_log"):
        assert person.get(name).status_code == 404
    assert person.get("session_export", "txt").status_code == 404
    for name, args in ADDRESSES:
        assert person.post(name, *args).status_code == 404
    person.client = Client()
    assert person.get("session").status_code == 302


def test_presses_need_the_token_and_the_post(here):
    person = Person(here, "gm", checks=True)
    assert person.post("session_say", text="x").status_code == 403
    assert person.json("session_say", text="x").status_code == 403
    assert Person(here, "gm").get("session_undo").status_code == 405


def test_the_files(nagisa):
    nagisa.post("session_say", text="参る")
    text = nagisa.get("session_export", "txt")
    assert "attachment" in text["Content-Disposition"] and "参る" in b"".join(text.streaming_content).decode()
    rows = b"".join(nagisa.get("session_export", "jsonl").streaming_content).decode().splitlines()
    assert json.loads(rows[-1])["data"]["text"] == "参る"
    assert nagisa.get("session_export", "exe").status_code == 404


def test_the_page_shows_names_as_text(here, nagisa):
    Seat.objects.filter(pk=here.table.seat("nagisa").pk).update(name="<script>alert(1)</script>")
    nagisa.post("session_say", text='"><img src=x onerror=alert(1)> </li><li class="entry"> ｛偽｝')
    page = nagisa.get("session").content.decode()
    assert "<script>alert" not in page and "<img" not in page and "onerror=alert(1)&gt;" in page
