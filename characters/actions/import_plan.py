"""What of a character file can be taken over, what was changed on the way, and what is left out. Writes nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.utils.translation import get_language
from django.utils.translation import gettext as _
from pydantic import BaseModel, ValidationError

from characters.actions.drafts import MAX_NUMBER
from characters.actions.errors import ActionRefused
from characters.document_schema import (
    CharacterDocument,
    CharacterPart,
    Condition,
    HistoryRow,
    NotePart,
    NpcPart,
    Resource,
)
from characters.models import Campaign
from rulesets import services
from rulesets.engine.problems import Value
from rulesets.protocol import Context

MAX_KEPT = 64 * 1024  # bytes of foreign data kept with a character
_TOP = frozenset(CharacterDocument.model_fields)
_INNER = frozenset(CharacterPart.model_fields)
_UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@dataclass(slots=True)
class Plan:
    """The usable content of a file. `fields` is the build, `draft_fields` an unsaved draft beside it."""

    system: str
    name: str = ""
    id: UUID | None = None
    revision: int = 1
    is_npc: bool = False
    npc_count: int = 1
    build: dict[str, Any] = field(default_factory=dict)
    fields: dict[str, Value] = field(default_factory=dict)
    draft_fields: dict[str, Value] | None = None
    saved: bool = True
    notes: list[tuple[str, str, str]] = field(default_factory=list)
    carried: dict[str, Any] = field(default_factory=dict)
    extensions: dict[str, Any] = field(default_factory=dict)
    taken_lines: list[str] = field(default_factory=list)
    changed_lines: list[str] = field(default_factory=list)
    left_lines: list[str] = field(default_factory=list)

    @property
    def taken(self) -> tuple[str, ...]:
        return tuple(self.taken_lines)

    @property
    def changed(self) -> tuple[str, ...]:
        return tuple(self.changed_lines)

    @property
    def left_out(self) -> tuple[str, ...]:
        return tuple(self.left_lines)

    def states(self, key: str) -> bool:
        """Whether the file says anything about a field: a missing part is "not stated", never "none"."""
        if self.draft_fields is not None or key in self.fields:
            return True
        empty = services.to_build(self.system, {})
        alone = services.to_build(self.system, {key: True})
        parts = {part for part in alone if alone[part] != empty.get(part)} or {key.partition(".")[0]}
        return not parts.isdisjoint(self.build)

    def over(self, current: Mapping[str, Value]) -> dict[str, Value]:
        """The fields after an update: the file's where it says something, else as they are."""
        stated = self.draft_fields if self.draft_fields is not None else self.fields
        return {**{key: value for key, value in current.items() if not self.states(key)}, **stated}


def make_plan(document: Mapping[str, Any], campaign: Campaign) -> Plan:
    """Read a file for a campaign. Raises ActionRefused for another game or a file without a build."""
    part = document.get("character")
    plan = Plan(system=campaign.system)
    _must_be_for(document, campaign)
    if not isinstance(part, dict) or not isinstance(part.get("build"), dict):
        raise ActionRefused(
            _("ファイルに人物の組み立て（build）がありません。"), code="format", field="file", status=422
        )
    plan.id = _uuid(document.get("id"))
    revision = document.get("revision")
    if isinstance(revision, int) and not isinstance(revision, bool) and 1 <= revision < 10**9:
        plan.revision = revision
    _read_build(plan, part["build"])
    _read_draft(plan, document.get("draft"))
    shown = services.display_name(plan.system, plan.draft_fields or plan.fields)
    plan.name = shown or str(part.get("name") or "")[:300]
    _read_npc(plan, part)
    _read_notes(plan, part.get("notes"))
    _read_carried(plan, part)
    _read_foreign(plan, document, part)
    _compare(plan, document, campaign)
    return plan


