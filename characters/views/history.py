"""Versions of a character: the list, the difference between any two, one of them, restoring."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from characters.actions import builds, drafts
from characters.actions.errors import ActionRefused
from characters.present.history import history_page, revision_page
from characters.selectors.access import character_for
from characters.views.answers import refused, say, see_other
from live.presses import press_id


@login_required
@require_GET
def versions(request: HttpRequest, slug: str) -> HttpResponse:
    """All versions, and what differs between `a` and `b` (numbers, or `draft`; by default the newest two)."""
    access = character_for(request.user, slug)
    page = history_page(access, request.GET.get("a", ""), request.GET.get("b", ""))
    return render(request, "characters/history.html", {"page": page, "campaign": access.campaign})


@login_required
@require_GET
def revision(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    access = character_for(request.user, slug)
    page = revision_page(access, number)
    if page is None:
        raise Http404("no such version")
    return render(request, "characters/revision.html", {"page": page, "campaign": access.campaign})


@login_required
@require_POST
def restore(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Put a version's fields into the draft."""
    access = character_for(request.user, slug)
    try:
        builds.restore_revision(access=access, number=number, command_id=press_id(request))
    except ActionRefused as refusal:
        return refused(request, refusal)
    say(request, _("第%(n)s版の内容を下書きに戻しました。") % {"n": number})
    return see_other(reverse("character_edit", args=[slug]))


@login_required
@require_POST
def restore_backup(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take a draft back that a restore or an import had replaced."""
    access = character_for(request.user, slug)
    try:
        drafts.restore_backup(access=access, backup=pk, command_id=press_id(request))
    except ActionRefused as refusal:
        return refused(request, refusal)
    say(request, _("控えの内容を下書きに戻しました。"))
    return see_other(reverse("character_edit", args=[slug]))
