"""The page drawn live equals the page reloaded, for every role after every command; and outsiders get no more frames
for a secret than for another."""

from __future__ import annotations

import re

import pytest

from characters.actions import members
from live.kinds import Viewer
from live.models import Event
from live.reading import _render
from sessions.actions import closing, counters, nudging, sessions, talk
from sessions.actions.notes import delete_note, save_note
from sessions.actions.undoing import open_entry, undo
from sessions.live import SessionTopics
from sessions.models import SessionNote
from sessions.present.page import Page, draw_page, fragments
from sessions.selectors import state as states
from sessions.selectors.log import log_page
from tests.sessions.table import PEOPLE, ready

pytestmark = pytest.mark.django_db
KIND = SessionTopics()


def _clock(here) -> int:
    return counters.start_counter(access=here.at("gm"), title="火の手", size=4).first


def _hidden(here) -> int:
    return next(event.seq for event in reversed(here.events()) if event.kind == "toy:sneaked")


def _newer(here) -> None:
    from characters.actions import builds

    here.table.edit("nagisa", here.people["hero"], level=3)
    builds.ask_review(access=here.table.view("nagisa", here.people["hero"]))
    builds.clear_character(access=here.table.view("gm", here.people["hero"]))
    sessions.refresh_sheet(access=here.at("gm"), character=here.people["hero"].pk)


def _join(here) -> None:
    third = ready(here.table, "chiaki", {"name": "佐吉", "level": 1, "luck": 1, "boss": False})
    sessions.join_cast(access=here.at("gm"), character=third.pk)


def _close(here) -> None:
    closing.decide_carry(access=here.at("gm"), actor=here.actor("hero"), accept=True)
    closing.close_session(access=here.at("gm"))


COMMANDS = {
    "throw": lambda h: h.do("nagisa", "throw", actor="hero"),
    "secret throw": lambda h: h.do("gm", "throw", actor="spy"),
    "sneak": lambda h: h.do("nagisa", "sneak", actor="hero"),
    "note of the game": lambda h: h.do("gm", "note", text="秘"),
    "hurt": lambda h: h.do("gm", "hurt", actor="hero", amount=1),
    "hurt an npc": lambda h: h.do("gm", "hurt", actor="foe", amount=1),
    "ask": lambda h: h.do("nagisa", "ask", actor="hero", target="friend"),
    "whisper": lambda h: h.do("gm", "whisper", actor="hero", text="陰"),
    "reveal": lambda h: h.do("gm", "reveal", actor="spy"),
    "override": lambda h: h.do("gm", "throw", actor="foe", override="理由"),
    "say": lambda h: talk.say(access=h.at("nagisa"), text="ほう"),
    "roll": lambda h: talk.say(access=h.at("nagisa"), text="3D6"),
    "roll in secret": lambda h: talk.say(access=h.at("nagisa"), text="S3D6"),
    "open": lambda h: open_entry(access=h.at("gm"), seq=_hidden(h)),
    "undo": lambda h: undo(access=h.at("gm"), reason="間違い"),
    "undo twice": lambda h: (undo(access=h.at("gm")), undo(access=h.at("gm"))),
    "scene": lambda h: sessions.set_scene(access=h.at("gm"), title="夕"),
    "clock": lambda h: counters.start_counter(access=h.at("gm"), title="橋番", size=4, shown=True),
    "clock of the gm": lambda h: counters.start_counter(access=h.at("gm"), title="火の手", size=4),
    "clock shown": lambda h: counters.turn_counter(access=h.at("gm"), counter=_clock(h), turn="show"),
    "clock taken back": lambda h: (_clock(h), undo(access=h.at("gm"))),
    "nudge": lambda h: nudging.nudge(access=h.at("gm"), seats=[h.table.seat("nagisa").pk]),
    "evening": lambda h: sessions.start_evening(access=h.at("gm")),
    "title": lambda h: sessions.edit_session(access=h.at("gm"), title="改"),
    "gm note": lambda h: save_note(access=h.at("gm"), text="裏の筋"),
    "own note": lambda h: save_note(access=h.at("nagisa"), text="私の"),
    "drop note": lambda h: delete_note(access=h.at("co"), note=SessionNote.objects.first().pk),
    "rename": lambda h: members.rename_seat(access=h.table.access("gm"), seat=h.table.seat("nagisa"), name="渚"),
    "remove": lambda h: members.remove_seat(access=h.table.access("gm"), seat=h.table.seat("chiaki")),
    "join": _join,
    "refresh": _newer,
    "ask for closing": lambda h: closing.ask_closing(access=h.at("gm")),
    "carry": lambda h: (
        closing.ask_closing(access=h.at("gm")),
        closing.decide_carry(access=h.at("nagisa"), actor=h.actor("hero"), accept=True),
    ),
    "play on while closing": lambda h: (
        closing.ask_closing(access=h.at("gm")),
        h.do("gm", "hurt", actor="friend", amount=1),
    ),
    "close": _close,
}


def busy(here):
    """A table in the middle of its evening."""
    here.do("gm", "hurt", actor="hero", amount=2)
    here.do("nagisa", "sneak", actor="hero")
    here.do("chiaki", "walk", actor="friend", text="岸")
    save_note(access=here.at("gm"), text="はじめの")
    talk.say(access=here.at("chiaki"), text="さて")
    return here


def viewer_of(here, who: str) -> Viewer | None:
    return KIND.viewer(here.table.users[who], here.session.topic, "ja")


def elements(page: Page) -> dict[str, str]:
    """What the page holds by element id; where something new is to be put is not part of it."""
    rows = [*page.own_panels.values(), *page.game_panels.values(), *page.rows]
    return {identity(html): plain(html) for html in rows}


