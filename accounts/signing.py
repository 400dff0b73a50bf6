"""Signing a browser in without a password: guests, and whoever used a one-time link."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest

from accounts.models import User


def sign_in(request: HttpRequest, user: User) -> None:
    """Make `user` the person of this browser, under a new session key. Whoever was signed in is out."""
    if request.user.is_authenticated and request.user.pk != user.pk:
        request.session.flush()
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
