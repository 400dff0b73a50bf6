"""Opening a one-time link. GET shows who it is for, POST acts, and whoever is signed in as somebody else is asked."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from accounts.actions import links
from accounts.forms import ResetForm
from accounts.http import SeeOther, secret_page
from accounts.signing import sign_in
from accounts.throttle import ONE_TIME_LINKS, guarded, limited


@limited("one-time-link", "60/10m", methods=("GET", "HEAD", "POST"))
@guarded(ONE_TIME_LINKS)
@secret_page
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_variables("token")
def seat_link_open(request: HttpRequest, token: str) -> HttpResponse:
    """Back to a guest's seats on this browser."""
    person = links.open_link(links.SEAT, token)
    if person is None:
        return _dead(request)
    if request.user.is_authenticated and request.user.pk == person.pk:
        return render(request, "account/link_seat.html", {"person": person, "already": True})
    if request.method == "POST" and _agreed(request):
        guest = links.use_seat_link(token)
        if guest is None:
            return _dead(request)
        sign_in(request, guest)
        messages.success(request, _("%(name)sとして戻りました。") % {"name": guest.shown_name})
        return SeeOther(reverse("home"))
    status = 409 if request.method == "POST" else 200
    return render(request, "account/link_seat.html", {"person": person, "already": False}, status=status)


@limited("one-time-link", "60/10m", methods=("GET", "HEAD", "POST"))
@guarded(ONE_TIME_LINKS)
@secret_page
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
@sensitive_variables("token", "form")
def reset_open(request: HttpRequest, token: str) -> HttpResponse:
    """Choose a new password and go in with it."""
    person = links.open_link(links.RESET, token)
    if person is None:
        return _dead(request)
    form = ResetForm(request.POST or None)
    status = 200
    if request.method == "POST":
        if not _agreed(request, besides=person.pk):
            status = 409
        elif form.is_valid():
            try:
                user = links.use_reset_link(token, form.cleaned_data["password"])
            except ValidationError as error:
                form.add_error("password", error)
            else:
                if user is None:
                    return _dead(request)
                sign_in(request, user)
                messages.success(request, _("新しい合い鍵になりました。ほかの端末からは出ています。"))
                return SeeOther(reverse("home"))
        status = status if status == 409 else 422
    return render(request, "account/link_reset.html", {"person": person, "form": form}, status=status)


def _agreed(request: HttpRequest, besides: int | None = None) -> bool:
    """Whether nobody is signed in, or this very person said on the page that they leave."""
    if not request.user.is_authenticated or request.user.pk == besides:
        return True
    return request.POST.get("leaving") == str(request.user.pk)


def _dead(request: HttpRequest) -> HttpResponse:
    """The same answer for used, expired, replaced, mistyped and invented links."""
    return render(request, "account/link_dead.html", status=404)
