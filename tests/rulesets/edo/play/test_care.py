"""Mornings, care and closing over many days, and who may know of them (rules §6.5, §8)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rulesets import services
from rulesets.edo.play.person import Person
from rulesets.edo.play.state import State
from rulesets.engine.dice import ScriptedDice
from rulesets.engine.play import GM, Actor, Command, Event, Refused, Viewer, carry_out, replay, shown

PLAY = services.play("edo")
GMS = Actor("1", "gm")
PLAYER = Viewer(frozenset({"all", "seat:2"}), "player", "2")
GM_EYES = Viewer(frozenset({"all", *GM, "seat:1"}), "gm", "1")


def build(**more: Any) -> dict[str, Any]:
    found = {
        "role": "support",
        "abilities": {"mind": 6, "gi": 6, "body": 6},
        "skills": [{"id": "kenjutsu", "level": 4}, {"id": "ijutsu", "level": 3}],
        "possessions": [{"id": "daito"}, {"id": "bo_shuriken"}],
        "names": {"given": "名"},
    }
    return {**found, **more}


def entry(actor: str, kind: str, play: Mapping[str, Any] | None = None) -> dict[str, Any]:
    seat = "2" if kind == "pc" else ""
    return {"id": actor, "kind": kind, "name": actor, "seat": seat, "build": build(), "play": dict(play or {})}


def begin(*cast: dict[str, Any], **rules: Any) -> State:
    found: State = PLAY.start({"house_rules": rules, "cast": list(cast), "seats": []})
    return found


def done(state: State, name: str, faces: tuple[int, ...] = (), **data: Any) -> tuple[State, list[Event]]:
    dice = ScriptedDice(faces)
    found = carry_out(PLAY, state, Command(name, data, "2026-05-09T12:00:00Z"), GMS, dice)
    assert not isinstance(found, Refused), f"{name} {data}: {found}"
    dice.finish()
    return found[0], list(found[1])


DAYS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.booleans()), max_size=25)


@given(days=DAYS, wounds=st.integers(0, 5))
def test_hunger_keeps_its_bounds_and_replays(days: list[tuple[int, int, bool]], wounds: int) -> None:
    """Never below 0, never more than is left; helpless exactly at 0; events give the same state again."""
    first = state = begin(entry("a", "pc", {"wounds": wounds}))
    told: list[Event] = []
    for slept, meals, dry in days:
        before = state.actors["a"]
        if before.life.state == "dead" or before.needs.hours_awake > 20 or slept == 0:
            slept = 8
        state, events = done(state, "day.tick", slept=slept, meals=meals, no_water=dry, actors="a")
        told += events
        one = state.actors["a"]
        left = Person(state.tables, one).endurance
        assert 0 <= one.hunger_loss <= 6 - wounds
        assert one.wounds == wounds
        assert one.life.state in ("alive", "helpless", "dead")
        assert (one.life.state == "alive") == (left > 0)
        if meals and before.life.state != "dead":
            assert one.hunger_loss == max(0, before.hunger_loss - 1)
    assert replay(PLAY, first, told) == state


def test_the_third_day_without_help_kills() -> None:
    state = begin(entry("a", "pc"))
    lives = []
    for _ in range(7):
        state, _events = done(state, "day.tick", meals=0, no_water=True, actors="a")
        lives.append((state.actors["a"].life.state, state.actors["a"].life.days, state.actors["a"].hunger_loss))
    assert lives[:3] == [("alive", 0, 2), ("alive", 0, 4), ("helpless", 1, 6)]
    assert lives[3:6] == [("helpless", 2, 6), ("helpless", 3, 6), ("dead", 0, 6)]


@given(hours=st.lists(st.integers(1, 30), min_size=1, max_size=6), deadline=st.integers(0, 40))
def test_a_serious_wound_costs_a_point_each_hour_however_time_is_cut(hours: list[int], deadline: int) -> None:
    """Passing time in pieces is passing it at once."""
    care = {"serious": True, "serious_deadline": 8 + deadline}
    start = begin(entry("a", "npc", {"wounds": 1, "care": care}))
    pieces = start
    for some in hours:
        pieces, _events = done(pieces, "time.pass", hours=some)
    whole, _events = done(start, "time.pass", hours=sum(hours))
    assert pieces.actors["a"] == whole.actors["a"]
    assert pieces.clock == whole.clock
    lost = max(0, sum(hours) - deadline + 1)
    assert whole.actors["a"].wounds == 1 + min(lost, 5)
    assert (whole.actors["a"].life.state == "dead") == (lost >= 5)


def test_each_change_says_why_and_by_which_rule() -> None:
    state = begin(entry("a", "pc", {"wounds": 2}), track_money=True)
    steps: list[tuple[str, tuple[int, ...], dict[str, Any]]] = [
        ("first_aid", (6, 5, 1), {"actor": "a", "target": "a"}),
        ("money.change", (), {"actor": "a", "mon": 40, "reason": "日銭"}),
        ("day.tick", (), {"meals": 0, "slept": 2}),
        ("recovery.roll", (1, 1, 2), {"actor": "a"}),
        ("illness", (), {"actor": "a", "points": 1, "reason": "流行り風邪"}),
    ]
    seen = 0
    for name, faces, data in steps:
        state, events = done(state, name, faces, **data)
        for event in events:
            for change in event.data.get("outcome", {}).get("changes", ()):
                seen += 1
                assert change["reason"]["text"]["ja"] and change["reason"]["text"]["en"], change
                assert change["reason"]["rule"].startswith("§"), change
    assert seen >= 8


def test_what_goes_home_is_what_the_next_table_begins_with() -> None:
    state = begin(entry("a", "pc"), entry("n", "npc"), serious_wound_rule=True)
    for key, value in (("wounds", 3), ("hunger_loss", 1), ("meal_miss_days", 2)):
        state, _events = done(state, "actor.set", actor="a", key=key, number=value, reason="覚え")
    state, _events = done(state, "actor.set", actor="a", key="fatigued", on=True, reason="覚え")
    state, _events = done(state, "actor.set", actor="a", key="arm_broken", arm="1", number=1, reason="覚え")
    state, _events = done(state, "actor.set", actor="a", key="serious", on=True, reason="覚え")
    state, _events = done(state, "actor.set", actor="a", key="life", word="unconscious", reason="覚え")
    home = {carried.actor: carried for carried in PLAY.close(state)}
    assert home.keys() == {"a"}
    keys = {change.key: (change.before, change.after) for change in home["a"].changes}
    assert keys == {
        "wounds": (0, 3),
        "hunger_loss": (0, 1),
        "needs.fatigued": (False, True),
        "needs.meal_miss_days": (0, 2),
        "care.serious": (False, True),
        "arms.1.broken": (False, True),
    }
    play = json.loads(json.dumps(home["a"].play))
    again = begin(entry("a", "pc", play), serious_wound_rule=True)
    one = again.actors["a"]
    assert (one.wounds, one.hunger_loss, one.life.state, one.kp) == (3, 1, "alive", 3)
    assert one.arms["1"].broken and not one.arms["2"].broken
    assert one.care.serious_deadline == again.clock.hours + 1
    assert not list(PLAY.close(again)), "nothing happened, so nothing changes"


def test_a_sheet_that_was_rebuilt_may_come_back() -> None:
    """What play left belongs to possessions that may be gone by then."""
    state = begin(entry("a", "pc"))
    state, _events = done(state, "actor.set", actor="a", key="arm_broken", arm="2", number=1, reason="覚え")
    (home,) = PLAY.close(state)
    again = begin({**entry("a", "pc", home.play), "build": build(possessions=[])})
    assert not again.actors["a"].arms
    PLAY.project_state(again, GM_EYES)
    assert not list(PLAY.close(again))
    other = [{"id": "daito"}, {"id": "rokushakubo"}, {"id": "tanto"}]
    again = begin({**entry("a", "pc", home.play), "build": build(possessions=other)})
    assert {key: arm.broken for key, arm in again.actors["a"].arms.items()} == {"1": False, "2": False, "3": False}
    assert not list(PLAY.close(again))


def test_players_learn_nothing_of_how_an_npc_heals() -> None:
    care = {"first_aid": "ok", "cared_today": True}
    state = begin(entry("a", "pc"), entry("n", "npc", {"wounds": 3, "care": care}))
    state, morning = done(state, "day.tick", (6, 5, 1), meals=0, roll_now=True)
    state, aid = done(state, "illness", actor="n", points=1, reason="流行り風邪")
    of_npc = [event for event in (*morning, *aid) if event.data.get("actor") == "n"]
    assert {event.kind for event in of_npc} == {"morning", "roll", "recovery", "ill"}
    for event in of_npc:
        assert shown(PLAY, event, GM_EYES) is not None
        assert shown(PLAY, event, PLAYER) is None, event.kind


def test_a_patients_wounds_stay_hidden_in_the_doctors_roll() -> None:
    state = begin(entry("a", "pc"), entry("n", "npc", {"wounds": 4}))
    state, _events = done(state, "actor.enter", (1,), actors="n")
    _state, events = done(state, "first_aid", (6, 6, 1), actor="a", target="n")
    roll = next(event for event in events if event.kind == "roll")
    seen, whole = shown(PLAY, roll, PLAYER), shown(PLAY, roll, GM_EYES)
    assert seen is not None and whole is not None
    assert whole["outcome"]["target"] == 14
    assert seen["outcome"]["target"] is None and seen["outcome"]["margin"] is None
    assert not [part for part in seen["outcome"]["modifiers"] if part["key"] == "wounds"]
    told = Command("first_aid", {"actor": "a", "target": "n"}, "2026-05-09T12:00:00Z")
    assert PLAY.odds(state, told, PLAYER) is None
    assert PLAY.odds(state, told, GM_EYES) is not None


def test_evenings_leave_npcs_alone() -> None:
    state = begin(entry("a", "pc"), entry("n", "npc"))
    state, _events = done(state, "actor.enter", (6,), actors="n")
    had = state.actors["n"].kp
    assert had == 2
    for name, data in (("evening.end", {"number": 1}), ("evening.start", {"number": 2}), ("scenario.end", {})):
        state, _events = done(state, name, **data)
    assert state.actors["n"].kp == had
