"""What a builder page sends: the texts of its fields, the values it was made from, and the button that was pressed.

Field `abilities.mind` is a control named `f.abilities.mind`. `base` is JSON: the key and stored value of every field
the page held, so that a missing control means "nothing chosen" and not "not asked". `fix` is JSON: values
a button sets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from characters.actions.drafts import FieldEdit
from characters.actions.errors import ActionRefused
from characters.forms.hidden import hidden_json, whole_number
from rulesets import services
from rulesets.engine.problems import Value


@dataclass(frozen=True, slots=True)
class DraftPost:
    """A builder form, read. `typed` holds every text the page showed, `edits` only what differs from its base."""

    typed: Mapping[str, str] = field(default_factory=dict)
    edits: Mapping[str, FieldEdit] = field(default_factory=dict)
    seen: int | None = None
    command_id: str = ""

    def step(self, name: str) -> str:
        """The command id of a further write that the same press does."""
        return f"{self.command_id}:{name}" if self.command_id else ""


def read_draft_post(system: str, post: QueryDict, press: str) -> DraftPost:
    """Read the form. Raises ActionRefused (400) when the hidden parts are broken; values are never refused here."""
    base = _object(post.get("base", "{}"))
    fix = _object(post.get("fix", "")) if post.get("fix") else {}
    dropped = set(post.getlist("take"))
    typed: dict[str, str] = {}
    edits: dict[str, FieldEdit] = {}
    for key, stored in base.items():
        if key in dropped or not services.known_field(system, key):
            continue
        typed[key] = post.get(f"f.{key}", "")
        value = _parsed(system, key, typed[key])
        if not _equal(value, stored):
            edits[key] = FieldEdit(base=stored, value=value)
    for key, value in fix.items():
        typed.pop(key, None)
        edits[key] = FieldEdit(base=base.get(key), value=value)
    return DraftPost(typed, edits, whole_number(post.get("seen", "")), press)


def told_faces(text: str) -> list[int]:
    """Faces of real dice as somebody writes them: `3 5`, `3,5`, `３、５`, `35`. Raises ActionRefused (422)."""
    import re
    import unicodedata

    plain = unicodedata.normalize("NFKC", text).strip()
    if not re.fullmatch(r"[\d\s,、・+/\[\]]+", plain) or len(plain) > 40:
        raise ActionRefused(_("出た目を数字で入れてください（例：3 5）。"), code="faces", field="told", status=422)
    parts = re.findall(r"\d+", plain)
    if len(parts) == 1 and len(parts[0]) > 1:
        parts = list(parts[0])
    if not parts:
        raise ActionRefused(_("出た目を数字で入れてください（例：3 5）。"), code="faces", field="told", status=422)
    return [int(part) for part in parts]


def _parsed(system: str, key: str, text: str) -> Value:
    return services.parse_field(system, key, text) if text.strip() else None


def _equal(a: Value, b: Value) -> bool:
    return type(a) is type(b) and a == b


def _object(text: str) -> dict[str, Any]:
    """A flat JSON object of field values."""
    try:
        found = hidden_json(text)
    except ValueError:
        found = None
    if not isinstance(found, dict) or not all(_flat(value) for value in found.values()):
        raise ActionRefused(
            _("ページの中身が壊れています。読み込み直してください。書いたものはこの画面に残っています。"),
            code="broken_form",
            status=400,
        )
    return found


def _flat(value: object) -> bool:
    return value is None or isinstance(value, str | bool) or (isinstance(value, int) and abs(value) < 10**15)
