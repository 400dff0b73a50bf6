"""Rows of an Edo sheet, written from the revision in the same transaction (rules/edo.md §4).

Constraints hold only what no house rule, override or NPC can change; bounds a group may edit belong to `check`.
"""

from __future__ import annotations

from django.db import models

from characters.models.base import Character


class EdoSheet(models.Model):
    character = models.OneToOneField(Character, on_delete=models.CASCADE, primary_key=True, related_name="edo")
    role = models.CharField(max_length=20, blank=True)
    mind = models.PositiveSmallIntegerField(null=True)
    gi = models.PositiveSmallIntegerField(null=True)
    body = models.PositiveSmallIntegerField(null=True)
    endurance_bought = models.PositiveSmallIntegerField(default=0)
    style_skill = models.CharField(max_length=200, blank=True)
    style_name = models.CharField(max_length=200, blank=True)
    family_name = models.CharField(max_length=200, blank=True)
    office_name = models.CharField(max_length=200, blank=True)
    given_name = models.CharField(max_length=200, blank=True)
    stage_name = models.CharField(max_length=200, blank=True)
    status = models.CharField(max_length=200, blank=True)
    occupation = models.CharField(max_length=200, blank=True)
    money_dice = models.JSONField(default=list, blank=True)
    # Computed when written; for lists and searches only.
    endurance_max = models.PositiveSmallIntegerField(default=0)
    evasion = models.PositiveSmallIntegerField(default=0)


class EdoSkill(models.Model):
    sheet = models.ForeignKey(EdoSheet, on_delete=models.CASCADE, related_name="skills")
    position = models.PositiveSmallIntegerField()
    skill = models.CharField(max_length=80)
    level = models.PositiveSmallIntegerField(null=True)
    speciality = models.CharField(max_length=200, blank=True)
    base = models.CharField(max_length=8, blank=True)
    effective = models.PositiveSmallIntegerField(default=0)

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["sheet", "position"], name="edo_skill_position_once")]


class EdoStyle(models.Model):
    """A school or a perk of the own style; `kind` says which."""

    sheet = models.ForeignKey(EdoSheet, on_delete=models.CASCADE, related_name="styles")
    kind = models.CharField(max_length=8, choices=[("school", "school"), ("perk", "perk")])
    ref = models.CharField(max_length=80)
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["sheet", "position"], name="edo_style_position_once")]


class EdoPossession(models.Model):
    sheet = models.ForeignKey(EdoSheet, on_delete=models.CASCADE, related_name="possessions")
    position = models.PositiveSmallIntegerField()
    ref = models.CharField(max_length=200, blank=True)  # id of a weapon or armour row; empty = free text
    text = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["sheet", "position"], name="edo_possession_position_once")]
