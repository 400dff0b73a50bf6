"""The form of the import page: a file or pasted text."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.worded import WordedForm

MAX_BYTES = 1_000_000


class ImportForm(WordedForm):
    """`data` in the cleaned values is what to read, as text where it could be decoded."""

    file = forms.FileField(
        label=_("ファイル"),
        required=False,
        help_text=_("卓日和で書き出したJSON（1MBまで）。"),
        widget=forms.ClearableFileInput(attrs={"accept": ".json,application/json", "class": "filedrop"}),
    )
    text = forms.CharField(
        label=_("または中身を貼る"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"class": "input--doc", "rows": 10, "spellcheck": "false"}),
    )
    owner = forms.TypedChoiceField(label=_("だれの人物にするか"), required=False, coerce=int, empty_value=None)
    mode = forms.ChoiceField(choices=[("new", "new"), ("update", "update")], required=False)
    again = forms.BooleanField(required=False)

    def __init__(self, *args: Any, owners: list[tuple[int, str]] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        owner = self.fields["owner"]
        assert isinstance(owner, forms.TypedChoiceField)
        owner.choices = [("", _("NPCとして取り込む")), *(owners or [])]
        if owners is None:
            del self.fields["owner"]

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        upload, text = data.get("file"), data.get("text", "")
        if upload is not None and upload.size > MAX_BYTES:
            self.add_error("file", gettext("ファイルが大きすぎます（1MBまで）。"))
        elif upload is not None:
            data["data"] = upload.read()
        elif text.strip():
            if len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES:
                self.add_error("text", gettext("貼った文が大きすぎます（1MBまで）。"))
            data["data"] = text
        elif not self.errors:
            self.add_error("text", gettext("ファイルを選ぶか、中身を貼ってください。"))
        return data
