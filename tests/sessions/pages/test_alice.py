"""A day of アリス at the table: every page after every command is the page a reload draws, and no hand ever leaks."""

from __future__ import annotations

from typing import Any

import pytest

from sessions.actions import closing, undoing
from sessions.selectors.closing import proposals
from sessions.selectors.state import standing
from sessions.selectors.table import place
from tests.sessions.live_page import LivePage
from tests.sessions.pages import alice

pytestmark = pytest.mark.django_db
EVERYBODY = ("gm", "co", "nagisa", "chiaki", "akari", "watcher")


@pytest.fixture
def day(db):
    """A dealt table with everybody's page open."""
    here = alice.begun()
    return Day(here)


class Day:
    def __init__(self, here: Any) -> None:
        self.here = here
        self.pages = {who: LivePage(here.at(who)) for who in EVERYBODY}

    def do(self, who: str, name: str, **data: Any) -> None:
        alice.do(self.here, who, name, **data)
        self.level()

    def level(self) -> None:
        for page in self.pages.values():
            page.follow()

    def op(self) -> Any:
        return self.here.state("gm")["op"]

    def test(self, who: str, text: str, suit: str, cards: int, cls: str, **more: Any) -> None:
        """A test up to the turned cards."""
        self.do(who, "test.declare", actor=who, text=text, suit=suit, **more)
        self.do("gm", "test.suit", suit=suit)
        self.do("gm", "test.difficulty", cards=cards)
        self.do(who, "test.propose", actor=who, cls=cls, why="そういう生業だから")
        self.do("gm", "test.class", actor=who, cls=cls)

    def flip(self, who: str) -> None:
        self.do(who, "play.flip", actor=who)
        if self.op() is not None and self.op()["phase"] == "ace":
            self.do(who, "play.ace", actor=who, ace="twentyone")

    def settle(self) -> None:
        """Let the GM carry an open contest or attack to its end, whatever the cards."""
        for _turn in range(12):
            op = self.op()
            if op is None:
                return
            if op["phase"] == "class":
                who = next(row["who"] for row in op["tries"] if not row["cls"])
                self.do("gm", "test.class", actor=who, cls="expert")
            elif op["phase"] == "card":
                self.do("gm", "play.flip", actor=op["asked"][0])
            elif op["phase"] == "ace":
                self.do("gm", "play.ace", actor=op["asked"][0], ace="twentyone")
            elif op["phase"] == "damage":
                self.do("gm", "damage.flip")
            else:
                self.do("gm", "test.suit", suit="S")
        raise AssertionError(self.op())


def test_a_whole_day(day):
    here = day.here
    day.do("gm", "story.set", story="封蝋の手紙が届く。")
    day.test("akari", "本を探す", "C", 2, "expert")
    day.do("akari", "play.hand", actor="akari", card=alice.hand(here, "akari")[0])
    day.test("nagisa", "荷を担ぐ", "S", 1, "outsider")
    day.flip("nagisa")
    day.test("chiaki", "崖を登る", "S", 3, "related")
    day.do("chiaki", "play.luck", actor="chiaki")
    day.do("nagisa", "acquire.declare", actor="nagisa", text="縄")
    day.do("gm", "test.difficulty", cards=1)
    day.do("gm", "test.class", actor="nagisa", cls="expert")
    day.do("nagisa", "play.concede", actor="nagisa")
    card = alice.hand(here, "akari")[1]
    day.do("akari", "transfer.ask", actor="akari", target="nagisa", card=card, text="肩を貸す")
    transfer = here.state("gm")["transfers"][0]["id"]
    day.do("gm", "transfer.confirm", transfer=transfer)
    day.do("nagisa", "hand.discard", actor="nagisa", card=alice.hand(here, "nagisa")[-1])
    day.do("akari", "reason.declare", actor="akari", text="狼と戦う")
    day.do("gm", "test.difficulty", cards=1)
    day.do("gm", "test.class", actor="akari", cls="expert")
    day.do("akari", "play.luck", actor="akari")
    day.do("chiaki", "contest.declare", actor="chiaki", targets=here.actor("akari"), text="罠を仕掛ける")
    day.do("gm", "contest.rule", suit="C", target_suit="C", cards=0)
    day.settle()
    racers = ",".join(here.actor(name) for name in ("nagisa", "chiaki", "akari"))
    day.do("gm", "race.declare", actors=racers, text="走る", suit="S", cards=1)
    for name in ("nagisa", "chiaki", "akari"):
        day.do("gm", "test.class", actor=name, cls="expert")
    for name in ("nagisa", "chiaki", "akari"):
        day.do(name, "play.hand", actor=name, card=alice.hand(here, name)[0])
    day.do("gm", "fight.start", actors=",".join(here.actor(name) for name in ("nagisa", "chiaki", "akari", "wolf")))
    now = here.state("gm")["fight"]["now"]
    attacker = next(name for name in ("chiaki", "akari", "wolf", "nagisa") if here.actor(name) == now)
    day.do("gm", "attack.declare", actor=attacker, target="wolf" if attacker != "wolf" else "akari")
    day.settle()
    day.do("gm", "actor.hurt", actor="chiaki", suit="S", reason="転んだ")
    day.do("gm", "actor.hurt", actor="chiaki", suit="S", reason="転んだ")
    day.do("gm", "actor.hurt", actor="chiaki", suit="S", reason="転んだ")
    day.do("gm", "fight.end")
    day.do("gm", "actor.show", actors=here.actor("shade"))
    day.do("gm", "morning.begin", sleepless=here.actor("akari"))
    day.do("nagisa", "refresh", actor="nagisa", discards=alice.hand(here, "nagisa")[:2])
    day.do("gm", "morning.end")
    taken = 0
    while taken < 6:
        undoing.undo(access=here.at("gm"))
        day.level()
        taken += 1
    day.do("gm", "game.end")
    for item in proposals(here.session, standing(here.session, *place(here.session))):
        if item.needs_word:
            closing.decide_carry(access=here.at("gm"), actor=item.member.actor, accept=True)
    closing.close_session(access=here.at("gm"))
    day.level()


