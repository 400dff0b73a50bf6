"""The id of a press: the same for the very same press, another for everything else."""

from __future__ import annotations

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import RequestFactory

from live.presses import press_id
from live.topics import command_key

SENT = {"command_id": "a" * 32, "csrfmiddlewaretoken": "x", "points": "5"}


def pressed(path: str = "/claim/", **changed: object) -> str:
    return press_id(RequestFactory().post(path, SENT | changed))


def test_the_same_press_has_the_same_id_whatever_its_token():
    assert pressed() == pressed(csrfmiddlewaretoken="y") != ""
    assert command_key(pressed() + ":save") == pressed() + ":save"


def test_anything_else_is_another_press():
    file = SimpleUploadedFile("a.json", b"1")
    others = [
        pressed(points="6"),
        pressed(more=""),
        pressed(points=["5", "5"]),
        pressed("/release/"),
        pressed(command_id="b" * 32),
        pressed(command_id="a" * 5_000),
        pressed(file=file),
        pressed(file=SimpleUploadedFile("a.json", b"2")),
        pressed(points="", note="5"),
    ]
    assert len({pressed(), *others}) == len(others) + 1


def test_a_file_can_still_be_read():
    request = RequestFactory().post("/import/", SENT | {"file": SimpleUploadedFile("a.json", b"content")})
    assert press_id(request) and request.FILES["file"].read() == b"content"


def test_a_form_without_an_id_has_none():
    assert pressed(command_id="") == ""
