"""Sessions follow the people of their campaign: whoever comes, goes or changes role is told to every open table, and
whoever gets a character where it plays.

The stream reads rights anew after `member.changed`, so somebody removed from the campaign stops hearing its tables at
once, in the same transaction.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from characters.models import Character, Seat
from live import topics
from live.topics import TopicClosed, UnknownTopic
from sessions.kinds import ALL
from sessions.models import GameSession
from sessions.selectors.state import memory, remembered

_WATCHED = frozenset({"role", "name", "removed_at"})


def seat_saved(sender: type[Seat], instance: Seat, created: bool, update_fields: Any = None, **_more: Any) -> None:
    """Receiver of `post_save`; runs inside the campaign's write."""
    if not created and update_fields is not None and _WATCHED.isdisjoint(update_fields):
        return
    sessions = GameSession.objects.filter(campaign_id=instance.campaign_id).exclude(state=GameSession.State.CLOSED)
    for session in sessions.order_by("pk"):
        try:
            with topics.write(session.topic, actor=instance.audience) as w:
                _tell(w, instance, renamed=not created and (update_fields is None or "name" in update_fields))
        except (TopicClosed, UnknownTopic):
            continue


def character_saved(
    sender: type[Character], instance: Character, created: bool, update_fields: Any = None, **_more: Any
) -> None:
    """Receiver of `post_save`: another owner is told where the character plays."""
    if created or update_fields is None or "owner" not in update_fields:
        return
    sessions = GameSession.objects.filter(cast__character=instance).exclude(state=GameSession.State.CLOSED)
    for session in sessions.order_by("pk"):
        with suppress(TopicClosed, UnknownTopic), topics.write(session.topic, actor=instance.owner.audience) as w:
            _tell(w, instance.owner, renamed=False)


def _tell(w: topics.Write, seat: Seat, *, renamed: bool) -> None:
    head = w.topic.head
    facts = {"seat": seat.pk, "name": seat.name, "role": seat.role, "removed": seat.removed_at is not None}
    w.append("member.changed", {**facts, "renamed": renamed}, ALL)
    known = remembered(head)
    if known is not None:
        memory.put(w.topic.head, known)
