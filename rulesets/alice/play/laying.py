"""Cards for those who come: the table laid out anew before the deal, abilities drawn at random after it (§3.6)."""

from __future__ import annotations

from rulesets.alice.cards import SUITS, rank_of, suit_of
from rulesets.alice.play import setup
from rulesets.alice.play.desk import Desk
from rulesets.alice.play.registry import event
from rulesets.alice.play.state import DISCARD, DRAW, ability_of
from rulesets.alice.play.words import card_names, words
from rulesets.engine.cards import Card
from rulesets.engine.play import HIDDEN

event("laid")
event("late", shows=("cards",))


def relay(desk: Desk) -> None:
    """Lay the table out anew before the deal, after the cast has changed. Only a replay needs the event."""
    after = setup.laid_out(desk.state)
    actors = {who: {"cards": one.cards} for who, one in after.actors.items() if one.cards != desk.of(who).cards}
    world = {"zones": after.zones, "seats": after.seats, "decks": after.decks}
    desk.emit("laid", actors=actors, world=world, audience=HIDDEN)


def own_abilities(desk: Desk, who: str) -> None:
    """The known ranks of a newcomer: their cards leave pile or discards, where they lie there; others are virtual."""
    actor = desk.of(who)
    found, moves = dict(actor.cards), []
    for suit, rank in actor.ranks.items():
        copies = [Card(suit, rank, number).id for number in range(1, desk.state.decks + 1)]
        for zone in (DRAW, DISCARD):
            card = next((copy for copy in copies if copy in desk.state.zone(zone)), None)
            if card is not None:
                found[suit] = card
                moves.append(((card,), zone, ability_of(who), "bottom"))
                break
    if moves:
        desk.emit("laid", actors={who: {"cards": found}}, moves=moves, audience=HIDDEN)


def late_abilities(desk: Desk, who: str) -> None:
    """For ♠♣♥♦ in turn, where an ability is missing, a random card of that suit from the pile; never an ace."""
    actor = desk.of(who)
    ranks, cards, moves = dict(actor.ranks), dict(actor.cards), []
    for suit in SUITS:
        if suit in ranks:
            continue
        choice = [one for one in desk.state.zone(DRAW) if suit_of(one) == suit and rank_of(one) != "A"]
        if choice:
            card = choice[desk.order(choice)[0]]
            ranks[suit], cards[suit] = rank_of(card), card
            moves.append(((card,), DRAW, ability_of(who), "bottom"))
    if moves:
        found = [what[0] for what, *_rest in moves]
        said = words("log.late", name=actor.name, cards=card_names(found))
        desk.emit("late", said, actor=who, actors={who: {"ranks": ranks, "cards": cards}}, moves=moves, cards=found)
