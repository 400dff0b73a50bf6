"""Links that let somebody in once: back to a guest's seat, or to a new password. There is no e-mail to send them by,
so a person hands them on (docs/adr/0004)."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.password_validation import validate_password
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import OneTimeLink, User

SEAT = OneTimeLink.Kind.SEAT
RESET = OneTimeLink.Kind.RESET
LIVES = {SEAT: timedelta(days=7), RESET: timedelta(days=2)}
TOKEN_BYTES = 24  # 192 random bits


class LinkRefused(Exception):
    """A link that may not be made; `message` says why, translated."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def make_seat_link(user: User, *, by: User | None, allowed: bool = False) -> str:
    """The token of a new link back to guest `user`'s seats, good for 7 days and one use; an older one ends.

    `by` asks for it: the guest (another device), an administrator, or somebody `allowed`. None is the operator at the
    command line. The caller's facts decide `allowed`: true only for the GM of every campaign where `user` has a seat.
    Raises LinkRefused.
    """
    if not user.is_guest:
        raise LinkRefused(_("この人はアカウントを持っています。席のリンクはゲストのためのものです。"))
    if not (by is None or by.pk == user.pk or by.is_superuser or allowed):
        raise LinkRefused(_refused())
    return _make(user, SEAT, by)


def make_reset_link(user: User, *, by: User | None, allowed: bool = False) -> str:
    """The token of a new link to choose a new password, good for 2 days and one use; an older one ends.

    `by` is an administrator, None (the operator at the command line), or somebody `allowed`: the GM of every campaign
    where `user` has a seat. Passwords of staff are reset by an administrator alone. Raises LinkRefused.
    """
    if user.is_guest:
        raise LinkRefused(_("この人はゲストで、合い鍵を持っていません。席のリンクを渡してください。"))
    staff = user.is_staff or user.is_superuser
    if not (by is None or by.is_superuser or (allowed and not staff)):
        raise LinkRefused(_refused())
    return _make(user, RESET, by)


def open_link(kind: str, token: str) -> User | None:
    """Who a link would let in; None for every link that does not work, whatever the reason."""
    link = _find(kind, token)
    return link.user if link else None


def use_seat_link(token: str) -> User | None:
    """Use the link up; the guest to sign in as, or None when it does not work (any more)."""
    link = _find(SEAT, token)
    if link is None or not _use(link):
        return None
    return link.user


def use_reset_link(token: str, password: str) -> User | None:
    """Use the link up and set the password, which ends all other sessions. None when the link does not work.

    Raises ValidationError when the password is not good enough; the link then still works.
    """
    link = _find(RESET, token)
    if link is None:
        return None
    user: User = link.user
    validate_password(password, user)
    with transaction.atomic():
        if not _use(link):
            return None
        user.set_password(password)
        user.save(update_fields=["password"])
    return user


def _make(user: User, kind: OneTimeLink.Kind, by: User | None) -> str:
    token = secrets.token_urlsafe(TOKEN_BYTES)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        OneTimeLink.objects.filter(user=user, kind=kind).delete()
        OneTimeLink.objects.create(
            user=user, kind=kind, token_hash=_hash(token), made_by=by, expires_at=timezone.now() + LIVES[kind]
        )
    audit.record("link_made", kind=kind.value, user=user.pk, made_by=by.pk if by else "operator")
    return token


def _find(kind: str, token: str) -> OneTimeLink | None:
    # Looked up by hash: the time it takes tells nothing about a token.
    link = (
        OneTimeLink.objects.select_related("user")
        .filter(kind=kind, token_hash=_hash(token), used_at=None, expires_at__gt=timezone.now(), user__is_active=True)
        .first()
    )
    if link is None or link.user.is_guest is not (kind == SEAT):
        return None
    return link


def _use(link: OneTimeLink) -> bool:
    """Mark it used; of two who press at once only one gets True."""
    used = OneTimeLink.objects.filter(pk=link.pk, used_at=None).update(used_at=timezone.now()) == 1
    if used:
        audit.record("link_used", kind=link.kind, user=link.user_id)
    return used


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _refused() -> str:
    return _(
        "このリンクは、その人のすべての卓を預かるGMか、この場所を動かしている人だけが作れます。"
        "ほかの卓にも席がある人のことは、動かしている人に頼んでください。"
    )