def identity(html: str) -> str:
    return re.search(r'\bid="([^"]+)"', html)[1]  # type: ignore[index]


def plain(html: str) -> str:
    return re.sub(r' data-(prepend|append|after)="[^"]*"| data-new', "", html).strip()


def apply(shown: dict[str, str], found) -> None:
    """What live.js does with fragments."""
    for fragment in found:
        assert identity(fragment.html) == fragment.target_id
        if fragment.target_id in shown or "data-prepend" in fragment.html:
            shown[fragment.target_id] = plain(fragment.html)


def heard(here, viewer: Viewer, after: int) -> list:
    rows = Event.objects.filter(topic__name=here.session.topic, seq__gt=after).order_by("seq")
    found = [(row.seq, row.kind, KIND.project(row, viewer)) for row in rows if viewer.sees(row.audience)]
    return [item for item in found if item[2] is not None]


@pytest.mark.parametrize("command", COMMANDS)
def test_live_equals_reloaded(here, command):
    """By the process that wrote, and by another one that has just started."""
    busy(here)
    pages = {who: draw_page(here.session, viewer_of(here, who)) for who in PEOPLE}
    COMMANDS[command](here)
    viewers = {who: viewer for who in PEOPLE if (viewer := viewer_of(here, who))}  # of those removed it has ended
    live = {who: told(here, viewer, pages[who]) for who, viewer in viewers.items()}
    states.memory.clear()
    for who, viewer in viewers.items():
        reloaded = elements(draw_page(here.session, viewer))
        assert live[who] == reloaded, who
        assert told(here, viewer, pages[who]) == reloaded, who


def told(here, viewer: Viewer, page: Page) -> dict[str, str]:
    """The page after the stream told what came after it."""
    shown, news = elements(page), heard(here, viewer, page.view.seq)
    if news:
        apply(shown, fragments(here.session.topic, news, viewer))
    return shown


@pytest.mark.parametrize("who", PEOPLE)
def test_one_event_at_a_time_or_all_at_once(here, who):
    busy(here)
    viewer = viewer_of(here, who)
    page = draw_page(here.session, viewer)
    one, many = elements(page), elements(page)
    for command in ("throw", "whisper", "sneak", "undo twice", "roll", "reveal", "evening", "open"):
        COMMANDS[command](here)
    news = heard(here, viewer, page.view.seq)
    for item in news:
        apply(one, fragments(here.session.topic, [item], viewer))
    states.memory.clear()
    apply(many, fragments(here.session.topic, news, viewer))
    assert one == many == elements(draw_page(here.session, viewer))


def test_only_panels_that_differ_are_sent(here):
    busy(here)
    viewer = viewer_of(here, "chiaki")
    after = here.last().seq
    here.do("nagisa", "walk", actor="hero", text="岸")
    names = {fragment.target_id for fragment in fragments(here.session.topic, heard(here, viewer, after), viewer)}
    assert names == {f"entry-{after + 1}", "panel-state", "panel-undo"}  # her own last command is not the last any more
    talk.say(access=here.at("nagisa"), text="ほう")
    names = {fragment.target_id for fragment in fragments(here.session.topic, heard(here, viewer, after + 1), viewer)}
    assert names == {f"entry-{after + 2}"}


def test_one_group_costs_few_queries(here, django_assert_max_num_queries):
    busy(here)
    viewers = [viewer_of(here, who) for who in PEOPLE]
    after = here.last().seq
    here.do("nagisa", "throw", actor="hero")
    events = [row for row in here.events() if row.seq > after]
    # session, seats, cast, the newest commands and who saw them: once for all groups
    with django_assert_max_num_queries(5):
        for viewer in viewers:
            assert _render(KIND, here.session.topic, events, viewer)


def test_all_spectators_of_a_language_are_one_group(here):
    here.table.join("second", "spectator")
    one, two = viewer_of(here, "watcher"), viewer_of(here, "second")
    assert one.group == two.group != KIND.viewer(here.table.users["second"], here.session.topic, "en").group
    assert one.tokens == two.tokens == frozenset({"all"})


def test_a_secret_makes_the_same_frames_for_outsiders_whatever_it_is(here):
    busy(here)
    viewer = viewer_of(here, "watcher")
    sizes = set()
    for _ in range(4):
        after = here.last().seq
        talk.say(access=here.at("nagisa"), text="S1D100")
        found = fragments(here.session.topic, heard(here, viewer, after), viewer)
        sizes.add(tuple(len(re.sub(r"\d", "0", fragment.html)) for fragment in found))
    assert len(sizes) == 1


def test_a_fragment_holds_no_token_no_command_id_and_no_local_time(here):
    busy(here)
    after = here.last().seq
    for command in ("throw", "say", "scene", "gm note", "ask for closing"):
        COMMANDS[command](here)
    for who in PEOPLE:
        viewer = viewer_of(here, who)
        html = "".join(item.html for item in fragments(here.session.topic, heard(here, viewer, after), viewer))
        assert not re.search(r'name="(csrfmiddlewaretoken|command_id)" value="[^"]', html)
        assert all(
            re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", at) for at in re.findall(r'datetime="([^"]*)"', html)
        )


def test_the_log_is_read_a_hundred_at_a_time(here):
    for n in range(130):
        talk.say(access=here.at("nagisa"), text=f"{n}")
    viewer = viewer_of(here, "watcher")
    newest = log_page(here.session, viewer, {})
    assert len(newest.entries) == 100 and newest.entries[-1].data["text"] == "129" and newest.older is not None
    older = log_page(here.session, viewer, {}, before=newest.older)
    texts = [entry.data.get("text") for entry in (*older.entries, *newest.entries)]
    assert texts[-130:] == [str(n) for n in range(130)] and older.older is None