def test_nobody_is_sent_a_card_of_anothers_hand(day):
    """The cards of a hand are in the bytes of its owner alone: not of other players, onlookers or the GM (§6.6)."""
    here = day.here
    day.do("akari", "test.declare", actor="akari", text="本を探す", suit="C")
    day.do("gm", "test.suit", suit="C")
    day.do("gm", "test.difficulty", cards=1)
    for owner in alice.SHEETS:
        for card in alice.hand(here, owner):
            drawing = (
                f'{card[1:]}</text><svg class="suit" x="6" y="22.5" width="12" height="12"><use href="#s-{card[0]}"'
            )
            for who in EVERYBODY:
                seen = drawing in day.pages[who].sent or f'value="{card}"' in day.pages[who].sent
                public = any(card == f"{suit}{row['rank']}" for row in abilities(here) for suit in row["suit"])
                assert seen is (who == owner) or public, (owner, card, who)


def abilities(here: Any) -> list[Any]:
    return [ability for row in here.state("gm")["actors"] for ability in row["abilities"] or ()]


def test_the_hidden_and_the_told_only_to_the_gm_stay_there(day):
    for who in ("nagisa", "akari", "watcher"):
        assert alice.HIDDEN_NPC not in day.pages[who].sent
        assert alice.SECRET_JOB not in day.pages[who].sent
    for who in ("gm", "co"):
        assert alice.HIDDEN_NPC in day.pages[who].sent and alice.SECRET_JOB in day.pages[who].sent
    assert alice.SECRET_JOB in day.pages["chiaki"].sent


def test_every_form_opens_with_its_own_words(day, client_of):
    """Each act leads to its form; those of the GM are not a player's."""
    from sessions.present.alice.forms import FORMS

    here = day.here
    day.do("gm", "fight.start", actors=",".join(here.actor(name) for name in ("nagisa", "chiaki", "akari", "wolf")))
    theirs = {"acts", "race", "fight", "morning", "hurt", "set", "state", "classes"}
    for name in FORMS:
        address = (
            f"/c/{here.table.campaign.slug}/sessions/{here.session.number}/form/{name}/?actor={here.actor('akari')}"
        )
        player = client_of(here, "akari").get(address).status_code
        gm = client_of(here, "gm").get(address).status_code
        none_now = name in ("teach", "recovery", "classes")  # nothing to teach, nobody hurt, nothing settled
        assert gm == (404 if none_now or name == "give" else 200), name
        assert player == (404 if none_now or name in theirs else 200), name
        assert client_of(here, "watcher").get(address).status_code == 404


def test_boxes_of_a_form_are_read_as_people(day, client_of):
    """Several ticked boxes come to the game as it wants them."""
    here = day.here
    address = f"/c/{here.table.campaign.slug}/sessions/{here.session.number}/do/"
    members = [here.actor(name) for name in ("nagisa", "wolf")]
    sent = client_of(here, "gm").post(address + "fight.start/", {"field.actors": members})
    assert sent.status_code == 303, sent.content.decode()[:500]
    assert set(here.state("gm")["fight"]["members"]) == set(members)
    client_of(here, "gm").post(address + "fight.end/", {})
    cards = alice.hand(here, "akari")
    client_of(here, "gm").post(address + "morning.begin/", {"field.sleepless": [here.actor("nagisa")]})
    sent = client_of(here, "akari").post(
        address + "refresh/", {"field.actor": here.actor("akari"), "field.discards": cards[:2]}
    )
    assert sent.status_code == 303 and set(cards[:2]).isdisjoint(alice.hand(here, "akari")), sent.content.decode()[:500]
