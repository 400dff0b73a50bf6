"""Challenges: one factor or one skill, that many throws, each double a level (rules §5)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rulesets.engine.odds import Odds
from rulesets.engine.outcome import Die, Modifier, Outcome, Reason
from rulesets.engine.play import Viewer
from rulesets.witch import chances
from rulesets.witch.play import points
from rulesets.witch.play.desk import Desk
from rulesets.witch.play.person import SKILL, Person
from rulesets.witch.play.reading import FACES, Asked, actor, number, refused, text
from rulesets.witch.play.registry import GM_ONLY, command, event, odds_of
from rulesets.witch.play.state import Attempt, State
from rulesets.witch.play.views import sees_numbers, visible
from rulesets.witch.play.words import reason, words

event("attempt", shows=("attempt", "what", "required"))
event("challenge", shows=("attempt", "what", "level", "doubles", "required", "success", "paid", "cost"))
event("attempt.closed", shows=("attempt",))

LEVEL_MAX = 6


def begin(desk: Desk, attempt: Attempt) -> dict[str, dict[str, Attempt | None]]:
    """The attempt in the place of its actor's last one. Refuses L19 while another is open.

    Where a target may be tried once a scene, spells of the scene stay (§13-26).
    """
    if desk.state.open_attempt(attempt.actor) is not None:
        raise refused("L19", name=desk.state.actors[attempt.actor].name)
    mine = {key: one for key, one in desk.state.attempts.items() if one.actor == attempt.actor}
    kept = desk.tables.rule.retry == "once_per_scene"
    scene = desk.state.scene.number
    old = {key: None for key, one in mine.items() if not kept or one.kind != "spell" or one.scene != scene}
    return {"attempts": {**old, attempt.id: attempt}}


@command(
    "challenge.open",
    actor(),
    text("what", required=True),
    number("required", 1, LEVEL_MAX, required=False),
    codes=("C11", "L17", "L19", "L26"),
    rule="§5.1",
)
def open_challenge(desk: Desk, asked: Asked) -> None:
    """Name the one factor or skill that counts. A cat has no skills (C11)."""
    person = desk.own_person(asked)
    desk.awake(person.actor)
    what = known(person, asked.text("what"))
    attempt = Attempt(
        desk.new_id("a"),
        "challenge",
        person.id,
        what,
        scene=desk.state.scene.number,
        required=asked.number("required") or 1,
    )
    put = begin(desk, attempt)
    said = words("log.challenge", name=person.name, what=person.means(what), n=person.value(what))
    desk.emit("attempt", said, actor=person.id, put=put, attempt=attempt.id, what=what, required=attempt.required)


def known(person: Person, typed: str) -> str:
    """The factor or skill meant. Refuses C11 for a cat's skill, L17 for what she does not have."""
    found = person.find(typed)
    if found is None:
        if person.actor.is_cat and typed.startswith(f"{SKILL}:"):
            raise refused("C11")
        raise refused("L17", value=typed[:40])
    return found


@command("attempt.close", text("attempt", required=True), roles=GM_ONLY, codes=("L18",), rule="§5.5")
def close_attempt(desk: Desk, asked: Asked) -> None:
    """Drop an attempt; a request for help that is open expires with it."""
    attempt = desk.attempt(asked)
    said = words("log.attempt_closed", name=desk.state.actors[attempt.actor].name)
    desk.emit("attempt.closed", said, actor=attempt.actor, put={"attempts": {attempt.id: None}}, attempt=attempt.id)


# ---------------------------------------------------------------- rolling


def ready(desk: Desk, attempt: Attempt, kind: str) -> None:
    """Whether the actor's player may roll now: L18 for another or a finished attempt, L02 while the cat is asked."""
    if attempt.kind != kind:
        raise refused("L18")
    if not desk.owns(desk.state.actors[attempt.actor]):
        raise refused("P17", name=desk.state.actors[attempt.actor].name)
    if attempt.help.state == "asked":
        raise refused("L02")
    desk.awake(desk.state.actors[attempt.actor])


@command("challenge.roll", text("attempt", required=True), FACES, codes=("L02", "L17", "L18", "L26"), rule="§5.4")
def roll(desk: Desk, asked: Asked) -> None:
    """All throws together, then the dice that the cat's help costs. After a failure the help's throws alone (§13-8)."""
    attempt = desk.attempt(asked)
    ready(desk, attempt, "challenge")
    person = desk.person(attempt.actor)
    helped = attempt.help.granted if attempt.help.state == "accepted" else 0
    if attempt.done and not (helped and attempt.success is False and attempt.help.id):
        raise refused("L18")
    own = 0 if attempt.done else person.value(attempt.what)
    if own is None:
        raise refused("L17", value=attempt.what[:40])
    _thrown(desk, attempt, person, own, helped)


