"""The log as a file: JSON lines that show where they were altered, and text for people."""

from __future__ import annotations

import json

import pytest

from sessions.actions import sessions, talk
from sessions.actions.undoing import open_entry, undo
from sessions.present.export import first_altered, json_lines, text_lines

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening(here):
    sessions.set_scene(access=here.at("gm"), title="両国橋", text="霧雨")
    talk.say(access=here.at("nagisa"), text="邪魔立て\nいたすか", speaker=here.actor("hero"))
    here.do("nagisa", "throw", actor="hero")
    undo(access=here.at("gm"), reason="取り違え")
    talk.say(access=here.at("chiaki"), text="S2D6 そっと")
    open_entry(access=here.at("chiaki"), seq=here.last().seq)
    return here


def lines(here, who: str) -> list[str]:
    return list(json_lines(here.session, here.at(who).viewer()))


def test_the_file_says_what_it_is_and_who_did_what(evening):
    head, *rows = map(json.loads, lines(evening, "watcher"))
    assert (head["format"], head["format_version"], head["system"]) == ("takubiyori.log", "1.0", "toy")
    said = next(row for row in rows if row["kind"] == "talk.said")
    assert (said["by"], said["data"]["speaker"]) == ("nagisa", "新八郎")
    thrown = next(row for row in rows if row["kind"] == "toy:thrown")
    undone = next(row for row in rows if row["kind"] == "event.undone")
    assert thrown["undone"] == {"by": "雪村", "reason": "取り違え"} and thrown["draw"] == 0
    assert undone["data"] == {"first": thrown["n"], "last": thrown["n"], "reason": "取り違え"}
    opened = next(row for row in rows if row["kind"] == "entry.opened")
    assert "of" not in opened["data"]  # the hidden entry itself is not in this file
    own = [json.loads(line) for line in lines(evening, "chiaki")[1:]]
    assert next(row for row in own if row["kind"] == "entry.opened")["data"]["of"] == own[-2]["n"]


def test_an_altered_file_names_its_first_altered_line(evening):
    whole = lines(evening, "gm")
    assert first_altered(whole) is None
    for number in range(1, len(whole) + 1):
        forged = [*whole]
        row = json.loads(forged[number - 1])
        row["title" if number == 1 else "data"] = {"forged": True}
        forged[number - 1] = json.dumps(row, ensure_ascii=False)
        assert first_altered(forged) == number
    assert first_altered([*whole[:2], *whole[3:]]) == 3
    assert first_altered(["nonsense"]) == 1 and first_altered(["[" * 100_000]) == 1 and first_altered(["{}"]) == 1


def test_the_text_is_for_people(evening):
    text = "".join(text_lines(evening.session, evening.at("watcher").viewer()))
    for words in ("大川端捕物控　両国橋", "新八郎：邪魔立て\n    いたすか", "取り消し", "理由：取り違え", "ひそかに"):
        assert words in text
    english = "".join(text_lines(evening.session, evening.at("watcher").viewer("en")))
    assert "新八郎: " in english


def test_a_long_log_is_written_as_it_is_read(here, django_assert_max_num_queries):
    for n in range(230):
        talk.say(access=here.at("nagisa"), text=f"{n}")
    with django_assert_max_num_queries(12):
        assert len(lines(here, "watcher")) > 230
