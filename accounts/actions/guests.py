"""Guests: in by an invitation with a nickname alone, an account later on the same row."""

from __future__ import annotations

import secrets

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import OneTimeLink, User
from accounts.names import clean_name
from accounts.usernames import GUEST_PREFIX, free_username


def create_guest(nickname: str) -> User:
    """A new guest. The caller signs the browser in (`accounts.signing.sign_in`), else nobody can ever be this guest.

    Raises ValidationError when `nickname` is no name.
    """
    user = User(username=f"{GUEST_PREFIX}{secrets.token_hex(8)}", nickname=clean_name(nickname), is_guest=True)
    user.set_unusable_password()
    user.save()
    audit.record("guest_made", user=user.pk)
    return user


def claim(user: User, username: str, password: str) -> User:
    """Turn guest `user` into an account on the same row, so that every seat and sheet stays.

    Returns the user as stored. Raises ValidationError with messages under `username`, `password` or `__all__`.
    """
    wrong: dict[str, list[str]] = {}
    try:
        username = free_username(username)
    except ValidationError as error:
        wrong["username"] = error.messages
    try:
        validate_password(password, User(username=username, nickname=user.nickname))
    except ValidationError as error:
        wrong["password"] = error.messages
    if wrong:
        raise ValidationError(wrong)
    try:
        with transaction.atomic():
            fresh = User.objects.select_for_update().get(pk=user.pk)
            if not fresh.is_guest:
                raise ValidationError(_("もうアカウントになっています。"), code="claimed")
            fresh.username = username
            fresh.is_guest = False
            fresh.set_password(password)
            fresh.save(update_fields=["username", "is_guest", "password"])
            # Seat links are for guests; one still open would let its holder past the new password.
            OneTimeLink.objects.filter(user=fresh, used_at=None).delete()
    except IntegrityError as error:
        raise ValidationError({"username": [_("この利用者名は、もう使われています。")]}) from error
    audit.record("guest_claimed", user=fresh.pk)
    return fresh
