"""Relational rows of each game's sheets: written from a revision in its transaction, readable back as the build.

A game adds a module `characters/actions/<slug>.py` with the three functions of `SheetRows` and one line here.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Protocol, cast

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _

from characters.actions.errors import ActionRefused
from characters.models import Character
from rulesets.engine.problems import Report

MODULES: Mapping[str, str] = {"alice": "characters.actions.alice", "edo": "characters.actions.edo"}


class SheetRows(Protocol):
    """What a game's module provides. `build` is the document of `interop/json-api.md` §4.4."""

    def write(self, character: Character, build: Mapping[str, Any], report: Report) -> None:
        """Replace the character's rows. Raises ActionRefused when a value fits no column."""
        ...

    def read(self, character: Character) -> dict[str, Any] | None:
        """The build as the rows hold it; None when there are no rows."""
        ...

    def resources(self, build: Mapping[str, Any], report: Report, lang: str) -> list[dict[str, Any]]:
        """Counters of a fresh character: `key`, `label`, `value`, `max` (or None)."""
        ...


def rows_of(system: str) -> SheetRows:
    """The module of a game. Raises KeyError for a game without rows."""
    return cast(SheetRows, import_module(MODULES[system]))


def write(character: Character, build: Mapping[str, Any], report: Report) -> None:
    """Write the rows of a build; a no-op for games without rows."""
    if character.campaign.system in MODULES:
        rows_of(character.campaign.system).write(character, build, report)


def read(character: Character) -> dict[str, Any] | None:
    """The build as the rows hold it; None without rows."""
    if character.campaign.system not in MODULES:
        return None
    return rows_of(character.campaign.system).read(character)


def resources(system: str, build: Mapping[str, Any], report: Report, lang: str = "ja") -> list[dict[str, Any]]:
    """Counters of a fresh character; none for games without rows."""
    return rows_of(system).resources(build, report, lang) if system in MODULES else []


def must_fit(row: models.Model) -> None:
    """What fits no column is no build, whatever a GM allows. Raises ActionRefused."""
    empty = [field.name for field in row._meta.fields if field.null and getattr(row, field.attname) is None]
    try:
        row.clean_fields(exclude=["sheet", "character", *empty])
    except ValidationError as error:
        name, messages = next(iter(error.message_dict.items()))
        raise ActionRefused(
            _("この値では版にできません（%(field)s：%(why)s）") % {"field": name, "why": messages[0]},
            code="rows",
            status=422,
        ) from error
