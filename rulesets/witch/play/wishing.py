"""Magic of witches: a wish, the GM's rating, another try (rules §7.1–§7.3, §13-26)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.witch.play.challenge import begin
from rulesets.witch.play.desk import Desk
from rulesets.witch.play.reading import Asked, actor, flag, number, refused, text
from rulesets.witch.play.registry import GM_ONLY, command, event
from rulesets.witch.play.state import Attempt
from rulesets.witch.play.targets import target_of
from rulesets.witch.play.words import words

event("wish", shows=("attempt", "what"))
event("rating", shows=("attempt", "difficulty", "rolled"))

RATING_MIN, RATING_MAX = -99, 99


# ---------------------------------------------------------------- wishing and rating


@command(
    "spell.wish",
    actor(),
    text("what", required=True),
    text("target"),
    codes=("L19", "L21", "L26", "L36"),
    rule="§7.1",
)
def wish(desk: Desk, asked: Asked) -> None:
    """Say what the magic shall do, and to what. Anything may be tried; the GM rates it."""
    witch = desk.own_witch(asked)
    desk.awake(witch.actor)
    target = asked.text("target")
    if target:
        target_of(desk, target)
        _once_a_scene(desk, witch.id, target)
    scene = desk.state.scene.number
    attempt = Attempt(desk.new_id("a"), "spell", witch.id, asked.text("what"), scene=scene, target=target)
    put = begin(desk, attempt)
    said = words("log.wish", name=witch.name, what=attempt.what)
    desk.emit("wish", said, actor=witch.id, put=put, attempt=attempt.id, what=attempt.what)


def _once_a_scene(desk: Desk, witch: str, target: str) -> None:
    """Refuse L21 where a target may be tried once a scene only."""
    if desk.tables.rule.retry != "once_per_scene":
        return
    scene = desk.state.scene.number
    for one in desk.state.attempts.values():
        if one.kind == "spell" and one.actor == witch and one.done and one.target == target and one.scene == scene:
            desk.refuse("L21")


@command(
    "spell.rate",
    text("attempt", required=True),
    text("target"),
    number("difficulty", RATING_MIN, RATING_MAX, required=False),
    flag("roll"),
    roles=GM_ONLY,
    codes=("L18", "L20", "L21"),
    rule="§7.2",
)
def rate(desk: Desk, asked: Asked) -> None:
    """Choose the target and the difficulty (higher is easier), or have 2d6 decide with the spell."""
    attempt = desk.attempt(asked)
    if attempt.kind != "spell" or attempt.done:
        raise refused("L18")
    target = asked.text("target") or attempt.target
    difficulty = asked.number("difficulty")
    if not target or (difficulty is None) != asked.flag("roll"):
        raise refused("L20")
    target_of(desk, target)
    _once_a_scene(desk, attempt.actor, target)
    after = replace(attempt, target=target, difficulty=difficulty, rated=True)
    told = desk.tables.rule.difficulty_visible
    name = desk.state.actors[attempt.actor].name
    if difficulty is None:
        said = words("log.rated_roll", name=name, what=attempt.what)
    elif told:
        label = desk.tables.difficulty_label(difficulty)
        said = words("log.rated", name=name, what=attempt.what, n=difficulty, label=label)
    else:
        said = words("log.rated_hidden", name=name, what=attempt.what)
    shown: dict[str, Any] = {"difficulty": difficulty} if told else {}
    desk.emit(
        "rating",
        said,
        actor=attempt.actor,
        put={"attempts": {attempt.id: after}},
        attempt=attempt.id,
        rolled=difficulty is None,
        **shown,
    )


@command("spell.again", text("attempt", required=True), codes=("L18", "L19", "L21", "L22", "L26"), rule="§13-26")
def again(desk: Desk, asked: Asked) -> None:
    """Try a failed spell again as it was rated. Where the GM decides each time, only the GM can say so."""
    attempt = desk.attempt(asked)
    if attempt.kind != "spell" or not attempt.done or attempt.success:
        raise refused("L18")
    witch = desk.state.actors[attempt.actor]
    if not desk.owns(witch):
        raise refused("P17", name=witch.name)
    desk.awake(witch)
    if desk.tables.rule.retry == "gm" and not desk.actor.is_gm:
        raise refused("L22")
    _once_a_scene(desk, witch.id, attempt.target)
    fresh = replace(
        Attempt(desk.new_id("a"), "spell", witch.id, attempt.what, scene=desk.state.scene.number),
        target=attempt.target,
        rated=True,
        difficulty=attempt.difficulty,
    )
    put = begin(desk, fresh)
    said = words("log.wish_again", name=witch.name, what=attempt.what)
    desk.emit("wish", said, actor=witch.id, put=put, attempt=fresh.id, what=attempt.what)
