"""What people type becomes values; what cannot be read stays as typed."""

from __future__ import annotations

import pytest

from rulesets import services
from rulesets.engine.problems import Value


@pytest.mark.parametrize(
    ("key", "typed", "value"),
    [
        ("abilities.mind", "7", 7),
        ("abilities.mind", " ７ ", 7),
        ("abilities.mind", "−1", -1),
        ("abilities.mind", "七", "七"),
        ("abilities.mind", "7.5", "7.5"),
        ("abilities.mind", "", None),
        ("abilities.mind", "0", 0),
        ("skills.undo.level", "0", None),
        ("skills.undo.level", "3", 3),
        ("endurance_bought", "０", None),
        ("money_dice.1", "6", 6),
        ("perks.iai", "on", True),
        ("perks.iai", "", None),
        ("perks.iai", "off", None),
        ("perks.iai", "maybe", "maybe"),
        ("role", "準主役", "co_lead"),
        ("role", "Lead", "lead"),
        ("role", "co_lead", "co_lead"),
        ("skills.geino~1.base", "技", "gi"),
        ("style_skill", "剣術", "kenjutsu"),
        ("status", "町人", "townsman"),
        ("status", "御家人", "low_samurai"),
        ("status", "陰陽師", "陰陽師"),
        ("occupation", "与力", "yoriki"),
        ("occupation", "火付盗賊改方", "火付盗賊改方"),
        ("possessions.1.id", "大刀", "daito"),
        ("names.given", "　佐吉 ", "佐吉"),
        ("names.given", "か\u3099", "が"),
    ],
)
def test_typed(key: str, typed: str, value: Value) -> None:
    found = services.parse_field("edo", key, typed)
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize(
    ("key", "known"),
    [
        ("skills.kenjutsu.level", True),
        ("skills.kenjutsu~2.level", True),
        ("skills.kenjutsu.speciality", False),
        ("skills.kenjutsu.base", False),
        ("skills.geino~99.base", True),
        ("skills.geino~100.base", False),
        ("skills.geino~0.level", False),
        ("skills.yomikaki~1.speciality", True),
        ("skills.yomikaki~1.base", False),
        ("skills.magic.level", False),
        ("schools.yagyu", True),
        ("schools.own_4", True),
        ("schools.own_5", False),
        ("perks.iai~2", True),
        ("perks.flight", False),
        ("possessions.99.text", True),
        ("possessions.0.text", False),
        ("money_dice.9", True),
        ("money_dice.10", False),
        ("abilities.luck", False),
        ("role\n", False),
    ],
)
def test_known(key: str, known: bool) -> None:
    assert services.known_field("edo", key) is known


def test_words_in_english() -> None:
    assert services.field_label("edo", "skills.kenjutsu.level", {}).en == "Skill Swordsmanship"
    assert services.field_text("edo", "skills.kenjutsu.level", 5, {}).en == "level 5"
    assert services.field_text("edo", "role", "co_lead", {}).en == "Co-lead"
    assert services.field_text("edo", "role", None, {}).ja == "なし"
