"""The id of a press: it counts once however often it arrives, but only as the very same press."""

from __future__ import annotations

import hashlib

from django.http import HttpRequest

_NOT_SAID = frozenset({"csrfmiddlewaretoken", "command_id"})
LENGTH = 48  # leaves room for the name of a further step within what `topics.command_key` keeps as it is


def press_id(request: HttpRequest) -> str:
    """The `command_id` for `topics.write`, 48 hex digits; "" when the form brought none.

    Made of the form's id and of everything the form says. A page without script keeps the id it was drawn with: who
    goes back to it, changes a field and presses again means something new, not a repetition of the first press.
    """
    sent = request.POST.get("command_id", "")
    if not sent:
        return ""
    said = hashlib.sha256()
    for part in (sent, request.path, *_values(request)):
        said.update(f"{len(part)}:{part}".encode("utf-8", "surrogatepass"))
    for upload in (file for _name, files in request.FILES.lists() for file in files):
        for chunk in upload.chunks():
            said.update(chunk)
        upload.seek(0)
    return said.hexdigest()[:LENGTH]


def _values(request: HttpRequest) -> list[str]:
    rows = sorted((key, values) for key, values in request.POST.lists() if key not in _NOT_SAID)
    return [text for key, values in rows for text in (key, *values)]
