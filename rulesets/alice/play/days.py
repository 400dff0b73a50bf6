"""Mornings (rules §6.5, §8.5, §8.6): the day goes on, locks fall away, survival cards are turned, refresh is open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulesets.alice.cards import FATAL, rank_of, suit_of
from rulesets.alice.play import reading
from rulesets.alice.play.acting import debt, no_test
from rulesets.alice.play.desk import Desk
from rulesets.alice.play.people import healed
from rulesets.alice.play.piles import after_discards, can_draw, owe, reshuffle, serves
from rulesets.alice.play.reading import ACTOR, SUIT, Asked
from rulesets.alice.play.registry import GM_ONLY, command, event
from rulesets.alice.play.state import DISCARD, DRAW, ActorState, Owed
from rulesets.alice.play.words import card_name, listed, reason, suit_name, words
from rulesets.alice.rulings import survival
from rulesets.alice.words import refused
from rulesets.engine.outcome import CardShown, Change, Outcome, Reason

event("morning", shows=("day", "sleepless"))
event("morning.over")
event("survival", shows=("card", "fate"))
event("care", shows=("who",))

BODY = ("S", "C", "H")


@command(
    "morning.begin",
    reading.text("sleepless"),
    roles=GM_ONLY,
    codes=("E_DISCARD_FIRST", "E_TEST_OPEN", "E_UNKNOWN_ACTOR", "E_WRONG_STATE"),
    rule="§6.5",
)
def begin(desk: Desk, asked: Asked) -> None:
    """Another day: who kept watch does not refresh; whoever lies outdoors alone draws for their life."""
    desk.in_play()
    no_test(desk)
    if desk.state.morning or desk.state.combat is not None:
        raise refused("E_WRONG_STATE")
    if any(debt(desk, one) for one in desk.state.pcs):
        raise refused("E_DISCARD_FIRST")
    awake = {one.id for one in desk.several(asked.listed("sleepless"))}
    today = desk.state.day + 1
    values = {one.id: _morning(desk, one, today, one.id in awake) for one in desk.state.actors.values()}
    names = listed(desk.of(who).name for who in awake)
    key = "log.morning_sleepless" if awake else "log.morning"
    said = words(key, day=today, who=names)
    desk.emit(
        "morning",
        said,
        actors=values,
        world={"day": today, "morning": True},
        audience=("all",),
        day=today,
        sleepless=sorted(awake),
    )
    for one in desk.state.pcs:
        if fading(one):
            draw_survival(desk, Owed("survival", one.id))


def _morning(desk: Desk, one: ActorState, today: int, awake: bool) -> dict[str, Any]:
    rule = desk.rule
    return {
        "sleepless": awake,
        "refreshed": False,
        "heals": False,
        "empathy_lock": _left(one.empathy_lock, today, rule.empathy_retry_days),
        "acquire_lock": _left(one.acquire_lock, today, rule.acquire_retry_days),
    }


def _left(locks: Mapping[str, int], today: int, days: int) -> dict[str, int]:
    return {key: day for key, day in locks.items() if today - day < days}


def fading(one: ActorState) -> bool:
    """At stage 3, alone outdoors and without treatment (§8.6)."""
    return one.status == "active" and not one.sheltered and any(one.stage(suit) >= FATAL for suit in BODY)


@serves("survival")
def draw_survival(desk: Desk, owed: Owed) -> None:
    """Turn one card: an ace heals, another ♦ keeps alive, anything else is death, for the GM to confirm."""
    if not can_draw(desk):
        owe(desk, owed)
        return
    if not desk.state.zone(DRAW):
        reshuffle(desk)
    actor = desk.of(owed.who)
    card = desk.state.zone(DRAW)[0]
    fate = survival(suit_of(card), rank_of(card))
    worst = _worst(actor)
    asks = fate == "heal" and desk.rule.survival_ace_heals == "one_chosen_by_gm" and len(worst) > 1
    changes = tuple(_heals(actor, worst)) if fate == "heal" and not asks else ()
    values: dict[str, Any] = {"status": "dying"} if fate == "dead" else {"heals": True} if asks else {}
    stages = dict(actor.stages)
    for change in changes:
        stages[str(change.key).removeprefix("stage_")] = int(change.after or 0)
    if changes:
        values["stages"] = stages
    shown = CardShown(card, reason("part.survival", "§8.6"), mark=fate)
    outcome = Outcome("survival", reason("kind.survival", "§8.6"), degree=fate, cards=(shown,), changes=changes)
    said = words(f"log.survival_{fate}", name=actor.name, card=card_name(card))
    desk.emit(
        "survival",
        said,
        actor=actor.id,
        outcome=outcome,
        actors={actor.id: values},
        moves=[(1, DRAW, DISCARD, "bottom")],
        card=card,
        fate=fate,
    )
    after_discards(desk)


def _worst(actor: ActorState) -> list[str]:
    return [suit for suit in BODY if actor.stage(suit) >= FATAL]


@command("survival.heal", ACTOR, SUIT, roles=GM_ONLY, codes=("E_NOT_WOUNDED", "E_WRONG_STATE"), rule="§8.6")
def heal(desk: Desk, asked: Asked) -> None:
    """Which ability the ace heals, where the group heals one."""
    desk.in_play()
    actor, suit = desk.seen(asked.text("actor")), asked.text("suit")
    if not actor.heals:
        raise refused("E_WRONG_STATE")
    if suit not in _worst(actor):
        raise refused("E_NOT_WOUNDED")
    outcome = Outcome("survival", reason("kind.survival", "§8.6"), changes=tuple(_heals(actor, [suit])))
    said = words("log.survival_chosen", name=actor.name, suit=suit_name(suit))
    values = {"heals": False, "stages": healed(actor, suit)}
    desk.emit("survival", said, actor=actor.id, outcome=outcome, actors={actor.id: values}, card="", fate="heal")


def _heals(actor: ActorState, worst: list[str]) -> list[Change]:
    return [
        Change(actor.id, f"stage_{suit}", FATAL, healed(actor, suit)[suit], Reason(suit_name(suit), "§8.6"))
        for suit in worst
    ]


@command("morning.end", roles=GM_ONLY, codes=("E_NOT_MORNING",), rule="§6.5")
def end(desk: Desk, asked: Asked) -> None:
    """The morning is over."""
    desk.in_play()
    if not desk.state.morning:
        raise refused("E_NOT_MORNING")
    desk.emit("morning.over", words("log.morning_over"), world={"morning": False})


@command(
    "care",
    reading.text("actors", required=True),
    reading.choice("state", "rest", "no_rest", "shelter", "exposed"),
    roles=GM_ONLY,
    codes=("E_NO_CHANGE", "E_UNKNOWN_ACTOR"),
    rule="§8.5",
)
def care(desk: Desk, asked: Asked) -> None:
    """Who rests (a recovery test needs a day of it), and who lies sheltered or exposed."""
    desk.in_play()
    found = desk.several(asked.listed("actors"))
    state = asked.text("state")
    made: dict[str, dict[str, Any]] = {
        "rest": {"resting_since": desk.state.day},
        "no_rest": {"resting_since": None},
        "shelter": {"sheltered": True},
        "exposed": {"sheltered": False},
    }
    new = made[state]
    kept = state == "rest"
    changed = [
        one
        for one in found
        if any(getattr(one, name) != value for name, value in new.items())
        and not (kept and one.resting_since is not None)
    ]
    if not changed:
        raise refused("E_NO_CHANGE")
    said = words(f"log.care_{state}", name=listed(one.name for one in changed))
    desk.emit("care", said, actors={one.id: new for one in changed}, who=[one.id for one in changed])
