"""Hands between tests (rules §6.4, §6.5): transfers with a supporting deed, surplus cards, refresh."""

from __future__ import annotations

from rulesets.alice.play import reading
from rulesets.alice.play.acting import ABLE, able, debt
from rulesets.alice.play.desk import Desk
from rulesets.alice.play.piles import after_discards, refill, take
from rulesets.alice.play.reading import ACTOR, Asked
from rulesets.alice.play.registry import GM_ONLY, command, event
from rulesets.alice.play.state import DISCARD, ActorState, Owed, Transfer, hand_of
from rulesets.alice.play.words import card_names, words
from rulesets.alice.words import refused
from rulesets.engine.play import ALL

event("transfer.asked", shows=("transfer", "support"))
event("transfer.card", shows=("transfer", "card"))
event("transfer.refused", shows=("transfer", "reason"))
event("transferred", shows=("transfer",))
event("transferred.card", shows=("card",))
event("discarded", shows=("cards", "n"))
event("refreshed", shows=("cards", "n"))


def pc(desk: Desk, actor: ActorState) -> ActorState:
    """Only players' characters have hands of their own (§6.4)."""
    if actor.npc:
        raise refused("E_NO_HAND")
    return actor


def quiet(desk: Desk) -> None:
    """Hands change between tests, or while a test waits for its card (§7.2)."""
    desk.in_play()
    op = desk.state.op
    if op is not None and op.phase not in ("card", "class", "suit", "declared"):
        raise refused("E_TEST_OPEN")


# ---------------------------------------------------------------- transfer


@command(
    "transfer.ask",
    ACTOR,
    reading.actor("target"),
    reading.card(),
    reading.text("text"),
    codes=(
        *ABLE,
        "E_CARD_OFFERED",
        "E_NO_HAND",
        "E_NOT_YOUR_CARD",
        "E_SAME_PLAYER",
        "E_SUPPORT_REQUIRED",
        "E_TEST_OPEN",
    ),
    rule="§6.4",
)
def ask(desk: Desk, asked: Asked) -> None:
    """Offer a card by supporting somebody; one deed for one card, and the GM confirms it."""
    quiet(desk)
    giver, receiver = pc(desk, desk.own(asked)), pc(desk, desk.seen(asked.text("target")))
    able(desk, giver)
    if giver.id == receiver.id:
        raise refused("E_SAME_PLAYER")
    if receiver.dead:
        raise refused("E_NO_HAND")
    card = asked.text("card")
    if card not in desk.state.hand(giver.id):
        raise refused("E_NOT_YOUR_CARD")
    if card in giver.offers.values():
        raise refused("E_CARD_OFFERED")
    if not asked.text("text"):
        desk.refuse("E_SUPPORT_REQUIRED")
    made = Transfer(desk.new_id("x"), giver.id, receiver.id, asked.text("text"))
    world = {"transfers": {**desk.state.transfers, made.id: made}}
    said = words("log.transfer_asked", name=giver.name, target=receiver.name, support=made.support)
    desk.emit(
        "transfer.asked", said, actor=giver.id, target=receiver.id, world=world, transfer=made.id, support=made.support
    )
    offers = {**giver.offers, made.id: card}
    eyes = desk.eyes_on(giver.id, receiver.id)
    desk.emit("transfer.card", actors={giver.id: {"offers": offers}}, audience=eyes, transfer=made.id, card=card)


def _transfer(desk: Desk, asked: Asked) -> Transfer:
    found = desk.state.transfers.get(asked.text("transfer"))
    if found is None:
        raise refused("E_NOT_FOUND")
    return found


_WHICH = reading.text("transfer", required=True)


@command(
    "transfer.confirm",
    _WHICH,
    roles=GM_ONLY,
    codes=("E_DISCARD_FIRST", "E_INCAPACITATED", "E_NOT_FOUND", "E_NOT_YOUR_CARD", "E_TEST_OPEN"),
    rule="§6.4",
)
def confirm(desk: Desk, asked: Asked) -> None:
    """The deed counts: the card goes over, the giver draws, the receiver has one to discard."""
    quiet(desk)
    found = _transfer(desk, asked)
    giver, receiver = desk.of(found.giver), desk.of(found.receiver)
    able(desk, giver)
    if debt(desk, receiver):
        raise refused("E_DISCARD_FIRST")
    card = giver.offers.get(found.id, "")
    if card not in desk.state.hand(giver.id):
        raise refused("E_NOT_YOUR_CARD")
    left = {key: one for key, one in desk.state.transfers.items() if key != found.id}
    said = words("log.transferred", name=giver.name, target=receiver.name)
    desk.emit("transferred", said, actor=giver.id, target=receiver.id, world={"transfers": left}, transfer=found.id)
    offers = {key: one for key, one in giver.offers.items() if key != found.id}
    moves = [((card,), hand_of(giver.id), hand_of(receiver.id), "bottom")]
    eyes = desk.eyes_on(giver.id, receiver.id)
    desk.emit("transferred.card", actors={giver.id: {"offers": offers}}, moves=moves, audience=eyes, card=card)
    refill(desk, giver.id)


