"""Turning the cards and asking for them, one after another (§4.1, §4.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from rulesets.alice.draft.desk import Desk
from rulesets.alice.draft.opening import HAND, choose, show_hand
from rulesets.alice.draft.order import asking_order, parent_seat
from rulesets.alice.draft.registry import GM_ONLY, TABLE, command, event
from rulesets.alice.draft.seating import PLAYER
from rulesets.alice.draft.state import OPEN, Assigned, Draft, abilities_of, pile_of
from rulesets.alice.draft.words import FORMS, card_name, suit_name, words
from rulesets.alice.words import refused
from rulesets.engine.play import CommandField
from rulesets.engine.playing.reading import Fields

ASKING = ("E_NO_CARD_REVEALED", "E_ALREADY_HAS_SUIT", "E_ALREADY_PASSED", "E_NOT_YOUR_TURN")
REVEALING = ("E_CARD_ALREADY_REVEALED", "E_NOT_PARENT", "E_PILE_EMPTY")


@command("reveal", phases=("AWAIT_REVEAL",), roles=TABLE, codes=REVEALING, answers=True)
def reveal(desk: Desk, asked: Fields) -> None:
    turn_card(desk)


def turn_card(desk: Desk) -> None:
    """The 親 turns the top card of the pile whose turn it is."""
    state = desk.state
    if desk.seat != state.parent_seat:
        raise refused("E_NOT_PARENT", parent=desk.name(state.parent_seat))
    pile = state.zones[pile_of(state.suit)]
    if not pile:
        raise refused("E_PILE_EMPTY")
    owners = {seat for seat in state.seats if state.suit in state.abilities(seat)}
    queue = asking_order(state.seats, state.parent, owners)
    text = words("log.revealed", parent=desk.name(state.parent_seat), card=card_name(pile[0]))
    desk.emit(
        "card.revealed",
        text,
        n=state.k + 1,
        parent=state.parent_seat,
        suit=state.suit,
        card=pile[0],
        queue=queue,
        at=desk.command.at,
    )
    if len(queue) == 1:
        _assign(desk, queue[0], "forced")


@command("claim", phases=("OFFERING",), roles=TABLE, codes=ASKING, answers=True)
def claim(desk: Desk, asked: Fields) -> None:
    take(desk)


def take(desk: Desk) -> None:
    _asked_now(desk)
    _assign(desk, desk.seat, "claimed")


@command("pass", phases=("OFFERING",), roles=TABLE, codes=ASKING, answers=True)
def pass_(desk: Desk, asked: Fields) -> None:
    let_pass(desk)


def let_pass(desk: Desk) -> None:
    """Decline; when only one is left, the card is theirs without a question."""
    _asked_now(desk)
    desk.emit("card.passed", words("log.passed", player=desk.name(desk.seat)), seat=desk.seat, at=desk.command.at)
    if len(desk.state.passed) == len(desk.state.queue) - 1:
        _assign(desk, desk.state.queue[-1], "forced")


def _asked_now(desk: Desk) -> None:
    state, seat = desk.state, desk.seat
    if seat and state.suit in state.abilities(seat):
        raise refused("E_ALREADY_HAS_SUIT", suit=suit_name(state.suit))
    if seat in state.passed:
        raise refused("E_ALREADY_PASSED")
    if seat != state.asked:
        raise refused("E_NOT_YOUR_TURN", player=desk.name(state.asked))


def _assign(desk: Desk, to: str, how: str) -> None:
    state = desk.state
    after = state.k + 1
    last = after == 4 * len(state.seats)
    shift = parent_seat(after, len(state.seats), state.tables.rule.parent_rotation)
    text = words(f"log.{how}", player=desk.name(to), card=card_name(state.card))
    desk.emit(
        "card.assigned",
        text,
        n=after,
        parent=state.parent_seat,
        card=state.card,
        queue=state.queue,
        passed=state.passed,
        to=to,
        how=how,
        next_parent=(state.first + shift) % len(state.seats),
        complete=last,
        at=desk.command.at,
    )
    if last:
        abilities = {seat: desk.state.abilities(seat) for seat in desk.state.seats}
        desk.emit("draft.completed", words("log.completed"), abilities=abilities)


# ---------------------------------------------------------------- for somebody else


def _choose_for(desk: Desk, asked: Fields) -> None:
    if not asked.text("parent"):
        raise refused("E_FIELD_REQUIRED", field=words("field.parent"))
    choose(desk, asked.text("parent"))


def _hand_for(desk: Desk, asked: Fields) -> None:
    if not asked.text("hand"):
        raise refused("E_FIELD_REQUIRED", field=words("field.hand"))
    show_hand(desk, asked.text("hand"))


ACTS: Mapping[str, Callable[[Desk, Fields], None]] = {
    "choose_parent": _choose_for,
    "janken.hand": _hand_for,
    "reveal": lambda desk, asked: turn_card(desk),
    "claim": lambda desk, asked: take(desk),
    "pass": lambda desk, asked: let_pass(desk),
}


@command(
    "act_for",
    PLAYER,
    FORMS.choice("command", *ACTS),
    FORMS.text("parent"),
    CommandField("hand", "choice", HAND.label, False, choices=HAND.choices),
    phases=("PARENT_SELECT", "AWAIT_REVEAL", "OFFERING"),
    codes=("E_UNKNOWN_PLAYER", "E_NO_WINNER_YET", "E_NOT_WINNER", "E_FIELD_REQUIRED", *REVEALING, *ASKING),
    answers=True,
)
def act_for(desk: Desk, asked: Fields) -> None:
    """The GM gives a player's answer, present or not; the log names both."""
    name = asked.text("command")
    desk.in_phase(name)
    desk.for_seat = desk.seated(asked.text("player"))
    ACTS[name](desk, asked)


