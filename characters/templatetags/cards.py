"""Playing cards as inline SVG: readable at phone size, the suit told by shape as well as by colour.

The drawings are ours. Symbols `#s-S` … `#s-D` are in the sprite of every page.
"""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from rulesets.engine.cards import BadCard, card

register = template.Library()

_PICTURES = frozenset("JQK")


def suit_name(suit: str) -> str:
    return {"S": _("スペード"), "C": _("クラブ"), "H": _("ハート"), "D": _("ダイヤ")}.get(suit, suit)


def card_name(card_id: str) -> str:
    """`ハートの10`; what is no card is said as it is."""
    try:
        found = card(card_id)
    except BadCard:
        return card_id
    return _("%(suit)sの%(rank)s") % {"suit": suit_name(found.suit), "rank": found.rank}


@register.filter(name="card_name")
def card_name_filter(card_id: str) -> str:
    return card_name(str(card_id))


@register.simple_tag
def suit(suit_id: str, classes: str = "") -> SafeString:
    """The sign of a suit beside a word."""
    more = f" {classes}" if classes else ""
    return format_html('<svg class="suit-i suit-{0}{1}" aria-hidden="true"><use href="#s-{0}"/></svg>', suit_id, more)


@register.simple_tag
def playing_card(card_id: str, classes: str = "", stage: int | str = 0, label: str = "") -> SafeString:
    """A card face up. At damage stage 1 it lies sideways, from 2 on face down, at 3 both (rules/alice.md §8.1).

    A damaged ability keeps its rank readable: it is public, so it stands beside the card and in its name.
    """
    try:
        found = card(card_id)
    except BadCard:
        return SafeString("")
    name = label or card_name(card_id)
    if str(stage) in ("2", "3"):
        return card_back(classes=classes, stage=stage, label=name)
    stage_attr = format_html(' data-stage="{}"', stage) if str(stage) not in ("", "0") else SafeString("")
    wide = found.rank == "10"
    corner = format_html(
        '<text x="{}" y="20" font-size="{}" text-anchor="middle"{}>{}</text>',
        13 if wide else 12,
        19 if wide else 22,
        SafeString(' letter-spacing="-2"') if wide else "",
        found.rank,
    )
    return format_html(
        '<svg class="card card--{suit}{classes}"{stage} viewBox="0 0 50 70" role="img" aria-label="{name}">'
        '<rect class="c-face" x=".5" y=".5" width="49" height="69" rx="4.5"/>{corner}'
        '<svg class="suit" x="6" y="22.5" width="12" height="12"><use href="#s-{suit}"/></svg>{middle}</svg>',
        suit=found.suit,
        classes=f" {classes}" if classes else "",
        stage=stage_attr,
        name=name,
        corner=corner,
        middle=_picture(found.suit, found.rank) if found.rank in _PICTURES else _pip(found.suit),
    )


def _pip(suit_id: str) -> SafeString:
    return format_html('<svg class="suit" x="17" y="31" width="27" height="27"><use href="#s-{}"/></svg>', suit_id)


def _picture(suit_id: str, rank: str) -> SafeString:
    return format_html(
        '<rect class="c-line" x="15" y="30" width="29" height="33" rx="2"/>'
        '<text x="29.5" y="53" font-size="22" text-anchor="middle">{}</text>'
        '<svg class="suit" x="33" y="7" width="11" height="11"><use href="#s-{}"/></svg>',
        rank,
        suit_id,
    )


@register.simple_tag
def card_back(classes: str = "", stage: int | str = 0, label: str = "") -> SafeString:
    """A card face down. Every back is the same, whatever lies under it."""
    stage_attr = format_html(' data-stage="{}"', stage) if str(stage) not in ("", "0") else SafeString("")
    return format_html(
        '<svg class="card{}"{} viewBox="0 0 50 70" role="img" aria-label="{}">'
        '<rect class="c-face" x=".5" y=".5" width="49" height="69" rx="4.5"/>'
        '<rect class="c-back" x="3.5" y="3.5" width="43" height="63" rx="2.5"/>'
        '<path class="c-back2" stroke-width=".7" d="M4 14 14 4M4 30 30 4M4 46 46 4M4 62 46 20M10 66 46 30M26 66 46 46'
        'M46 14 36 4M46 30 20 4M46 46 4 4M46 62 4 20M40 66 4 30M24 66 4 46"/>'
        '<circle class="c-back" cx="25" cy="35" r="9"/><circle class="c-back2" cx="25" cy="35" r="9"/></svg>',
        f" {classes}" if classes else "",
        stage_attr,
        label or _("伏せたカード"),
    )
