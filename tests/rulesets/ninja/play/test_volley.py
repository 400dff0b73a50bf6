"""A volley of forty is one command that tells everything in few events, and takes no time worth speaking of."""

from __future__ import annotations

from rulesets.engine.play import Command, Event, Refused, replay
from rulesets.ninja.play import PLAY
from rulesets.ninja.play.state import State
from tests.rulesets.ninja.play.people import ACTORS, AT, ninja, preset

MOBS = 40


class Sixes:
    def __init__(self) -> None:
        self.thrown = 0

    def roll(self, sides: int) -> int:
        self.thrown += 1
        return sides

    def shuffle(self, size: int) -> tuple[int, ...]:
        raise AssertionError


def given(state: State, name: str, dice: Sixes | None = None, **data: object) -> tuple[State, list[Event]]:
    decided = PLAY.decide(state, Command(name, data, AT, state.step), ACTORS["gm"], dice or Sixes())
    assert not isinstance(decided, Refused), decided
    return replay(PLAY, state, decided), list(decided)


def table() -> State:
    hero = {"id": "アオ", "kind": "pc", "name": "アオ", "seat": "2", "fields": ninja("アオ", (6, 3, 6, 0)), "play": {}}
    mob = {"id": "群れ", "kind": "npc", "name": "クローンヤクザ", "seat": "", "count": MOBS, "play": {}}
    cast = [hero, {**mob, "fields": preset("clone_yakuza"), "on_stage": True}]
    state, _ = given(PLAY.start({"house_rules": {}, "cast": cast}), "fight.start")
    for _ in range(6):
        state, _ = given(state, "phase.next")
    return state


def test_forty_attack_as_one() -> None:
    dice = Sixes()
    state, events = given(table(), "volley", dice, mob="群れ", targets="アオ", how="melee")
    assert dice.thrown == MOBS
    assert [event.kind for event in events] == ["attacked", "asked"]
    assert state.attack is not None and len(state.attack.groups) == 1
    assert len(state.attack.groups[0].hits) == MOBS
    assert events[0].shows_dice


def test_what_is_taken_of_forty_ends_with_the_target() -> None:
    """Hits that come after death are dropped."""
    state, _ = given(table(), "volley", mob="群れ", targets="アオ", how="melee")
    state, events = given(state, "evade", actor="アオ", dice=0)
    assert state.actors["アオ"].out and state.attack is None
    struck = [event for event in events if event.kind == "struck"]
    # 体力6, then 精神力3 hold one each; the hit after them is the last
    assert len(struck) == 10


def test_a_number_sends_so_many() -> None:
    state, _ = given(table(), "volley", mob="群れ", targets="アオ:7", how="melee")
    assert state.attack is not None and len(state.attack.groups[0].hits) == 7
