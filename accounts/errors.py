"""How the site says no: one look for every refusal, in words that say what to do next.

A browser gets a page, htmx a short notice (the page and what is typed on it stay), programs get JSON.
"""

from __future__ import annotations

import json
import logging
import sys
from typing import Any

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

log = logging.getLogger(__name__)


def refuse(
    request: HttpRequest | None,
    status: int,
    *,
    code: str = "",
    title: str = "",
    message: str = "",
    retry_after: int = 0,
) -> HttpResponse:
    """A refusal with `status` in the form the client asked for.

    `code` picks the words (default: the status); `title` and `message` replace them (already translated).
    `retry_after` is in seconds and becomes the header of that name.
    """
    with translation.override(_language(request)):
        heading, text = _words(code or str(status), retry_after)
        title, message = title or heading, message or text
        response = _answer(request, status, code or str(status), title, message)
    if retry_after:
        response["Retry-After"] = str(retry_after)
    add_never_cache_headers(response)
    return response


def _answer(request: HttpRequest | None, status: int, code: str, title: str, message: str) -> HttpResponse:
    if request is not None and _wants_json(request):
        return JsonResponse({"error": code, "message": message}, status=status)
    facts = {"status": status, "code": code, "title": title, "message": message}
    if request is not None and "HX-Request" in request.headers:
        response = HttpResponse(render_to_string("errors/fragment.html", facts), status=status)
        # Swapping the notice into the panel would throw away what is typed there; `site.js` shows it as a toast.
        response["HX-Reswap"] = "none"
        response["HX-Trigger"] = json.dumps({"takubiyori:toast": {"text": message}})
        return response
    return HttpResponse(_page(request, facts), status=status)


def _page(request: HttpRequest | None, facts: dict[str, Any]) -> str:
    try:
        return render_to_string("errors/page.html", facts, request)
    except Exception:
        # The page in the site's look may need what is broken just now (database, static files).
        log.exception("the error page itself failed")
        return render_to_string("errors/bare.html", facts)


def _wants_json(request: HttpRequest) -> bool:
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"


def _language(request: HttpRequest | None) -> str:
    if request is None:
        return translation.get_language() or "ja"
    # Before LocaleMiddleware has run, the thread still speaks the language of the request before.
    return getattr(request, "LANGUAGE_CODE", "") or translation.get_language_from_request(request)


def _words(code: str, wait: int) -> tuple[str, str]:
    """Title and sentence of a refusal."""
    match code:
        case "csrf":
            return _("この画面は古くなっています"), _(
                "送られた内容は使われていません。ブラウザの「戻る」で前の画面に戻ると、書いたものが残っています。"
                "控えてから読み込み直し、もう一度送ってください。"
            )
        case "host":
            return _("この名前では開けません"), _(
                "このサーバーは、その名前では呼ばれません。動かしている人から聞いたアドレスで開いてください。"
                "（動かしている人へ：名前を ALLOWED_HOSTS に加えてください。）"
            )
        case "database":
            return _("いま記録できません"), _(
                "データベースが答えません。送られた内容は使われていません。ブラウザの「戻る」で書いたものに戻り、"
                "少し待ってもう一度送ってください。"
            )
        case "400" | "415":
            return _("読み取れない要求です"), _(
                "送られたものを読み取れませんでした。ブラウザの「戻る」で前の画面に戻り、もう一度やり直してください。"
            )
        case "403":
            return _("この操作はできません"), _(
                "あなたの席では、この操作はできません。必要ならGMか、この場所を動かしている人に頼んでください。"
            )
        case "404":
            return _("見つかりません"), _(
                "アドレスが違うか、消されたか、あなたの席からは見えないものです。リンクをもう一度確かめてください。"
            )
        case "413":
            return _("大きすぎます"), _(
                "送られたものが大きすぎて受け取れません。ブラウザの「戻る」で書いたものに戻り、"
                "短くするか、小さなファイルにして送ってください。"
            )
        case "414" | "431":
            return _("要求が長すぎます"), _(
                "アドレスか、ブラウザが添えた情報が長すぎます。アドレスを確かめ、続くようならCookieを消してください。"
            )
        case "429":
            return _("少し待ってください"), _too_often(wait)
        case _:
            return _("サーバーがつまずきました"), _(
                "こちらの不具合です。ブラウザの「戻る」で書いたものに戻り、もう一度送ってみてください。"
                "続くようなら、この場所を動かしている人に時刻を知らせてください。"
            )


def _too_often(wait: int) -> str:
    if wait <= 0:
        text = _("続けて送られすぎました。")
    elif wait < 90:
        text = ngettext(
            "続けて送られすぎました。あと%(n)d秒で、また送れます。",
            "続けて送られすぎました。あと%(n)d秒で、また送れます。",
            wait,
        ) % {"n": wait}
    else:
        minutes = -(-wait // 60)
        text = ngettext(
            "続けて送られすぎました。あと%(n)d分ほどで、また送れます。",
            "続けて送られすぎました。あと%(n)d分ほどで、また送れます。",
            minutes,
        ) % {"n": minutes}
    return text + _("書いたものは、ブラウザの「戻る」で前の画面に残っています。")


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400, or 413 when a body or form was over a limit."""
    too_much = isinstance(exception, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent)
    return refuse(request, 413 if too_much else 400)


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return refuse(request, 403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return refuse(request, 404)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return refuse(request, 403, code="csrf")


def too_many(request: HttpRequest, exception: Exception | None = None, retry_after: int = 60) -> HttpResponse:
    """429. `retry_after` in seconds."""
    return refuse(request, 429, retry_after=retry_after)


def server_error(request: HttpRequest) -> HttpResponse:
    """500, or 503 when the database does not answer or cannot write. Uses no request: who asks may be unreadable."""
    fault: BaseException | None = sys.exc_info()[1]
    down = isinstance(fault, OperationalError | InterfaceError)
    code, status, wait = ("database", 503, 5) if down else ("500", 500, 0)
    if "HX-Request" in request.headers or _wants_json(request):
        return refuse(request, status, code=code, retry_after=wait)
    with translation.override(_language(request)):
        return refuse(None, status, code=code, retry_after=wait)
