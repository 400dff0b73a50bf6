"""じゃんけん and the first 親: the winner says who it is (§4.1, §4.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rulesets.alice.draft.desk import Desk
from rulesets.alice.draft.order import BEATS, janken_left
from rulesets.alice.draft.registry import TABLE, command, event
from rulesets.alice.draft.seating import PLAYER
from rulesets.alice.draft.state import Draft
from rulesets.alice.draft.words import FORMS, listed, words
from rulesets.alice.words import refused
from rulesets.engine.play import seat_token
from rulesets.engine.playing.reading import Fields

HAND = FORMS.choice("hand", *BEATS)


@command("run_janken", phases=("PARENT_SELECT",))
def run_janken(desk: Desk, asked: Fields) -> None:
    """The server draws the winner among those who are still in."""
    _no_winner_yet(desk)
    contenders = desk.state.contenders
    _won(desk, contenders[desk.dice.roll(len(contenders)) - 1], "drawn")


@command("set_janken_winner", PLAYER, phases=("PARENT_SELECT",), codes=("E_UNKNOWN_PLAYER",))
def set_janken_winner(desk: Desk, asked: Fields) -> None:
    """The winner of a game played by voice."""
    _no_winner_yet(desk)
    _won(desk, desk.seated(asked.text("player")), "told")


@command("janken.hand", HAND, phases=("PARENT_SELECT",), roles=TABLE, codes=("E_NOT_YOUR_TURN",))
def janken_hand(desk: Desk, asked: Fields) -> None:
    """A player's hand; when all have shown, the losers leave, and a tie is played again."""
    show_hand(desk, asked.text("hand"))


def show_hand(desk: Desk, hand: str) -> None:
    _no_winner_yet(desk)
    waiting = [seat for seat in desk.state.contenders if seat not in desk.state.hands]
    if desk.seat not in waiting:
        raise refused("E_NOT_YOUR_TURN", player=listed(desk.name(seat) for seat in waiting))
    desk.emit("janken.hand", audience=(seat_token(desk.seat),), seat=desk.seat, hand=hand)
    desk.emit("janken.ready", words("log.janken_ready", player=desk.name(desk.seat)), seat=desk.seat)
    if len(desk.state.hands) == len(desk.state.contenders):
        _settle(desk)


def _settle(desk: Desk) -> None:
    hands = {seat: desk.state.hands[seat] for seat in desk.state.contenders}
    left = janken_left(hands)
    told = (
        words("log.hand", player=desk.name(seat), hand=words(f"choice.hand.{hand}")) for seat, hand in hands.items()
    )
    shown = listed(told)
    desk.emit("janken.shown", words("log.janken_shown", hands=shown), hands=hands, left=left)
    if len(left) == 1:
        _won(desk, left[0], "hands")


def _no_winner_yet(desk: Desk) -> None:
    if desk.state.winner:
        raise refused("E_WRONG_PHASE")


def _won(desk: Desk, seat: str, how: str) -> None:
    desk.emit("janken.won", words("log.janken_won", player=desk.name(seat)), seat=seat, how=how)


@command(
    "choose_parent",
    FORMS.text("parent", required=True),
    phases=("PARENT_SELECT",),
    roles=TABLE,
    codes=("E_NO_WINNER_YET", "E_NOT_WINNER", "E_UNKNOWN_PLAYER"),
    answers=True,
)
def choose_parent(desk: Desk, asked: Fields) -> None:
    choose(desk, asked.text("parent"))


def choose(desk: Desk, named: str) -> None:
    """The winner names the first 親."""
    if not desk.state.winner:
        raise refused("E_NO_WINNER_YET")
    if desk.seat != desk.state.winner:
        raise refused("E_NOT_WINNER")
    parent = desk.seated(named)
    place = desk.state.seats.index(parent)
    text = words("log.parent", winner=desk.name(desk.state.winner), parent=desk.name(parent))
    desk.emit("parent.chosen", text, seat=desk.state.winner, parent=parent, place=place, at=desk.command.at)


# ---------------------------------------------------------------- facts


def _parent(state: Draft, data: Mapping[str, Any]) -> Draft:
    place = data["place"]
    return replace(state, phase="AWAIT_REVEAL", first=place, parent=place, step=state.step + 1, asked_at=data["at"])


def _shown(state: Draft, data: Mapping[str, Any]) -> Draft:
    return replace(state, contenders=tuple(data["left"]), hands={})


event(
    "janken.hand",
    shows=("seat", "hand"),
    evolve=lambda state, data: replace(state, hands={**state.hands, data["seat"]: data["hand"]}),
)
event("janken.ready", shows=("seat", "by"))
event("janken.shown", shows=("hands", "left"), evolve=_shown)
event(
    "janken.won",
    shows=("seat", "how"),
    evolve=lambda state, data: replace(state, winner=data["seat"], hands={}, step=state.step + 1),
)
event("parent.chosen", shows=("seat", "parent", "by"), evolve=_parent)
