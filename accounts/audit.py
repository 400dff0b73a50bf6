"""The security log: who came in, what was guessed, whose rights changed. Facts without secrets, one line each."""

from __future__ import annotations

import json
import logging
from typing import Any

from django.db import transaction
from django.http import HttpRequest

from accounts.network import client_address

log = logging.getLogger("security")


def record(event: str, request: HttpRequest | None = None, **facts: Any) -> None:
    """Write one line: `event` (a word such as `sign_in`, `guess_failed`, `role_changed`), who, from where, facts.

    Facts are identifiers and numbers; never a token, a password or a typed user name (people type passwords there).
    """
    parts = {"event": event}
    if request is not None:
        user = getattr(request, "user", None)
        if user is not None and user.is_authenticated:
            parts["by"] = user.pk
        parts["from"] = client_address(request)
    parts.update(facts)
    log.info("%s", " ".join(f"{key}={_plain(value)}" for key, value in parts.items()))


def after_commit(event: str, **facts: Any) -> None:
    """`record` once the running transaction is safe; nothing when it is rolled back."""
    transaction.on_commit(lambda: record(event, **facts))


def _plain(value: Any) -> str:
    """A value that cannot start a new line or a new key."""
    if isinstance(value, int):
        return str(value)
    text = str(value)
    return text if text.isascii() and text.isprintable() and not set(text) & set(' "=') else json.dumps(text)
