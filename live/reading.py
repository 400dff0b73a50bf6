"""What the live core asks of the database. Every function here runs in a worker thread."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from http.cookies import CookieError
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

from django.conf import settings
from django.contrib.auth import get_user
from django.db import close_old_connections
from django.http import HttpRequest
from django.http.cookie import parse_cookie
from django.utils import translation

from live.frames import NOTHING, Frame, frame
from live.kinds import TopicKind, UnknownKind, Viewer, kind_of
from live.models import Event, Topic

logger = logging.getLogger(__name__)
P = ParamSpec("P")
R = TypeVar("R")

BATCH = 200  # events read at once


def with_fresh_connections(function: Callable[P, R]) -> Callable[P, R]:
    """Drop database connections that broke or grew old, before and after, as Django does around a request."""

    @wraps(function)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        close_old_connections()
        try:
            return function(*args, **kwargs)
        finally:
            close_old_connections()

    return wrapped


@dataclass(frozen=True, slots=True)
class Credential:
    """Who asks for a stream: what is needed to ask Django again later."""

    session_key: str
    lang: str


def credential(cookie_header: str, lang: str) -> Credential:
    """From the request's cookies and the language the page was drawn in."""
    try:
        session_key = parse_cookie(cookie_header).get(settings.SESSION_COOKIE_NAME, "")
    except CookieError:
        session_key = ""
    return Credential(session_key[:64], lang if lang in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE)


def user_of(session_key: str) -> Any:
    """The signed-in user of a session, or an AnonymousUser."""
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key or None)
    return get_user(request)


@dataclass(frozen=True, slots=True)
class Admission:
    """The answer to somebody who wants to follow: `viewer` None refuses. `seq` is the topic's number now."""

    viewer: Viewer | None
    topic_id: int = 0
    seq: int = 0


@with_fresh_connections
def admit(name: str, all_asking: Iterable[Credential]) -> dict[Credential, Admission]:
    """The rights of everybody who asks, read now, each of them once."""
    asking = set(all_asking)
    refused = dict.fromkeys(asking, Admission(None))
    try:
        kind = kind_of(name)
    except UnknownKind:
        return refused
    topic = Topic.objects.filter(name=name).values_list("pk", "seq").first()
    if topic is None:
        return refused
    users = {session_key: user_of(session_key) for session_key in {one.session_key for one in asking}}
    return {one: Admission(kind.viewer(users[one.session_key], name, one.lang), *topic) for one in asking}


@dataclass(slots=True)
class Batch:
    """Events read once, and the frame they give each group (an empty one when it sees nothing of them)."""

    events: list[Event]
    seq: int
    membership: bool
    frames: dict[str, Frame] = field(default_factory=dict)


@with_fresh_connections
def read_batch(name: str, topic_id: int, after: int, groups: Mapping[str, Viewer]) -> Batch:
    """The next events of a topic, rendered once for each group."""
    kind = kind_of(name)
    events = _events(topic_id, after, after + BATCH)
    batch = Batch(
        events,
        seq=events[-1].seq if events else after,
        membership=any(event.kind in kind.membership_kinds for event in events),
    )
    for group, viewer in groups.items():
        batch.frames[group] = _render(kind, name, events, viewer)
    return batch


@with_fresh_connections
def render_for(name: str, batch: Batch, viewer: Viewer) -> Frame:
    """The frame of a batch for a group that came while it was read."""
    return _render(kind_of(name), name, batch.events, viewer)


@with_fresh_connections
def catch_up(name: str, topic_id: int, after: int, upto: int, viewer: Viewer) -> Frame:
    """One frame with everything a viewer missed: events `after` + 1 … `upto`."""
    return _render(kind_of(name), name, _events(topic_id, after, upto), viewer)


@with_fresh_connections
def numbers(names: Iterable[str]) -> dict[str, int]:
    """The newest number of each topic, by one query; topics that do not exist are missing."""
    return dict(Topic.objects.filter(name__in=list(names)).values_list("name", "seq"))


def _events(topic_id: int, after: int, upto: int) -> list[Event]:
    return list(Event.objects.filter(topic_id=topic_id, seq__gt=after, seq__lte=upto).order_by("seq"))


def _render(kind: TopicKind, name: str, events: list[Event], viewer: Viewer) -> Frame:
    projected = []
    with translation.override(viewer.lang):
        for event in events:
            if not viewer.sees(event.audience):
                continue
            try:
                data = kind.project(event, viewer)
            except Exception:  # one odd event must not stop the table
                logger.exception("event %s of %s cannot be projected", event.seq, name)
                continue
            if data is not None:
                projected.append((event.seq, event.kind, data))
        if not projected:
            return NOTHING
        return _frame(kind, name, projected, viewer, events[-1].seq)


def _frame(kind: TopicKind, name: str, projected: list[Any], viewer: Viewer, seq: int) -> Frame:
    try:
        fragments = kind.render(name, projected, viewer)
    except Exception:
        logger.exception("events %s … %s of %s cannot be rendered together", projected[0][0], projected[-1][0], name)
        fragments = []
        for one in projected if len(projected) > 1 else ():
            try:
                fragments += kind.render(name, [one], viewer)
            except Exception:
                logger.exception("event %s of %s cannot be rendered", one[0], name)
    return frame("fragments", "\n".join(fragment.html for fragment in fragments), seq) if fragments else NOTHING
