"""Remarks on fields, and confirmations that lapse with the value."""

from __future__ import annotations

import pytest

from characters.actions import review
from characters.actions.errors import ActionRefused
from characters.selectors.builds import context_of, draft_view, open_remarks
from live.models import Event

ART = {
    "role": "support",
    "names.given": "梅吉",
    "skills.geino~1.level": 4,
    "skills.geino~1.speciality": "三味線",
    "skills.geino~1.base": "gi",
    "possessions.1.text": "棒手裏剣 六本",
}
BASE = "skills.geino~1.base"


@pytest.fixture
def umekichi(table):
    return table.make("chiaki", ART)


def codes(table, character) -> set[str]:
    return {p.code for p in draft_view(table.view("chiaki", character)).report.problems}


def test_a_remark_stays_until_it_is_settled(table, umekichi):
    remark = review.add_remark(access=table.view("gm", umekichi), field="role", text="準主役では？")
    assert [r.pk for r in open_remarks(table.view("chiaki", umekichi))] == [remark.pk]
    assert open_remarks(table.view("nagisa", umekichi)) == []
    review.settle_remark(access=table.view("chiaki", umekichi), remark=remark)
    assert open_remarks(table.view("gm", umekichi)) == []


def test_remarks_are_between_owner_and_gms(table, umekichi):
    review.add_remark(access=table.view("gm", umekichi), text="ひみつの相談")
    event = Event.objects.filter(kind="character.remark").get()
    assert set(event.audience) == {"gm", f"seat:{table.seat('chiaki').pk}"}


@pytest.mark.parametrize("text", ["", "  ", "あ" * 501])
def test_odd_remarks(table, umekichi, text):
    with pytest.raises(ActionRefused) as refused:
        review.add_remark(access=table.view("gm", umekichi), text=text)
    assert (refused.value.status, refused.value.field) == (422, "text")


def test_unknown_fields(table, umekichi):
    for act in (
        lambda: review.add_remark(access=table.view("gm", umekichi), field="nonsense", text="？"),
        lambda: review.confirm_field(access=table.view("gm", umekichi), field="nonsense"),
        lambda: review.confirm_field(access=table.view("gm", umekichi), field=""),
    ):
        with pytest.raises(ActionRefused) as refused:
            act()
        assert refused.value.code == "unknown_field"


@pytest.mark.parametrize("name", ["chiaki", "nagisa", "watcher"])
def test_only_gms_remark_and_confirm(table, umekichi, name):
    for act in (
        lambda: review.add_remark(access=table.view(name, umekichi), text="？"),
        lambda: review.confirm_field(access=table.view(name, umekichi), field=BASE),
        lambda: review.unconfirm_field(access=table.view(name, umekichi), field=BASE),
    ):
        with pytest.raises(ActionRefused) as refused:
            act()
        assert refused.value.status == 403
    with pytest.raises(ActionRefused):
        review.settle_remark(access=table.view("nagisa", umekichi), remark=1)


def test_confirming_takes_the_warning_away(table, umekichi):
    assert {"V10", "V30"} <= codes(table, umekichi)
    review.confirm_field(access=table.view("gm", umekichi), field=BASE)
    review.confirm_field(access=table.view("gm", umekichi), field="possessions.1.text")
    assert not {"V10", "V30"} & codes(table, umekichi)
    review.unconfirm_field(access=table.view("gm", umekichi), field=BASE)
    assert "V10" in codes(table, umekichi) and "V30" not in codes(table, umekichi)


@pytest.mark.parametrize(
    ("change", "lapses"),
    [
        ({"skills__geino~1__base": "mind"}, True),
        ({"skills__geino~1__base": None}, True),
        ({"skills__geino~1__speciality": "義太夫"}, True),
        ({"skills__geino~1__level": 5}, False),
        ({"names__given": "小梅"}, False),
    ],
)
def test_a_confirmation_lapses_with_its_value(table, umekichi, change, lapses):
    review.confirm_field(access=table.view("gm", umekichi), field=BASE)
    table.edit("chiaki", umekichi, **change)
    draft = table.view("chiaki", umekichi).character.draft
    assert (BASE in context_of(umekichi, draft.fields).confirmed) is not lapses


def test_a_lapsed_confirmation_counts_again_when_the_value_returns(table, umekichi):
    review.confirm_field(access=table.view("gm", umekichi), field=BASE)
    table.edit("chiaki", umekichi, **{"skills__geino~1__base": "mind"})
    table.edit("chiaki", umekichi, **{"skills__geino~1__base": "gi"})
    assert "V10" not in codes(table, umekichi)
