"""Django's SQLite backend with one write transaction at a time, in order.

A connection takes its turn (`queue.Gate`) with `BEGIN` or with a single writing statement and keeps it until SQLite
is out of the transaction: commit, rollback, an error that ended it, or the connection's end. Reads outside a
transaction take no turn. Databases in memory have no other writers to wait for.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from typing import Any

from django.db.backends.sqlite3 import base

from live.backends.sqlite3.queue import Gate, queue_for

QUEUE_TIMEOUT = 60.0  # seconds a writer waits before it gives up

_READS = re.compile(r"\s*(?:SELECT|PRAGMA|EXPLAIN|VALUES)\b", re.IGNORECASE)
_CTE = re.compile(r"\s*WITH\b", re.IGNORECASE)
_CHANGES = re.compile(r"\b(?:INSERT|UPDATE|DELETE|REPLACE)\b", re.IGNORECASE)


def writes(sql: str) -> bool:
    """Whether a statement may change the database or open a transaction. In doubt: yes."""
    if _CTE.match(sql):
        return bool(_CHANGES.search(sql))
    return not _READS.match(sql)


def in_transaction(connection: sqlite3.Connection | None) -> bool:
    try:
        return connection is not None and connection.in_transaction
    except sqlite3.ProgrammingError:  # closed
        return False


class QueuedCursor(base.SQLiteCursorWrapper):
    """A cursor that takes the connection's turn for statements that write."""

    def __init__(self, connection: sqlite3.Connection, gate: Gate) -> None:
        super().__init__(connection)
        self._gate = gate
        self._rows: list[Any] | None = None

    def execute(self, query: str, params: Any = None) -> Any:
        return self._in_turn(query, lambda: super(QueuedCursor, self).execute(query, params))

    def executemany(self, query: str, param_list: Iterable[Any]) -> Any:
        return self._in_turn(query, lambda: super(QueuedCursor, self).executemany(query, param_list))

    def executescript(self, sql_script: str) -> Any:
        return self._in_turn("script", lambda: super(QueuedCursor, self).executescript(sql_script))

    def _in_turn(self, query: str, run: Any) -> Any:
        self._rows = None
        if self._gate.held or not writes(query):
            try:
                return run()
            finally:
                self._settle()
        self._gate.enter()
        try:
            result = run()
            if self.description is not None and not in_transaction(self.connection):
                # INSERT … RETURNING outside a transaction ends when its last row is read: read them in our turn.
                self._rows = super().fetchall()[::-1]
            return result
        finally:
            self._settle()

    def _settle(self) -> None:
        if self._gate.held and not in_transaction(self.connection):
            self._gate.leave()

    def fetchone(self) -> Any:
        if self._rows is None:
            return super().fetchone()
        return self._rows.pop() if self._rows else None

    def fetchmany(self, size: int | None = None) -> list[Any]:
        size = self.arraysize if size is None else size
        if self._rows is None:
            return super().fetchmany(size)
        return [self._rows.pop() for _ in range(min(size, len(self._rows)))]

    def fetchall(self) -> list[Any]:
        if self._rows is None:
            return super().fetchall()
        rows, self._rows = self._rows[::-1], []
        return rows

    def __next__(self) -> Any:
        if self._rows is None:
            return super().__next__()
        if not self._rows:
            raise StopIteration
        return self._rows.pop()


class DatabaseWrapper(base.DatabaseWrapper):
    """`OPTIONS["queue_timeout"]`: seconds a writer waits for its turn (default 60)."""

    _gate: Gate | None = None
    _queue_timeout = QUEUE_TIMEOUT

    def get_connection_params(self) -> dict[str, Any]:
        params = super().get_connection_params()
        self._queue_timeout = float(params.pop("queue_timeout", QUEUE_TIMEOUT))
        return params

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        self._leave()
        connection = super().get_new_connection(conn_params)
        in_memory = self.is_in_memory_db()
        self._gate = None if in_memory else Gate(queue_for(str(conn_params["database"])), self._queue_timeout)
        return connection

    def create_cursor(self, name: str | None = None) -> Any:
        gate = self._gate
        if gate is None:
            return super().create_cursor(name)
        return self.connection.cursor(factory=lambda connection: QueuedCursor(connection, gate))

    def _commit(self) -> Any:
        try:
            return super()._commit()  # type: ignore[misc]
        finally:
            self._settle()

    def _rollback(self) -> Any:
        try:
            return super()._rollback()  # type: ignore[misc]
        finally:
            self._settle()

    def _close(self) -> Any:
        try:
            return super()._close()  # type: ignore[misc]
        finally:
            self._leave()

    def _settle(self) -> None:
        if self._gate is not None and self._gate.held and not in_transaction(self.connection):
            self._gate.leave()

    def _leave(self) -> None:
        if self._gate is not None:
            self._gate.leave()
