"""The games of this server, and one's own tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.template import TemplateDoesNotExist
from django.template.loader import get_template
from django.urls import reverse
from django.utils.translation import gettext as _

from characters.models import Character
from characters.present.campaign import Desk, band_meta
from characters.present.todo import TodoItem, todo_view
from characters.present.words import state_line
from characters.selectors.access import campaigns_of
from rulesets import services
from rulesets.protocol import System


@dataclass(frozen=True, slots=True)
class GameCard:
    slug: str
    name: str
    pitch: str
    credit: str  # author, publisher, edition, as far as known
    art: str


def game_cards(lang: str) -> list[GameCard]:
    """Only what can be played here."""
    return [_card(system, lang) for system in services.systems()]


def _card(system: System, lang: str) -> GameCard:
    known = system.credits
    return GameCard(
        slug=system.slug,
        name=system.names.pick(lang),
        pitch=_pitches().get(system.slug, ""),
        credit=_("・").join(dict.fromkeys(part for part in (known.author, known.publisher, known.edition) if part)),
        art=_art(system.slug),
    )


def _art(slug: str) -> str:
    name = f"characters/art/{slug}.html"
    try:
        get_template(name)
    except TemplateDoesNotExist:
        return "characters/art/plain.html"
    return name


def _pitches() -> dict[str, str]:
    """One sentence to tell a game from the others."""
    return {
        "edo": _("一座で分け合う役作り点。3個振って高い2個。活劇点で運命を曲げる。"),
        "alice": _("ダイスのないトランプの卓。能力を配り合い、手札を伏せて挑む。"),
    }


@dataclass(frozen=True, slots=True)
class TableCard:
    slug: str
    system: str
    name: str
    meta: str
    role: str
    sheets: tuple[tuple[str, str, str], ...]  # name, address, state
    next: TodoItem | None
    todo: int
    url: str


def my_tables(user: Any, lang: str) -> list[TableCard]:
    """Every table the user sits at, with what is to be done there."""
    cards = []
    for access in campaigns_of(user):
        desk = Desk(access, lang)
        todo = () if access.is_spectator else todo_view(access, desk.sheets, desk.pool).items
        cards.append(
            TableCard(
                slug=access.campaign.slug,
                system=access.campaign.system,
                name=access.campaign.name,
                meta=band_meta(access, lang),
                role=str(access.seat.get_role_display()),
                sheets=tuple(
                    (
                        item.character.name or _("名前はまだ"),
                        reverse("character", args=[item.character.slug]),
                        state_line(item.character, draft),
                    )
                    for item, draft in desk.sheets
                    if item.is_owner and item.character.kind == Character.Kind.PC
                ),
                next=todo[0] if todo else None,
                todo=len(todo),
                url=reverse("campaign", args=[access.campaign.slug]),
            )
        )
    return cards
