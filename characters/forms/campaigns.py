"""Forms that make and change a campaign, and those that lead into one."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from accounts.worded import WordedForm, say_plainly
from characters.forms.controls import LineField, NameField, PointsField
from characters.forms.pool import PLAYERS_MAX
from rulesets import services
from rulesets.protocol import HouseRule

TOKEN = re.compile(r"[0-9A-Za-z_-]{16,128}")


class CampaignForm(WordedForm):
    """Name and description."""

    name = LineField(label=_("卓の名前"), max_length=100, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    description = forms.CharField(
        label=_("どんな卓か"),
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("場所、時、集まる人びと。一座の全員が読めます。"),
    )


class StartRule:
    """A house rule that is asked when a campaign is made: its choices, or the default and the alternatives."""

    def __init__(self, slug: str, rule: HouseRule, lang: str) -> None:
        self.rule = rule
        self.name = f"rule-{slug}-{rule.key}"
        self.label = rule.label.pick(lang)
        self.help = rule.help.pick(lang)
        self.inferred = rule.inferred
        self.values, labels = self._offered(lang)
        self.choices = [(str(index), label) for index, label in enumerate(labels)]
        self.initial = str(self.values.index(rule.default))

    def _offered(self, lang: str) -> tuple[list[Any], list[str]]:
        rule = self.rule
        if rule.schema["type"] == "choice":
            choices = rule.schema["choices"]
            return [choice["value"] for choice in choices], [choice["label"].pick(lang) for choice in choices]
        if rule.schema["type"] == "bool":
            return [True, False], [gettext("はい"), gettext("いいえ")]
        values = [rule.default, *(value for _label, value in rule.alternatives)]
        return values, [gettext("既定"), *(label.pick(lang) for label, _value in rule.alternatives)]


def start_rules(slug: str, lang: str) -> list[StartRule]:
    """What a game wants to be asked at the start."""
    return [StartRule(slug, rule, lang) for rule in services.house_rules(slug, {}) if rule.ask_at_start]


class NewCampaignForm(CampaignForm):
    """Everything a new campaign needs; the first house rules are asked per game."""

    system = forms.ChoiceField(label=_("ゲーム"), widget=forms.RadioSelect)
    gm_name = NameField(label=_("あなたの呼び名（GM）"), widget=forms.TextInput(attrs={"autocomplete": "nickname"}))
    players = PointsField(
        label=_("プレイヤーの人数"),
        min_value=1,
        max_value=PLAYERS_MAX,
        required=False,
        help_text=_("一座の点はこの人数で決まります。空なら、加わった人数で数えます。あとで変えられます。"),
    )

    field_order = ["system", "name", "description", "gm_name", "players"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        lang = get_language() or "ja"
        systems = services.systems()
        choice = self.fields["system"]
        assert isinstance(choice, forms.ChoiceField)
        choice.choices = [(system.slug, system.names.pick(lang)) for system in systems]
        choice.error_messages["invalid_choice"] = _("このサーバーにないゲームです。")
        self.rules = {system.slug: start_rules(system.slug, lang) for system in systems}
        for rules in self.rules.values():
            for rule in rules:
                self.fields[rule.name] = forms.ChoiceField(
                    label=rule.label,
                    choices=rule.choices,
                    required=False,
                    widget=forms.RadioSelect,
                    initial=rule.initial,
                )
        say_plainly(self)

    def house_rules(self) -> dict[str, Any]:
        """The override that the answers for the chosen game make."""
        chosen: dict[str, Any] = {}
        for rule in self.rules[self.cleaned_data["system"]]:
            answer = self.cleaned_data.get(rule.name) or rule.initial
            if answer != rule.initial:
                chosen[rule.rule.key] = rule.values[int(answer)]
        return chosen


class OpenInvitationForm(WordedForm):
    """A pasted link (or only its last part), and the name to join by."""

    code = LineField(
        label=_("招待リンク"),
        max_length=500,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "url", "autocapitalize": "none"}),
        error_messages={"required": _("届いた招待リンクを貼ってください。")},
    )
    name = NameField(
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "nickname", "placeholder": _("卓で呼ばれる名前")}),
    )

    def clean_code(self) -> str:
        """The token of a link such as `https://host/i/<token>/`, or of the bare token."""
        code = str(self.cleaned_data["code"])
        parts = [part for part in urlsplit(code).path.split("/") if part]
        token = parts[-1] if parts else ""
        if not TOKEN.fullmatch(token):
            raise forms.ValidationError(
                _("招待リンクの形ではありません。届いたリンクを、はじめから終わりまで貼ってください。")
            )
        return token
