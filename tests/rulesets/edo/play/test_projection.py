"""What nobody may see: unknown kinds, roles and keys show nothing; the values an event sets are never shown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rulesets import services
from rulesets.engine.dice import ScriptedDice
from rulesets.engine.play import GM, Actor, Command, Event, Refused, Viewer, replay, shown

PLAY = services.play("edo")
MASTER = Actor("9", "gm")
GM_EYES = Viewer(frozenset({"all", "gm", "seat:9"}), "gm", "9")
PLAYER = Viewer(frozenset({"all", "seat:1"}), "player", "1")
SPECTATOR = Viewer(frozenset({"all"}), "spectator")
BASE = {"abilities.mind": 5, "abilities.gi": 7, "abilities.body": 6, "skills.kenjutsu.level": 5}
CAST = [
    {
        "id": "A",
        "name": "新八",
        "kind": "pc",
        "seat": "1",
        "fields": {**BASE, "role": "lead", "possessions.1.id": "daito"},
    },
    {"id": "B", "name": "左内", "kind": "npc", "fields": {**BASE, "role": "co_lead", "possessions.1.id": "daito"}},
    {"id": "C", "name": "影", "kind": "npc", "hidden": True, "on_stage": True, "fields": {**BASE, "role": "support"}},
]


def after(state: Any, name: str, faces: tuple[int, ...] = (), **data: Any) -> tuple[Any, list[Event]]:
    decided = PLAY.decide(state, Command(name, data, "", state.step), MASTER, ScriptedDice(faces))
    assert not isinstance(decided, Refused), decided
    return replay(PLAY, state, decided), list(decided)


def struck() -> tuple[Any, list[Event]]:
    """A fight in which B was hit for 5."""
    state, log = PLAY.start({"cast": CAST}), []
    for name, faces, data in (
        ("actor.enter", (4,), {"actors": "B", "drawn": True}),
        ("draw", (), {"actor": "A", "arm": "1"}),
        ("fight.start", (), {}),
        ("attack", (), {"actor": "A", "target": "B", "arm": "1"}),
        ("answer", (4, 5, 2), {"answer": "none"}),
        ("answer", (2,), {"answer": "none"}),
    ):
        state, events = after(state, name, faces, **data)
        log += events
    return state, log


STATE, LOG = struck()


def actor(viewer: Viewer, actor_id: str) -> dict[str, Any]:
    return next(one for one in PLAY.project_state(STATE, viewer)["actors"] if one["id"] == actor_id)


def test_unknown_kinds_and_roles_show_nothing() -> None:
    told = Event("unheard.of", {"text": {"ja": "秘密", "en": "secret"}})
    assert shown(PLAY, told, GM_EYES) is None
    stranger = replace(PLAYER, role="timer")
    assert PLAY.project_state(STATE, stranger) == {}
    assert all(shown(PLAY, event, stranger) is None for event in LOG)


def test_an_event_reaches_its_audience_only() -> None:
    secret = [event for event in LOG if event.audience == GM]
    assert [event.kind for event in secret] == ["kp.npc"]
    assert PLAY.project_event(secret[0], PLAYER) is None
    assert PLAY.project_event(secret[0], GM_EYES) is not None


@pytest.mark.parametrize("viewer", [GM_EYES, PLAYER, SPECTATOR])
def test_what_an_event_sets_is_never_shown(viewer: Viewer) -> None:
    found = [told for event in LOG if (told := shown(PLAY, event, viewer)) is not None]
    assert any("set" in event.data and "world" in event.data for event in LOG)
    assert not any({"set", "world", "entries", "gone", "public"} & told.keys() for told in found)


def test_keys_that_are_not_named_stay_inside() -> None:
    event = next(event for event in LOG if event.kind == "damage")
    more = replace(event, data={**event.data, "build": "canary"})
    told = shown(PLAY, more, GM_EYES)
    assert told is not None and "build" not in told


def test_an_unknown_event_is_no_fact() -> None:
    with pytest.raises(KeyError):
        PLAY.evolve(STATE, Event("unheard.of", {}))


def test_players_see_words_of_an_npc() -> None:
    seen = actor(PLAYER, "B")
    assert seen["numbers"] is None
    assert seen["health"] == {"id": "badly", "label": {"ja": "ひどい傷", "en": "badly wounded"}}
    assert actor(GM_EYES, "B")["numbers"]["endurance"] == 1
    assert actor(PLAYER, "A")["numbers"]["kp"] == 8


def test_players_see_numbers_that_the_gm_shows() -> None:
    state, _ = after(STATE, "numbers.show", actor="B")
    seen = next(one for one in PLAY.project_state(state, PLAYER)["actors"] if one["id"] == "B")
    assert (seen["numbers"]["endurance"], seen["numbers"]["endurance_max"]) == (1, 6)


@pytest.mark.parametrize("viewer", [PLAYER, SPECTATOR])
def test_the_hidden_are_not_there(viewer: Viewer) -> None:
    view = PLAY.project_state(STATE, viewer)
    assert "C" not in [one["id"] for one in view["actors"]]
    assert "C" not in [one["entry"] for one in view["fight"]["order"]]
    assert "影" not in str(view)
    assert "C" in [one["entry"] for one in PLAY.project_state(STATE, GM_EYES)["fight"]["order"]]


def test_the_dead_who_only_seem_so() -> None:
    """実は生きていた: the GM knows, the players see a corpse (§6.3)."""
    state, _ = after(STATE, "actor.set", actor="B", key="kp", number=4, reason="敵")
    state, _ = after(state, "actor.hurt", actor="B", amount=3, reason="崖")
    state, events = after(state, "answer", answer="survive")
    lives = {
        viewer.role: next(one for one in PLAY.project_state(state, viewer)["actors"] if one["id"] == "B")["life"]["id"]
        for viewer in (GM_EYES, PLAYER)
    }
    assert lives == {"gm": "seeming_dead", "player": "dead"}
    assert "survived" not in [event.kind for event in events if shown(PLAY, event, PLAYER) is not None]


def test_only_whoever_is_asked_sees_the_answers() -> None:
    state, _ = after(STATE, "turn.to", actor="B")
    state, _ = after(state, "attack", actor="B", target="A", arm="1")
    views = {viewer.role: PLAY.project_state(state, viewer)["exchange"] for viewer in (GM_EYES, PLAYER, SPECTATOR)}
    assert views["player"]["options"] and views["gm"]["options"]
    assert views["spectator"]["options"] == []
    assert views["spectator"]["question"]["ja"] == "新八は斬り返すか。"


def test_every_event_that_tells_dice_says_so() -> None:
    """A blow nobody can ward off rolls twice in one command: whoever hears both may verify the throw, also when more of
    it is told to the GM alone."""
    state = PLAY.start({"cast": CAST})
    for name, data in (
        ("actor.set", {"actor": "B", "key": "kp_rolled", "on": True, "reason": "手で決めた"}),
        ("actor.enter", {"actors": "B", "drawn": True}),
        ("draw", {"actor": "A", "arm": "1"}),
        ("fight.start", {}),
        ("actor.set", {"actor": "B", "key": "unaware", "on": True, "reason": "背を向けている"}),
    ):
        state, _ = after(state, name, **data)
    _, events = after(state, "attack", (4, 5, 2, 3), actor="A", target="B", arm="1")
    assert [event.kind for event in events if event.shows_dice] == ["rolled", "damage"]
    typed = {"actor": "A", "target": "B", "arm": "1", "faces": "4,5,2,3"}
    told = PLAY.decide(state, Command("attack", typed, ""), MASTER, ScriptedDice(()))
    assert not isinstance(told, Refused) and not any(event.shows_dice for event in told)
