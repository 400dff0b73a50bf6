"""The ability draft of アリス as a live table: who may begin it, its pages and rows, what it leaves behind."""

from __future__ import annotations

import re
from typing import Any

import pytest

from characters.actions.errors import ActionRefused
from characters.models import Character, Confirmation, CreationRecord
from live.fairness import record
from sessions.actions import closing, parts, undoing
from sessions.actions.issuing import issue
from sessions.models import DraftAnswer, DraftPile, DraftReveal, DraftSeat, GameSession
from tests.factories import make_table
from tests.sessions.live_page import LivePage
from tests.sessions.table import Session

pytestmark = pytest.mark.django_db
PLAYERS = ("nagisa", "chiaki", "akari")
EVERYBODY = ("gm", "co", *PLAYERS, "watcher")
FACE = re.compile(r'aria-label="(?:スペード|クラブ|ハート|ダイヤ)の(?:10|[2-9AJQK])"')


@pytest.fixture
def table():
    made = make_table(*PLAYERS, system="alice")
    made.join("co", "co_gm")
    made.join("watcher", "spectator")
    return made


@pytest.fixture
def draft(table):
    return Draft(Session(table, parts.open_part(access=table.access("gm"), part="draft")))


class Draft:
    """A draft with everybody's page open; `names` by seat."""

    def __init__(self, here: Session) -> None:
        self.here = here
        self.pages = {who: LivePage(here.at(who)) for who in EVERYBODY}
        self.names = {str(here.table.seat(who).pk): who for who in PLAYERS}

    @property
    def state(self) -> Any:
        return self.here.state("gm")

    def do(self, who: str, name: str, **data: Any) -> None:
        issue(access=self.here.at(who), name=name, data=data, expected_step=self.state["step"])
        self.level()

    def level(self) -> None:
        for page in self.pages.values():
            page.follow()
        self.rows_are_level()

    def rows_are_level(self) -> None:
        """The rows say what the state says."""
        state, session = self.state, self.here.session
        seats = [row["seat"] for row in state["seats"]]
        assert [str(row.seat_id) for row in DraftSeat.objects.filter(session=session)] == seats
        if state["phase"] == "SEATING":
            return
        left = dict(DraftPile.objects.filter(session=session).values_list("suit", "left"))
        assert left == {suit: state["piles"][suit] for suit in "SCHD"}
        reveals = list(DraftReveal.objects.filter(session=session))
        told = [(row["n"], row["card"], row["to"], row["how"]) for row in state["log"]]
        assert [(r.number, r.card, str(r.taker_id), r.how) for r in reveals if r.taker_id] == told
        assert [r.card for r in reveals if r.taker_id is None] == [card for card in [state["offer"]["card"]] if card]
        said = DraftAnswer.objects.filter(reveal__session=session, claimed=False).count()
        assert said == sum(len(row["passed"]) for row in state["log"]) + len(state["offer"]["passed"])

    def begin(self) -> None:
        self.do("gm", "start_draft")
        self.do("gm", "run_janken")
        self.do(self.names[self.state["janken"]["winner"]], "choose_parent", parent="akari")

    def turn(self, claim: bool = True) -> None:
        """Whoever is asked does something."""
        offer = self.state["offer"]
        who = self.names[offer["asked"]]
        self.do(who, ("claim" if claim else "pass") if offer["card"] else "reveal")

    def finish(self) -> None:
        n = 0
        while self.state["phase"] != "COMPLETE":
            self.turn(claim=n % 3 != 1)
            n += 1


def refused(act: Any, code: str) -> None:
    with pytest.raises(ActionRefused) as found:
        act()
    assert found.value.code == code


def test_only_gms_begin_one_and_only_one_at_a_time(table):
    refused(lambda: parts.open_part(access=table.access("nagisa"), part="draft"), "not_allowed")
    refused(lambda: parts.open_part(access=table.access("gm"), part="feast"), "no_part")
    made = parts.open_part(access=table.access("co"), part="draft", command_id="press")
    again = parts.open_part(access=table.access("co"), part="draft", command_id="press")
    assert (made.pk, made.chapter, made.state) == (again.pk, 0, "open")
    refused(lambda: parts.open_part(access=table.access("gm"), part="draft"), "part_open")


