"""Where a table may stand when people begin to do whatever comes to their minds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulesets.edo.play.options import options
from rulesets.edo.play.state import State
from rulesets.engine.play import Command

AT = "2026-05-09T12:03:44Z"
LETS_IT_BE = ("none", "accept", "roll", "die")


def _c(name: str, **data: Any) -> Command:
    return Command(name, data, AT)


def brawl() -> Sequence[Command]:
    """A fight that has begun: weapons in the hand, everybody near."""
    drawn = [("c1", "1"), ("c1", "2"), ("c2", "1"), ("c3", "1"), ("c5", "1")]
    return [
        _c("place.set", actors="c1,c2,c3,c4,c5", place="0,0"),
        *(_c("draw", actor=actor, arm=arm) for actor, arm in drawn),
        _c("fight.start"),
    ]


def grip() -> Sequence[Command]:
    """The wrestler has hold of the swordsman."""
    return [*brawl(), _c("turn.to", actor="c3"), _c("attack", actor="c3", target="c1", arm="grapple")]


def hold_on_a_mook() -> Sequence[Command]:
    """The swordsman reaches for a mook that knows how to wrestle."""
    return [*brawl(), _c("turn.to", actor="c1"), _c("attack", actor="c1", target="c5#1", arm="grapple")]


def under_attack() -> Sequence[Command]:
    """A mob is upon the swordsman, who has parried once."""
    return [*brawl(), _c("turn.to", actor="c5"), _c("attack", actor="c5", target="c1", arm="1")]


def loading() -> Sequence[Command]:
    """The doctor is busy with a gun while others act."""
    return [*brawl(), _c("turn.to", actor="c2"), _c("ready", actor="c2", arm="2"), _c("turn.to", actor="c3")]


def marksman() -> Sequence[Command]:
    """It is the doctor's turn, on foot, with missiles ready, and nobody knows how far away anybody is."""
    return [
        *(command for command in brawl() if command.name != "place.set"),
        _c("mount", actor="c2", off=True),
        _c("turn.to", actor="c2"),
    ]


def sickroom() -> Sequence[Command]:
    """Somebody lies wounded and untreated, another has a request to answer whose difficulty is hidden."""
    return [
        _c("actor.hurt", actor="c1", amount=3, reason="落馬"),
        _c("request", actors="c1,c2", what="chikaku", difficulty=20, hidden_difficulty=True),
    ]


SCENES: Mapping[str, Callable[[], Sequence[Command]]] = {
    "calm": tuple,
    "brawl": brawl,
    "grip": grip,
    "hold": hold_on_a_mook,
    "under attack": under_attack,
    "loading": loading,
    "marksman": marksman,
    "sickroom": sickroom,
}


def passed_over(state: State) -> Command | None:
    """The answer that lets an exchange go on, when the question is not what the scene is for."""
    found = [option.answer for option in options(state)]
    word = next((word for word in LETS_IT_BE if word in found), "")
    return Command("answer", {"answer": word}, AT, state.step) if word else None
