"""Tags of the pages of a table: forms that press, chances, numbers as people read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from sessions.present.campaign import title_of
from sessions.present.rows import both

register = template.Library()

_DIGITS = "〇一二三四五六七八九"
MINUS = "−"


def _press(url: str) -> SafeString:
    return format_html(
        'method="post" action="{}" hx-post="{}" hx-target="find .refusal" hx-swap="innerHTML" hx-sync="this:drop" '
        "data-press",
        url,
        url,
    )


@register.simple_tag(takes_context=True)
def press(context: template.Context, view: str, *args: Any) -> SafeString:
    """Attributes of a form that acts on this table: a plain post, or with htmx one whose refusal is said in its
    `.refusal`. The stream brings the page level."""
    return _press(reverse(view, args=[context["campaign"].slug, context["session"].number, *args]))


@register.simple_tag(takes_context=True)
def command(context: template.Context, name: str) -> SafeString:
    """Attributes of a form that issues a command of the game."""
    return _press(reverse("session_command", args=[context["campaign"].slug, context["session"].number, name]))


@register.simple_tag(takes_context=True)
def form_link(context: template.Context, name: str, **given: Any) -> SafeString:
    """Attributes of a link to a form: with htmx it opens over the page, without on the page anew."""
    chosen = {key.replace("__", "."): value for key, value in given.items() if value not in (None, "")}
    where = [context["campaign"].slug, context["session"].number]
    page, part = reverse("session", args=where), reverse("session_form", args=[*where, name])
    query = urlencode({"do": name, **chosen})
    return format_html(
        'href="{}?{}#do" hx-get="{}?{}" hx-target="#sheet-do" hx-swap="innerHTML" data-form',
        page,
        query,
        part,
        urlencode(chosen),
    )


@register.simple_tag(takes_context=True)
def t(context: template.Context, words: Any) -> str:
    """Words of the rules ({ja, en} or Text) in the language of the page."""
    return both(words, str(context.get("lang") or "ja"))


@register.filter
def kanji(number: Any) -> str:
    """A number up to 99 as 三, 十二, 二十; larger ones, and all in other languages, as they are."""
    if not isinstance(number, int) or not 0 <= number < 100 or not (get_language() or "").startswith("ja"):
        return str(number)
    tens, ones = divmod(number, 10)
    if not tens:
        return _DIGITS[ones]
    return f"{_DIGITS[tens] if tens > 1 else ''}十{_DIGITS[ones] if ones else ''}"


@register.filter
def session_title(session: Any) -> str:
    """The title the GM gave, or what the game calls what comes before a table."""
    return title_of(session, get_language() or "ja")


@register.filter
def signed(number: Any) -> str:
    """A summand: ＋2, −1, ±0."""
    if not isinstance(number, int):
        return str(number)
    return _("＋") + str(number) if number > 0 else f"{MINUS}{-number}" if number < 0 else "±0"


@register.filter
def times(number: Any) -> range:
    """As many turns of a loop as a number says, at most 40."""
    return range(max(0, min(number, 40))) if isinstance(number, int) else range(0)


@register.filter
def item(mapping: Any, key: Any) -> Any:
    """A value by its key; None when there is none."""
    return mapping.get(key) if isinstance(mapping, Mapping) else None


@register.simple_tag
def odds_bar(percent: Any) -> SafeString:
    """A chance (`35.6`) with its bar: the number big, the bar for the eye alone; a dash where none can be told."""
    if percent in (None, ""):
        return SafeString('<span class="odds odds--none"><b>—</b></span>')
    return format_html(
        '<span class="odds"><b>{}<small>%</small></b><svg viewBox="0 0 100 4" preserveAspectRatio="none" '
        'aria-hidden="true"><rect width="{}" height="4"/></svg></span>',
        percent,
        percent,
    )
