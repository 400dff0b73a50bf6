"""Two evenings that differ in hidden cards alone: another hand, another pile, other face-down cards, another アリス.

The same commands are given in both. Whoever may not know those cards gets the same bytes: on the stream, on pages, in
files, as odds, as fairness records. Ids, lengths, names and fields are among the bytes (issue: bar 3; rules §6.6).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from difflib import unified_diff
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from live.reading import _render
from rulesets.engine.fair import FairDice
from sessions.actions import closing, sessions
from sessions.actions.undoing import undo
from sessions.live import SessionTopics
from sessions.models import GameSession
from sessions.present.alice.forms import FORMS
from sessions.selectors.closing import proposals
from sessions.selectors.state import standing
from sessions.selectors.table import place
from tests.factories import UserFactory
from tests.sessions.pages import alice
from tests.sessions.pages.conftest import address
from tests.sessions.table import Session

pytestmark = pytest.mark.django_db
KIND = SessionTopics()
# Draw pile of the golden session (rules/alice.md §11.3), ♥Q set aside for an アリス. Cards 0–8 are dealt in turn to
# nagisa, chiaki, akari.
PILE = re.findall(
    r"\w+",
    "H4 H5 S5 CK DQ HA D7 D3 H2 SK C6 D8 DJ HJ S3 H7 S6 C5 S8 SA H9 CJ DA C10 C3 S9 H10 D9 C2 D4 CA S4 C7 SQ S2 D6 H3"
    " C8 DK",
)
# akari's hand, a card laid face down and taken back, which she draws later, two that stay face down, the rest.
HIDDEN = [2, 5, 8, 11, 14, 15, *range(16, 39)]
ALICE = "HQ"
PLAYERS = ("nagisa", "chiaki", "akari")
OUTSIDERS = ("chiaki", "watcher", "gm", "co", "stranger")

_MASKS = [
    (re.compile(r"\d{4}-\d\d-\d\dT[0-9:.]+(?:Z|\+00:00)"), "TIME"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d"), "TIME"),
    (re.compile(r"\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT"), "TIME"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "HASH"),  # chain and roots: commitments under a secret nonce
    (re.compile(r'name="(?:csrfmiddlewaretoken|command_id)" value="[^"]*"'), "TOKEN"),
    (re.compile(r"(?:data-csrf|X-CSRFToken&quot;: &quot;)[^ ]*"), "TOKEN"),
]


@dataclass
class World:
    """One evening: what everybody was ever sent, by (who, moment)."""

    here: Session
    pile: Sequence[str]
    alice: str
    asks: bool = True  # whether everybody asks for everything on the way
    sent: dict[tuple[str, str], str] = field(default_factory=dict)
    seq: int = 0

    def do(self, who: str, name: str, **data: Any) -> None:
        alice.do(self.here, who, name, **data)
        self.hear()

    def hear(self) -> None:
        """The frames of the stream since the last command, byte for byte, in both languages."""
        events = [event for event in self.here.events() if event.seq > self.seq]
        self.seq = events[-1].seq
        for who, user in self.here.table.users.items():
            for lang in ("ja", "en"):
                viewer = KIND.viewer(user, self.here.session.topic, lang)
                told = _render(KIND, self.here.session.topic, events, viewer).plain if viewer is not None else b""
                self.sent[who, f"stream {lang} {self.seq}"] = masked(told.decode())

    def ask_everything(self, moment: str) -> None:
        """Everything that can be asked for, by everybody."""
        if not self.asks:
            return
        for who, user in self.here.table.users.items():
            for what, text in self._all_answers(who, user):
                self.sent[who, f"{moment} {what}"] = masked(text)

    def _all_answers(self, who: str, user: Any) -> Iterator[tuple[str, str]]:
        client = Client()
        client.force_login(user)
        client.cookies["lang"] = "en" if who == "watcher" else "ja"
        base, topic = address(self.here), self.here.session.topic
        akari, own = self.here.actor("akari"), self.here.actor("chiaki")
        sheet = f"/p/{self.here.people['akari'].slug}"
        asked = [base, *(base + name for name in ("state.json", "log/", "log.txt", "log.jsonl"))]
        asked += [f"/fair/{topic}/", f"/fair/{topic}/record.json", f"{sheet}/", f"{sheet}.json"]
        if who in ("chiaki", "gm"):  # those who have somebody to act for
            asked += [f"{base}form/{name}/?actor={own}" for name in FORMS]
        for url in asked:
            answer = client.get(url)
            body = b"".join(answer.streaming_content) if answer.streaming else answer.content
            headers = {key: value for key, value in answer.headers.items() if key != "Content-Security-Policy"}
            yield url, f"{answer.status_code} {headers}\n{body.decode()}"
        for name, data in self._odds(akari, own) if who != "stranger" else ():
            sent = {"data": data}
            answer = client.post(f"{base}odds/{name}/", sent, content_type="application/json")
            yield f"odds {name} {data}", f"{answer.status_code}\n{answer.content.decode()}"

    def _odds(self, akari: str, own: str) -> Iterator[tuple[str, dict[str, str]]]:
        for actor in (akari, own):
            yield "play.flip", {"actor": actor}
            yield "play.luck", {"actor": actor}
            yield from (("play.hand", {"actor": actor, "card": card}) for card in ("H5", "HA"))

    def hand(self, who: str) -> list[str]:
        return alice.hand(self.here, who)


def masked(text: str) -> str:
    for pattern, plain in _MASKS:
        text = pattern.sub(plain, text)
    return text


@contextmanager
def cards_fall(world: World) -> Iterator[None]:
    """The one shuffle of the deal gives the world's pile."""
    now = standing(world.here.session, *place(world.here.session))
    box = list(now.state.zone("box"))
    assert sorted(box) == sorted(world.pile), "the pile is what is left of the deck"
    order = [box.index(card) for card in world.pile]

    def shuffle(self: FairDice, size: int) -> tuple[int, ...]:
        assert size == len(order)
        self.requests.append({"shuffle": size})
        self.values.append(list(order))
        return tuple(order)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FairDice, "shuffle", shuffle)
        yield


