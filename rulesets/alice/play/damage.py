"""The damage of a hit, and what the GM deals out by hand (rules §8, §9.4): exactly one stage of one ability."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulesets.alice.cards import FATAL, suit_of
from rulesets.alice.play import reading
from rulesets.alice.play.acting import debt
from rulesets.alice.play.desk import Desk
from rulesets.alice.play.op_state import Op
from rulesets.alice.play.people import check_luck, hurt
from rulesets.alice.play.piles import after_discards, can_draw, refill, reshuffle_if_empty
from rulesets.alice.play.reading import ACTOR, SUIT, Asked
from rulesets.alice.play.registry import GM_ONLY, command, event
from rulesets.alice.play.rounds import pass_on
from rulesets.alice.play.ruling import waiting
from rulesets.alice.play.settling import finish
from rulesets.alice.play.state import DISCARD, DRAW, PLAYED, ActorState, ability_of, hand_of
from rulesets.alice.play.ways import flip_card, pay
from rulesets.alice.play.words import reason, stage_name, suit_name, words
from rulesets.alice.words import refused
from rulesets.engine.outcome import CardShown, Change, Outcome, Reason
from rulesets.engine.text import same

event("damage", shows=("suit", "stage", "way", "card"))
event("declined")
event("died", shows=("who",))

_CODES = ("E_DISCARD_FIRST", "E_NOT_ACTOR")


def attacker(desk: Desk) -> tuple[Op, ActorState]:
    """The attacker of the hit that waits. Refuses E_NOT_ACTOR."""
    op = waiting(desk, "damage")
    found = desk.of(op.active.who)
    if not desk.owns(found):
        raise refused("E_NOT_ACTOR")
    if debt(desk, found):
        raise refused("E_DISCARD_FIRST")
    return op, found


def _change(target: ActorState, suit: str) -> Change:
    before = target.stage(suit)
    return Change(target.id, f"stage_{suit}", before, min(FATAL, before + 1), Reason(suit_name(suit), "§8.1"))


def deal(desk: Desk, op: Op, suit: str, way: str, card: str = "", moves: Sequence[Sequence[Any]] = ()) -> bool:
    """One stage of damage; False when the ability was at its worst already."""
    target = desk.of(op.tries[1].who)
    change = _change(target, suit)
    over = change.before == change.after
    cards = (CardShown(card, reason("part.damage", "§9.4"), mark=way),) if card else ()
    outcome = Outcome(
        "damage", reason("kind.damage", "§9.4"), cards=cards, changes=() if over else (change,), degree="over" * over
    )
    key = "log.damage_over" if over else "log.damage"
    said = words(key, target=target.name, suit=suit_name(suit), stage=stage_name(target.stage(suit) + (not over)))
    desk.emit(
        "damage",
        said,
        actor=op.active.who,
        target=target.id,
        outcome=outcome,
        actors={} if over else {target.id: {"stages": hurt(target, suit)}},
        world={"step": desk.state.step + 1},
        moves=moves,
        suit=suit,
        stage=change.after,
        way=way,
        card=card,
    )
    return not over


@command(
    "damage.hand",
    reading.card(),
    reading.flag("confirm"),
    answers=True,
    codes=(*_CODES, "E_NOT_YOUR_CARD", "W_OVERFLOW"),
    rule="§9.4",
)
def damage_hand(desk: Desk, asked: Asked) -> None:
    """A card of the hand: its suit is the ability that is hurt. `confirm`: although that is at its worst already."""
    op, actor = attacker(desk)
    card = asked.text("card")
    if card not in desk.state.hand(actor.id):
        raise refused("E_NOT_YOUR_CARD")
    suit = suit_of(card)
    if desk.of(op.tries[1].who).stage(suit) >= FATAL and not asked.flag("confirm"):
        raise refused("W_OVERFLOW")
    deal(desk, op, suit, "hand", card, [((card,), desk.state.hand_zone(actor.id), PLAYED, "bottom")])
    refill(desk, actor.id)
    finish(desk, op, "active")


@command("damage.flip", answers=True, codes=(*_CODES, "E_PILE_EMPTY"), rule="§9.4")
def damage_flip(desk: Desk, asked: Asked) -> None:
    """The top card of the pile: its suit is hurt, like it or not."""
    op, _actor = attacker(desk)
    if not can_draw(desk):
        raise refused("E_PILE_EMPTY")
    card = flip_card(desk)
    hit = deal(desk, op, suit_of(card), "flip", card, [(1, DRAW, PLAYED, "bottom")])
    reshuffle_if_empty(desk)
    target = desk.of(op.tries[1].who)
    again = desk.rule.damage_overflow == "attacker_redraws" and any(
        target.stage(s) < FATAL for s in ("S", "C", "H", "D")
    )
    if hit or not again:
        finish(desk, op, "active")


@command("damage.luck", SUIT, answers=True, codes=(*_CODES, "E_LUCK_EXHAUSTED"), rule="§7.6")
def damage_luck(desk: Desk, asked: Asked) -> None:
    """Pay one stage of ♦ and name the ability."""
    op, actor = attacker(desk)
    if not desk.rule.luck_spend_for_damage:
        raise refused("E_WRONG_STATE")
    check_luck(actor)
    pay(desk, actor, {})
    deal(desk, op, asked.text("suit"), "luck")
    finish(desk, op, "active")


@command("damage.decline", answers=True, codes=_CODES, rule="§9.4")
def decline(desk: Desk, asked: Asked) -> None:
    """Do no damage."""
    op, actor = attacker(desk)
    if not desk.rule.attacker_may_decline_damage:
        raise refused("E_WRONG_STATE")
    desk.emit("declined", words("log.declined", name=actor.name), actor=actor.id, world={"step": desk.state.step + 1})
    finish(desk, op, "active")


# ---------------------------------------------------------------- accidents and death


@command(
    "actor.hurt", ACTOR, SUIT, reading.text("reason", required=True), roles=GM_ONLY, codes=("W_OVERFLOW",), rule="§8.3"
)
def hurt_by_hand(desk: Desk, asked: Asked) -> None:
    """One stage of damage outside an attack: a fall, a fire."""
    actor, suit = desk.seen(asked.text("actor")), asked.text("suit")
    if actor.stage(suit) >= FATAL:
        raise refused("W_OVERFLOW")
    change = _change(actor, suit)
    outcome = Outcome("damage", Reason(same(asked.text("reason")), "§8.3"), changes=(change,))
    said = words("log.hurt", name=actor.name, suit=suit_name(suit), reason=asked.text("reason"))
    values = {"stages": hurt(actor, suit)}
    desk.emit(
        "damage",
        said,
        target=actor.id,
        outcome=outcome,
        actors={actor.id: values},
        suit=suit,
        stage=change.after,
        way="gm",
    )
    pass_on(desk)


@command("actor.kill", reading.actor("target"), roles=GM_ONLY, codes=("E_NOT_HELPLESS", "E_TEST_OPEN"), rule="§8.2")
def kill(desk: Desk, asked: Asked) -> None:
    """Somebody helpless is killed, or the death that a card foretold is confirmed; hand and abilities are discards."""
    desk.in_play()
    actor = desk.seen(asked.text("target"))
    if desk.state.op is not None:
        raise refused("E_TEST_OPEN")
    if actor.dead:
        raise refused("E_NOT_HELPLESS")
    if not actor.incapacitated:
        desk.refuse("E_NOT_HELPLESS")
    zones = (hand_of(actor.id), ability_of(actor.id))
    moves = [(len(desk.state.zone(zone)), zone, DISCARD, "bottom") for zone in zones if desk.state.zone(zone)]
    owed = tuple(one for one in desk.state.owed if one.who != actor.id)
    left = {key: one for key, one in desk.state.transfers.items() if actor.id not in (one.giver, one.receiver)}
    said = words("log.died", name=actor.name)
    values = {"status": "dead", "cards": {}, "offers": {}}
    desk.emit(
        "died", said, actors={actor.id: values}, world={"owed": owed, "transfers": left}, moves=moves, who=actor.id
    )
    after_discards(desk)
    pass_on(desk)
