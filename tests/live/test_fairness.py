"""The page of verifiable dice: everybody can compute what they may see, nobody gets a key too early."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.test import Client, override_settings
from django.urls import reverse

from live import kinds
from live.fairness import MAX_SALTS, record, words_of
from live.kinds import Viewer
from live.models import Salt, Topic
from live.topics import ensure_topic, write
from live.views import SCRIPT
from rulesets.engine import fair
from tests.live.site.kind import RoomKind

pytestmark = pytest.mark.django_db
TOPIC = "room:1"
PLAYER = Viewer(1, frozenset({"all", "seat:7"}), "player", 7, "ja", "p")
OTHER = Viewer(2, frozenset({"all", "seat:8"}), "player", 8, "ja", "p")
GM = Viewer(3, frozenset({"all", "gm"}), "gm", None, "ja", "g")


@pytest.fixture
def table() -> str:
    """Three draws: for all, for the GM, for one seat; a line of a player after the first."""
    ensure_topic(TOPIC)
    with write(TOPIC) as w:
        dice = w.dice()
        w.append("rolled", {"faces": [dice.roll(6), dice.roll(6), dice.roll(6)]})
    with write(TOPIC) as w:
        w.add_salt("雨のち晴れ", by="お菊")
    with write(TOPIC) as w:
        w.dice(audience=["gm"]).shuffle(53)
        w.append("dealt", {}, audience=["gm"])
        w.dice(audience=["seat:7", "gm"]).roll(100)
    return TOPIC


def numbers(seen: dict[str, Any]) -> list[int]:
    return [draw["number"] for draw in seen["draws"]]


def verify(seen: dict[str, Any], draw: dict[str, Any]) -> fair.Verdict:
    root = next(r for r in seen["roots"] if r["first"] <= draw["number"] < r["first"] + r["size"])
    return fair.verify_draw(
        root=root["root"],
        first=root["first"],
        size=root["size"],
        topic=seen["topic"],
        number=draw["number"],
        key=bytes.fromhex(draw["key"]),
        path=draw["path"],
        salts=[salt["text"] for salt in seen["salts"] if salt["since"] <= draw["number"]],
        requests=draw["requests"],
        values=draw["values"],
    )


def test_every_visible_draw_can_be_computed_again(table):
    seen = record(table, GM)
    assert numbers(seen) == [0, 1, 2]
    assert all(verify(seen, draw).ok for draw in seen["draws"])


def test_keys_follow_the_audience_of_their_draw(table):
    assert [numbers(record(table, viewer)) for viewer in (OTHER, PLAYER, GM)] == [[0], [0, 2], [0, 1, 2]]
    master = bytes(Topic.objects.get().master)
    hidden = [fair.key_of(master, number).hex() for number in (1, 2, 3, 4)]
    text = json.dumps(record(table, OTHER))
    assert master.hex() not in text
    assert not any(key in text for key in hidden)
    assert fair.key_of(master, 3).hex() not in json.dumps(record(table, GM))


def test_a_closed_topic_shows_every_used_key(table):
    with write(table) as w:
        w.close()
    seen = record(table, OTHER)
    assert numbers(seen) == [0, 1, 2] and seen["closed"]
    assert all(verify(seen, draw).ok for draw in seen["draws"])
    assert fair.key_of(bytes(Topic.objects.get().master), 3).hex() not in json.dumps(seen)


def test_paging_through_draws(table):
    for _ in range(10):
        with write(table) as w:
            w.dice().roll(6)
    seen = record(table, OTHER, limit=4)
    assert (numbers(seen), seen["older"]) == ([9, 10, 11, 12], 9)
    seen = record(table, OTHER, before=9, limit=7)
    assert (numbers(seen), seen["older"]) == ([0, 3, 4, 5, 6, 7, 8], None)


@pytest.mark.parametrize(
    ("requests", "expected"),
    [
        ([6, 6, 6], ["3D6"]),
        ([6, 100, 6, 6], ["1D6", "1D100", "2D6"]),
        ([{"shuffle": 53}, 6], ["53枚を切る", "1D6"]),
        ([], []),
    ],
)
def test_words_for_what_was_asked(requests, expected):
    assert words_of(requests) == expected


# ------------------------------------------------------------ the offline script


def run_script(folder: Path, seen: dict[str, Any], *more: str) -> subprocess.CompletedProcess[str]:
    file = folder / "record.json"
    file.write_text(json.dumps(seen, ensure_ascii=False), encoding="utf-8")
    command = [sys.executable, "-I", str(SCRIPT), str(file), *more]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def test_the_script_agrees(table, tmp_path):
    seen = record(table, GM)
    done = run_script(tmp_path, seen, "--root", seen["roots"][0]["root"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 draws, 0 wrong" in done.stdout


@pytest.mark.parametrize("forge", ["value", "key", "path", "salt", "root", "requests", "rubbish"])
def test_the_script_finds_a_forgery(table, tmp_path, forge):
    seen = record(table, GM)
    draw = seen["draws"][2]
    {
        "value": lambda: draw.update(values=[draw["values"][0] % 100 + 1]),
        "key": lambda: draw.update(key="00" * 32),
        "path": lambda: draw["path"].reverse(),
        "salt": lambda: seen["salts"][0].update(text="雨のち雨"),
        "root": lambda: seen["roots"][0].update(root="00" * 32),
        "requests": lambda: draw.update(requests=[6]),
        "rubbish": lambda: draw.update(key="zz", path=None),
    }[forge]()
    done = run_script(tmp_path, seen)
    assert done.returncode == 1, done.stdout
    assert "#2: WRONG" in done.stdout and "Traceback" not in done.stderr


def test_the_script_compares_with_a_root_written_down(table, tmp_path):
    assert run_script(tmp_path, record(table, GM), "--root", "ab" * 32).returncode == 1
    (tmp_path / "broken.json").write_text("{")
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(tmp_path / "broken.json")], capture_output=True, check=False
    )
    assert done.returncode == 2


def test_the_script_follows_the_common_vectors(tmp_path):
    vectors = json.loads(Path("tests/rulesets/engine/fair_vectors.json").read_text(encoding="utf-8"))
    for draw in vectors["draws"]:
        seen = {
            "topic": draw["topic"],
            "roots": [{"first": draw["first"], "size": draw["size"], "root": draw["root"]}],
            "salts": [{"since": 0, "text": salt} for salt in draw["salts"]],
            "draws": [{k: draw[k] for k in ("number", "key", "path", "requests", "values")}],
        }
        assert run_script(tmp_path, seen).returncode == 0, draw["number"]


# ------------------------------------------------------------ the pages


@pytest.fixture
def client(table) -> Client:
    """A member of the room, seat = user."""
    kinds.register(RoomKind())
    user = get_user_model().objects.create(username="o-kiku", nickname="お菊")
    user.groups.add(Group.objects.create(name=TOPIC))
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    yield client
    kinds._kinds.pop("room")


backends = override_settings(AUTHENTICATION_BACKENDS=["django.contrib.auth.backends.ModelBackend"])


@backends
def test_the_page_holds_only_what_its_viewer_may_see(client, table):
    page = client.get(reverse("fair", args=[table]))
    assert page.status_code == 200
    master = bytes(Topic.objects.get().master)
    text = page.content.decode()
    assert fair.key_of(master, 0).hex() in text
    assert not any(fair.key_of(master, number).hex() in text for number in (1, 2, 3))
    seen = client.get(reverse("fair_json", args=[table])).json()
    assert numbers(seen) == [0]
    assert "no-store" in page.headers["Cache-Control"]


@backends
@pytest.mark.parametrize("topic", ["room:2", "nothing:1", "room:1 ", "x"])
def test_strangers_and_odd_names_find_nothing(client, topic):
    ensure_topic("room:2")
    for name in ("fair", "fair_json"):
        assert client.get(reverse(name, args=[topic])).status_code == 404
        assert Client().get(reverse(name, args=[TOPIC])).status_code == 404
    assert client.post(reverse("fair_salt", args=[topic]), {"text": "x"}).status_code == 404


@backends
def test_a_line_takes_part_from_then_on(client, table):
    address = reverse("fair_salt", args=[table])
    for _ in range(2):
        done = client.post(address, {"text": " <b>花火</b>  舟 ", "command_id": "one"})
        assert (done.status_code, done.headers["Location"]) == (302, reverse("fair", args=[table]))
    salt = Salt.objects.get(text="<b>花火</b> 舟")
    assert (salt.since, salt.by) == (3, "お菊")
    page = client.get(reverse("fair", args=[table])).content.decode()
    assert "&lt;b&gt;花火&lt;/b&gt; 舟" in page and "<b>花火" not in page
    with write(table) as w:
        w.dice().roll(6)
    seen = record(table, GM)
    assert all(verify(seen, draw).ok for draw in seen["draws"])


@backends
@pytest.mark.parametrize(
    ("text", "word"), [("", "書いて"), ("   ", "書いて"), ("あ" * 201, "200文字まで"), ("x" * 10_000, "200文字まで")]
)
def test_bad_lines_are_refused_at_their_place(client, table, text, word):
    page = client.post(reverse("fair_salt", args=[table]), {"text": text})
    assert page.status_code == 422
    assert word in page.content.decode() and 'aria-invalid="true"' in page.content.decode()
    assert Salt.objects.count() == 1


@backends
def test_not_too_many_lines_and_none_after_the_end(client, table):
    with write(table) as w:
        for n in range(MAX_SALTS - 1):
            w.add_salt(f"line {n}", by="x")
    assert client.post(reverse("fair_salt", args=[table]), {"text": "one more"}).status_code == 422
    with write(table) as w:
        w.close()
    assert client.post(reverse("fair_salt", args=[table]), {"text": "one more"}).status_code == 409
    assert client.get(reverse("fair", args=[table])).status_code == 200


def test_the_script_can_be_downloaded():
    done = Client().get(reverse("fair_script"))
    assert b"".join(done.streaming_content) == SCRIPT.read_bytes()
    assert "attachment" in done.headers["Content-Disposition"]


@backends
@pytest.mark.parametrize("query", ["?before=x", "?before=-1", "?before=99999999999", "?before=2"])
def test_odd_page_numbers(client, table, query):
    assert client.get(reverse("fair", args=[table]) + query).status_code == 200
