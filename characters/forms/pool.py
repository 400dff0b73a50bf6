"""Forms of the pool panel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.worded import WordedForm
from characters.forms.controls import LineField, PointsField

PLAYERS_MAX = 12


class PoolSetForm(WordedForm):
    """The pool by number of players, or the GM's own figure."""

    players = PointsField(
        label=_("プレイヤーの人数"),
        min_value=1,
        max_value=PLAYERS_MAX,
        required=False,
        help_text=_("空なら、席に着いた人数で決まります。"),
    )
    total = PointsField(
        label=_("GMが決める総点"),
        required=False,
        help_text=_("空なら、人数の表のとおり。入れた数が優先されます。"),
    )


class ReserveForm(WordedForm):
    points = PointsField(label=_("GMの預かり"), help_text=_("残りのうち、プレイヤーが自分では取れない分。"))


class AllocateForm(WordedForm):
    points = PointsField(label=_("割り当て"))


class ClaimForm(WordedForm):
    points = PointsField(label=_("取る点"), min_value=1)


class ReleaseForm(WordedForm):
    points = PointsField(label=_("戻す点"), min_value=1)


class WishForm(WordedForm):
    points = PointsField(label=_("ほしい点"), required=False, help_text=_("空なら「おまかせ」。"))
    note = LineField(
        label=_("ひとこと"), required=False, max_length=200, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )


class AgreeForm(WordedForm):
    agreed = forms.TypedChoiceField(choices=[("1", "1"), ("0", "0")], coerce=lambda value: value == "1")


class OfferForm(WordedForm):
    """Points for somebody else. `seats` are (pk, name) of those who may receive."""

    receiver = forms.TypedChoiceField(label=_("だれに"), coerce=int)
    points = PointsField(label=_("譲る点"), min_value=1)
    note = LineField(
        label=_("ひとこと"), required=False, max_length=200, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, seats: Sequence[tuple[int, str]] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        receiver = self.fields["receiver"]
        assert isinstance(receiver, forms.TypedChoiceField)
        receiver.choices = [(pk, name) for pk, name in seats]
        receiver.error_messages["invalid_choice"] = _("その人はいま、この卓にいません。")


class AnswerForm(WordedForm):
    take = forms.TypedChoiceField(choices=[("1", "1"), ("0", "0")], coerce=lambda value: value == "1")


class NothingForm(WordedForm):
    """A press that carries no data but may be refused in words."""
