"""Forms of the members and invitation panels."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.worded import WordedForm
from characters.forms.controls import NameField, PointsField

# What an invitation may lead to, and what a GM may make of a seat.
INVITE_ROLES = [("player", _("プレイヤー")), ("spectator", _("見学"))]
SEAT_ROLES = [("player", _("プレイヤー")), ("spectator", _("見学"))]
# Only the GM whose table it is makes other GMs; handing over makes the old GM a co-GM.
GM_SEAT_ROLES = [*SEAT_ROLES, ("co_gm", _("副GM")), ("gm", _("GM（あなたと交代）"))]


class InvitationForm(WordedForm):
    role = forms.ChoiceField(label=_("だれを"), choices=INVITE_ROLES, initial="player", widget=forms.RadioSelect)
    uses = PointsField(label=_("使える人数"), min_value=1, max_value=60, initial=8)
    days = PointsField(label=_("使える日数"), min_value=1, max_value=365, initial=14)


class JoinForm(WordedForm):
    name = NameField(
        widget=forms.TextInput(attrs={"autocomplete": "nickname", "placeholder": _("卓で呼ばれる名前")}),
        help_text=_("卓の人に見える名前です。あとで変えられます。"),
    )


class RenameForm(WordedForm):
    name = NameField(widget=forms.TextInput(attrs={"autocomplete": "nickname"}))


class RoleForm(WordedForm):
    role = forms.ChoiceField(label=_("役目"), choices=SEAT_ROLES)

    def __init__(self, *args: Any, hands_over: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        role = self.fields["role"]
        assert isinstance(role, forms.ChoiceField)
        role.choices = GM_SEAT_ROLES if hands_over else SEAT_ROLES


class RemoveForm(WordedForm):
    sure = forms.BooleanField(
        label=_("はい、外します"), error_messages={"required": _("外してよければ、しるしを付けてください。")}
    )


class LeaveForm(WordedForm):
    sure = forms.BooleanField(
        label=_("はい、抜けます"), error_messages={"required": _("抜けてよければ、しるしを付けてください。")}
    )
