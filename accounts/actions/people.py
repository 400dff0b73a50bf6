"""What a person changes about themselves."""

from __future__ import annotations

from django.conf import settings
from django.db.models import F

from accounts import audit
from accounts.models import User
from accounts.names import clean_name

THEMES = ("auto", "light", "dark")


def set_preferences(user: User, *, nickname: str, language: str, theme: str) -> None:
    """Store the three; an empty `language` follows the browser. Raises ValidationError for a bad nickname."""
    user.nickname = clean_name(nickname)
    user.language = language if language in dict(settings.LANGUAGES) else ""
    user.theme = theme if theme in THEMES else ""
    user.save(update_fields=["nickname", "language", "theme"])


def set_language(user: User, language: str) -> None:
    if language in dict(settings.LANGUAGES) and user.language != language:
        user.language = language
        user.save(update_fields=["language"])


def end_all_sessions(user: User) -> None:
    """Sign `user` out in every browser. The caller may keep the present one (`update_session_auth_hash`)."""
    User.objects.filter(pk=user.pk).update(session_epoch=F("session_epoch") + 1)
    user.refresh_from_db(fields=["session_epoch"])
    audit.record("sessions_ended", user=user.pk)
