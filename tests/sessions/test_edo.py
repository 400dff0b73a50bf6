"""八百八町浮世草子 at the table: what the session promises of any game holds for this one."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from django.db import transaction

from characters.actions import pool
from characters.actions.characters import transfer_character
from characters.actions.errors import ActionRefused
from characters.models import PlayResult
from live.fairness import record
from live.models import Draw, Event
from sessions.actions import closing, sessions
from sessions.actions.issuing import issue
from sessions.actions.undoing import open_entry, undo
from sessions.models import GameSession
from sessions.present.page import draw_page
from sessions.projection import eyes
from sessions.selectors import state as states
from sessions.selectors.log import log_page
from sessions.selectors.table import place
from tests.factories import WORKED_EXAMPLE, make_table
from tests.sessions.table import PEOPLE, Session, ready

pytestmark = pytest.mark.django_db

FOE = {**WORKED_EXAMPLE, "names.given": "左内", "names.family": "有村", "possessions.1.id": "daito"}


def edo_table() -> Session:
    table = make_table("nagisa", "chiaki")
    table.join("co", "co_gm")
    table.join("watcher", "spectator")
    for name in ("nagisa", "chiaki"):
        pool.allocate(access=table.access("gm"), seat=table.seat(name), points=300)
    armed = {**WORKED_EXAMPLE, "possessions.1.id": "daito"}
    people = {
        "hero": ready(table, "nagisa", armed),
        "friend": ready(table, "chiaki", {**armed, "names.given": "佐吉"}),
        "foe": ready(table, "gm", FOE, kind="npc"),
        "spy": ready(table, "gm", {**FOE, "names.given": "夜鷹"}, kind="npc"),
        "mob": ready(table, "gm", {**FOE, "names.given": "侍"}, kind="npc", count=3),
    }
    session = sessions.plan_session(access=table.access("gm"), title="両国橋")
    here = Session(table, session, people)
    cast = [character.pk for character in people.values()]
    sessions.start_session(access=here.at("gm"), cast=cast, hidden=[people["spy"].pk])
    here.session.refresh_from_db()
    return here


@pytest.fixture(scope="module")
def _edo(django_db_setup, django_db_blocker) -> Iterator[Session]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield edo_table()
        transaction.set_rollback(True)


@pytest.fixture
def edo(_edo, django_db_blocker) -> Iterator[Session]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield Session(_edo.table, GameSession.objects.get(pk=_edo.session.pk), _edo.people)
        transaction.set_rollback(True)


def do(here: Session, who: str, name: str, **data):
    data = {key: here.actor(value) if value in here.people else value for key, value in data.items()}
    now = states.standing(here.session, *place(here.session)).state
    return issue(access=here.at(who), name=name, data=data, expected_step=now.step)


EVENING = [
    ("gm", "evening.start", {}),
    ("gm", "scene.set", {"title": "暮れ六ツ", "text": "霧雨"}),
    ("nagisa", "roll", {"actor": "hero", "what": "chikaku", "difficulty": 15}),
    ("chiaki", "roll", {"actor": "friend", "what": "chikaku", "difficulty": 15, "secrecy": "private"}),
    ("gm", "roll", {"actor": "hero", "what": "onmitsu", "secrecy": "blind", "text": "内密"}),
    ("gm", "request", {"what": "chikaku", "difficulty": 15}),
    ("gm", "actor.enter", {"actors": "foe"}),
    ("gm", "actor.enter", {"actors": "spy", "hidden": True}),
    ("gm", "actor.enter", {"actors": "mob"}),
    ("gm", "roll", {"actor": "spy", "what": "onmitsu"}),
    ("gm", "actor.hurt", {"actor": "foe", "amount": 2, "reason": "矢"}),
    ("gm", "actor.hurt", {"actor": "spy", "amount": 1, "reason": "棘"}),
    ("gm", "actor.hurt", {"actor": "hero", "amount": 3, "reason": "転んだ"}),
    ("nagisa", "coincidence.propose", {"actor": "hero", "text": "提灯が落ちる"}),
    ("gm", "fight.start", {}),
    ("gm", "actor.show", {"actors": "spy"}),
    ("gm", "turn.to", {"actor": "hero"}),
    ("nagisa", "move", {"actor": "hero", "ken": 3}),
    ("nagisa", "draw", {"actor": "hero", "arm": "1"}),
    ("gm", "distance.set", {"actor": "hero", "target": "foe", "ken": 1}),
    ("nagisa", "attack", {"actor": "hero", "target": "foe", "arm": "1"}),
    ("gm", "answer", {"answer": "none"}),
    ("gm", "answer", {"answer": "none"}),
    ("nagisa", "answer", {"answer": "none"}),
    ("gm", "numbers.show", {"actor": "foe"}),
    ("gm", "turn.end", {}),
    ("gm", "day.tick", {}),
]


def level_for_everybody(here: Session) -> None:
    """Whoever saw the last event meant for them sees the state as it is now (`table.changed` fills the gaps)."""
    seq, head = place(here.session)
    now = states.standing(here.session, seq, head)
    rows = here.events()
    for who in PEOPLE:
        viewer = here.at(who).viewer()
        last = next(row for row in reversed(rows) if viewer.sees(row.audience))
        then = states.standing(here.session, last.seq, last.hash)
        assert now.game.project_state(now.state, eyes(viewer)) == then.game.project_state(then.state, eyes(viewer)), who


def test_an_evening_keeps_every_promise(edo):
    here, done, seen = edo, 0, []
    for who, name, data in EVENING:
        before = states.standing(here.session, *place(here.session)).state
        try:
            do(here, who, name, **data)
        except ActionRefused as refused:
            assert refused.message and refused.code not in ("failed", "too_large"), (name, refused.code)
            continue
        done += 1
        seen.append(before)
        level_for_everybody(here)
    assert done >= len(EVENING) - 6, "most of the evening has to happen"
    seq, head = place(here.session)
    states.memory.clear()
    kept = states.standing(here.session, seq, head)
    assert kept.state == states.fold_from_start(here.session, seq).state
    for expected in reversed(seen):
        undo(access=here.at("gm"))
        assert states.standing(here.session, *place(here.session)).state == expected
        level_for_everybody(here)


def test_keys_follow_the_eyes(edo):
    do(edo, "nagisa", "roll", actor="hero", what="chikaku", difficulty=15)
    do(edo, "chiaki", "roll", actor="friend", what="chikaku", difficulty=15, secrecy="private")
    do(edo, "gm", "roll", actor="hero", what="onmitsu", secrecy="blind")
    chiaki = edo.table.seat("chiaki").audience
    assert [draw.audience for draw in Draw.objects.all()] == [["all"], sorted(["gm", chiaki]), ["gm"]]
    hidden = [event for event in edo.events() if event.kind == "edo:roll" and event.audience == ["gm"]]
    do(edo, "gm", "roll.open", roll=hidden[-1].data["roll"])
    assert [draw.number for draw in Draw.objects.all() if "all" in draw.audience] == [0, 2]
    assert len(record(edo.session.topic, edo.at("watcher").viewer())["draws"]) == 2


def test_told_dice_use_no_draw(edo):
    do(edo, "nagisa", "roll", actor="hero", what="chikaku", difficulty=15, faces="6,5,1")
    assert not Draw.objects.exists()


@pytest.mark.parametrize("who", ["chiaki", "watcher"])
def test_the_hidden_do_not_exist_for_others(edo, who):
    for author, name, data in EVENING[:14]:
        do(edo, author, name, **data)
    undo(access=edo.at("gm"))
    viewer = edo.at(who).viewer()
    log = json.dumps([entry.data for entry in log_page(edo.session, viewer, {}).entries], ensure_ascii=False)
    state = json.dumps(edo.state(who), ensure_ascii=False, default=str)
    for word in ("夜鷹", "内密"):
        assert word not in log and word not in state
    assert "夜鷹" in json.dumps(edo.state("co"), ensure_ascii=False, default=str)


def test_wounds_go_home_and_come_back(edo):
    do(edo, "gm", "actor.hurt", actor="hero", amount=3, reason="転んだ")
    closing.decide_carry(access=edo.at("nagisa"), actor=edo.actor("hero"), accept=True)
    closing.close_session(access=edo.at("gm"))
    result = PlayResult.objects.get(character=edo.people["hero"])
    assert result.play["wounds"] == 3 and result.changes and result.changes[0]["label"]["ja"]
    second = sessions.plan_session(access=edo.table.access("gm"), title="二")
    again = Session(edo.table, second, edo.people)
    sessions.start_session(access=again.at("gm"), cast=[edo.people["hero"].pk])
    again.session.refresh_from_db()
    now = states.standing(again.session, *place(again.session)).state
    assert now.actors[edo.actor("hero")].wounds == 3


def test_newer_sheets_and_newcomers(edo):
    from characters.actions import builds

    table, hero = edo.table, edo.people["hero"]
    table.edit("nagisa", hero, endurance_bought=3)
    builds.ask_review(access=table.view("nagisa", hero))
    builds.clear_character(access=table.view("gm", hero))
    sessions.refresh_sheet(access=edo.at("gm"), character=hero.pk)
    late = ready(table, "gm", {**FOE, "names.given": "遅参"}, kind="npc", count=2)
    sessions.join_cast(access=edo.at("gm"), character=late.pk, hidden=True)
    assert "遅参" not in json.dumps(edo.state("nagisa"), ensure_ascii=False, default=str)
    do(edo, "gm", "actor.enter", actors=f"c{late.pk}")
    level_for_everybody(edo)
    undo(access=edo.at("gm"))
    undo(access=edo.at("gm"))
    undo(access=edo.at("gm"))
    assert Event.objects.filter(kind="event.undone").count() == 3


def test_a_character_that_was_given_away_is_played_by_its_new_owner_once_the_gm_takes_it_over(edo):
    hero, gm = edo.people["hero"], edo.at("gm")
    with pytest.raises(ActionRefused) as refused:
        sessions.refresh_sheet(access=gm, character=hero.pk)
    assert refused.value.code == "nothing_new"
    transfer_character(access=edo.table.view("gm", hero), seat=edo.table.seat("chiaki"))
    assert "いまはchiakiさんの役" in draw_page(edo.session, gm.viewer()).own_panels["manage"]
    with pytest.raises(ActionRefused):
        do(edo, "chiaki", "roll", actor="hero", what="chikaku")
    sessions.refresh_sheet(access=gm, character=hero.pk)
    do(edo, "chiaki", "roll", actor="hero", what="chikaku")
    with pytest.raises(ActionRefused):
        do(edo, "nagisa", "roll", actor="hero", what="chikaku")
    assert "いまは" not in draw_page(edo.session, gm.viewer()).own_panels["manage"]
    level_for_everybody(edo)


def test_opening_one_of_two_hidden_throws_of_a_press_keeps_the_key_of_both(edo):
    """A key opens all dice of its press: the points of the other NPC would be told with it."""
    do(edo, "gm", "actor.enter", actors=f"{edo.actor('foe')},{edo.actor('spy')}")
    first, second = (event for event in edo.events() if event.kind == "edo:kp.npc")
    assert first.data["@"]["draw"] == second.data["@"]["draw"]
    for event in (first, second):
        open_entry(access=edo.at("gm"), seq=event.seq)
    assert [draw.audience for draw in Draw.objects.filter(topic__name=edo.session.topic)] == [["gm"]]
