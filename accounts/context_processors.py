"""What every page may ask about the site itself, as `house`."""

from __future__ import annotations

from typing import Any

from allauth.socialaccount.adapter import get_adapter
from django.conf import settings
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.urls import reverse

THIS_MACHINE = {"localhost", "127.0.0.1", "[::1]"}


class House:
    """Facts about this installation for one request; each is worked out only when a template asks."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    @property
    def plain_http(self) -> bool:
        """Whether passwords and cookies travel readable for others in the network."""
        here = split_domain_port(self._request.get_host())[0] in THIS_MACHINE
        return not self._request.is_secure() and not here

    @property
    def signup_open(self) -> bool:
        return bool(settings.ACCOUNT_SIGNUP_ENABLED)

    @property
    def providers(self) -> list[dict[str, Any]]:
        """Outside sign-ins that are configured: `id`, `name`, `url`."""
        if not settings.SOCIALACCOUNT_PROVIDERS:
            return []
        found = get_adapter(self._request).list_providers(self._request)
        return [{"id": p.id, "name": p.name, "url": reverse(f"{p.id}_login")} for p in found]


def house(request: HttpRequest) -> dict[str, Any]:
    return {"house": House(request)}
