"""Refusals of form fields in our words: they name the field and say what to do, and nothing typed is cut short."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _


class WordedForm(forms.Form):
    """A form whose fields speak for themselves."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        say_plainly(self)


def say_plainly(form: forms.BaseForm) -> None:
    """Replace Django's general messages; a field that brings its own keeps them.

    The browser's own limit goes, because it cuts what is pasted without a word; the server says what is too long.
    """
    for field in form.fields.values():
        words = _words(str(field.label or ""), field)
        general = {key: value for kind in reversed(type(field).__mro__) for key, value in _defaults(kind)}
        for code, message in words.items():
            if field.error_messages.get(code) == general.get(code):
                field.error_messages[code] = message
        field.widget.attrs.pop("maxlength", None)


def _defaults(kind: type) -> list[tuple[str, Any]]:
    ours = kind.__module__.partition(".")[0] != "django"
    return [] if ours else list(getattr(kind, "default_error_messages", {}).items())


def _words(label: str, field: forms.Field) -> dict[str, str]:
    """What is said by code. `%(limit_value)d` and the like are filled in by Django, so they stay."""
    name = label.replace("%", "%%")
    chosen = isinstance(field, forms.ChoiceField | forms.FileField)
    required = _("%(label)sを選んでください。") if chosen else _("%(label)sを入れてください。")
    words = {"required": required % {"label": label}}
    if isinstance(field, forms.ChoiceField):
        words["invalid_choice"] = _("%(label)sを、並んでいるものから選んでください。") % {"label": label}
    if isinstance(field, forms.IntegerField):
        least, most = field.min_value, field.max_value
        if least is not None and most is not None:
            between = _("%(label)sは%(least)s〜%(most)sの数で入れてください。")
            words["min_value"] = words["max_value"] = between % {"label": name, "least": least, "most": most}
    elif isinstance(field, forms.CharField):
        long = _("%(label)sは%(limit)s字までです（いまは%(length)s字）。")
        words["max_length"] = long % {"label": name, "limit": "%(limit_value)d", "length": "%(show_value)d"}
    return words
