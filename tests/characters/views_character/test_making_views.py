"""Making characters: a player's own, NPCs from presets, imports; and the reference tools."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from characters.models import Character
from tests.characters.views_campaign.conftest import text
from tests.characters.views_character.conftest import fields_of

pytestmark = pytest.mark.django_db


def at(table, name: str) -> str:
    return reverse(name, args=[table.campaign.slug])


# ---------------------------------------------------------------- new


def test_a_player_makes_a_character_and_lands_in_the_builder(table, as_):
    answer = as_("nagisa").post(at(table, "character_new"))
    character = Character.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, reverse("character_edit", args=[character.slug]))
    assert character.owner == table.seat("nagisa")


def test_one_press_makes_one_character(table, as_):
    press = {"command_id": "f" * 32}
    client = as_("nagisa")
    first, second = (client.post(at(table, "character_new"), press) for _ in range(2))
    assert first["Location"] == second["Location"] and Character.objects.count() == 1


def test_a_gm_makes_one_for_a_player_and_a_spectator_makes_none(table, as_):
    as_("gm").post(at(table, "character_new"), {"owner": table.seat("chiaki").pk})
    assert Character.objects.get().owner == table.seat("chiaki")
    odd = [("gm", "9" * 30), ("nagisa", "9" * 5_000), ("nagisa", "x")]
    for who, owner in [("watcher", ""), ("nagisa", table.seat("chiaki").pk), *odd]:
        assert as_(who).post(at(table, "character_new"), {"owner": owner}).status_code in (403, 404, 422)
    assert Character.objects.count() == 1


# ---------------------------------------------------------------- NPCs


def test_presets_become_npcs_with_a_number(table, as_):
    html = as_("gm").get(at(table, "npc_new")).content.decode()
    assert html.count('name="preset"') == 18 and "ごろつき" in html
    preset = next(value for value in html.split('name="preset" value="')[1:] if "ごろつき" in value).split('"')[0]
    answer = as_("gm").post(at(table, "npc_new"), {"preset": preset, "name": "", "count": "６人"})
    npc = Character.objects.get()
    assert answer.status_code == 303 and (npc.kind, npc.count, npc.visibility) == ("npc", 6, "gm")
    assert npc.revision is not None, "a legal preset is saved at once"
    assert as_("nagisa").get(reverse("character", args=[npc.slug])).status_code == 404
    assert "×6" in text(as_("gm").get(reverse("character", args=[npc.slug])).content)


def test_an_npc_may_have_a_name_of_its_own(table, as_):
    html = as_("gm").get(at(table, "npc_new")).content.decode()
    preset = html.split('name="preset" value="')[-1].split('"')[0]
    as_("gm").post(at(table, "npc_new"), {"preset": preset, "name": "玄庵", "count": "1"})
    assert Character.objects.get().name == "玄庵"


@pytest.mark.parametrize(
    "wrong", [{"preset": "N99"}, {"count": "0"}, {"count": "100"}, {"count": "たくさん"}, {"name": "長" * 10_000}]
)
def test_wrong_npcs_are_explained_and_what_was_typed_stays(table, as_, wrong):
    data = {"preset": "", "name": "玄庵", "count": "2", **wrong}
    answer = as_("gm").post(at(table, "npc_new"), data)
    assert answer.status_code == 400 and "field__err" in answer.content.decode()
    assert f'value="{data["name"]}"' in answer.content.decode()
    assert not Character.objects.exists()


def test_players_make_no_npcs(table, as_):
    for who in ("nagisa", "watcher"):
        assert as_(who).get(at(table, "npc_new")).status_code == 403
        assert as_(who).post(at(table, "npc_new"), {"preset": "", "count": "1"}).status_code == 403


def test_count_changes_and_copies_are_made(table, as_):
    npc = table.make("gm", kind="npc", preset=None)
    gm = as_("gm")
    assert gm.post(reverse("character_count", args=[npc.slug]), {"count": "4"}).status_code == 303
    answer = gm.post(reverse("character_count", args=[npc.slug]), {"count": "四百"})
    assert answer.status_code == 400 and 'value="四百"' in answer.content.decode()
    assert 'id="count-err"' in answer.content.decode()
    assert gm.post(reverse("character_duplicate", args=[npc.slug])).status_code == 303
    assert [row.count for row in Character.objects.all()] == [4, 4]


# ---------------------------------------------------------------- imports


@pytest.fixture
def file_of(table, hero, as_) -> dict:
    return json.loads(as_("nagisa").get(reverse("character_export", args=[hero.slug])).content)


def test_trial_reading_saves_nothing_and_carries_the_text_on(table, hero, file_of, as_):
    upload = SimpleUploadedFile("x.json", json.dumps(file_of).encode(), "application/json")
    answer = as_("chiaki").post(at(table, "import_character"), {"file": upload, "do": "try"})
    html = answer.content.decode()
    assert answer.status_code == 200 and Character.objects.count() == 1
    assert "桐生 新八郎" in html and "そのまま移る" in html and "移らない" in html
    assert "takubiyori.character</textarea>" not in html and "takubiyori.character" in html.partition("<textarea")[2]
    answer = as_("chiaki").post(at(table, "import_character"), {"text": json.dumps(file_of), "do": "save"})
    made = Character.objects.exclude(pk=hero.pk).get()
    assert (answer.status_code, answer["Location"]) == (303, reverse("character_edit", args=[made.slug]))
    assert made.owner == table.seat("chiaki") and fields_of(made) == fields_of(hero)


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"format": "takubiyori.character", "format_version": "9.0"}',
        '{"format": "takubiyori.character", "format_version": "1.0", "system": {"id": "witch"}, "character": {}}',
        "[" * 5000,
        '{"format": "takubiyori.character", "format_version": "1.0", "system": {"id": "edo"}, "character": 7}',
        '{"format": NaN}',
    ],
)
def test_malformed_files_are_refused_in_words_and_stay_in_the_field(table, as_, wrong):
    for do in ("try", "save"):
        answer = as_("chiaki").post(at(table, "import_character"), {"text": wrong, "do": do})
        assert 400 <= answer.status_code < 500, wrong
        assert "field__err" in answer.content.decode()
    assert not Character.objects.exists()


def test_too_much_is_refused(table, as_):
    upload = SimpleUploadedFile("x.json", b" " * 1_000_001, "application/json")
    answer = as_("chiaki").post(at(table, "import_character"), {"file": upload, "do": "try"})
    assert answer.status_code in (400, 413, 422) and "1MB" in answer.content.decode()


def test_spectators_import_nothing(table, file_of, as_):
    answer = as_("watcher").post(at(table, "import_character"), {"text": json.dumps(file_of), "do": "save"})
    assert answer.status_code == 403 and Character.objects.count() == 1


# ---------------------------------------------------------------- reference tools


def tool(as_, **query) -> tuple[int, str]:
    answer = as_(None).get(reverse("tools"), query)
    return answer.status_code, answer.content.decode()


def test_money_is_changed(as_):
    status, html = tool(as_, tool="money", ryo="1", bu="2", shu="3", mon="500")
    assert status == 200 and "7250文" in text(html) and "1両 3分 1朱" in text(html)
    assert 'value="2"' in html


def test_measures_are_converted(as_):
    status, html = tool(as_, tool="measure", value="6", unit="ken")
    assert status == 200 and "10.909" in text(html)


def test_bells_by_sun_and_by_date(as_):
    status, html = tool(as_, tool="clock", sunrise="4:30", sunset="19:00", time="7:00")
    words = text(html)
    assert status == 200 and "昼九ツ 11:45" in words and "朝五ツ 6:55" in words and "暁七ツ 2:55" in words
    assert "いまは朝五ツ（鐘から5分）" in words
    status, html = tool(as_, tool="clock", date="1830-06-22")
    assert status == 200 and "1830-06-22" in html


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ({"tool": "money", "ryo": "三枚"}, "m-ryo-err"),
        ({"tool": "money", "mon": "9" * 90}, "m-mon-err"),
        ({"tool": "money"}, "m-ryo-err"),
        ({"tool": "measure", "value": "<b>", "unit": "ken"}, "u-value-err"),
        ({"tool": "clock", "date": "2月30日"}, "c-date-err"),
        ({"tool": "clock", "sunrise": "19:00", "sunset": "4:00"}, "c-sunset-err"),
        ({"tool": "clock", "sunrise": "25:00", "sunset": "19:00"}, "c-sunrise-err"),
    ],
)
def test_wrong_inputs_are_explained_at_their_field(as_, query, where):
    status, html = tool(as_, **query)
    assert status == 400 and f'id="{where}"' in html and "<b>" not in html.replace("<b>", "", html.count("<b class"))


def test_an_unknown_tool_is_just_the_page(as_):
    assert tool(as_, tool="abacus")[0] == 200
