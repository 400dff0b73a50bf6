"""Rows of an アリス sheet, written from the revision in the same transaction (rules/alice.md §5.3, §13.1).

Constraints hold what no house rule, override or GM character can change: suits, ranks, one card a suit.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from characters.models.base import Character

SUITS = ("S", "C", "H", "D")
# Of the draft 2 to K; GM characters may also be written with 0 and 1.
VALUES = ("0", "1", *(str(n) for n in range(2, 11)), "J", "Q", "K")


class AliceSheet(models.Model):
    character = models.OneToOneField(Character, on_delete=models.CASCADE, primary_key=True, related_name="alice")
    name = models.CharField(max_length=200, blank=True)
    sex = models.CharField(max_length=80, blank=True)
    age = models.PositiveSmallIntegerField(null=True)
    occupation = models.CharField(max_length=80, blank=True)
    current_job = models.CharField(max_length=200, blank=True)
    job_visibility = models.CharField(max_length=20, blank=True)
    background = models.TextField(blank=True)
    belongings = models.TextField(blank=True)
    ability_source = models.CharField(max_length=20, blank=True)
    # A GM character's; None when the build says nothing of it (every PC).
    gm = models.JSONField(null=True)


class AliceAbility(models.Model):
    sheet = models.ForeignKey(AliceSheet, on_delete=models.CASCADE, related_name="abilities")
    suit = models.CharField(max_length=1)
    rank = models.CharField(max_length=2)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["sheet", "suit"], name="alice_one_card_a_suit"),
            models.CheckConstraint(condition=Q(suit__in=SUITS), name="alice_known_suit"),
            models.CheckConstraint(condition=Q(rank__in=VALUES), name="alice_known_rank"),
        ]

    def __str__(self) -> str:
        return f"{self.suit}{self.rank}"
