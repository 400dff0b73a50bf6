"""Talk and the dice box: posted, refused with suggestions, secret and opened later."""

from __future__ import annotations

import pytest

from live.fairness import record
from live.models import Draw, Event
from rulesets.engine import fair
from sessions.actions import talk
from sessions.actions.talk import RollUnread
from sessions.actions.undoing import open_entry
from sessions.selectors.log import log_page
from tests.sessions.test_table import refusal

pytestmark = pytest.mark.django_db


def say(here, who: str, text: str, **kwargs):
    return talk.say(access=here.at(who), text=text, **kwargs)


def seen(here, who: str) -> list:
    return [(entry.kind, entry.data) for entry in log_page(here.session, here.at(who).viewer(), {}).entries]


def test_words_are_posted_as_they_are(here):
    said = say(here, "nagisa", " 邪魔立て\r\nいたすか <b>\u0000 ", command_id="w")
    assert said == say(here, "nagisa", "ほか", command_id="w")
    assert here.last().data == {"text": "邪魔立て\nいたすか <b>", "speaker": ""} and here.last().audience == ["all"]
    assert refusal(lambda: say(here, "nagisa", "  ")).field == "text"
    assert refusal(lambda: say(here, "nagisa", "あ" * 2001)).code == "too_long"
    assert refusal(lambda: say(here, "watcher", "見てます")).status == 403


def test_one_speaks_as_ones_own_character_the_gm_as_anybody(here):
    say(here, "nagisa", "参る", speaker=here.actor("hero"))
    assert here.last().data["speaker"] == "新八郎"
    say(here, "gm", "よかろう", speaker=here.actor("foe"))
    assert here.last().data["speaker"] == "有村"
    for actor in (here.actor("friend"), here.actor("foe"), "nobody"):
        assert refusal(lambda: say(here, "nagisa", "x", speaker=actor)).status == 403


def test_nobody_speaks_as_somebody_unseen(here):
    """A name beside a line would tell that they are there; what they roll in secret tells nobody's."""
    before = here.last().seq
    for line in ("だれだ", "3D6"):
        assert refusal(lambda line=line: say(here, "gm", line, speaker=here.actor("spy"))).code == "unseen"
    assert here.last().seq == before
    say(here, "gm", "S3D6", speaker=here.actor("spy"))
    assert seen(here, "watcher")[-1] == ("talk.rolled_secretly", {"speaker": ""})
    assert seen(here, "co")[-1][1]["speaker"] == "忍び"
    here.do("gm", "reveal", actor="spy")
    say(here, "gm", "わたしだ", speaker=here.actor("spy"))
    assert here.last().data["speaker"] == "忍び"


def test_a_command_line_is_rolled_with_verifiable_dice(here):
    said = say(here, "nagisa", "3D6+2 斬り")
    event = here.last()
    roll = event.data["roll"]
    assert said.what == "rolled" and said.seq == event.seq and event.kind == "talk.rolled"
    assert [sides for sides, _face in roll["dice"]] == [6, 6, 6] and roll["comment"] == "斬り"
    assert roll["total"] == sum(face for _sides, face in roll["dice"]) + 2
    [draw] = record(here.session.topic, here.at("watcher").viewer())["draws"]
    faces = fair.recompute(bytes.fromhex(draw["key"]), here.session.topic, draw["number"], [], draw["requests"])
    assert faces == draw["values"] == [face for _sides, face in roll["dice"]]


@pytest.mark.parametrize(
    ("line", "mode", "what"),
    [
        ("こんにちは", "auto", "said"),
        ("10時に集合", "auto", "said"),
        ("2D6", "auto", "rolled"),
        ("２ｄ６＋１", "auto", "rolled"),
        ("2D6", "say", "said"),
        ("?2D6", "auto", "odds"),
    ],
)
def test_one_box_takes_both(here, line, mode, what):
    events = Event.objects.count()
    assert say(here, "nagisa", line, mode=mode).what == what
    assert Event.objects.count() == events + (what != "odds")


@pytest.mark.parametrize(
    ("line", "mode"),
    [("こんにちは", "roll"), ("2D6>=", "auto"), ("9999D6", "auto"), ("2D6>=", "roll"), ("3K6", "roll")],
)
def test_a_line_that_cannot_be_rolled_is_answered_and_not_posted(here, line, mode):
    events = Event.objects.count()
    refused = refusal(lambda: say(here, "nagisa", line, mode=mode))
    assert isinstance(refused, RollUnread) and refused.status == 422 and refused.field == "text" and refused.message
    assert Event.objects.count() == events and not Draw.objects.exists()


def test_a_near_miss_comes_with_suggestions(here):
    refused = refusal(lambda: say(here, "nagisa", "2D6>=", mode="roll"))
    assert refused.suggestions


def test_a_secret_roll_is_the_rollers_and_the_gms_until_it_is_told(here):
    before = Event.objects.count()
    say(here, "nagisa", "S3D6 忍ぶ")
    assert Event.objects.count() == before + 2
    hidden = here.last()
    assert hidden.audience == sorted(["gm", here.table.seat("nagisa").audience])
    for who in ("chiaki", "watcher"):
        assert seen(here, who)[-1] == ("talk.rolled_secretly", {"speaker": ""})
        assert record(here.session.topic, here.at(who).viewer())["draws"] == []
    for who in ("nagisa", "gm", "co"):
        assert seen(here, who)[-1][0] == "talk.rolled"
        assert len(record(here.session.topic, here.at(who).viewer())["draws"]) == 1
    for who in ("chiaki", "watcher"):
        assert refusal(lambda: open_entry(access=here.at(who), seq=hidden.seq)).status == 404
    open_entry(access=here.at("nagisa"), seq=hidden.seq, command_id="o")
    open_entry(access=here.at("nagisa"), seq=hidden.seq, command_id="o")
    kind, data = seen(here, "watcher")[-1]
    assert kind == "entry.opened" and data["data"]["roll"] == hidden.data["roll"] and data["of"] == hidden.seq
    assert len(record(here.session.topic, here.at("watcher").viewer())["draws"]) == 1
    assert refusal(lambda: open_entry(access=here.at("gm"), seq=hidden.seq)).code == "open"


def test_gms_open_what_the_game_hid_and_only_what_it_shows(here):
    here.do("nagisa", "sneak", actor="hero")
    sneaked = next(event for event in here.events() if event.kind == "toy:sneaked")
    assert refusal(lambda: open_entry(access=here.at("nagisa"), seq=sneaked.seq)).status == 403
    open_entry(access=here.at("co"), seq=sneaked.seq)
    kind, data = seen(here, "watcher")[-1]
    assert (kind, data["kind"], set(data["data"])) == ("entry.opened", "toy:sneaked", {"actor", "face"})
    assert len(record(here.session.topic, here.at("watcher").viewer())["draws"]) == 1
    setup = next(event for event in here.events() if event.kind == "session.setup")
    for seq in (setup.seq, 1, 9999, sneaked.seq - 1):
        assert refusal(lambda: open_entry(access=here.at("gm"), seq=seq)).status in (404, 409)
