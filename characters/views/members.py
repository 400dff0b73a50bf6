"""Invitations, joining, and what a GM or oneself does with a seat."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.actions import links
from accounts.errors import refuse
from accounts.http import secret_page
from characters.actions import members as actions
from characters.actions.errors import ActionRefused
from characters.forms import members as forms
from characters.forms.pool import NothingForm
from characters.present.members import role_form
from characters.selectors import campaign as reads
from characters.selectors.access import CampaignAccess, campaign_for
from characters.views.desk import act, campaign_page, see_other
from live.presses import press_id


@login_required
@require_POST
def invite_create(request: HttpRequest, slug: str) -> HttpResponse:
    access = campaign_for(request.user, slug)
    form = forms.InvitationForm(request.POST, auto_id="invite-%s")

    def do(data: dict[str, Any], command_id: str) -> None:
        actions.create_invitation(
            access=access, role=data["role"], uses=data["uses"], days=data["days"], command_id=command_id
        )

    done = _("リンクを作りました。写して仲間に送ってください。")
    return act(request, access, "invite", form, lambda form: {"invite": form}, do, done, by="gm")


@login_required
@require_POST
def invite_revoke(request: HttpRequest, slug: str, invitation: int) -> HttpResponse:
    access = campaign_for(request.user, slug)
    found = reads.invitation_in(access, invitation)

    def do(_data: dict[str, Any], command_id: str) -> None:
        actions.revoke_invitation(access=access, invitation=found.pk, command_id=command_id)

    form = NothingForm(request.POST)
    return act(request, access, "invite", form, lambda form: {"invite_revoke": form}, do, _("リンクを止めました。"))


@login_required
@require_POST
def seat_rename(request: HttpRequest, slug: str, seat: int) -> HttpResponse:
    access = campaign_for(request.user, slug)
    target = reads.seat_in(access, seat)
    form = forms.RenameForm(request.POST, auto_id=f"seat-{target.pk}-%s")

    def do(data: dict[str, Any], command_id: str) -> None:
        actions.rename_seat(access=access, seat=target.pk, name=data["name"], command_id=command_id)

    return act(
        request, access, "members", form, lambda form: {"rename": {target.pk: form}}, do, _("呼び名を変えました。")
    )


@login_required
@require_POST
def seat_role(request: HttpRequest, slug: str, seat: int) -> HttpResponse:
    access = campaign_for(request.user, slug)
    target = reads.seat_in(access, seat)
    form = role_form(access, target, request.POST)

    def do(data: dict[str, Any], command_id: str) -> None:
        actions.set_role(access=access, seat=target.pk, role=data["role"], command_id=command_id)

    done = _("%(name)sさんの役目を変えました。") % {"name": target.name}
    return act(request, access, "members", form, lambda form: {"role": {target.pk: form}}, do, done, by="gm")


@login_required
@require_POST
def seat_remove(request: HttpRequest, slug: str, seat: int) -> HttpResponse:
    access = campaign_for(request.user, slug)
    target = reads.seat_in(access, seat)
    form = forms.RemoveForm(request.POST, auto_id=f"seat-{target.pk}-%s")

    def do(_data: dict[str, Any], command_id: str) -> None:
        actions.remove_seat(access=access, seat=target.pk, command_id=command_id)

    done = _("%(name)sさんを席から外しました。") % {"name": target.name}
    return act(request, access, "members", form, lambda form: {"remove": {target.pk: form}}, do, done, by="gm")


@login_required
@require_POST
def campaign_leave(request: HttpRequest, slug: str) -> HttpResponse:
    access = campaign_for(request.user, slug)
    form = forms.LeaveForm(request.POST, auto_id="leave-%s")
    if form.is_valid():
        try:
            actions.leave(access=access, command_id=press_id(request))
        except ActionRefused as refused:
            return refuse(request, refused.status, title=_("まだ抜けられません"), message=refused.message)
        else:
            messages.success(request, _("「%(name)s」を抜けました。") % {"name": access.campaign.name})
            return see_other(reverse("home"))
    return campaign_page(request, access, given={"members": {"leave": form}}, status=400)


@login_required
@require_POST
@secret_page
def seat_link(request: HttpRequest, slug: str, seat: int) -> HttpResponse:
    """A new way back for a guest who lost the cookie. Shown once, to the GM who asked."""
    access, target = _managed(request, slug, seat)
    try:
        token = links.make_seat_link(target.user, by=access.user, allowed=reads.leads_all_of(access, target))
    except links.LinkRefused as refused:
        return _link_page(request, access, target, error=refused.message)
    return _link_page(request, access, target, url=reverse("seat_link_open", args=[token]))


@login_required
@require_POST
@secret_page
def seat_reset(request: HttpRequest, slug: str, seat: int) -> HttpResponse:
    """A one-time link to set a new password. Shown once, to the GM who asked."""
    access, target = _managed(request, slug, seat)
    try:
        token = links.make_reset_link(target.user, by=access.user, allowed=reads.leads_all_of(access, target))
    except links.LinkRefused as refused:
        return _link_page(request, access, target, error=refused.message)
    return _link_page(request, access, target, url=reverse("reset_open", args=[token]), reset=True)


def _managed(request: HttpRequest, slug: str, seat: int) -> tuple[CampaignAccess, Any]:
    access = campaign_for(request.user, slug)
    return access, reads.seat_in(access, seat)


def _link_page(
    request: HttpRequest,
    access: CampaignAccess,
    target: Any,
    *,
    url: str = "",
    reset: bool = False,
    error: str = "",
) -> HttpResponse:
    context = {
        "campaign": access.campaign,
        "target": target,
        "url": request.build_absolute_uri(url) if url else "",
        "reset": reset,
        "error": error,
    }
    return render(request, "characters/campaign_link.html", context, status=403 if error else 200)
