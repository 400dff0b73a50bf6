"""What happens when somebody comes in, goes, or connects an outside sign-in."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import password_changed, password_set, user_signed_up
from allauth.socialaccount.signals import social_account_added, social_account_removed
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from accounts import audit
from accounts.models import User


@receiver(user_logged_in)
def signed_in(request: HttpRequest, user: User, **_: Any) -> None:
    audit.record("sign_in", request, user=user.pk, guest=int(user.is_guest))


@receiver(user_logged_out)
def signed_out(request: HttpRequest, user: User | None, **_: Any) -> None:
    if user is not None:
        audit.record("sign_out", request, user=user.pk)


@receiver(user_login_failed)
def sign_in_failed(credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    known = User.objects.filter(username__iexact=str(credentials.get("username", ""))).first()
    audit.record("sign_in_failed", request, user=known.pk if known else "unknown")


@receiver(user_signed_up)
def signed_up(request: HttpRequest, user: User, **_: Any) -> None:
    audit.record("sign_up", request, user=user.pk)


@receiver(password_changed)
@receiver(password_set)
def password_is_new(request: HttpRequest, user: User, **_: Any) -> None:
    audit.record("password_changed", request, user=user.pk)


@receiver(social_account_added)
def connected(request: HttpRequest, sociallogin: Any, **_: Any) -> None:
    """A guest who connected an outside sign-in can come back without the cookie and is no guest any more."""
    user = sociallogin.user
    if user.is_guest:
        User.objects.filter(pk=user.pk).update(is_guest=False)
        user.is_guest = False
    audit.record("outside_sign_in_added", request, user=user.pk, provider=sociallogin.account.provider)


@receiver(social_account_removed)
def disconnected(request: HttpRequest, socialaccount: Any, **_: Any) -> None:
    audit.record("outside_sign_in_removed", request, user=socialaccount.user_id, provider=socialaccount.provider)
