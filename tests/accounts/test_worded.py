"""What forms say when something is missing or wrong: in our words, with the field's name."""

from __future__ import annotations

import pytest
from django import forms
from django.urls import reverse

from accounts.worded import WordedForm, say_plainly


class Sample(WordedForm):
    name = forms.CharField(label="100%の名", max_length=3)
    own = forms.CharField(label="自", error_messages={"required": "どうぞ。"})
    kind = forms.ChoiceField(label="種", choices=[("a", "A")])
    points = forms.IntegerField(label="点", min_value=1, max_value=5)
    plain = forms.IntegerField(label="数")
    file = forms.FileField(label="紙")


def said(**typed: str) -> dict[str, str]:
    form = Sample(typed, {})
    return {name: " ".join(map(str, errors)) for name, errors in form.errors.items()}


def test_what_is_missing_is_named():
    found = said()
    assert found["name"] == "100%の名を入れてください。" and found["own"] == "どうぞ。"
    assert found["kind"] == "種を選んでください。" and found["file"] == "紙を選んでください。"
    assert found["points"] == "点を入れてください。"


def test_what_is_wrong_is_named_and_not_repeated():
    found = said(name="四文字だ", kind="<b>" * 500, points="6", plain="x")
    assert found["name"] == "100%の名は3字までです（いまは4字）。"
    assert found["kind"] == "種を、並んでいるものから選んでください。"
    assert found["points"] == "点は1〜5の数で入れてください。"
    assert said(points="0")["points"] == found["points"]


def test_the_browser_cuts_nothing():
    assert "maxlength" not in str(Sample()["name"])


def test_a_field_added_later_is_said_as_well():
    form = Sample({})
    form.fields["late"] = forms.CharField(label="あと")
    say_plainly(form)
    assert form.errors["late"] == ["あとを入れてください。"]


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["account_login", "account_signup"])
def test_the_doors_speak_so_too(client, name):
    answer = client.post(reverse(name), {}).content.decode()
    assert "利用者名を入れてください。" in answer and "必須" not in answer and "maxlength" not in answer