@command(
    "transfer.refuse",
    _WHICH,
    reading.text("reason"),
    codes=("E_NOT_FOUND", "E_NOT_YOUR_PC"),
    rule="§6.4",
)
def refuse(desk: Desk, asked: Asked) -> None:
    """It does not count (the GM), or the giver takes it back: no card moves."""
    desk.in_play()
    found = _transfer(desk, asked)
    giver = desk.of(found.giver)
    if not desk.owns(giver):
        raise refused("E_NOT_YOUR_PC", name=giver.name)
    left = {key: one for key, one in desk.state.transfers.items() if key != found.id}
    said = words("log.transfer_refused", name=giver.name, reason=asked.text("reason") or "―")
    world = {"transfers": left}
    desk.emit("transfer.refused", said, actor=giver.id, world=world, transfer=found.id, reason=asked.text("reason"))
    offers = {key: one for key, one in giver.offers.items() if key != found.id}
    desk.emit(
        "transfer.card", actors={giver.id: {"offers": offers}}, audience=desk.eyes_on(giver.id), transfer=found.id
    )


@command("hand.discard", ACTOR, reading.card(), codes=("E_NO_HAND", "E_NOT_YOUR_CARD", "E_WRONG_STATE"), rule="§6.4")
def discard(desk: Desk, asked: Asked) -> None:
    """Lay down a card too many: any of them."""
    desk.in_play()
    actor = pc(desk, desk.own(asked))
    card = asked.text("card")
    if card not in desk.state.hand(actor.id):
        raise refused("E_NOT_YOUR_CARD")
    if not debt(desk, actor):
        raise refused("E_WRONG_STATE")
    _discard(desk, "discarded", actor, (card,))
    after_discards(desk)


def _discard(desk: Desk, kind: str, actor: ActorState, cards: tuple[str, ...]) -> None:
    """Cards straight to the discards; their faces are public where the discards are."""
    public = desk.rule.discards_public
    key = f"log.{kind}" if public and cards else f"log.{kind}_hidden"
    said = words(key, name=actor.name, cards=card_names(cards), n=len(cards))
    moves = [(cards, hand_of(actor.id), DISCARD, "bottom")] if cards else []
    marks = {"refreshed": True} if kind == "refreshed" else {}
    shown = list(cards) if public else []
    hidden = None if public else desk.eyes_on(actor.id)
    if hidden is None:
        desk.emit(kind, said, actor=actor.id, actors={actor.id: marks}, moves=moves, cards=shown, n=len(cards))
        return
    desk.emit(kind, said, actor=actor.id, actors={actor.id: marks}, cards=shown, n=len(cards), audience=ALL)
    desk.emit("discarded", actor=actor.id, moves=moves, audience=hidden, cards=list(cards), n=len(cards))


# ---------------------------------------------------------------- refresh


@command(
    "refresh",
    ACTOR,
    reading.cards("discards", required=False),
    codes=("E_ALREADY_REFRESHED", "E_DISCARD_FIRST", "E_NO_HAND", "E_NOT_MORNING", "E_NOT_YOUR_CARD", "E_SLEEPLESS"),
    rule="§6.5",
)
def refresh(desk: Desk, asked: Asked) -> None:
    """In the morning: discard as many as wanted, draw as many; none keeps the hand. First all discards, then draws."""
    desk.in_play()
    actor = pc(desk, desk.own(asked))
    cards = asked.cards("discards")
    if not desk.state.morning:
        raise refused("E_NOT_MORNING")
    if actor.dead or debt(desk, actor):
        raise refused("E_DISCARD_FIRST" if debt(desk, actor) else "E_NO_HAND")
    if not set(cards) <= set(desk.state.hand(actor.id)):
        raise refused("E_NOT_YOUR_CARD")
    if actor.sleepless:
        desk.refuse("E_SLEEPLESS")
    if actor.refreshed:
        desk.refuse("E_ALREADY_REFRESHED")
    _withdraw(desk, actor, cards)
    _discard(desk, "refreshed", actor, cards)
    if cards:
        take(desk, Owed("refresh", actor.id, len(cards)))
        after_discards(desk)


def _withdraw(desk: Desk, actor: ActorState, cards: tuple[str, ...]) -> None:
    """Offers of cards that are not in the hand any more fall away."""
    gone = {key for key, card in actor.offers.items() if card in cards}
    if gone:
        left = {key: one for key, one in desk.state.transfers.items() if key not in gone}
        desk.emit(
            "transfer.refused", words("log.transfer_gone", name=actor.name), world={"transfers": left}, transfer=""
        )
        offers = {key: card for key, card in actor.offers.items() if key not in gone}
        desk.emit("transfer.card", actors={actor.id: {"offers": offers}}, audience=desk.eyes_on(actor.id))
