"""A value the GM turns down is refused to everybody of the campaign, also under a sheet that was cleared."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from characters.actions import builds, review
from characters.actions.errors import ActionRefused
from characters.models import Character
from characters.selectors.builds import draft_view
from tests.factories import make_table
from tests.sessions.pages.alice import sheet

pytestmark = pytest.mark.django_db


def codes(table, who, character) -> set[str]:
    return {problem.code for problem in draft_view(table.view(who, character)).report.errors}


def test_the_gms_no_holds_for_all():
    table = make_table("chiaki", "nagisa", system="alice")
    first = table.make("chiaki", {**sheet("chiaki"), "occupation": "怠惰な役人"})
    second = table.make("nagisa", {**sheet("nagisa"), "occupation": "怠惰な役人"})
    builds.save_build(access=table.view("nagisa", second))
    review.confirm_field(access=table.view("gm", second), field="occupation")
    client = Client()
    client.force_login(table.users["gm"])
    page = client.get(reverse("character_edit", args=[first.slug])).content.decode()
    assert 'name="refuse" value="occupation"' in page
    client.post(reverse("confirm_field", args=[first.slug]), {"refuse": "occupation"})
    assert "E_OCCUPATION_REJECTED" in codes(table, "chiaki", first) & codes(table, "nagisa", second)
    assert Character.objects.get(pk=second.pk).flagged == ["E_OCCUPATION_REJECTED"]
    table.edit("chiaki", first, occupation="役人")
    assert "E_OCCUPATION_REJECTED" not in codes(table, "chiaki", first)


def test_only_gms_and_only_what_may_be_turned_down():
    table = make_table("chiaki", system="alice")
    character = table.make("chiaki", sheet("chiaki"))
    for who, field, code in (("chiaki", "occupation", "not_allowed"), ("gm", "name", "unknown_field")):
        with pytest.raises(ActionRefused) as found:
            review.turn_down(access=table.view(who, character), field=field)
        assert found.value.code == code
