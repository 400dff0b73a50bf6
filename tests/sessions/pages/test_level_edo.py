"""The page of 八百八町浮世草子 drawn live equals the page reloaded, as `test_live` has it of the toy game."""

from __future__ import annotations

import pytest

from sessions.actions import sessions, talk
from sessions.actions.undoing import undo
from sessions.present.page import draw_page
from sessions.selectors import state as states
from tests.sessions.pages import edo
from tests.sessions.table import PEOPLE
from tests.sessions.test_live import elements, told, viewer_of

COMMANDS = {
    "scene": lambda h: sessions.set_scene(access=h.at("gm"), title="大川端", text="夜霧。"),
    "scene undone": lambda h: (
        sessions.set_scene(access=h.at("gm"), title="大川端"),
        undo(access=h.at("gm"), reason="まだ橋の上"),
    ),
    "roll": lambda h: h.do("chiaki", "roll", actor="doctor", what="chikaku"),
    "blind roll": lambda h: h.do("gm", "roll", actor="spy", what="onmitsu", secrecy="blind"),
    "request": lambda h: h.do("gm", "request", what="chikaku", difficulty=15, text="橋の下"),
    "by hand": lambda h: h.do("gm", "actor.set", actor="hero", key="wounds", number=2, reason="落ちた"),
    "answer": lambda h: h.do("nagisa", "answer", step=h.state("gm")["step"], answer="none"),
    "the blow to its end": edo.settle,
    "end of the turn": lambda h: (edo.settle(h), h.do("gm", "turn.end")),
    "say": lambda h: talk.say(access=h.at("gm"), text="邪魔立ていたすか。", speaker=h.actor("ronin")),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_live_equals_reloaded(attacked, command):
    """By the process that wrote, and by another one that has just started."""
    here = attacked
    pages = {who: draw_page(here.session, viewer_of(here, who)) for who in PEOPLE}
    COMMANDS[command](here)
    live = {who: told(here, viewer_of(here, who), pages[who]) for who in PEOPLE}
    states.memory.clear()
    for who in PEOPLE:
        viewer = viewer_of(here, who)
        reloaded = elements(draw_page(here.session, viewer))
        assert live[who] == reloaded, who
        assert told(here, viewer, pages[who]) == reloaded, who