def other_cards() -> tuple[list[str], str]:
    """The pile with every hidden card in another hidden place."""
    pile = list(PILE)
    for at, origin in zip(HIDDEN, [*HIDDEN[1:], HIDDEN[0]], strict=True):
        pile[at] = PILE[origin]
    return pile, ALICE


def other_alice() -> tuple[list[str], str]:
    """The card of the アリス changed for one deep in the pile."""
    return [*PILE[:-1], ALICE], PILE[-1]


@pytest.fixture
def opened(db) -> Session:
    """A table before the deal, with somebody who has no seat."""
    here = alice.planned()
    cast = [one.pk for one in here.people.values()]
    sessions.start_session(access=here.at("gm"), cast=cast, hidden=[here.people["shade"].pk])
    here.session = GameSession.objects.get(pk=here.session.pk)
    here.table.users["stranger"] = UserFactory()
    return here


def evening(world: World) -> None:
    """Everything that lays, moves or keeps a hidden card, up to where two cards lie face down."""
    world.hear()
    world.do("gm", "alice.add", alice="眠りの君", card=world.alice)
    with cards_fall(world):
        world.do("gm", "deal")
    lay(world, "chiaki", "丸太を割る", "S", 1)
    world.do("gm", "test.class", actor="chiaki", cls="expert")
    world.ask_everything("turned")
    world.do("chiaki", "play.flip", actor="chiaki")
    lay(world, "akari", "本を探す", "C", 2)
    world.do("akari", "test.propose", actor="akari", cls="expert", why="本を読むのが生業だから")
    world.do("gm", "test.cancel")
    world.do("akari", "transfer.ask", actor="akari", target="nagisa", card=world.hand("akari")[1], text="肩を貸す")
    world.ask_everything("offered")
    world.do("gm", "transfer.confirm", transfer=world.here.state("gm")["transfers"][0]["id"])
    world.do("nagisa", "hand.discard", actor="nagisa", card=PILE[0])
    world.do("akari", "transfer.ask", actor="akari", target="nagisa", card=world.hand("akari")[0], text="靴を渡す")
    world.do("gm", "transfer.refuse", transfer=world.here.state("gm")["transfers"][0]["id"], reason="助けではない")
    racers = ",".join(world.here.actor(name) for name in PLAYERS)
    world.do("gm", "race.declare", actors=racers, text="走る", suit="S", cards=1)
    for name in PLAYERS:
        world.do("gm", "test.class", actor=name, cls="expert")
    world.do("akari", "play.hand", actor="akari", card=world.hand("akari")[2])
    world.do("nagisa", "play.flip", actor="nagisa")
    world.ask_everything("sealed")
    undo(access=world.here.at("gm"))
    world.hear()
    world.do("gm", "test.cancel")
    world.do("gm", "morning.begin", sleepless=world.here.actor("nagisa"))
    world.do("akari", "refresh", actor="akari")
    world.do("gm", "morning.end")
    lay(world, "chiaki", "木に登る", "S", 1)
    world.do("gm", "test.class", actor="chiaki", cls="related")
    world.do("chiaki", "play.concede", actor="chiaki")
    lay(world, "chiaki", "門を押す", "S", 2)
    world.ask_everything("face down")


