"""The sheet of a character: for the table, behind a share link, on paper, as a file; and what its owner decides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from accounts.http import secret_page
from accounts.throttle import SHARE_LINKS, guarded
from characters import documents
from characters.actions import characters as actions
from characters.actions.errors import ActionRefused
from characters.forms.hidden import whole_number
from characters.present.sheet import print_page, sheet_page
from characters.selectors.access import CharacterAccess, character_for, shared_character
from characters.views.answers import say, see_other
from live.presses import press_id


@require_GET
def sheet(request: HttpRequest, slug: str) -> HttpResponse:
    return sheet_response(request, character_for(request.user, slug))


@require_GET
def print_sheet(request: HttpRequest, slug: str) -> HttpResponse:
    access = character_for(request.user, slug)
    page = print_page(access, reverse("character", args=[slug]))
    return render(request, "characters/print.html", {"page": page})


@require_GET
def export(request: HttpRequest, slug: str) -> HttpResponse:
    return _file(character_for(request.user, slug))


@secret_page
@guarded(SHARE_LINKS)
@require_GET
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """What a link shows: only what everybody may see, whoever opens it."""
    access = _public(shared_character(token))
    return sheet_response(request, access, token=token)


@secret_page
@guarded(SHARE_LINKS)
@require_GET
def shared_print(request: HttpRequest, token: str) -> HttpResponse:
    access = _public(shared_character(token))
    page = print_page(access, reverse("shared_character", args=[token]))
    return render(request, "characters/print.html", {"page": page})


@secret_page
@guarded(SHARE_LINKS)
@require_GET
def shared_export(request: HttpRequest, token: str) -> HttpResponse:
    return _file(_public(shared_character(token)))


# ---------------------------------------------------------------- what the owner decides


@login_required
@require_POST
def visibility(request: HttpRequest, slug: str) -> HttpResponse:
    def do(access: CharacterAccess, press: str) -> str:
        actions.set_visibility(access=access, visibility=request.POST.get("visibility", ""), command_id=press)
        return _("見せる相手を変えました。")

    return _press(request, slug, do)


@login_required
@require_POST
def link(request: HttpRequest, slug: str) -> HttpResponse:
    """Make the share link, or stop it for ever."""

    def do(access: CharacterAccess, press: str) -> str:
        if request.POST.get("link") == "drop":
            actions.drop_share_link(access=access, command_id=press)
            return _("リンクを止めました。")
        actions.make_share_link(access=access, command_id=press)
        return _("リンクを作りました。")

    return _press(request, slug, do)


@login_required
@require_POST
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    def do(access: CharacterAccess, press: str) -> str:
        actions.delete_character(access=access, command_id=press)
        return _("片付けました。")

    return _press(request, slug, do)


@login_required
@require_POST
def undelete(request: HttpRequest, slug: str) -> HttpResponse:
    def do(access: CharacterAccess, press: str) -> str:
        actions.restore_character(access=access, command_id=press)
        return _("戻しました。")

    return _press(request, slug, do)


@login_required
@require_POST
def transfer(request: HttpRequest, slug: str) -> HttpResponse:
    def do(access: CharacterAccess, press: str) -> str:
        seat = whole_number(request.POST.get("seat", ""))
        if seat is None:
            raise ActionRefused(_("渡す相手を選んでください。"), field="seat", status=422)
        actions.transfer_character(access=access, seat=seat, command_id=press)
        return _("渡しました。")

    return _press(request, slug, do)


# ---------------------------------------------------------------- parts


def sheet_response(request: HttpRequest, access: CharacterAccess, *, status: int = 200, **given: Any) -> HttpResponse:
    """The page; `given` are forms and messages that a refused press brings back to it."""
    page = sheet_page(access, request.build_absolute_uri("/"), **given)
    campaign = access.campaign if access.seat is not None else None
    context = {"page": page, "campaign": campaign or _Theme(access)}
    return render(request, "characters/sheet.html", context, status=status)


class _Theme:
    """The frame of a page outside any campaign only needs the game's look."""

    def __init__(self, access: CharacterAccess) -> None:
        self.system = access.campaign.system


def _press(request: HttpRequest, slug: str, do: Callable[[CharacterAccess, str], str]) -> HttpResponse:
    access = character_for(request.user, slug)
    try:
        said = do(access, press_id(request))
    except ActionRefused as refusal:
        return sheet_response(request, access, status=refusal.status, refused=refusal.message)
    say(request, said)
    return see_other(reverse("character", args=[slug]) + "#manage")


def _public(access: CharacterAccess) -> CharacterAccess:
    """The same character as a stranger with the link sees it, so that one looks at what one has shared."""
    return CharacterAccess(access.character, None, by_link=True)


def _file(access: CharacterAccess) -> HttpResponse:
    document = documents.character_document(access, get_language() or "ja")
    response = HttpResponse(documents.serialise(document), content_type="application/json; charset=utf-8")
    name = f"{document['character']['name']}.takubiyori.json"
    response.headers["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response