def _thrown(desk: Desk, attempt: Attempt, person: Person, own: int, helped: int) -> None:
    dice: list[Die] = []
    doubles = attempt.doubles
    for number_of in range(own + helped):
        why = reason("dice.throw", "§5.1") if number_of < own else reason("dice.help_throw", "§5.3")
        pair = desk.throw(2, why)
        double = pair[0].face == pair[1].face
        doubles += double
        dice += [replace(die, kept=double, mark="double" if double else "") for die in pair]
    row = desk.tables.level(doubles)
    level = int(row.id)
    cost = desk.throw(helped, reason("dice.cost", "§5.3"))
    total = sum(die.face for die in cost)
    parts, put, notes, points_paid = _cost(desk, person.id, cost, total)
    success = level >= attempt.required
    # what is over is over: help that was used cannot be used again
    after = replace(
        attempt,
        done=True,
        success=success,
        doubles=doubles,
        throws=attempt.throws + own + helped,
        help=replace(attempt.help, state="none", granted=0) if helped else attempt.help,
    )
    modifiers = [Modifier("value", own, "throws", Reason(person.means(attempt.what), "§5.1"))] if own else []
    if helped:
        modifiers.append(Modifier("help", helped, "throws", reason("part.help", "§5.3")))
    outcome = Outcome(
        "challenge",
        reason("title.challenge", "§5.2"),
        degree=row.word,
        degree_label=row.name,
        total=doubles,
        target=attempt.required,
        margin=level - attempt.required,
        dice=tuple(dice),
        modifiers=tuple(modifiers),
        notes=notes,
        parts=parts,
    )
    price: dict[str, Any] = {"cost": total, "paid": points_paid} if helped else {}
    said = words("log.challenge_rolled", name=person.name, what=person.means(attempt.what), level=row.name)
    desk.emit(
        "challenge",
        said,
        actor=person.id,
        outcome=outcome,
        put={"attempts": {attempt.id: after}, **put},
        attempt=attempt.id,
        what=attempt.what,
        level=level,
        doubles=doubles,
        required=attempt.required,
        success=success,
        **price,
    )


def _cost(
    desk: Desk, witch: str, cost: tuple[Die, ...], total: int
) -> tuple[tuple[Outcome, ...], dict[str, dict[str, Any]], tuple[Reason, ...], int]:
    """The part of the outcome that tells the cost, the pool after it, a note when it was not enough, what was paid."""
    if not cost:
        return (), {}, (), 0
    bill = points.bill(desk, witch, total)
    part = Outcome("help_cost", reason("title.cost", "§5.3"), total=total, dice=cost, changes=bill.changes)
    return (part,), bill.put, bill.notes, bill.paid


# ---------------------------------------------------------------- odds


def _throws(state: State, attempt: Attempt) -> int | None:
    return Person(state.tables, state.actors[attempt.actor]).value(attempt.what)


@odds_of("challenge.roll")
def roll_odds(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    """Of the throws as they stand, with what help the cat has promised, and what each further help would make of it.

    After a failure: of the help's throws alone, for the doubles still missing (§13-8).
    """
    attempt = state.attempts.get(asked.text("attempt"))
    if attempt is None or attempt.kind != "challenge":
        return None
    granted = attempt.help.granted
    if not attempt.done:
        return _odds(state, attempt.actor, _throws(state, attempt), attempt.required, granted, viewer)
    if not granted:
        return None
    return _odds(state, attempt.actor, 0, attempt.required - attempt.doubles, granted, viewer)


@odds_of("challenge.open")
def open_odds(state: State, asked: Asked, viewer: Viewer) -> Odds | None:
    """Before a factor or skill is named for good."""
    actor_state = state.actors.get(asked.text("actor"))
    if actor_state is None:
        return None
    person = Person(state.tables, actor_state)
    what = person.find(asked.text("what"))
    throws = person.value(what) if what is not None else None
    return _odds(state, person.id, throws, asked.number("required") or 1, 0, viewer)


def _odds(state: State, actor_id: str, throws: int | None, required: int, granted: int, viewer: Viewer) -> Odds | None:
    actor_state = state.actors[actor_id]
    if throws is None or not visible(actor_state, viewer) or not sees_numbers(actor_state, viewer):
        return None
    helped = chances.CHALLENGE_HELP if actor_id in state.bonds and not granted else ()
    return chances.challenge(state.tables, throws + granted, required, helped=helped)
