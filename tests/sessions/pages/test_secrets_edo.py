"""An evening full of secrets, each a word found nowhere else: none is in a byte for those who may not know it, neither
while it happens nor afterwards, before an undo, after it and when the log is closed (issue: bar 3)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from characters.actions import members
from characters.actions import notes as sheet_notes
from characters.actions.builds import save_build
from characters.actions.errors import ActionRefused
from live.reading import _render
from sessions.actions import closing, counters, sessions, talk
from sessions.actions.issuing import issue
from sessions.actions.notes import save_note
from sessions.actions.undoing import undo
from sessions.live import SessionTopics
from sessions.models import GameSession
from sessions.present.edo.forms.base import FORMS
from sessions.selectors.closing import proposals
from sessions.selectors.state import standing
from sessions.selectors.table import place
from tests.factories import UserFactory
from tests.sessions.pages import edo
from tests.sessions.pages.conftest import address
from tests.sessions.table import Session

pytestmark = pytest.mark.django_db
KIND = SessionTopics()
HREF = re.compile(r'(?:href|hx-get)="(/[^"#]*)')

GMS, ROLLER = {"gm", "co"}, {"gm", "co", "nagisa"}
# word -> who may ever read it
SECRETS: dict[str, set[str]] = {
    edo.HIDDEN_NPC: GMS,
    "影の鉄砲組": GMS,  # a hidden mob
    "影の頭目": GMS,  # one of it, promoted
    "遅参の影松": GMS,  # joined later, hidden
    "橋桁の裏": GMS,  # where she is
    "極秘の理由": GMS,  # a value set by hand
    "極秘の矢傷": GMS,  # a wound
    "極秘の忍び足": GMS,  # a blind roll
    "極秘の所作": GMS,  # an act in the fight
    "曲げた極秘": GMS,  # a rule set aside for it
    "内緒の取り消し": GMS,  # the reason of an undo of something hidden
    "裏筋の題": GMS,
    "裏筋の文": GMS,
    "裏書きの生業": GMS,  # on the sheet of an NPC
    "忍び寄る火の手": GMS,  # a hidden clock
    "取り消した覚え": GMS,  # a hidden roll that was taken back
    "盲の問い": ROLLER,  # a request to one, whose answer the GM alone sees
    "耳打ちの問い": ROLLER,  # a request to one
    "秘めた願い": ROLLER,  # a roll for oneself and the GM
    "懐の賽": ROLLER,  # a secret line of the dice box
    "胸のうち": {"nagisa"},  # a player's own note
    "渚の日記": {"nagisa"},  # on her sheet, for herself
}
OUTSIDERS = ("nagisa", "chiaki", "watcher", "removed", "stranger")


def leaks(who: str, where: str, text: str) -> list[str]:
    return [f"{word} for {who} in {where}" for word, may in SECRETS.items() if word in text and who not in may]


class Ears:
    """Every frame of the stream to each of those who may not know everything, in both languages, as it happens."""

    def __init__(self, here: Session) -> None:
        self.here, self.seq = here, 0
        self.heard: dict[tuple[str, str], bytes] = {}
        users = {**here.table.users, "stranger": UserFactory()}
        self.users = {who: users[who] for who in (*OUTSIDERS, "co")}
        self.listen()

    def listen(self) -> None:
        events = [event for event in self.here.events() if event.seq > self.seq]
        self.seq = events[-1].seq if events else self.seq
        for who, user in self.users.items():
            for lang in ("ja", "en"):
                viewer = KIND.viewer(user, self.here.session.topic, lang)
                frame = _render(KIND, self.here.session.topic, events, viewer).plain if viewer is not None else b""
                self.heard[who, lang] = self.heard.get((who, lang), b"") + frame

    def leaks(self) -> list[str]:
        return [line for (who, _), told in self.heard.items() for line in leaks(who, "the stream", told.decode())]


def everything(here: Session, user: Any, lang: str) -> dict[str, str]:
    """Address -> what somebody gets there, of all there is about a table: page, forms, log to its beginning, files."""
    client = Client()
    client.force_login(user)
    client.cookies["lang"] = lang
    base, spy = address(here), here.actor("spy")
    todo = [base, *(base + name for name in ("state.json", "log/", "log.txt", "log.jsonl"))]
    todo += [f"/fair/{here.session.topic}/", f"/fair/{here.session.topic}/record.json"]
    todo += [f"/c/{here.table.campaign.slug}/", f"/p/{here.people['spy'].slug}/", f"/p/{here.people['spy'].slug}.json"]
    if user == here.table.users["nagisa"]:  # the only one of them with somebody to act for
        todo += [f"{base}form/{name}/?actor={here.actor('hero')}&target={spy}" for name in FORMS]
        todo += [f"{base}form/attack/?forecast=1&actor={here.actor('hero')}&target={spy}"]
    found: dict[str, str] = {}
    while todo:
        url = todo.pop()
        response = client.get(url)
        assert response.status_code in (200, 302, 404), url
        body = b"".join(response.streaming_content) if response.streaming else response.content
        found[url] = body.decode() + str(dict(response.headers))
        older = [link for link in HREF.findall(found[url]) if "before=" in link]
        todo += [link.replace("&amp;", "&") for link in older if link.replace("&amp;", "&") not in found]
    for name in ("attack", "opposed", "first_aid"):
        data = {"arm": "1", "what": "chikaku", "target_what": "chikaku"}
        for acts, target in ((spy, here.actor("hero")), (here.actor("hero"), spy)):
            for way in ("odds", "do"):
                sent = {"data": {**data, "actor": acts, "target": target}}
                answer = client.post(f"{base}{way}/{name}/", sent, content_type="application/json")
                assert way == "odds" or answer.status_code >= 400, name
                found[f"{way}/{name} of {acts}"] = answer.content.decode()
    return found


@pytest.fixture
def haunted(db) -> tuple[Session, Ears]:
    """An evening with something to hide in every command that can hide something, and enough talk for older pages."""
    here = edo.planned()
    table = here.table
    table.join("removed")
    here.people["mob"] = edo.npc(table, "N03", "影の鉄砲組", count=2)
    here.people["late"] = edo.npc(table, "N12", "遅参の影松")
    table.edit("gm", here.people["spy"], occupation="裏書きの生業")
    clear(here, "spy")
    mine = table.view("nagisa", here.people["hero"])
    sheet_notes.save_note(access=mine, title="", text="渚の日記", visibility="owner")
    cast = [one.pk for name, one in here.people.items() if name != "late"]
    hidden = [here.people[name].pk for name in ("spy", "mob")]
    sessions.start_session(access=here.at("gm"), cast=cast, hidden=hidden)
    here.session = GameSession.objects.get(pk=here.session.pk)
    ears = Ears(here)
    for step in (*quietly(here), *in_a_fight(here)):
        step()
        ears.listen()
    return here, ears


def clear(here: Session, who: str) -> None:
    save_build(access=here.table.view("gm", here.people[who]))
    here.people[who].refresh_from_db()


def quietly(here: Session) -> list[Callable[[], object]]:
    """What goes on unseen before swords are drawn."""
    gm, nagisa = lambda: here.at("gm"), lambda: here.at("nagisa")
    spy, mob, hero = (here.actor(who) for who in ("spy", "mob", "hero"))
    promoted = {"actor": f"{mob}#1", "role": "support", "title": "影の頭目"}
    return [
        lambda: sessions.start_evening(access=gm()),
        lambda: [talk.say(access=here.at("chiaki"), text=f"その{n}") for n in range(60)],
        lambda: save_note(access=gm(), text="裏筋の文", title="裏筋の題"),
        lambda: save_note(access=nagisa(), text="胸のうち"),
        lambda: here.do("gm", "actor.enter", actors=spy, hidden=True, place="橋桁の裏"),
        lambda: here.do("gm", "actor.enter", actors=mob, hidden=True, drawn=True),
        lambda: here.do("gm", "actor.set", actor="spy", key="kp", number=7, reason="極秘の理由"),
        lambda: here.do("gm", "actor.hurt", actor="spy", amount=1, reason="極秘の矢傷"),
        lambda: here.do("gm", "roll", actor="spy", what="onmitsu", text="極秘の忍び足"),
        lambda: here.do("gm", "roll", actor="hero", what="onmitsu", secrecy="blind", text="極秘の忍び足"),
        lambda: here.do("nagisa", "roll", actor="hero", what="chikaku", secrecy="private", text="秘めた願い"),
        lambda: here.do("gm", "request", actors=hero, what="chikaku", secrecy="private", text="耳打ちの問い"),
        lambda: here.do("nagisa", "request.answer", actor="hero", request=newest_request(here), faces="6,5,1"),
        lambda: here.do("gm", "request", actors=hero, what="chikaku", secrecy="blind", text="盲の問い"),
        lambda: here.do("nagisa", "request.answer", actor="hero", request=newest_request(here), faces="6,5,1"),
        lambda: talk.say(access=nagisa(), text="S3D6 懐の賽"),
        lambda: talk.say(access=gm(), text="S3D6 極秘の理由", speaker=spy),
        lambda: refused(lambda: talk.say(access=gm(), text="だれも知るまい", speaker=spy)),
        lambda: sessions.join_cast(access=gm(), character=here.people["late"].pk, hidden=True),
        lambda: sessions.refresh_sheet(access=gm(), character=edited(here)),
        lambda: here.do("gm", "mob.add", group=mob, count=1),
        lambda: issue(access=gm(), name="mob.promote", data=promoted),
        lambda: counters.start_counter(access=gm(), title="忍び寄る火の手", size=4),
        lambda: counters.turn_counter(access=gm(), counter=here.last().data["counter"], turn="step"),
        lambda: here.do("gm", "roll", actor="spy", what="onmitsu", text="取り消した覚え"),
        lambda: undo(access=gm(), reason="内緒の取り消し"),
    ]


def in_a_fight(here: Session) -> list[Callable[[], object]]:
    """She stands in the turn order and acts; nobody who does not see her can tell whose turn it is."""
    return [
        lambda: here.do("gm", "actor.enter", actors=here.actor("ronin"), drawn=True),
        lambda: here.do("gm", "fight.start"),
        lambda: here.do("gm", "turn.to", actor="hero"),
        lambda: here.do("gm", "act", actor="spy", text="極秘の所作", override="曲げた極秘"),
        lambda: here.do("gm", "turn.to", actor="spy"),
    ]


def newest_request(here: Session) -> str:
    return str(here.state("gm")["requests"][-1]["id"])


def edited(here: Session) -> int:
    """A newer sheet of hers."""
    here.table.edit("gm", here.people["spy"], occupation="裏書きの生業、いまは茶屋の女")
    clear(here, "spy")
    return here.people["spy"].pk


def refused(do: Callable[[], object]) -> None:
    with pytest.raises(ActionRefused, match="姿を隠して"):
        do()


def to_take_home(here: Session) -> list[str]:
    """Who has to say something before the log may close."""
    closing.ask_closing(access=here.at("gm"))
    found = proposals(here.session, standing(here.session, *place(here.session)))
    return [one.member.actor for one in found if one.needs_word]


def all_leaks(here: Session, ears: Ears, lang: str) -> list[str]:
    return [
        line
        for who in OUTSIDERS
        for url, text in everything(here, ears.users[who], lang).items()
        for line in leaks(who, url, text)
    ]


def test_no_secret_of_an_evening_reaches_anybody_it_is_not_for(haunted):
    here, ears = haunted
    members.remove_seat(access=here.table.access("gm"), seat=here.table.seat("removed"))
    assert ears.leaks() == []
    # The words are where they may be: else the test would prove nothing.
    told = ears.heard["co", "ja"].decode() + "".join(everything(here, ears.users["co"], "ja").values())
    assert {word for word, may in SECRETS.items() if "co" in may and word not in told} == set()
    told = "".join(everything(here, ears.users["nagisa"], "ja").values())
    assert {word for word, may in SECRETS.items() if "nagisa" in may and word not in told} == {"渚の日記"}
    assert all_leaks(here, ears, "ja") == []
    for _command in range(8):  # back to where the mob was called in
        undo(access=here.at("gm"))
        ears.listen()
    assert ears.leaks() == []
    assert all_leaks(here, ears, "en") == []

    for one in to_take_home(here):
        closing.decide_carry(access=here.at("gm"), actor=one, accept=True)
    closing.close_session(access=here.at("gm"))
    ears.listen()
    assert ears.leaks() == []  # the dice are free now, and nothing else
    assert all_leaks(here, ears, "ja") == []
