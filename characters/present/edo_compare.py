"""八百八町浮世草子: the party side by side (abilities, endurance, evasion, drama points, who can do what)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from characters.present.compare import Comparison, Line, Value, derived_value
from characters.present.words import bracketed
from characters.selectors.builds import BuildView
from rulesets import services

ABILITIES = ("mind", "gi", "body")


def rank(view: BuildView, lang: str) -> str:
    """役格; nothing while it is not chosen."""
    role = view.fields.get("role")
    return _words(view, "role", lang) if role else ""


def compare(views: Sequence[BuildView], house_rules: Mapping[str, Any], lang: str) -> Comparison:
    skills = _skills(views, lang)
    learned = {_skill_id(key) for view in views for key in view.report.derived if key.startswith("effective.")}
    table = services.tables("edo", house_rules).skills
    order = list(table)
    skills.sort(key=lambda found: (order.index(found[0]), found[1].label))
    lacking = tuple(skill.name.pick(lang) for skill_id, skill in table.items() if skill_id not in learned)
    return Comparison((*_main(views, lang), *(line for _id, line in skills)), lacking if views else ())


def _main(views: Sequence[BuildView], lang: str) -> list[Line]:
    reports = [view.report.derived for view in views]
    points = tuple(
        Value(bracketed(str(start.value), str(limit.value)) if limit else str(start.value), _number(start.value))
        if start is not None
        else None
        for start, limit in ((found.get("kp_initial"), found.get("kp_limit")) for found in reports)
    )
    lines = [
        Line(_("心／技／体"), tuple(Value(_("／").join(_ability(view, name) for name in ABILITIES)) for view in views))
    ]
    for key in ("endurance_max", "evasion"):
        label = next((found[key].label.pick(lang) for found in reports if key in found), "")
        if label:
            lines.append(Line(label, tuple(derived_value(found.get(key), lang) for found in reports)))
    if any(points):
        lines.append(Line(_("活劇点（限度）"), points))
    return lines


def _skills(views: Sequence[BuildView], lang: str) -> list[tuple[str, Line]]:
    """One line for each skill (and kind of it) that anybody has, with the skill's id."""
    rows: dict[tuple[str, str], list[Value | None]] = {}
    for index, view in enumerate(views):
        for key, derived in view.report.derived.items():
            if not key.startswith("effective."):
                continue
            at = (_skill_id(key), derived.label.pick(lang))
            values = rows.setdefault(at, [None] * len(views))
            old = values[index]
            new = derived_value(derived, lang)
            if old is None or (new is not None and (new.order or 0) > (old.order or 0)):
                values[index] = new
    title = _("だれが何をできるか（実力値。— は技能なし）")
    return [(at[0], Line(at[1], tuple(values), group=title)) for at, values in rows.items()]


def _skill_id(key: str) -> str:
    """`effective.geino~1` -> `geino`."""
    return key.removeprefix("effective.").partition("~")[0].partition("@")[0]


def _ability(view: BuildView, name: str) -> str:
    value = view.fields.get(f"abilities.{name}")
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else "—"


def _words(view: BuildView, key: str, lang: str) -> str:
    campaign = view.character.campaign
    text = services.field_text(campaign.system, key, view.fields.get(key), campaign.house_rules)
    return text.pick(lang)


def _number(value: int | str) -> int | None:
    return value if isinstance(value, int) else None
