"""Fields that several forms share: forgiving where typing goes wrong, plain about what is expected."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.names import clean_name

POINTS_MAX = 100_000


class PointsField(forms.IntegerField):
    """A whole number of points. Full-width digits, spaces and a trailing 「点」 are understood."""

    default_error_messages = {"invalid": _("数字だけで入れてください。")}

    def __init__(self, *, min_value: int = 0, max_value: int = POINTS_MAX, **kwargs: Any) -> None:
        kwargs.setdefault("widget", forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off", "size": 6}))
        super().__init__(min_value=min_value, max_value=max_value, **kwargs)

    def to_python(self, value: Any) -> int | None:
        if isinstance(value, str):
            value = re.sub(r"[\s,点]|point(s)?", "", unicodedata.normalize("NFKC", value))[:40]
        return super().to_python(value)


class LineField(forms.CharField):
    """One line of text: line breaks and control characters become spaces, runs of spaces one."""

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        kept = "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp") else c for c in text)
        return re.sub(r" {2,}", " ", kept).strip()


class NameField(forms.CharField):
    """What the table calls a person: 1 to 40 visible characters."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("label", _("呼び名"))
        super().__init__(**kwargs)

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        return clean_name(text) if text else ""
