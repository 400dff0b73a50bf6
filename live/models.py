"""The log of a topic: append-only events, each with the hash of the one before, and its verifiable draws."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Topic(models.Model):
    """Something people follow together (`campaign:12`). The row is the lock of every write to it."""

    name = models.CharField(max_length=80, unique=True)
    seq = models.PositiveIntegerField(default=0)  # of the newest event
    head = models.CharField(max_length=64, blank=True)  # hash of the newest event
    master = models.BinaryField(max_length=32)  # never shown; see rulesets/engine/fair.py
    draws = models.PositiveIntegerField(default=0)  # number of draws used
    closed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name


class Event(models.Model):
    """One fact. `audience` lists who may see it (`all`, `gm`, `seat:7`); `data` holds facts, never page text."""

    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    at = models.DateTimeField()
    kind = models.CharField(max_length=60)
    schema = models.PositiveSmallIntegerField(default=1)
    actor = models.CharField(max_length=40, blank=True)  # `seat:7`, `timer`, `system`
    audience = models.JSONField(default=list)
    data = models.JSONField(default=dict)
    prev_hash = models.CharField(max_length=64, blank=True)
    hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["seq"]
        constraints = [models.UniqueConstraint(fields=["topic", "seq"], name="event_seq_once")]

    def __str__(self) -> str:
        return f"{self.seq} {self.kind}"


class Command(models.Model):
    """A press of a button, once: a retry finds the first result (`first`…`last` are its events' numbers)."""

    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="commands")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    command_id = models.CharField(max_length=64)
    first = models.PositiveIntegerField(null=True)
    last = models.PositiveIntegerField(null=True)
    result = models.JSONField(default=dict)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["topic", "user", "command_id"], name="command_once")]

    def __str__(self) -> str:
        return self.command_id


class FairRoot(models.Model):
    """A published Merkle root over the hashes of keys `first` … `first + size - 1`."""

    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="roots")
    first = models.PositiveIntegerField()
    size = models.PositiveIntegerField()
    root = models.CharField(max_length=64)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["first"]
        constraints = [models.UniqueConstraint(fields=["topic", "first"], name="root_once")]

    def __str__(self) -> str:
        return f"{self.first}+{self.size} {self.root}"


class Salt(models.Model):
    """A line a player threw into the randomness, from draw `since` on."""

    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="salts")
    since = models.PositiveIntegerField()
    text = models.CharField(max_length=200)
    by = models.CharField(max_length=40)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.text


class Draw(models.Model):
    """One draw used: what was asked of it and who may see it (the key follows the same audience)."""

    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="draw_rows")
    number = models.PositiveIntegerField()
    event_seq = models.PositiveIntegerField(null=True)
    requests = models.JSONField(default=list)  # in order: sides (int) of each die, or {"shuffle": size}
    values = models.JSONField(default=list)  # faces and orders that came out
    audience = models.JSONField(default=list)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["topic", "number"], name="draw_once")]

    def __str__(self) -> str:
        return str(self.number)
