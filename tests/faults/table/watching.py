"""Counts what a session's events cost: reads, queries of a read, renders of a group."""

from __future__ import annotations

from typing import Any

from django.db import connection

from live import reading
from live.kinds import Projected, Viewer
from sessions.live import SessionTopics
from tests.live.site import counting


def install() -> None:
    render = SessionTopics.render

    def counted(self: SessionTopics, topic: str, projected: list[Projected], viewer: Viewer) -> Any:
        counting.rendered(viewer.group)
        return render(self, topic, projected, viewer)

    SessionTopics.render = counted
    counting.install()
    reading.read_batch = _queries_of(reading.read_batch)


def _queries_of(function: Any) -> Any:
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        def one(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            counting.counts["queries"] += 1
            return execute(sql, params, many, context)

        with connection.execute_wrapper(one):
            return function(*args, **kwargs)

    return wrapped
