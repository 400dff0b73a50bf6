"""Who is asking, for counting attempts and for the security log."""

from __future__ import annotations

import ipaddress

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """The client's address, or `unknown` (no address, or something that is none).

    With `TRUSTED_PROXIES = n` it is the n-th entry of X-Forwarded-For from the right, the one our outermost proxy
    wrote. Entries further left come from the client and prove nothing; with n = 0 the header is not read at all.
    """
    address = str(request.META.get("REMOTE_ADDR") or "")
    count: int = settings.TRUSTED_PROXIES
    if count > 0:
        chain = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
        # A shorter chain means the request came past a proxy: then the one who connected is the client.
        if len(chain) >= count:
            address = chain[-count]
    parsed = _parse(address)
    return str(parsed) if parsed else "unknown"


def source_address(request: HttpRequest) -> str:
    """`client_address` as a unit for counting: a home gets a whole IPv6 /64, so that is one source."""
    address = _parse(client_address(request))
    if address is None:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((address, 64), strict=False))
    return str(address)


def source(request: HttpRequest) -> str:
    """Who is counted: the person when signed in, else the address."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return f"user:{user.pk}"
    return f"ip:{source_address(request)}"


def _parse(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    host = text.strip()
    if host.startswith("["):  # [::1]:1234
        host = host[1:].split("]", 1)[0]
    elif host.count(":") == 1:  # 192.0.2.1:1234
        host = host.split(":", 1)[0]
    try:
        address = ipaddress.ip_address(host.split("%", 1)[0])
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address
