"""What holds for every request and every answer, before any page is involved."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.http.request import UnreadablePostError

from accounts.errors import refuse

Handler = Callable[[HttpRequest], HttpResponse]
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")


class SiteHeaders:
    """Headers of every answer, also of those that never reach a page. The CSP comes from django-csp."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        for name, value in site_headers().items():
            response.headers.setdefault(name, value)
        # Pages differ by person. Not `no-store`: "Back" must bring back what was typed.
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return response


def site_headers() -> dict[str, str]:
    """Name -> value; the stream and other answers outside Django may send the same (and `content_policy()`)."""
    return {
        "Cross-Origin-Opener-Policy": settings.SECURE_CROSS_ORIGIN_OPENER_POLICY,
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": settings.PERMISSIONS_POLICY,
        "Referrer-Policy": settings.SECURE_REFERRER_POLICY,
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": settings.X_FRAME_OPTIONS,
    }


def content_policy() -> str:
    """The text of the Content-Security-Policy header."""
    from csp.utils import build_policy

    return str(build_policy())


class WellFormed:
    """Answer 4xx to requests no browser of a person sends, before they can hurt anything further in.

    NUL characters are the main reason: PostgreSQL cannot store them and Python's file functions refuse them, so that
    one in an address, a cookie or a field would be a server error far from its cause.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        status = self.wrong(request)
        return refuse(request, status) if status else self.get_response(request)

    def wrong(self, request: HttpRequest) -> int:
        """The status to refuse with, 0 when the head of the request is fine."""
        meta = request.META
        headers = [(k, v) for k, v in meta.items() if k.startswith("HTTP_") and isinstance(v, str)]
        if sum(len(k) + len(v) for k, v in headers) > settings.MAX_HEADER_BYTES or len(headers) > 100:
            return 431
        if len(request.path_info) + len(meta.get("QUERY_STRING", "")) > settings.MAX_ADDRESS_BYTES:
            return 414
        length = str(meta.get("CONTENT_LENGTH") or "0")
        if not (length.isascii() and length.isdigit()):
            return 400
        if len(length) > 12 or int(length) > settings.MAX_BODY_BYTES:
            return 413
        if (request.content_params or {}).get("charset", "utf-8").lower() not in {"utf-8", "utf8"}:
            return 415
        if "\0" in request.path_info or _has_nul(request.GET) or _has_nul_cookie(request):
            return 400
        try:
            request.get_host()
        except DisallowedHost:
            return 400
        return 0

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        if request.method in {"GET", "HEAD", "OPTIONS"} or (request.content_type or "") not in FORM_TYPES:
            return None
        try:
            bad = _has_nul(request.POST) or any("\0" in (f.name or "") for _k, fs in request.FILES.lists() for f in fs)
        except (UnreadablePostError, MultiPartParserError):
            bad = True
        return refuse(request, 400) if bad else None


def _has_nul(values: Any) -> bool:
    return any("\0" in key or any("\0" in v for v in held) for key, held in values.lists())


def _has_nul_cookie(request: HttpRequest) -> bool:
    return any("\0" in value for value in request.COOKIES.values())


class LocalHosts:
    """At home the site answers to addresses and to this machine's own names, not to any name of the internet.

    A foreign page can point its own name at an address of the home network (DNS rebinding) and would then be inside;
    an address in digits cannot be pointed anywhere. `LOCAL_HOSTS` (environment `ALLOWED_HOSTS`) adds names.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response
        self.more: list[str] = getattr(settings, "LOCAL_HOSTS", [])

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if is_local_host(request.get_host(), self.more):
            return self.get_response(request)
        return refuse(request, 400, code="host")


def is_local_host(host: str, more: list[str]) -> bool:
    """Whether `host` (as in the Host header) is an address in digits, a name of this machine or one of `more`."""
    name = host.lower()
    name = name[1 : name.index("]")] if name.startswith("[") and "]" in name else name.rsplit(":", 1)[0]
    name = name.rstrip(".")
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".localhost") or name in own_names() or name in more or "*" in more
    return True


@lru_cache(maxsize=1)
def own_names() -> frozenset[str]:
    name = socket.gethostname().lower()
    short = name.split(".")[0]
    return frozenset({name, short, f"{short}.local", f"{short}.lan", f"{short}.home", f"{short}.home.arpa"})
