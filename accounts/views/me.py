"""The person's own page: name, language, brightness, password, other devices; and a guest becoming an account."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts import audit
from accounts.actions import guests, links, people
from accounts.forms import ClaimForm, PreferencesForm
from accounts.http import SeeOther, secret_page
from accounts.middleware import keep_theme
from accounts.signing import person
from accounts.throttle import limited


@login_required
@limited("preferences", "30/10m")
@require_http_methods(["GET", "HEAD", "POST"])
def me(request: HttpRequest) -> HttpResponse:
    user = person(request)
    chosen = request.COOKIES.get("theme") or user.theme or "auto"
    start = {"nickname": user.shown_name, "language": user.language, "theme": chosen}
    form = PreferencesForm(request.POST or None, initial=start)
    if request.method == "POST" and form.is_valid():
        people.set_preferences(user, **form.cleaned_data)
        messages.success(request, _("変えました。"))
        response: HttpResponse = SeeOther(reverse("me"))
        keep_theme(request, response, form.cleaned_data["theme"] or "auto")
        return response
    return render(request, "account/me.html", {"form": form}, status=422 if form.is_bound else 200)


@login_required
@limited("claim", "20/10m")
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
def claim(request: HttpRequest) -> HttpResponse:
    """A guest chooses user name and password; the row stays the same, so every seat and sheet does too."""
    guest = person(request)
    if not guest.is_guest:
        return SeeOther(reverse("me"))
    form = ClaimForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            user = guests.claim(guest, form.cleaned_data["username"], form.cleaned_data["password"])
        except ValidationError as error:
            form.add_error(None, error)
        else:
            update_session_auth_hash(request, user)
            messages.success(request, _("アカウントになりました。席も役もそのままです。"))
            return SeeOther(reverse("me"))
    return render(request, "account/claim.html", {"form": form}, status=422 if form.is_bound else 200)


@login_required
@limited("own-link", "10/10m")
@require_POST
@secret_page
def device_link(request: HttpRequest) -> HttpResponse:
    """A guest's link to go on with on another device. It is shown once."""
    try:
        token = links.make_seat_link(person(request), by=person(request))
    except links.LinkRefused as refusal:
        messages.error(request, refusal.message)
        return SeeOther(reverse("me"))
    address = request.build_absolute_uri(reverse("seat_link_open", args=[token]))
    return render(request, "account/link_made.html", {"address": address, "kind": links.SEAT.value})


@login_required
@limited("sessions", "10/10m")
@require_POST
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    """End all other sessions; this browser stays in, for a guest would be lost otherwise."""
    user = person(request)
    people.end_all_sessions(user)
    update_session_auth_hash(request, user)
    audit.record("other_sessions_ended", request)
    messages.success(request, _("ほかの端末からは、すべて出ました。"))
    return SeeOther(reverse("me"))
