"""How an action says no. The message is translated already and says what to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language

from rulesets import services
from rulesets.engine.problems import Problem, Value


@dataclass(frozen=True, slots=True)
class FieldConflict:
    """A field two people changed: what this person started from and typed, and what stands there now.

    `by` and `at` (UTC, ISO) say who set `theirs`, when known.
    """

    key: str
    base: Value
    yours: Value
    theirs: Value
    by: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class FieldRefused:
    """A typed value that was not taken; the draft keeps what was there."""

    key: str
    value: Value
    message: str
    code: str = ""


class ActionRefused(Exception):
    """An action that was not done. `status` is the HTTP status, `field` the control to mark, `code` a word or V01."""

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        field: str = "",
        status: int = 409,
        problems: Sequence[Problem] = (),
        **data: Any,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.field = field
        self.status = status
        self.problems = tuple(problems)
        self.data = data


class Conflict(ActionRefused):
    """Somebody else changed the same thing meanwhile; `conflicts` holds both versions."""

    def __init__(self, message: str, conflicts: Sequence[FieldConflict] = (), **kwargs: Any) -> None:
        super().__init__(message, **kwargs)
        self.conflicts = tuple(conflicts)


class PoolExceeded(ActionRefused):
    """The party's points do not suffice; `left` are the points that are free."""

    def __init__(self, message: str, *, left: int, code: str = "V01", **kwargs: Any) -> None:
        super().__init__(message, code=code, **kwargs)
        self.left = left


def pool_exceeded(
    system: str, code: str, *, left: int, field: str = "", problems: Sequence[Problem] = (), **params: int
) -> PoolExceeded:
    """The refusal in the words of the game's own rule: V01, V03a or V04 of rules/edo.md §4.11."""
    words = services.message(system, code, left=left, **params).pick(get_language() or "ja")
    return PoolExceeded(words, left=left, code=code, field=field, problems=problems)


def not_allowed(message: str) -> ActionRefused:
    """Refused because of the role."""
    return ActionRefused(message, code="not_allowed", status=403)
