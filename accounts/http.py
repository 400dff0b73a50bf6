"""Small helpers for views."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect

View = TypeVar("View", bound=Callable[..., HttpResponseBase])


class SeeOther(HttpResponseRedirect):
    """Redirect after a POST: the next request is a GET."""

    status_code = 303


def secret_page(view: View) -> View:
    """For pages whose address or text is a secret: kept by no cache, named to no other site, found by no robot.

    Not `no-referrer`: browsers then send `Origin: null` with the form on the page and Django refuses it.
    """

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        response.headers["Cache-Control"] = "no-store, private"
        response.headers["Referrer-Policy"] = "same-origin"
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
        return response

    return cast(View, wrapper)
