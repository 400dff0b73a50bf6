"""Rows of an ability draft of アリス (rules/alice.md §4): derived from its log, for lists and for constraints.

Written in the transaction of each command: who sits where, what is left of the piles, each card with who was asked.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from characters.models import Seat
from sessions.models.table import GameSession

SUITS = ("S", "C", "H", "D")


class DraftSeat(models.Model):
    """Somebody who drafts; `place` counts clockwise from 0, those who came late follow."""

    session = models.ForeignKey(GameSession, on_delete=models.CASCADE, related_name="draft_seats")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    place = models.PositiveSmallIntegerField()
    late = models.BooleanField(default=False)

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["session", "seat"], name="draft_seat_once"),
            models.UniqueConstraint(fields=["session", "place"], name="draft_place_once"),
        ]


class DraftPile(models.Model):
    """How many cards a suit's pile still holds; which, nobody may know."""

    session = models.ForeignKey(GameSession, on_delete=models.CASCADE, related_name="draft_piles")
    suit = models.CharField(max_length=1)
    left = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "suit"], name="draft_pile_once"),
            models.CheckConstraint(condition=Q(suit__in=SUITS), name="draft_pile_suit"),
        ]


class DraftReveal(models.Model):
    """A card that was turned: by which 親, and to whom it went (null while it is offered)."""

    session = models.ForeignKey(GameSession, on_delete=models.CASCADE, related_name="draft_reveals")
    number = models.PositiveSmallIntegerField()
    card = models.CharField(max_length=5)
    suit = models.CharField(max_length=1)
    parent = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    taker = models.ForeignKey(Seat, null=True, on_delete=models.CASCADE, related_name="+")
    how = models.CharField(max_length=10, blank=True)  # claimed, forced

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["session", "number"], name="draft_reveal_once"),
            models.UniqueConstraint(fields=["session", "card"], name="draft_card_once"),
            models.UniqueConstraint(fields=["session", "taker", "suit"], name="draft_one_card_a_suit"),
        ]


class DraftAnswer(models.Model):
    """What somebody who was asked said to a card: pass or claim."""

    reveal = models.ForeignKey(DraftReveal, on_delete=models.CASCADE, related_name="answers")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="+")
    position = models.PositiveSmallIntegerField()
    claimed = models.BooleanField()

    class Meta:
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["reveal", "seat"], name="draft_answer_once"),
            models.UniqueConstraint(fields=["reveal"], condition=Q(claimed=True), name="draft_claimed_once"),
        ]
