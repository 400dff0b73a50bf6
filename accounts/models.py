"""People. A guest is a user without a usable password, claimed later on the same row."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """An account or a guest. `nickname` is what the table calls the person; `username` is only for signing in."""

    nickname = models.CharField(_("呼び名"), max_length=40, blank=True)
    language = models.CharField(max_length=8, blank=True)
    theme = models.CharField(max_length=8, blank=True)

    @property
    def is_guest(self) -> bool:
        return not self.has_usable_password()

    @property
    def shown_name(self) -> str:
        return self.nickname or self.username