@command(
    "offer.expire",
    phases=("OFFERING",),
    roles=frozenset({"timer", *GM_ONLY}),
    rule="§4.6",
    answers=True,
)
def offer_expire(desk: Desk, asked: Fields) -> None:
    """The time to answer is over: everybody is told, and under a house rule the player passes."""
    waiting = desk.state.asked
    desk.emit("offer.expired", words("log.expired", player=desk.name(waiting)), seat=waiting)
    if desk.state.tables.rule.on_offer_timeout == "pass":
        desk.for_seat = waiting
        let_pass(desk)


# ---------------------------------------------------------------- facts


def _revealed(state: Draft, data: Mapping[str, Any]) -> Draft:
    zones = state.zones.move([data["card"]], pile_of(data["suit"]), OPEN)
    return replace(
        state,
        piles=zones.piles,
        phase="OFFERING",
        queue=tuple(data["queue"]),
        passed=(),
        step=state.step + 1,
        asked_at=data["at"],
    )


def _passed(state: Draft, data: Mapping[str, Any]) -> Draft:
    return replace(state, passed=(*state.passed, data["seat"]), step=state.step + 1, asked_at=data["at"])


def _assigned(state: Draft, data: Mapping[str, Any]) -> Draft:
    row = Assigned(
        n=data["n"],
        parent=data["parent"],
        card=data["card"],
        queue=tuple(data["queue"]),
        passed=tuple(data["passed"]),
        to=data["to"],
        how=data["how"],
    )
    zones = state.zones.move([row.card], OPEN, abilities_of(row.to), to="bottom")
    return replace(
        state,
        piles=zones.piles,
        phase="COMPLETE" if data["complete"] else "AWAIT_REVEAL",
        parent=data["next_parent"],
        queue=(),
        passed=(),
        log=(*state.log, row),
        step=state.step + 1,
        asked_at=data["at"],
    )


event("card.revealed", shows=("n", "parent", "suit", "card", "queue", "by"), evolve=_revealed)
event("card.passed", shows=("seat", "by"), evolve=_passed)
event("card.assigned", shows=("n", "parent", "card", "queue", "passed", "to", "how", "by"), evolve=_assigned)
event("draft.completed", shows=("abilities",))
event("offer.expired", shows=("seat", "by"))
