"""Judging one attempt (rules §7.1, §7.2): what it had to reach, whether it did, with the reason of every part."""

from __future__ import annotations

from typing import Any

from rulesets.alice.cards import legal_card
from rulesets.alice.play.desk import Desk, with_try
from rulesets.alice.play.op_state import OPPOSED, SUCCESSES, Attempt, Op
from rulesets.alice.play.registry import event
from rulesets.alice.play.state import DIFFICULTY
from rulesets.alice.play.words import action_words, class_name, reason, words
from rulesets.engine.outcome import CardShown, Modifier, Outcome, Reason

event("played", shows=("card", "way", "cls", "n"))


def legal(attempt: Attempt, card: str) -> bool:
    return legal_card(card, attempt.suit, attempt.cls)


def settle(
    desk: Desk,
    *,
    way: str,
    outcome: str = "",
    card: str = "",
    value: int | None = None,
    achievement: int | None = None,
    boosted: bool = False,
    ace: str = "",
    at: int | None = None,
    **event_data: Any,
) -> None:
    """Judge one attempt and go on. `outcome` "" is judged by the target; `event_data` goes with the event."""
    op = desk.state.op
    if op is None:
        raise AssertionError("nothing is open")
    place = op.at if at is None else at
    made = outcome or _judged(target_of(op, place), achievement)
    op = with_try(
        op,
        place,
        way=way,
        card=card,
        boosted=boosted,
        ace=ace,
        value=value,
        achievement=achievement if made in (*SUCCESSES, "fail_low") else None,
        outcome=made,
        committed=True,
    )
    attempt = op.tries[place]
    told = played_outcome(desk, op, place)
    said = words(f"log.{made}", name=desk.of(attempt.who).name, n=attempt.achievement, target=told.target)
    desk.emit(
        "played",
        said,
        actor=attempt.who,
        outcome=told,
        world=desk.set_op(op),
        card=card,
        way=way,
        cls=attempt.cls,
        n=attempt.achievement,
        **event_data,
    )


def target_of(op: Op, at: int) -> int | None:
    """What an attempt has to reach: the difficulty; of a passive side the active one's achievement, if there is one."""
    if op.kind in OPPOSED and at > 0:
        return op.active.achievement
    return op.target


def _judged(target: int | None, achievement: int | None) -> str:
    if achievement is None:
        return "fail_concede"
    if target is None:
        return "made"
    return "success" if achievement >= target else "fail_low"


def played_outcome(desk: Desk, op: Op, at: int) -> Outcome:
    """One attempt with the reason of every part."""
    attempt, target = op.tries[at], target_of(op, at)
    cards = tuple(CardShown(one, reason("part.difficulty", "§7.2"), mark="difficulty") for one in _difficulty(desk, op))
    if attempt.card:
        key = "part.flipped" if attempt.way == "flip" else "part.hand"
        cards += (CardShown(attempt.card, reason(key, "§7.5"), mark=attempt.way),)
    modifiers: tuple[Modifier, ...] = ()
    if attempt.value is not None:
        why = Reason(words("part.ability_boosted" if attempt.boosted else "part.ability"), "§5.1")
        modifiers = (Modifier(attempt.suit, attempt.value, "total", why),)
    margin = None
    if attempt.achievement is not None and target is not None:
        margin = attempt.achievement - target
    return Outcome(
        "attempt",
        Reason(action_words(attempt.action) if attempt.action else words(f"kind.{op.kind}"), "§7"),
        degree=attempt.outcome,
        degree_label=words(f"outcome.{attempt.outcome}"),
        total=attempt.achievement,
        target=target,
        margin=margin,
        cards=cards,
        modifiers=modifiers,
        notes=(Reason(class_name(attempt.cls), "§7.1"),) if attempt.cls else (),
    )


def _difficulty(desk: Desk, op: Op) -> tuple[str, ...]:
    return desk.state.zone(DIFFICULTY) if op.turned else ()