def lay(world: World, who: str, text: str, suit: str, cards: int) -> None:
    """Up to the cards that lie face down."""
    world.do(who, "test.declare", actor=who, text=text, suit=suit)
    world.do("gm", "test.suit", suit=suit)
    world.do("gm", "test.difficulty", cards=cards)


def played(here: Session, pile: Sequence[str], aside: str) -> World:
    """An evening that is taken back afterwards, as if it had never been."""
    world = World(here, pile, aside)
    with transaction.atomic():
        evening(world)
        transaction.set_rollback(True)
    return world


def test_hidden_cards_change_no_byte_for_those_who_may_not_know_them(opened):
    one = played(opened, PILE, ALICE)
    two, three = played(opened, *other_cards()), played(opened, *other_alice())
    assert differences(one, two, OUTSIDERS) == ""
    # GMs know the card of the アリス, and their odds reckon with it; nobody else does.
    assert differences(one, three, (*PLAYERS, "watcher", "stranger")) == ""
    # Else the test would prove nothing: to those who may know they are different evenings.
    assert differences(one, two, ("akari",)) and differences(one, three, ("gm",))
    assert all(text.startswith("404") for (who, what), text in one.sent.items() if who == "stranger" and "/" in what)


def differences(one: World, two: World, people: Sequence[str]) -> str:
    """What these people were sent in one world and not in the other, line by line; "" for nothing."""
    assert one.sent.keys() == two.sent.keys()
    found = []
    for (who, what), text in one.sent.items():
        other = two.sent[who, what]
        if who in people and text != other:
            lines = unified_diff(split(text), split(other), lineterm="", n=0)
            found.append(f"{who}: {what}\n" + "\n".join(line[:300] for line in lines))
    return "\n".join(found)


def split(text: str) -> list[str]:
    return re.sub(r"(?<=[>,])", "\n", text).splitlines()


def test_after_the_end_everything_is_open(opened):
    """§6.6, last column: hands, order of the pile, what lay face down, the アリス; and each shuffle verified."""
    world = World(opened, PILE, ALICE, asks=False)
    evening(world)
    hands = {who: world.hand(who) for who in PLAYERS}
    world.do("gm", "test.cancel")
    world.do("gm", "game.end")
    for who in ("chiaki", "watcher"):
        state = opened.state(who)
        rows = {row["id"]: row for row in state["actors"]}
        assert {name: list(rows[opened.actor(name)]["hand"]["cards"]) for name in PLAYERS} == hands
        assert list(state["piles"]["draw_cards"])[:2] == [PILE[14], PILE[15]]
        assert [list(one["cards"]) for one in state["alices"]] == [[ALICE]]
    world.asks = True
    world.ask_everything("ended")
    for item in proposals(opened.session, standing(opened.session, *place(opened.session))):
        if item.needs_word:
            closing.decide_carry(access=opened.at("gm"), actor=item.member.actor, accept=True)
    fair = f"/fair/{opened.session.topic}/record.json"
    assert draws(world.sent["watcher", f"ended {fair}"]) == []
    closing.close_session(access=opened.at("gm"))
    world.ask_everything("closed")
    (shuffle,) = draws(world.sent["watcher", f"closed {fair}"])
    assert (shuffle["requests"], len(shuffle["values"][0])) == ([{"shuffle": len(PILE)}], len(PILE))
    assert world.sent["stranger", f"closed {fair}"].startswith("404")


def draws(answer: str) -> list[Any]:
    found = json.loads(answer.partition("\n")[2])["draws"]
    assert isinstance(found, list)
    return found
