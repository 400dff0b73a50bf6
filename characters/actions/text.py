"""What people type, made storable: NFC, no control characters, and a limit that is said instead of cut."""

from __future__ import annotations

import re
import unicodedata

from django.utils.translation import gettext as _

from characters.actions.errors import ActionRefused

# Everything a database, a JSON file or a log cannot carry: C0 and C1 controls and halves of surrogate pairs.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def clean(text: str) -> str:
    """NFC text with `\\n` line ends and without control characters. Direction marks and emoji stay."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return unicodedata.normalize("NFC", _CONTROL.sub("", text))


def line(text: str, *, field: str, label: str, limit: int, required: bool = False) -> str:
    """One line without outer spaces. Raises ActionRefused (422) when it is missing or too long."""
    text = clean(text).replace("\n", " ").replace("\t", " ").strip()
    return _within(text, field=field, label=label, limit=limit, required=required)


def paragraph(text: str, *, field: str, label: str, limit: int, required: bool = False) -> str:
    """Text of several lines without outer blank lines. Raises ActionRefused (422) when it is missing or too long."""
    text = clean(text).strip()
    return _within(text, field=field, label=label, limit=limit, required=required)


def _within(text: str, *, field: str, label: str, limit: int, required: bool) -> str:
    if required and not text:
        raise ActionRefused(
            _("%(label)sを入れてください。") % {"label": label}, code="required", field=field, status=422
        )
    if len(text) > limit:
        raise ActionRefused(
            too_long(label, limit, len(text)),
            code="too_long",
            field=field,
            status=422,
        )
    return text


def too_long(label: str, limit: int, length: int) -> str:
    return _("%(label)sは%(limit)s字までです（いまは%(length)s字）。") % {
        "label": label,
        "limit": limit,
        "length": length,
    }
