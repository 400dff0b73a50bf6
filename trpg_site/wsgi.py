"""The synchronous part of the site. `trpg_site.asgi` runs it on a few threads; nothing else should be needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application
from django.utils.http import parse_header_parameters

Environ = dict[str, Any]
_django = get_wsgi_application()


def application(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Django, with a content type it can read.

    Django reads that header before its error handling begins, and some lies in it (an unknown RFC 2231 charset, a NUL)
    raise there: the client would get a server error. They become a type that `WellFormed` refuses.
    """
    try:
        _, params = parse_header_parameters(environ.get("CONTENT_TYPE", ""))
        sound = "\0" not in params.get("charset", "")
    except ValueError:
        sound = False
    if not sound:
        environ["CONTENT_TYPE"] = "application/octet-stream; charset=unreadable"
    return _django(environ, start_response)
