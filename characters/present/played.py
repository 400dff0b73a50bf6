"""What finished tables left on a character: wounds, money, gear, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from characters.selectors.access import CharacterAccess
from characters.selectors.history import play_results
from rulesets.engine.text import Text


@dataclass(frozen=True, slots=True)
class PlayedChange:
    label: str
    before: str
    after: str
    reason: str


@dataclass(frozen=True, slots=True)
class PlayedRow:
    """One table: its number and title, when it ended, what it changed."""

    number: int
    title: str
    at: datetime
    changes: tuple[PlayedChange, ...]


def played(access: CharacterAccess, lang: str) -> tuple[PlayedRow, ...]:
    """The tables a character has behind it, newest first; of a sheet behind a share link none."""
    return tuple(
        PlayedRow(row.number, row.title, row.at, tuple(_change(change, lang) for change in row.changes))
        for row in play_results(access)
    )


def _change(change: Mapping[str, Any], lang: str) -> PlayedChange:
    return PlayedChange(
        _words(change.get("label"), lang),
        _words(change.get("before"), lang),
        _words(change.get("after"), lang),
        _words(change.get("reason"), lang),
    )


def _words(value: Any, lang: str) -> str:
    """A stored value for people: words in two languages, a number, yes or no."""
    if isinstance(value, Mapping):
        return Text(str(value.get("ja", "")), str(value.get("en", ""))).pick(lang)
    if value is None:
        return "—"
    if isinstance(value, bool):
        return _("はい") if value else _("いいえ")
    return str(value)
