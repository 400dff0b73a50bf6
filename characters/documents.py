"""Character and party files (`takubiyori.character`, `takubiyori.party`), filtered for their reader before anything
is serialised. Reading them back: `document_reader.py` and `actions/imports.py`; the schema: `document_schema.py`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.utils import timezone

from characters.actions import rows
from characters.models import Character
from characters.selectors.access import (
    Audience,
    CampaignAccess,
    CharacterAccess,
    characters_in,
    visible_notes,
    with_notes,
)
from characters.selectors.builds import BuildView, Surroundings, draft_differs, sheet_view, surroundings
from rulesets import services

FORMAT = "takubiyori.character"
PARTY_FORMAT = "takubiyori.party"
FORMAT_VERSION = "1.0"
UNNAMED = "名前未定"

# What a reader is not given, by kind only: how many or which would tell something already.
OMITTED: Mapping[Audience, tuple[str, ...]] = {
    "owner": (),
    "gm": ("/character/notes/*",),
    "group": ("/character/notes/*", "/draft"),
    "public": ("/character/notes/*", "/character/player_name", "/draft"),
}


def character_document(access: CharacterAccess, lang: str = "ja", around: Surroundings | None = None) -> dict[str, Any]:
    """The file of a character for this viewer. `lang` chooses the labels of counters.

    The build is the newest revision, or the draft while nothing was saved; an unsaved draft goes beside it, flat, to
    the owner and the GMs.
    """
    character, audience = access.character, access.audience
    carried: Mapping[str, Any] = character.carried
    view = sheet_view(access, around)
    build = _build(character, view)
    document: dict[str, Any] = {
        "format": FORMAT,
        "format_version": carried.get("format_version", FORMAT_VERSION),
        "id": str(character.uuid),
        "revision": view.number or 1,
        "system": _system(character, view),
        "exported_at": _utc(timezone.now()),
        "updated_at": _updated_at(character),
        "generator": {"name": "takubiyori", "version": version()},
        "audience": audience,
        "omitted": list(OMITTED[audience]),
        "source": {"kind": "native"},
        "character": _character(access, view, build, lang),
        "derived": {key: item.value for key, item in view.report.derived.items()},
        "assets": [],
        "extensions": dict(character.extensions),
    }
    if audience in ("owner", "gm") and draft_differs(character):
        document["draft"] = {"fields": dict(character.draft.fields)}
        if character.revision is None:
            document["draft"]["only"] = True
    if audience == "owner" or access.is_gm:
        document |= {key: value for key, value in carried.get("document", {}).items() if key not in document}
    return document


def party_document(access: CampaignAccess, lang: str = "ja") -> dict[str, Any]:
    """The file of a party: its PCs as far as this seat may see them, and the pool."""
    campaign = access.campaign
    members = [item for item in characters_in(access) if item.character.kind == Character.Kind.PC]
    characters = [item.character for item in members]
    with_notes(characters)
    around = surroundings(campaign, characters)
    rules = campaign.house_rules
    return {
        "format": PARTY_FORMAT,
        "format_version": FORMAT_VERSION,
        "system": {
            "id": campaign.system,
            "ruleset": services.get(campaign.system).ruleset,
            "ruleset_hash": services.ruleset_hash(campaign.system, rules),
            "house_rules": rules,
        },
        "exported_at": _utc(timezone.now()),
        "generator": {"name": "takubiyori", "version": version()},
        "name": campaign.name,
        "pool": around.pool.total if around.pool is not None else None,
        "characters": [character_document(item, lang, around) for item in members],
    }


def serialise(document: Mapping[str, Any]) -> bytes:
    """A document as UTF-8 JSON, readable for people."""
    return (json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode()


@lru_cache(maxsize=1)
def version() -> str:
    """The version of this program."""
    with (settings.BASE_DIR / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def _system(character: Character, view: BuildView) -> dict[str, Any]:
    slug = character.campaign.system
    revision = character.revision if view.source == "revision" else None
    rules = revision.house_rules if revision is not None else character.campaign.house_rules
    # A rule stored long ago may have lost its place in today's tables: then only today's rules can be named.
    if services.check_house_rules(slug, rules):
        rules = character.campaign.house_rules
    return {
        "id": slug,
        "ruleset": services.get(slug).ruleset,
        "ruleset_hash": services.ruleset_hash(slug, rules),
        "house_rules": rules,
    }


def _build(character: Character, view: BuildView) -> dict[str, Any]:
    whole = character.revision is not None and len(view.fields) == len(character.revision.fields)
    if view.source == "revision" and character.revision is not None and whole:
        return dict(character.revision.build)
    return services.to_build(character.campaign.system, view.fields)


def _character(access: CharacterAccess, view: BuildView, build: Mapping[str, Any], lang: str) -> dict[str, Any]:
    character = access.character
    carried: Mapping[str, Any] = character.carried
    name = services.display_name(character.campaign.system, view.fields)
    part: dict[str, Any] = {"name": name or UNNAMED}
    if access.audience != "public":
        part["player_name"] = character.owner.name
    part |= {key: carried[key] for key in ("ruby", "colour", "tags") if key in carried}
    part["build"] = dict(build)
    if character.kind == Character.Kind.NPC:
        part["npc"] = {"count": character.count}
    part["play"] = _play(character, build, view, lang)
    part["notes"] = [
        {"title": note.title, "text": note.text, "visibility": note.visibility} for note in visible_notes(access)
    ]
    part["palette"] = list(carried.get("palette", []))
    part["history"] = list(carried.get("history", []))
    if access.is_owner or access.is_gm:
        part |= {key: value for key, value in carried.get("character", {}).items() if key not in part}
    return part


def _play(character: Character, build: Mapping[str, Any], view: BuildView, lang: str) -> dict[str, Any]:
    """Counters as a fresh character has them, with the values an imported file brought."""
    brought = character.carried.get("play", {})
    values = {row["key"]: row for row in brought.get("resources", [])}
    found = rows.resources(character.campaign.system, build, view.report, lang)
    for row in found:
        if row["key"] in values:
            row["value"] = values.pop(row["key"])["value"]
    return {"resources": [*found, *values.values()], "conditions": list(brought.get("conditions", []))}


def _updated_at(character: Character) -> str:
    brought = character.carried.get("updated_at")
    if brought and character.carried.get("at_version") == character.draft.version:
        return str(brought)
    return _utc(character.updated_at)


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
