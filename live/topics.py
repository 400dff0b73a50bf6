"""Writing to and reading from a topic's log. Every write of the site that people follow goes through `write`."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from live import bus, draws
from live.events import plain, seal
from live.kinds import Viewer
from live.models import Command, Draw, Event, FairRoot, Salt, Topic
from rulesets.engine import fair

ALL: tuple[str, ...] = ("all",)
NAME = re.compile(r"[a-z][a-z_]*:[A-Za-z0-9_-]{1,60}")
_PLAIN_ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}")


class UnknownTopic(LookupError):
    """There is no such topic."""


class TopicClosed(Exception):
    """The topic is closed; its log can only be read."""


def ensure_topic(name: str) -> None:
    """Create a topic with its secret master and its first published root, unless it exists. Raises ValueError."""
    if not NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no topic name")
    if Topic.objects.filter(name=name).exists():
        return
    try:
        with transaction.atomic():
            Topic.objects.create(name=name, master=fair.new_master())
            with write(name, actor="system") as w:
                w.publish_roots()
    except IntegrityError:  # somebody else made it at the same moment
        if not Topic.objects.filter(name=name).exists():
            raise


@dataclass
class Write:
    """An open write: the topic is locked, the events are stored together when the block ends without an error."""

    topic: Topic
    actor: str = ""
    repeated: bool = False
    result: dict[str, Any] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    _draws: list[Draw] = field(default_factory=list)
    _roots: list[FairRoot] = field(default_factory=list)
    _salts: list[str] | None = None  # read when needed; None again after an inner block was taken back
    _covered: int | None = None  # the first draw without a published root; likewise
    _closing: bool = False

    @property
    def seq(self) -> int:
        """The number of the topic's newest event, those of this write included."""
        return self.topic.seq

    def append(
        self,
        kind: str,
        data: Mapping[str, Any],
        audience: Sequence[str] = ALL,
        schema: int = 1,
        actor: str = "",
    ) -> Event:
        """Add an event. `data` is plain JSON data (see `events.plain`); `audience` are tokens, none means nobody."""
        self._must_be_first()
        topic = self.topic
        event = Event(
            topic=topic,
            seq=topic.seq + 1,
            at=timezone.now(),
            kind=kind,
            schema=schema,
            actor=actor or self.actor,
            audience=sorted(set(plain(list(audience)))),
            data=plain(dict(data)),
        )
        seal(topic.name, bytes(topic.master), event, topic.head)
        topic.seq, topic.head = event.seq, event.hash
        self.events.append(event)
        for draw in self._draws:
            if draw.event_seq is None:
                draw.event_seq = event.seq
        return event

    def dice(self, audience: Sequence[str] = ALL) -> draws.TopicDice:
        """Verifiable dice of the next draw. The draw is used up with the first die or pile, not before."""
        self._must_be_first()
        return draws.TopicDice(self, sorted(set(audience)))

    def close(self) -> None:
        """Close the topic after this write: nothing more can be written and every key becomes public."""
        self._must_be_first()
        self._closing = True

    def start_draw(self, audience: list[str]) -> Draw:
        """Use the next draw number (for `TopicDice`)."""
        self.publish_roots()
        draw = Draw(topic=self.topic, number=self.topic.draws, audience=audience)
        self.topic.draws += 1
        self._draws.append(draw)
        return draw

    def open_draw(self, number: int, audience: Sequence[str]) -> None:
        """Let more people verify a draw that was stored before: its key goes to `audience` from now on."""
        self._must_be_first()
        Draw.objects.filter(topic=self.topic, number=number).update(audience=sorted(set(audience)))

    def holds(self, draw: Draw | None) -> bool:
        """Whether a draw is still part of this write (an inner block that failed takes its draws back)."""
        return any(draw is mine for mine in self._draws)

    def salts(self) -> list[str]:
        """The players' lines that go into draws from now on, in the order they came."""
        if self._salts is None:
            self._salts = list(self.topic.salts.values_list("text", flat=True))
        return self._salts

    def add_salt(self, text: str, by: str) -> Event:
        """Let a line of a player take part in every later draw."""
        self._must_be_first()
        salts, line = self.salts(), plain(text)
        Salt.objects.create(topic=self.topic, since=self.topic.draws, text=line, by=by)
        self._salts = [*salts, line]
        return self.append("fair.salt", {"text": line, "by": by, "since": self.topic.draws})

    def publish_roots(self) -> None:
        """Publish the root of further keys while they are still far away."""
        covered = self._covered
        if covered is None:
            covered = max((root.first + root.size for root in [*self.topic.roots.all(), *self._roots]), default=0)
        while covered < self.topic.draws + draws.AHEAD:
            root = draws.make_root(self.topic, covered)
            self._roots.append(root)
            self.append("fair.root", {"first": root.first, "size": root.size, "root": root.root}, actor="system")
            covered = root.first + root.size
        self._covered = covered

    def _must_be_first(self) -> None:
        if self.repeated:
            raise RuntimeError("this command was done before; its first result stands")

    def _store(self) -> None:
        FairRoot.objects.bulk_create(self._roots)
        Event.objects.bulk_create(self.events)
        Draw.objects.bulk_create(self._draws)
        topic = self.topic
        if self._closing:
            topic.closed_at = timezone.now()
        if self.events or self._draws or self._closing:
            topic.save(update_fields=["seq", "head", "draws", "closed_at"])

    def _mark(self) -> tuple[int, int, int, int, str, int, bool]:
        topic = self.topic
        counts = len(self.events), len(self._draws), len(self._roots)
        return (*counts, topic.seq, topic.head, topic.draws, self._closing)

    def _back_to(self, mark: tuple[int, int, int, int, str, int, bool]) -> None:
        events, drawn, roots, self.topic.seq, self.topic.head, self.topic.draws, self._closing = mark
        del self.events[events:], self._draws[drawn:], self._roots[roots:]
        self._salts = self._covered = None


