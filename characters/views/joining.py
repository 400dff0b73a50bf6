"""Coming in: the page of an invitation link, and the box where one can be pasted."""

from __future__ import annotations

from typing import Any

from django import forms as django_forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.actions import guests
from accounts.errors import too_many
from accounts.http import secret_page
from accounts.signing import sign_in
from accounts.throttle import INVITATIONS, guarded, limited
from characters.actions import members as actions
from characters.actions.errors import ActionRefused
from characters.forms.campaigns import OpenInvitationForm
from characters.forms.members import JoinForm
from characters.selectors.access import active_seat
from characters.selectors.campaign import Invited, invited_by
from characters.views.desk import lang, place, see_other
from characters.views.home import front_page
from live.presses import press_id
from rulesets import services

# A link that stopped working is gone; one nobody made was never there.
_STATUS = {"open": 200, "unknown": 404, "revoked": 410, "expired": 410, "full": 410}


@secret_page
@guarded(INVITATIONS)
@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: HttpRequest, token: str) -> HttpResponse:
    """GET shows whose table this is, POST takes the seat: as the signed-in user, or as a guest with a name."""
    found = invited_by(token)
    campaign = found.invitation.campaign if found.invitation is not None else None
    seat = active_seat(request.user, campaign) if campaign is not None else None
    if seat is not None:  # a member, whatever became of the link
        return see_other(reverse("campaign", args=[campaign.slug])) if campaign is not None else _page(request, found)
    if found.state != "open":
        return _page(request, found)
    if request.method != "POST":
        return _page(request, found, JoinForm(initial={"name": _suggested(request)}))
    form = JoinForm(request.POST)
    response = _join(request, token, form)
    return response if response is not None else _page(request, found, form, status=_refused(form))


@secret_page
@limited("invite-open", "30/m")
@require_POST
def invite_open(request: HttpRequest) -> HttpResponse:
    """A pasted link. With a name it joins at once, without one it leads to the link's page."""
    form = OpenInvitationForm(request.POST)
    attempt = INVITATIONS.enter(request)
    if attempt.wait:
        return too_many(request, retry_after=attempt.wait)
    if not form.is_valid():
        attempt.passed()  # a mistyped form is no guess
        return front_page(request, join=form, status=400)
    token, name = form.cleaned_data["code"], form.cleaned_data["name"]
    found = invited_by(token)
    if found.state == "unknown":
        form.add_error("code", _("この招待リンクは見つかりません。届いたリンクをもう一度写して貼ってください。"))
        return front_page(request, join=form, status=404)
    attempt.passed()
    if found.state == "open" and name:
        response = _join(request, token, form)
        return response if response is not None else front_page(request, join=form, status=_refused(form))
    return see_other(reverse("invite", args=[token]))


def _join(request: HttpRequest, token: str, form: django_forms.Form) -> HttpResponse | None:
    """Take the seat; None when the form says why not."""
    if not form.is_valid():
        return None
    name = form.cleaned_data["name"]
    try:
        with transaction.atomic():
            user: Any = request.user
            guest = None if user.is_authenticated else guests.create_guest(name)
            command_id = press_id(request)
            seat = actions.join_campaign(user=guest or user, token=token, name=name, command_id=command_id)
    except ActionRefused as refused:
        place(form, refused)
        form.refused_status = refused.status  # type: ignore[attr-defined]
        return None
    if guest is not None:
        sign_in(request, guest)
    messages.success(request, _("「%(name)s」に加わりました。") % {"name": seat.campaign.name})
    return see_other(reverse("campaign", args=[seat.campaign.slug]))


def _refused(form: django_forms.Form) -> int:
    return int(getattr(form, "refused_status", 400))


def _suggested(request: HttpRequest) -> str:
    user: Any = request.user
    return str(user.shown_name) if user.is_authenticated else ""


def _page(
    request: HttpRequest, found: Invited, form: django_forms.Form | None = None, status: int | None = None
) -> HttpResponse:
    campaign = found.invitation.campaign if found.invitation is not None else None
    context: dict[str, Any] = {"found": found, "form": form, "invited_campaign": campaign}
    if campaign is not None:
        context["invited_meta"] = services.get(campaign.system).names.pick(lang())
    return render(request, "characters/invite.html", context, status=status or _STATUS[found.state])
