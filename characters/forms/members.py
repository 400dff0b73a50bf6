"""Forms of the members and invitation panels."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from characters.forms.controls import NameField, PointsField

# What an invitation may lead to, and what a GM may make of a seat.
INVITE_ROLES = [("player", _("プレイヤー")), ("spectator", _("見学"))]
SEAT_ROLES = [("player", _("プレイヤー")), ("spectator", _("見学")), ("co_gm", _("副GM"))]


class InvitationForm(forms.Form):
    role = forms.ChoiceField(label=_("だれを"), choices=INVITE_ROLES, initial="player", widget=forms.RadioSelect)
    uses = PointsField(label=_("使える人数"), min_value=1, max_value=60, initial=8)
    days = PointsField(label=_("使える日数"), min_value=1, max_value=365, initial=14)


class JoinForm(forms.Form):
    name = NameField(
        widget=forms.TextInput(attrs={"autocomplete": "nickname", "placeholder": _("卓で呼ばれる名前")}),
        help_text=_("卓の人に見える名前です。あとで変えられます。"),
    )


class RenameForm(forms.Form):
    name = NameField(widget=forms.TextInput(attrs={"autocomplete": "nickname"}))


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=_("役目"), choices=SEAT_ROLES)


class RemoveForm(forms.Form):
    sure = forms.BooleanField(
        label=_("はい、外します"), error_messages={"required": _("外してよければ、しるしを付けてください。")}
    )


class LeaveForm(forms.Form):
    sure = forms.BooleanField(
        label=_("はい、抜けます"), error_messages={"required": _("抜けてよければ、しるしを付けてください。")}
    )
