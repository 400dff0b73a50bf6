"""The form that makes an NPC from a preset."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.worded import WordedForm
from characters.forms.controls import LineField, PointsField

COUNT_MAX = 99


class CountField(PointsField):
    """How many of an NPC there are; 「6人」 is understood."""

    def to_python(self, value: Any) -> int | None:
        return super().to_python(value.replace("人", "") if isinstance(value, str) else value)


class NpcForm(WordedForm):
    """A preset (empty: blank), a name of one's own, how many."""

    preset = forms.ChoiceField(label=_("手本"), required=False)
    name = LineField(
        label=_("名前"),
        required=False,
        max_length=100,
        help_text=_("空なら手本の名前になります。"),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    count = CountField(
        label=_("人数"), min_value=1, max_value=COUNT_MAX, initial=1, help_text=_("雑魚は何人でも一枚で扱えます。")
    )

    def __init__(self, *args: Any, presets: list[tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        preset = self.fields["preset"]
        assert isinstance(preset, forms.ChoiceField)
        preset.choices = [("", _("白紙から")), *presets]
        preset.error_messages["invalid_choice"] = _("その手本はありません。")


class CountForm(WordedForm):
    count = CountField(label=_("人数"), min_value=1, max_value=COUNT_MAX)
