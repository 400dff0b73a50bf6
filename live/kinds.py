"""What an app tells the live core about its topics: who may follow one, what they may see, how it looks."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from live.models import Event

Projected = tuple[int, str, dict[str, Any]]  # seq, kind, what the viewer may see of the data


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody with the right to follow a topic.

    `tokens` are the audiences that include them (`all`, `gm`, `seat:7`). Viewers with an equal `group` see the same
    bytes, so a group must differ wherever tokens, language or anything that `render` looks at differ.
    """

    user_id: int | None
    tokens: frozenset[str]
    role: str
    seat_id: int | None
    lang: str
    group: str

    def sees(self, audience: Sequence[str]) -> bool:
        """Whether an audience includes this viewer. An empty audience includes nobody."""
        return not self.tokens.isdisjoint(audience)

    @property
    def rights(self) -> str:
        """A short word that changes when what the viewer may see changes; tells nothing else."""
        told = "\n".join([self.group, *sorted(self.tokens)])
        return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Fragment:
    """A piece of page: one element whose id is `target_id`. It replaces the element of that id.

    An `html` whose root has `data-append="<id>"` (or `data-prepend`) is added to the end (the beginning) of that
    element instead, if the page does not hold its id yet; with `data-after="<id>"` it comes behind that one of them
    (first of all when empty). One with `data-gone` takes the element of its id away. Holds no token, command id or
    local time. `seq` is the event it comes from.
    """

    target_id: str
    html: str
    seq: int


class TopicKind(Protocol):
    """Everything the live core must know about topics whose names begin with `<prefix>:`.

    All methods run in a worker thread and may use the database. `membership_kinds` are the event kinds after which
    viewers are authorised anew, because somebody may have left or changed role.
    """

    prefix: str
    membership_kinds: frozenset[str]

    def viewer(self, user: Any, topic_name: str, request_lang: str) -> Viewer | None:
        """The viewer that `user` (a User or AnonymousUser) is in this topic; None refuses."""
        ...

    def project(self, event: Event, viewer: Viewer) -> dict[str, Any] | None:
        """What of an event's data this viewer may see; None for nothing. The audience is checked before."""
        ...

    def render(self, topic_name: str, projected: list[Projected], viewer: Viewer) -> list[Fragment]:
        """The fragments that bring a page of this viewer's group level with these events."""
        ...


@runtime_checkable
class Placed(Protocol):
    """A kind whose topics belong to a page."""

    def place(self, topic_name: str) -> tuple[str, str] | None:
        """Name and address of that page, for those who may follow the topic."""
        ...


_kinds: dict[str, TopicKind] = {}


class UnknownKind(LookupError):
    """No app has registered topics of this name."""


def register(kind: TopicKind) -> None:
    """Make a kind known; called in an app's `ready()`. A second kind with the same prefix replaces the first."""
    _kinds[kind.prefix] = kind


def kind_of(topic_name: str) -> TopicKind:
    """The kind of a topic. Raises UnknownKind."""
    prefix, colon, _ = topic_name.partition(":")
    if not colon or prefix not in _kinds:
        raise UnknownKind(topic_name)
    return _kinds[prefix]


def place_of(topic_name: str) -> tuple[str, str] | None:
    """Name and address of the page a topic belongs to, if its kind tells. Raises UnknownKind."""
    kind = kind_of(topic_name)
    return kind.place(topic_name) if isinstance(kind, Placed) else None


def registered() -> Mapping[str, TopicKind]:
    return dict(_kinds)
