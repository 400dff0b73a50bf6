"""Somebody's numbers as they are now: abilities under damage, boosts, luck, classes by tags (rules §5, §7, §8, §13)."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from rulesets.alice.cards import FATAL, PICTURES, ability_value, boost_value, card_value, rank_of
from rulesets.alice.play.desk import Desk
from rulesets.alice.play.state import ActorState, State
from rulesets.alice.tables import Tables
from rulesets.alice.words import refused

BEST = 21
ACE = "A"


def value(state: State, actor: ActorState, suit: str, boosted: bool = False) -> int | None:
    """An ability with damage and boost; None at stage 3, and where there is no card."""
    rank = actor.ranks.get(suit)
    return None if rank is None else ability_value(rank, actor.stage(suit), boosted, tables=state.tables)


def boost_refusal(state: State, actor: ActorState, suit: str) -> str:
    """Why the picture boost cannot be used now; "" when it can (§5.2)."""
    rank = actor.ranks.get(suit, "")
    if rank not in PICTURES or boost_value(rank, state.tables) is None or not actor.character.boost:
        return "E_NO_PICTURE_CARD"
    used = actor.boosts if state.rule.boost_scope == "per_pc" else set(actor.boosts) & {suit}
    if used:
        return "E_BOOST_USED"
    return "E_BOOST_USELESS" if useless(state.tables, actor, suit) else ""


def useless(tables: Tables, actor: ActorState, suit: str) -> bool:
    """Whether the damage leaves nothing of a boost."""
    return actor.stage(suit) >= FATAL or (actor.stage(suit) == FATAL - 1 and tables.rule.boost_under_damage == "apply")


def check_boost(desk: Desk, actor: ActorState, suit: str) -> None:
    code = boost_refusal(desk.state, actor, suit)
    if code:
        desk.refuse(code)


def with_boost(actor: ActorState, suit: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*actor.boosts, suit)))


def can_spend_luck(actor: ActorState) -> bool:
    """♦ can pay while it is not at stage 3 (§7.6); a GM character only where its sheet says so."""
    return actor.stage("D") < FATAL and actor.character.luck_spend


def check_luck(actor: ActorState) -> None:
    if not can_spend_luck(actor):
        raise refused("E_LUCK_EXHAUSTED")


def hurt(actor: ActorState, suit: str, by: int = 1) -> Mapping[str, int]:
    """Stages after damage to one ability, never beyond 3."""
    return {**actor.stages, suit: min(FATAL, actor.stage(suit) + by)}


def healed(actor: ActorState, suit: str) -> Mapping[str, int]:
    return {**actor.stages, suit: max(0, actor.stage(suit) - 1)}


def read(value: int | None, card: str, ace: str) -> int:
    """What a played card achieves, an ace as chosen, else by the better reading; at no value an ace is 21."""
    if rank_of(card) != ACE:
        return (value or 0) + card_value(rank_of(card))
    return read_ace(value, ace)


def read_ace(value: int | None, ace: str) -> int:
    """An ace: 21, or 11 on top of the ability (§7.1)."""
    eleven = None if value is None else value + card_value(ACE)
    if ace == "twentyone" or eleven is None:
        return BEST
    return eleven if ace == "eleven" else max(BEST, eleven)


def action_key(text: str) -> str:
    """An action as the registry and 道理 know it: width, case and spaces do not count."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def tag_class(actor: ActorState, action: str) -> str:
    """The class a GM character's tags say for an action (§13.1)."""
    for cls, tags in (("expert", actor.character.expert), ("related", actor.character.related)):
        if any(action_key(tag) and action_key(tag) in action_key(action) for tag in tags):
            return cls
    return "outsider"
