"""Edo's rows (rules/edo.md §4): one sheet, its skills, styles and possessions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from characters.actions.rows import must_fit
from characters.models import Character, EdoPossession, EdoSheet, EdoSkill, EdoStyle
from rulesets.engine.problems import Report

_NAMES = {"family": "family_name", "office": "office_name", "given": "given_name", "stage": "stage_name"}
_ABILITIES = ("mind", "gi", "body")


def write(character: Character, build: Mapping[str, Any], report: Report) -> None:
    """Replace the rows by those of a build. Raises ActionRefused when a value fits no column."""
    EdoSheet.objects.filter(pk=character.pk).delete()
    sheet = _sheet(character, build, report)
    skills, styles, things = _skills(sheet, build, report), _styles(sheet, build), _possessions(sheet, build)
    for row in (sheet, *skills, *styles, *things):
        must_fit(row)
    sheet.save(force_insert=True)
    EdoSkill.objects.bulk_create(skills)
    EdoStyle.objects.bulk_create(styles)
    EdoPossession.objects.bulk_create(things)


def read(character: Character) -> dict[str, Any] | None:
    """The build as the rows hold it."""
    sheet = EdoSheet.objects.filter(pk=character.pk).first()
    if sheet is None:
        return None
    styles = list(sheet.styles.all())
    return {
        "role": sheet.role or None,
        "abilities": {key: getattr(sheet, key) for key in _ABILITIES},
        "skills": [
            {"id": row.skill, "level": row.level, "speciality": row.speciality or None, "base": row.base or None}
            for row in sheet.skills.all()
        ],
        "endurance_bought": sheet.endurance_bought,
        "school": _one_or_list([row.ref for row in styles if row.kind == "school"]),
        "style_skill": sheet.style_skill or None,
        "style_name": sheet.style_name or None,
        "perks": [row.ref for row in styles if row.kind == "perk"],
        "names": {key: getattr(sheet, column) or None for key, column in _NAMES.items()},
        "status": sheet.status or None,
        "occupation": sheet.occupation or None,
        "possessions": [_thing(row) for row in sheet.possessions.all()],
        "money_dice": list(sheet.money_dice),
    }


def resources(build: Mapping[str, Any], report: Report, lang: str) -> list[dict[str, Any]]:
    """Endurance and drama points at their start, and the money rolled."""
    derived = report.derived
    found = []
    for key, value, most in (("endurance", "endurance_max", "endurance_max"), ("kp", "kp_initial", "kp_limit")):
        if value in derived and isinstance(derived[value].value, int):
            limit = derived[most].value if most in derived else None
            found.append(
                {"key": key, "label": derived[value].label.pick(lang), "value": derived[value].value, "max": limit}
            )
    if "money" in derived and isinstance(derived["money"].value, int):
        found.append(
            {"key": "money", "label": derived["money"].label.pick(lang), "value": derived["money"].value, "max": None}
        )
    return found


def _one_or_list(refs: list[str]) -> str | list[str] | None:
    return refs if len(refs) > 1 else refs[0] if refs else None


def _thing(row: EdoPossession) -> dict[str, str]:
    return {key: value for key, value in (("id", row.ref), ("text", row.text)) if value}


def _sheet(character: Character, build: Mapping[str, Any], report: Report) -> EdoSheet:
    names = build.get("names") or {}
    abilities = build.get("abilities") or {}
    return EdoSheet(
        character=character,
        role=build.get("role") or "",
        endurance_bought=build.get("endurance_bought") or 0,
        style_skill=build.get("style_skill") or "",
        style_name=build.get("style_name") or "",
        status=build.get("status") or "",
        occupation=build.get("occupation") or "",
        money_dice=list(build.get("money_dice") or []),
        endurance_max=_number(report, "endurance_max"),
        evasion=_number(report, "evasion"),
        **{key: abilities.get(key) for key in _ABILITIES},
        **{column: names.get(key) or "" for key, column in _NAMES.items()},
    )


def _skills(sheet: EdoSheet, build: Mapping[str, Any], report: Report) -> Sequence[EdoSkill]:
    effective = _effective(report)
    return [
        EdoSkill(
            sheet=sheet,
            position=position,
            skill=row["id"],
            level=row.get("level"),
            speciality=row.get("speciality") or "",
            base=row.get("base") or "",
            effective=next(effective.get(row["id"], iter(())), 0),
        )
        for position, row in enumerate(build.get("skills") or [])
    ]


def _effective(report: Report) -> dict[str, Iterator[int]]:
    """Skill id -> the effective values of its rows, in order (derived values `effective.<row>`)."""
    found: dict[str, list[int]] = {}
    for key in report.derived:
        head, _, row = key.partition(".")
        if head == "effective" and "@" not in row:
            found.setdefault(row.partition("~")[0], []).append(_number(report, key))
    return {skill: iter(values) for skill, values in found.items()}


def _styles(sheet: EdoSheet, build: Mapping[str, Any]) -> Sequence[EdoStyle]:
    school = build.get("school") or []
    refs = [("school", ref) for ref in ([school] if isinstance(school, str) else school)]
    refs += [("perk", ref) for ref in build.get("perks") or []]
    return [EdoStyle(sheet=sheet, kind=kind, ref=ref, position=n) for n, (kind, ref) in enumerate(refs)]


def _possessions(sheet: EdoSheet, build: Mapping[str, Any]) -> Sequence[EdoPossession]:
    return [
        EdoPossession(sheet=sheet, position=position, ref=row.get("id") or "", text=row.get("text") or "")
        for position, row in enumerate(build.get("possessions") or [])
    ]


def _number(report: Report, key: str) -> int:
    derived = report.derived.get(key)
    return max(0, derived.value) if derived is not None and isinstance(derived.value, int) else 0