def _must_be_for(document: Mapping[str, Any], campaign: Campaign) -> None:
    system = document.get("system")
    slug = system.get("id") if isinstance(system, dict) else None
    if slug != campaign.system:
        raise ActionRefused(
            _("このファイルは別のゲーム（%(theirs)s）の人物です。この卓は%(ours)sです。")
            % {"theirs": str(slug)[:40], "ours": _lang(services.get(campaign.system).names)},
            code="system",
            field="file",
            status=422,
        )


# ---------------------------------------------------------------- the build


def _read_build(plan: Plan, build: Mapping[str, Any]) -> None:
    """Take what a draft can hold, even where it breaks a rule; name what it cannot."""
    plan.build = dict(build)
    plan.fields = _usable(plan, services.from_build(plan.system, build))
    kept = services.to_build(plan.system, plan.fields)
    for problem in services.check_document(plan.system, build)[:50]:
        where = problem.path.removeprefix("/") or "build"
        said = _("%(path)s：%(why)s") % {"path": where[:120], "why": _lang(problem.message)}
        value = _at(build, problem.path)
        if value is _NOTHING:
            continue  # what is missing is not chosen yet, and today's rules say so
        same = _at(kept, problem.path)
        (plan.changed_lines if same == value and type(same) is type(value) else plan.left_lines).append(said)
    plan.taken_lines.append(_("組み立て（%(n)s項目）") % {"n": len(plan.fields)})


_NOTHING = object()


def _at(build: Mapping[str, Any], pointer: str) -> Any:
    """What a JSON pointer leads to, or `_NOTHING`."""
    value: Any = build
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Mapping) and step in value:
            value = value[step]
        elif isinstance(value, list) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return _NOTHING
    return value


def _usable(plan: Plan, fields: Mapping[str, Any]) -> dict[str, Value]:
    """Fields a draft can hold; the rest is named."""
    found: dict[str, Value] = {}
    for key, value in fields.items():
        most = services.text_max(plan.system, key)
        long = isinstance(value, str) and len(value) > most
        big = _is_int(value) and abs(value) > MAX_NUMBER
        if not services.known_field(plan.system, key) or not isinstance(value, str | int | bool | None):
            plan.left_lines.append(_("%(path)s：この項目は使えません。") % {"path": key[:80]})
        elif long or big:
            why = _("長すぎます（%(n)s字まで）。") % {"n": most} if long else _("数が大きすぎます。")
            plan.left_lines.append(_("%(path)s：%(why)s") % {"path": key, "why": why})
        elif value is not None:
            found[key] = value
    return found


def _read_draft(plan: Plan, draft: Any) -> None:
    if not isinstance(draft, dict) or not isinstance(draft.get("fields"), dict):
        return
    plan.draft_fields = _usable(plan, draft["fields"])
    plan.saved = draft.get("only") is not True
    plan.taken_lines.append(_("まだ版にしていない下書き"))


# ---------------------------------------------------------------- the rest


def _read_npc(plan: Plan, part: Mapping[str, Any]) -> None:
    if "npc" not in part:
        return
    npc = _checked(NpcPart, part["npc"])
    plan.is_npc = True
    plan.npc_count = npc.get("count", 1) if npc else 1


def _read_notes(plan: Plan, notes: Any) -> None:
    rows = _rows(plan, NotePart, notes, 200, lambda n: _("手控え%(n)s枚目") % {"n": n})
    plan.notes = [(row.get("title", ""), row["text"], row["visibility"]) for row in rows]
    if plan.notes:
        plan.taken_lines.append(_("手控え%(n)s枚") % {"n": len(plan.notes)})


def _read_carried(plan: Plan, part: Mapping[str, Any]) -> None:
    for key in ("ruby", "colour", "tags", "palette"):
        if part.get(key) in (None, "", []):
            continue
        try:
            CharacterPart.model_validate({"name": "-", "build": {}, key: part[key]})
        except ValidationError:
            plan.left_lines.append(_("%(path)s：形が正しくありません。") % {"path": key})
        else:
            plan.carried[key] = part[key]
    history = _rows(plan, HistoryRow, part.get("history"), 1000, lambda n: _("経歴%(n)s行目") % {"n": n})
    if history:
        plan.carried["history"] = history
    play = part.get("play")
    if isinstance(play, dict):
        counters = _rows(plan, Resource, play.get("resources"), 100, lambda n: _("数値%(n)s個目") % {"n": n})
        states = _rows(plan, Condition, play.get("conditions"), 100, lambda n: _("状態%(n)s個目") % {"n": n})
        if counters or states:
            plan.carried["play"] = {"resources": counters, "conditions": states}


