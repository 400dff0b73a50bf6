"""Who is signed in; and signing a browser in without a password, for guests and whoever used a one-time link."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from accounts.models import User


def person(request: HttpRequest) -> User:
    """Who is signed in, behind a gate that lets nobody else through (`login_required`)."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def sign_in(request: HttpRequest, user: User) -> None:
    """Make `user` the person of this browser, under a new session key. Whoever was signed in is out."""
    if request.user.is_authenticated and request.user.pk != user.pk:
        request.session.flush()
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
