"""The table: a scenario with its cast, snapshots of its state, its commands, requests, notes and what is carried home.

The truth is the log of the topic `session:<pk>` (`live.models.Event`). Everything here but notes and the plan of a
session is derived from it and kept for speed or for constraints.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from characters.models import Campaign, Character, Revision, Seat


class GameSession(models.Model):
    """One scenario of a campaign, over one or several evenings (DESIGN §2), or what is played before it."""

    class State(models.TextChoices):
        PLANNED = "planned", _("予定")
        OPEN = "open", _("進行中")
        CLOSED = "closed", _("終了")

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="game_sessions")
    number = models.PositiveIntegerField()  # its address in the campaign
    chapter = models.PositiveIntegerField(default=0)  # which scenario it is (第n話); 0 for what comes before a table
    # What of the game is played: "" its tables, else one of `services.parts`: the draft of abilities.
    part = models.CharField(max_length=10, blank=True)
    title = models.CharField(max_length=100)
    state = models.CharField(max_length=8, choices=State.choices, default=State.PLANNED)
    setup_seq = models.PositiveIntegerField(null=True)  # the event that holds builds, revisions and house rules
    evening = models.PositiveIntegerField(default=0)  # of the newest evening; 0 before the first
    evening_open = models.BooleanField(default=False)
    scene = models.CharField(max_length=100, blank=True)
    closing = models.BooleanField(default=False)  # the GM has asked everybody what they take home
    created_at = models.DateTimeField(auto_now_add=True)
    opened_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["campaign", "number"], name="session_number_once")]

    def __str__(self) -> str:
        return self.title

    @property
    def topic(self) -> str:
        return f"session:{self.pk}"

    @property
    def game(self) -> str:
        """The name of its live play, as `services.play` takes it and its events begin with."""
        return f"{self.campaign.system}.{self.part}" if self.part else str(self.campaign.system)


class CastMember(models.Model):
    """A character that plays, from one cleared revision. `actor` is its id in the game's state and events."""

    session = models.ForeignKey(GameSession, on_delete=models.CASCADE, related_name="cast")
    character = models.ForeignKey(Character, on_delete=models.CASCADE, related_name="castings")
    revision = models.ForeignKey(Revision, on_delete=models.CASCADE, related_name="+")
    actor = models.CharField(max_length=40)
    name = models.CharField(max_length=300)
    count = models.PositiveIntegerField(default=1)
    hidden = models.BooleanField(default=False)  # at the beginning only the GMs know it is there
    playing = models.BooleanField(default=True)  # until the session closes

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["session", "character"], name="cast_once"),
            models.UniqueConstraint(fields=["session", "actor"], name="cast_actor_once"),
            models.UniqueConstraint(
                fields=["character"], condition=Q(playing=True), name="character_in_one_open_session"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Snapshot(models.Model):
    """The game's state after event `seq`: where a fold may begin instead of at the first event."""

    session = models.ForeignKey(GameSession, on_delete=models.CASCADE, related_name="snapshots")
    seq = models.PositiveIntegerField()
    data = models.JSONField()

    class Meta:
        ordering = ["-seq"]
        constraints = [models.UniqueConstraint(fields=["session", "seq"], name="snapshot_once")]

    def __str__(self) -> str:
        return str(self.seq)


class CommandRecord(models.Model):
    """A command that changed the game's state: which events are its, so that they can be taken back together."""

    session = models.ForeignKey(GameSession, on_delete=models.CASCADE, related_name="command_records")
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    name = models.CharField(max_length=60)
    seat = models.ForeignKey(Seat, null=True, on_delete=models.SET_NULL, related_name="+")
    # A player may take it back while nothing came after: it drew nothing and showed nothing new.
    retractable = models.BooleanField(default=False)
    draw = models.PositiveIntegerField(null=True)  # the number of its draw, None when nothing was thrown
    throw = models.CharField(max_length=60, blank=True)  # the game's name of that throw; "" for none or several
    undone_by = models.PositiveIntegerField(null=True)  # the event that took it back
    before = models.JSONField(default=dict)  # columns of ours that it changed, as they were

    class Meta:
        ordering = ["first"]
        constraints = [models.UniqueConstraint(fields=["session", "first"], name="command_record_once")]

    def __str__(self) -> str:
        return f"{self.first}–{self.last} {self.name}"


class SessionNote(models.Model):
    """Free text beside the log that only its writer or the GMs see. Not part of the log."""

    class Visibility(models.TextChoices):
        OWN = "own", _("自分だけ")
        GM = "gm", _("GMだけ")

    session = models.ForeignKey(GameSession, on_delete=models.CASCADE, related_name="notes")
    author = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+")
    title = models.CharField(max_length=100, blank=True)
    text = models.TextField(max_length=20000)
    visibility = models.CharField(max_length=6, choices=Visibility.choices, default=Visibility.OWN)
    version = models.PositiveIntegerField(default=1)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.title or "—"


class CarryDecision(models.Model):
    """The owner's word (or the GM's for them) on what the end of the scenario writes back to a sheet.

    `digest` names the proposal that was seen: when the table plays on, the word has to be given again.
    """

    session = models.ForeignKey(GameSession, on_delete=models.CASCADE, related_name="carry_decisions")
    member = models.OneToOneField(CastMember, on_delete=models.CASCADE, related_name="carry_decision")
    accepted = models.BooleanField()
    digest = models.CharField(max_length=64)
    by = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.member_id}: {self.accepted}"
