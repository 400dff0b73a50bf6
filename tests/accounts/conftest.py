from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache, caches

from accounts.models import User


@pytest.fixture
def limits(settings: Any) -> Iterator[None]:
    """Rate limits as in a real installation, with empty counters."""
    settings.RATELIMIT_ENABLE = True
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "20/10m/ip", "signup": "20/m/ip", "login": "60/m/ip"}
    cache.clear()
    caches["memory"].clear()
    yield
    cache.clear()
    caches["memory"].clear()


@pytest.fixture
def member(db: None) -> User:
    return User.objects.create_user("yukimura", password="tsuki-no-michi", nickname="雪村")


@pytest.fixture
def admin_user(db: None) -> User:
    return User.objects.create_superuser("banto", password="kura-no-kagi", nickname="番頭")