def _read_foreign(plan: Plan, document: Mapping[str, Any], part: Mapping[str, Any]) -> None:
    """Keys of newer versions and other programs survive, up to a size."""
    wanted = {
        "document": {key: value for key, value in document.items() if key not in _TOP},
        "character": {key: value for key, value in part.items() if key not in _INNER},
    }
    names = [*wanted["document"], *wanted["character"]]
    if names:
        shown = "、".join(name[:40] for name in names[:10])
        if _size(wanted) <= MAX_KEPT:
            plan.carried |= {key: value for key, value in wanted.items() if value}
            plan.taken_lines.append(_("この版では使わない項目をそのまま保管します：%(names)s") % {"names": shown})
        else:
            plan.left_lines.append(_("大きすぎて保管できない項目：%(names)s") % {"names": shown})
    extensions = document.get("extensions")
    if isinstance(extensions, dict) and extensions:
        if _size(extensions) <= MAX_KEPT:
            plan.extensions = extensions
        else:
            plan.left_lines.append(_("extensions：大きすぎます（64 KiBまで）。"))
    if document.get("assets"):
        plan.left_lines.append(_("絵：ここでは取り込めません。"))
    if document.get("format_version") != "1.0":
        plan.carried["format_version"] = str(document["format_version"])[:20]
    updated = document.get("updated_at")
    if isinstance(updated, str) and _UTC.fullmatch(updated):
        plan.carried["updated_at"] = updated


def _compare(plan: Plan, document: Mapping[str, Any], campaign: Campaign) -> None:
    """Name where today's rules give other numbers than the file, whose computed values are never used."""
    system = document["system"]
    theirs = system.get("house_rules") if isinstance(system.get("house_rules"), dict) else {}
    if theirs != campaign.house_rules:
        plan.changed_lines.append(_("決めごとは、ファイルのものでなくこの卓のもので調べました。"))
    derived = document.get("derived")
    if not isinstance(derived, dict):
        return
    context = Context(kind="npc" if plan.is_npc else "pc")
    ours = services.check(plan.system, plan.fields, campaign.house_rules, context).derived
    for key, item in ours.items():
        value = derived.get(key)
        if _is_int(value) and _is_int(item.value) and value != item.value:
            plan.changed_lines.append(
                _("ファイルでは%(label)s%(theirs)s、計算では%(ours)s")
                % {"label": _lang(item.label), "theirs": value, "ours": item.value}
            )


# ---------------------------------------------------------------- small parts


def _checked(model: type[BaseModel], value: Any) -> dict[str, Any] | None:
    """The value if it has the model's shape (unknown keys included), else None."""
    try:
        model.model_validate(value)
    except ValidationError:
        return None
    return dict(value)


def _rows(
    plan: Plan, model: type[BaseModel], rows: Any, most: int, place: Callable[[int], str]
) -> list[dict[str, Any]]:
    """The sound rows of a list; the others are named by their place."""
    found = []
    for number, row in enumerate(rows if isinstance(rows, list) else [], start=1):
        checked = _checked(model, row) if number <= most else None
        if checked is not None:
            found.append(checked)
        elif len(plan.left_lines) < 50:
            plan.left_lines.append(_("%(path)s：形が正しくありません。") % {"path": place(number)})
    return found


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode())


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _uuid(text: Any) -> UUID | None:
    try:
        return UUID(text) if isinstance(text, str) else None
    except ValueError:
        return None


def _lang(text: Any) -> str:
    return str(text.pick(get_language() or "ja"))
