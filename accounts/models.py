"""People. A guest is a user without a usable password, claimed later on the same row."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """An account or a guest. `nickname` is what the table calls the person; `username` is only for signing in."""

    nickname = models.CharField(_("呼び名"), max_length=40, blank=True)
    language = models.CharField(max_length=8, blank=True)
    theme = models.CharField(max_length=8, blank=True)
    # Came by an invitation and has neither password nor outside sign-in: only this browser's cookie is the key.
    is_guest = models.BooleanField(_("ゲスト"), default=False)
    # Raised to end every session of this person.
    session_epoch = models.PositiveIntegerField(default=0)

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(Lower("username"), name="username_once_in_any_case"),
            models.CheckConstraint(
                condition=Q(is_guest=False) | Q(password__startswith="!"),  # noqa: S106 - Django's mark
                name="guest_has_no_password",
            ),
        ]

    @property
    def shown_name(self) -> str:
        return self.nickname or self.username

    def get_session_auth_hash(self) -> str:
        return self._with_epoch(super().get_session_auth_hash())

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        for old in super().get_session_auth_fallback_hash():
            yield self._with_epoch(old)

    def _with_epoch(self, password_hash: str) -> str:
        return salted_hmac("accounts.session", f"{password_hash}:{self.session_epoch}", algorithm="sha256").hexdigest()


class OneTimeLink(models.Model):
    """A link that lets its holder in as somebody, once. Only a hash of the token is kept."""

    class Kind(models.TextChoices):
        SEAT = "seat", _("席のリンク")
        RESET = "reset", _("合い鍵を決め直すリンク")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="one_time_links")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        # A newer link replaces the older one, so that nobody has to guess which one still works.
        constraints = [
            models.UniqueConstraint(
                fields=["user", "kind"], condition=Q(used_at__isnull=True), name="one_open_link_per_kind"
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} #{self.pk}"
