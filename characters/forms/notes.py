"""The form of a note on a sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.worded import WordedForm
from characters.models import Visibility


@dataclass(frozen=True, slots=True)
class OtherVersion:
    """What stands there now, when somebody else saved meanwhile."""

    title: str
    text: str
    by: str


class NoteForm(WordedForm):
    """Title, text and who may read it. `base_version` is the version the change was made from."""

    title = forms.CharField(label=_("題"), required=False, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    text = forms.CharField(label=_("手控え"), strip=False, widget=forms.Textarea(attrs={"rows": 5}))
    visibility = forms.ChoiceField(label=_("だれが読めるか"), choices=Visibility.choices, initial=Visibility.OWNER)
    base_version = forms.IntegerField(required=False, widget=forms.HiddenInput)
    # After a conflict: the other text, and the version the next press is made from.
    theirs: OtherVersion | None = None
    seen_version: int | None = None

    def __init__(self, *args: Any, may_choose: bool = True, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not may_choose:
            self.fields["visibility"].disabled = True
            self.fields["visibility"].help_text = _("変えられるのは書いた人だけです。")
