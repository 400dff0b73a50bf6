"""Drawing, refilling, reshuffling (rules §3.5, §6.1–§6.3): a pile that runs out is made anew from the discards.

What cannot be drawn is owed and served when cards are there again; nothing is ever refused for want of a refill.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulesets.alice.play.desk import Desk
from rulesets.alice.play.registry import event
from rulesets.alice.play.state import DIFFICULTY, DISCARD, DRAW, GM_HAND, PLAYED, Owed, hand_of
from rulesets.alice.play.words import words
from rulesets.engine.cards import reordered
from rulesets.engine.play import GM, HIDDEN, Audience

event("drawn", shows=("who", "n", "left"))
event("drawn.faces", shows=("who", "cards"))
event("reshuffled", shows=("n",))
event("pile.laid")
event("owed")


def lay_pile(desk: Desk, cards: tuple[str, ...]) -> None:
    """Shuffle cards into the draw pile. Nobody hears the order while the table is open (§3.3)."""
    order = reordered(cards, desk.order(cards))
    zones = {**desk.state.zones, DRAW: order}
    desk.emit("pile.laid", audience=HIDDEN, world={"zones": zones, "shuffles": desk.state.shuffles + 1})


def reshuffle(desk: Desk) -> None:
    """The discard pile becomes the draw pile (§6.2)."""
    n = len(desk.state.zone(DISCARD))
    desk.emit("reshuffled", words("log.reshuffled", n=n), n=n, moves=[(n, DISCARD, DRAW, "bottom")])
    lay_pile(desk, desk.state.zone(DRAW))


def reshuffle_if_empty(desk: Desk) -> None:
    """As soon as the pile is empty, unless the group waits for the next draw."""
    if desk.rule.reshuffle_timing == "eager" and not desk.state.zone(DRAW) and desk.state.zone(DISCARD):
        reshuffle(desk)


def can_draw(desk: Desk, cards: int = 1) -> bool:
    return len(desk.state.zone(DRAW)) + len(desk.state.zone(DISCARD)) >= cards


def lay_difficulty(desk: Desk, cards: int) -> int:
    """Lay difficulty cards face down; how many could be laid (§3.5)."""
    laid = 0
    while laid < cards and can_draw(desk):
        if not desk.state.zone(DRAW):
            reshuffle(desk)
        now = min(cards - laid, len(desk.state.zone(DRAW)))
        left = len(desk.state.zone(DRAW)) - now
        desk.emit(
            "drawn",
            words("log.laid", n=now),
            who=DIFFICULTY,
            n=now,
            left=left,
            moves=[(now, DRAW, DIFFICULTY, "bottom")],
        )
        laid += now
        reshuffle_if_empty(desk)
    if laid < cards:
        desk.warn("W_DECK_STARVED")
    return laid


def take(desk: Desk, owed: Owed, *, first: bool = False) -> None:
    """Draw cards into a hand; what is not there is owed (`first`: before everything else that is)."""
    zone = GM_HAND if not owed.who else hand_of(owed.who)
    left = owed.count
    while left and can_draw(desk):
        if not desk.state.zone(DRAW):
            reshuffle(desk)
        now = min(left, len(desk.state.zone(DRAW)))
        _drawn(desk, owed.who, zone, now)
        left -= now
        reshuffle_if_empty(desk)
    if left:
        owe(desk, replace(owed, count=left), first=first)


def owe(desk: Desk, owed: Owed, *, first: bool = False) -> None:
    """Note what could not be drawn."""
    queue = (owed, *desk.state.owed) if first else (*desk.state.owed, owed)
    desk.warn("W_DECK_STARVED")
    desk.emit("owed", world={"owed": queue}, audience=HIDDEN)


def _drawn(desk: Desk, who: str, zone: str, cards: int) -> None:
    drawn = desk.state.zone(DRAW)[:cards]
    name = desk.of(who).name if who else words("gm").ja
    left = len(desk.state.zone(DRAW)) - cards
    said = words("log.drawn", name=name, n=cards)
    desk.emit("drawn", said, who=who, n=cards, left=left, moves=[(cards, DRAW, zone, "bottom")])
    desk.emit("drawn.faces", audience=_eyes(desk, who), who=who, cards=list(drawn))


def _eyes(desk: Desk, who: str) -> Audience:
    return desk.eyes_on(who) if who else GM


def refill(desk: Desk, who: str) -> None:
    """Draw up to the size of the hand (§6.1); a GM character's hand is the GM's."""
    holder = "" if desk.of(who).npc else who
    short = desk.state.hand_size(who) - len(desk.state.hand(who)) - owing(desk, holder)
    if short > 0:
        take(desk, Owed("refill", holder, short))


def owing(desk: Desk, holder: str) -> int:
    return sum(one.count for one in desk.state.owed if one.who == holder and one.kind != "survival")


Serve = Callable[[Desk, Owed], None]
_OTHERS: dict[str, Serve] = {}


def serves(kind: str) -> Callable[[Serve], Serve]:
    """Register what happens when a card of this kind can be drawn at last."""

    def register(serve: Serve) -> Serve:
        _OTHERS[kind] = serve
        return serve

    return register


def serve_owed(desk: Desk) -> None:
    """Draw what is owed, in the order in which it arose (§3.5)."""
    while desk.state.owed and can_draw(desk):
        now, *rest = desk.state.owed
        desk.emit("owed", world={"owed": tuple(rest)}, audience=HIDDEN)
        if now.kind in _OTHERS:
            _OTHERS[now.kind](desk, now)
        else:
            take(desk, now, first=True)


def clear_table(desk: Desk) -> list[tuple[tuple[str, ...], str, str, str]]:
    """Moves of every card on the table to the discards, in the order in which they came (§6.3)."""
    zones = (DIFFICULTY, PLAYED)
    return [(desk.state.zone(zone), zone, DISCARD, "bottom") for zone in zones if desk.state.zone(zone)]


def after_discards(desk: Desk) -> None:
    """Cards have reached the discards: an empty pile is made anew, what is owed is drawn."""
    reshuffle_if_empty(desk)
    serve_owed(desk)
