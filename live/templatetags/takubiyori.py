"""Tags of live pages."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def command_fields(context: template.Context) -> SafeString:
    """The hidden fields of a form that changes something: CSRF token and the id of this press.

    On a page both are filled, so the form works without JavaScript. In a fragment (rendered without a request) both
    are empty, because many people get the same bytes; `live.js` fills them in.
    """
    token = str(context.get("csrf_token") or "")
    if token == "NOTPROVIDED":  # noqa: S105 - Django's word for "no request"
        token = ""
    command_id = uuid.uuid4().hex if token else ""
    return format_html(
        '<input type="hidden" name="csrfmiddlewaretoken" value="{}"><input type="hidden" name="command_id" value="{}">',
        token,
        command_id,
    )


@register.filter
def utc(value: Any) -> str:
    """A time for `<time datetime="…">`: `2026-01-31T12:00:00Z`. Empty for anything that is no time."""
    if not isinstance(value, datetime):
        return ""
    return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
