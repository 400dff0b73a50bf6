"""Settings that would work and be wrong."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register


@register(Tags.security)
def proxies(app_configs: Any, **_: Any) -> list[CheckMessage]:
    found: list[CheckMessage] = []
    if settings.TRUSTED_PROXIES < 0:
        found.append(Error("TRUSTED_PROXIES must not be negative.", id="accounts.E001"))
    if settings.TLS and settings.TRUSTED_PROXIES == 0:
        found.append(
            Error(
                "TLS=1 needs a proxy that speaks https and is counted in TRUSTED_PROXIES (usually 1).",
                id="accounts.E002",
            )
        )
    return found


@register(Tags.security, deploy=True)
def plain_http(app_configs: Any, **_: Any) -> list[CheckMessage]:
    if settings.TLS:
        return []
    return [
        Warning(
            "The site runs without TLS: everybody in the network can read passwords and cookies.",
            hint="Put it behind an https proxy and set TLS=1 (see SECURITY.md).",
            id="accounts.W001",
        )
    ]