def test_a_game_without_a_draft_has_none():
    table = make_table("nagisa")
    refused(lambda: parts.open_part(access=table.access("gm"), part="draft"), "no_part")


def test_a_whole_draft_on_every_page(draft):
    draft.do("gm", "alice.set", faces="SQ")
    draft.do("gm", "story.set", story_setting="森のはずれの村。")
    draft.begin()
    draft.turn()
    draft.turn(claim=False)
    draft.do("gm", "pause")
    refused(lambda: draft.turn(), "E_PAUSED")
    draft.do("gm", "resume")
    for _undo in range(3):
        undoing.undo(access=draft.here.at("gm"))
        draft.level()
    draft.finish()
    refused(lambda: draft.do("nagisa", "claim"), "E_DRAFT_COMPLETE")


def test_no_page_holds_a_card_that_was_not_turned(draft):
    """Neither the order of the piles nor the cards of アリス: every face ever sent was turned, or is the GM's own."""
    draft.do("gm", "alice.set", faces="SQ")
    draft.begin()
    draft.turn()
    draft.turn()
    draft.turn()
    turned = {row.card for row in DraftReveal.objects.filter(session=draft.here.session)}
    for who, page in draft.pages.items():
        faces = {found.group() for found in FACE.finditer(page.sent)}
        assert len(faces) == len(turned), (who, faces, turned)
    for who in (*PLAYERS, "watcher"):
        assert "SQ" not in draft.pages[who].sent.replace("例：SQ", "")


def test_hands_of_janken_are_secret_until_all_are_shown(draft):
    draft.do("gm", "start_draft")
    draft.do("nagisa", "janken.hand", hand="rock")
    assert "あなたの手：グー" in draft.pages["nagisa"].sent
    for who in ("gm", "chiaki", "watcher"):
        assert "あなたの手" not in draft.pages[who].sent


def test_it_ends_in_the_sheets(draft, table):
    mine = table.make("nagisa", {"name": "アルマ", "age": 20})
    refused(lambda: closing.close_session(access=draft.here.at("gm")), "not_over")
    draft.begin()
    draft.finish()
    dealt = {row["seat"]: row["abilities"] for row in draft.state["seats"]}
    closing.close_session(access=draft.here.at("gm"))
    draft.level()
    assert GameSession.objects.get(pk=draft.here.session.pk).state == "closed"
    for seat, abilities in dealt.items():
        character = Character.objects.select_related("draft").get(owner_id=int(seat), kind="pc")
        assert character.draft.fields["ability_source"] == "draft"
        cards = {suit: f"{suit}{character.draft.fields[f'cards.{suit}']}" for suit in "SCHD"}
        assert cards == {suit: row["card"] for suit, row in abilities.items()}
        evidence = CreationRecord.objects.get(character=character)
        assert (evidence.step, evidence.record["source"]) == ("draft", draft.here.session.topic)
        assert Confirmation.objects.filter(character=character, field="ability_source").exists()
    assert Character.objects.filter(owner=table.seat("nagisa"), kind="pc").get() == mine
    assert record(draft.here.session.topic, draft.here.at("watcher").viewer())["draws"]


def test_who_goes_on_with_old_cards_does_not_draft(table):
    old = {"name": "古株", "age": 30, "ability_source": "manual", **{f"cards.{suit}": "7" for suit in "SCHD"}}
    table.make("nagisa", old)
    draft = Draft(Session(table, parts.open_part(access=table.access("gm"), part="draft")))
    assert [row["name"] for row in draft.state["seats"]] == ["chiaki", "akari"]
    assert [row["name"] for row in draft.state["continuing"]] == ["古株"]
    draft.do("gm", "start_draft")
    assert {suit: draft.state["piles"][suit] for suit in "SCHD"} == dict.fromkeys("SCHD", 11)
    refused(lambda: draft.do("nagisa", "join"), "E_DRAFT_RUNNING")
