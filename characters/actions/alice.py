"""アリス's rows (rules/alice.md §5.3): one sheet and its ability cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from characters.actions.rows import must_fit
from characters.models import AliceAbility, AliceSheet, Character
from rulesets.engine.problems import Report

_TEXTS = ("name", "sex", "occupation", "current_job", "job_visibility", "background", "belongings", "ability_source")
_GM = ("expert", "related", "out_at", "luck_spend", "boost", "notes")


def write(character: Character, build: Mapping[str, Any], report: Report) -> None:
    """Replace the rows by those of a build. Raises ActionRefused when a value fits no column."""
    AliceSheet.objects.filter(pk=character.pk).delete()
    sheet = AliceSheet(
        character=character,
        age=build.get("age"),
        gm={key: build.get(key) for key in _GM} if any(key in build for key in _GM) else None,
        **{key: build.get(key) or "" for key in _TEXTS},
    )
    cards: Mapping[str, Any] = build.get("cards") or {}
    abilities = [AliceAbility(sheet=sheet, suit=suit, rank=rank) for suit, rank in cards.items() if rank is not None]
    for row in (sheet, *abilities):
        must_fit(row)
    sheet.save(force_insert=True)
    AliceAbility.objects.bulk_create(abilities)


def read(character: Character) -> dict[str, Any] | None:
    """The build as the rows hold it."""
    sheet = AliceSheet.objects.filter(pk=character.pk).first()
    if sheet is None:
        return None
    cards = {row.suit: row.rank for row in sheet.abilities.all()}
    return {
        **{key: getattr(sheet, key) or None for key in _TEXTS},
        "age": sheet.age,
        "cards": {suit: cards.get(suit) for suit in ("S", "C", "H", "D")},
        **(sheet.gm or {}),
    }


def resources(build: Mapping[str, Any], report: Report, lang: str) -> list[dict[str, Any]]:
    """Damage of each ability, and which picture cards still have their power (interop/json-api.md §4.4)."""
    found = []
    for suit, rank in (build.get("cards") or {}).items():
        derived = report.derived.get(f"ability_{suit}")
        label = derived.label.pick(lang) if derived is not None else suit
        found.append({"key": f"damage_{suit}", "label": label, "value": 0, "max": 3})
        if rank in ("J", "Q", "K"):
            found.append({"key": f"boost_{suit}", "label": label, "value": 1, "max": 1})
    return found