_open = threading.local()


@contextmanager
def write(name: str, *, user: Any = None, command_id: str = "", actor: str = "") -> Iterator[Write]:
    """Lock a topic and write to it in one transaction; wakes the followers after the commit.

    With `user` and `command_id` a press counts once: the second time `repeated` is true, `result` is the first result
    and the body must do nothing. Inside another `write` of the same topic in the same thread it joins that one (whose
    command id counts); if the inner block fails, only what it added is taken back. Writing to several topics at once:
    take them in the same order everywhere. Raises UnknownTopic, TopicClosed.
    """
    writes: dict[str, Write] = _open.__dict__.setdefault("writes", {})
    outer = writes.get(name)
    if outer is not None:
        mark = outer._mark()
        try:
            with transaction.atomic():
                yield outer
        except BaseException:
            outer._back_to(mark)
            raise
        return
    with transaction.atomic():
        topic = Topic.objects.select_for_update().filter(name=name).first()
        if topic is None:
            raise UnknownTopic(name)
        key = command_key(command_id) if user is not None and user.pk is not None else ""
        done = Command.objects.filter(topic=topic, user=user, command_id=key).first() if key else None
        if done is None and topic.closed_at is not None:
            raise TopicClosed(name)
        w = Write(topic, actor, repeated=done is not None, result=dict(done.result) if done else {})
        writes[name] = w
        try:
            yield w
        finally:
            del writes[name]
        if w.repeated:
            return
        w._store()
        if key:
            _remember(w, user, key)
        if w.events:
            newest = w.seq
            transaction.on_commit(lambda: bus.wake(name, newest))


def _remember(w: Write, user: Any, key: str) -> None:
    first, last = (w.events[0].seq, w.events[-1].seq) if w.events else (None, None)
    Command.objects.create(topic=w.topic, user=user, command_id=key, first=first, last=last, result=plain(w.result))


def command_key(command_id: str) -> str:
    """A command id as it is stored: odd or over-long ones by their hash, so that none can fail."""
    if not command_id or _PLAIN_ID.fullmatch(command_id):
        return command_id
    return hashlib.sha256(command_id.encode("utf-8", "surrogatepass")).hexdigest()


def current_seq(name: str) -> int:
    """The number of the newest event. Raises UnknownTopic."""
    seq = Topic.objects.filter(name=name).values_list("seq", flat=True).first()
    if seq is None:
        raise UnknownTopic(name)
    return seq


def read_events(
    name: str,
    after: int,
    viewer: Viewer,
    limit: int = 500,
    *,
    kinds: Collection[str] | None = None,
    newest: bool = False,
) -> list[Event]:
    """At most `limit` events after number `after` whose audience includes the viewer, in order.

    `kinds` narrows to these kinds. With `newest` the last ones are taken instead of the first.
    """
    rows = Event.objects.filter(topic__name=name, seq__gt=after)
    if kinds is not None:
        rows = rows.filter(kind__in=kinds)
    found: list[Event] = []
    for event in rows.order_by("-seq" if newest else "seq").iterator(chunk_size=200):
        if len(found) >= limit:
            break
        if viewer.sees(event.audience):
            found.append(event)
    return found[::-1] if newest else found
