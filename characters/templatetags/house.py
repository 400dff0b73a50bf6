"""Small parts every page uses: icons, form controls, the theme of the browser."""

from __future__ import annotations

from typing import Any

from django import template
from django.forms import BoundField, CheckboxInput, CheckboxSelectMultiple, RadioSelect
from django.utils.html import format_html
from django.utils.safestring import SafeString

from rulesets import services
from rulesets.engine.text import Text

register = template.Library()

THEME_COOKIE = "theme"
THEMES = ("light", "dark")


def chosen_theme(context: template.Context) -> str:
    """`light`, `dark` or `auto`: what this browser's cookie says."""
    request = context.get("request")
    chosen = request.COOKIES.get(THEME_COOKIE, "") if request is not None else ""
    return chosen if chosen in THEMES else "auto"


@register.simple_tag(takes_context=True)
def theme_choice(context: template.Context) -> str:
    return chosen_theme(context)


@register.simple_tag(takes_context=True)
def theme_attr(context: template.Context) -> SafeString:
    """The attribute on `<html>` that overrides the system's light or dark; nothing when it follows the system."""
    chosen = chosen_theme(context)
    return SafeString("") if chosen == "auto" else format_html(' data-theme="{}"', chosen)


@register.simple_tag
def icon(name: str, classes: str = "") -> SafeString:
    """A symbol of the sprite, for decoration beside words (`{% icon "alert" "ico--s" %}`)."""
    return format_html(
        '<svg class="ico{}{}" aria-hidden="true"><use href="#i-{}"/></svg>', " " if classes else "", classes, name
    )


@register.filter
def control(field: BoundField) -> SafeString:
    """A form field's control with the class of our components; aria attributes are Django's.

    A refused field asks for the focus, so that one lands where something is to be put right.
    """
    plain = isinstance(field.field.widget, CheckboxInput | CheckboxSelectMultiple | RadioSelect)
    attrs: dict[str, Any] = {} if plain else {"class": "input"}
    if field.errors:
        attrs["autofocus"] = True
    return field.as_widget(attrs=attrs)


@register.simple_tag(takes_context=True)
def words(context: template.Context, text: Text) -> str:
    """A label or sentence of the rules in the language of the page."""
    return text.pick(context_language(context))


@register.filter
def has_pool(campaign: Any) -> bool:
    """Whether the campaign's game shares out build points."""
    return services.has_pool(campaign.system)


@register.filter
def pick(text: Text | str, lang: str) -> str:
    return text.pick(lang) if isinstance(text, Text) else str(text)


def context_language(context: template.Context) -> str:
    from django.utils.translation import get_language

    return str(context.get("lang") or get_language() or "ja")


@register.simple_tag(takes_context=True)
def post_to(context: template.Context, url: str, panel: str = "") -> SafeString:
    """Attributes of a form that acts: a plain post, and with htmx a swap of its panel. One press at a time."""
    target = panel or str(context.get("panel_name") or "")
    if not target:
        return format_html('method="post" action="{}"', url)
    return format_html(
        'method="post" action="{}" hx-post="{}" hx-target="#panel-{}" hx-swap="outerHTML" hx-sync="this:drop"',
        url,
        url,
        target,
    )
