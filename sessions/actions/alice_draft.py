"""The rows of an ability draft (rules/alice.md §4), made anew from what everybody may see of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sessions.models import DraftAnswer, DraftPile, DraftReveal, DraftSeat, GameSession
from sessions.models.alice import SUITS

Row = Mapping[str, Any]


def write(session: GameSession, state: Row) -> None:
    """Replace the rows of a draft: a few dozen at most."""
    for model in (DraftReveal, DraftSeat, DraftPile):
        model.objects.filter(session=session).delete()
    known = [row for row in state["seats"] if str(row["seat"]).isdecimal()]
    DraftSeat.objects.bulk_create(
        DraftSeat(session=session, seat_id=int(row["seat"]), place=place, late=row["late"])
        for place, row in enumerate(known)
    )
    if state["phase"] == "SEATING":
        return
    DraftPile.objects.bulk_create(DraftPile(session=session, suit=suit, left=state["piles"][suit]) for suit in SUITS)
    for row in state["log"]:
        if row["how"] != "late_join":
            _reveal(session, row, taker=row["to"], how=row["how"])
    offer = state["offer"]
    if offer["card"]:
        _reveal(session, {**offer, "n": len(state["log"]) + 1}, taker="", how="")


def _reveal(session: GameSession, row: Row, *, taker: str, how: str) -> None:
    made = DraftReveal.objects.create(
        session=session,
        number=row["n"],
        card=row["card"],
        suit=row["card"][0],
        parent_id=int(row["parent"]),
        taker_id=int(taker) if taker else None,
        how=how,
    )
    said = [(seat, False) for seat in row["passed"]]
    if how == "claimed":
        said.append((taker, True))
    DraftAnswer.objects.bulk_create(
        DraftAnswer(reveal=made, seat_id=int(seat), position=position, claimed=claimed)
        for position, (seat, claimed) in enumerate(said)
    )
