"""F7: whatever bytes come, the answer is 2xx–4xx, in Japanese, and no traceback is logged.

The requests go through the real WSGI door with environs as the bridge builds them, so no test client tidies them.
"""

from __future__ import annotations

import io
import logging
import random
from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from django.contrib.auth import get_user_model
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.actions import guests
from trpg_site.wsgi import application

pytestmark = pytest.mark.django_db(transaction=False)


class Answer:
    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body


def send(
    method: str = "GET",
    path: str = "/",
    query: str = "",
    body: bytes = b"",
    content_type: str | None = None,
    **headers: str,
) -> Answer:
    """One request; `path` and `query` are percent-encoded as on the wire, headers in WSGI spelling."""
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query,
        "SERVER_NAME": "testserver",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "192.0.2.9",
        "HTTP_HOST": "testserver",
        "CONTENT_LENGTH": str(len(body)) if body else "",
        "wsgi.input": io.BytesIO(body),
        "wsgi.url_scheme": "http",
        "wsgi.version": (1, 0),
        "wsgi.errors": io.StringIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        **headers,
    }
    if content_type is not None:
        environ["CONTENT_TYPE"] = content_type
    got: dict[str, Any] = {}

    def start(status: str, response_headers: list[tuple[str, str]], exc_info: Any = None) -> None:
        got.update(status=int(status.split()[0]), headers=dict(response_headers))

    chunks = application(environ, start)
    text = b"".join(chunks)
    close = getattr(chunks, "close", None)
    if close:
        close()
    return Answer(got["status"], got["headers"], text)


@pytest.fixture(autouse=True)
def one_connection() -> Any:
    """Between requests Django closes connections that are not as it left them; the test's transaction needs its own."""
    request_started.disconnect(close_old_connections)
    request_finished.disconnect(close_old_connections)
    yield
    request_started.connect(close_old_connections)
    request_finished.connect(close_old_connections)


@pytest.fixture(autouse=True)
def no_tracebacks(caplog: pytest.LogCaptureFixture) -> Any:
    yield
    # django.security logs refused requests as errors; everything else at that level is ours to repair
    wrong = [r for r in caplog.get_records("call") if r.levelno >= logging.ERROR]
    wrong = [r.getMessage() for r in wrong if not r.name.startswith("django.security")]
    assert not wrong, wrong


FORM = "application/x-www-form-urlencoded"
LOGIN = "/accounts/login/"

CASES: dict[str, dict[str, Any]] = {
    "NUL in path": {"path": "/seat/a%00b/"},
    "NUL in query": {"path": LOGIN, "query": "next=%00"},
    "NUL in key of query": {"path": LOGIN, "query": "a%00=1"},
    "NUL in field": {"method": "POST", "path": LOGIN, "body": b"login=a%00b&password=x", "content_type": FORM},
    "NUL in name of field": {"method": "POST", "path": LOGIN, "body": b"lo%00gin=a", "content_type": FORM},
    "NUL in cookie": {"path": LOGIN, "HTTP_COOKIE": 'session="abcdefgh\\000ijkl"'},
    "NUL raw in cookie": {"path": LOGIN, "HTTP_COOKIE": "session=abcdefgh\0ijkl"},
    "language with NUL": {"path": LOGIN, "HTTP_ACCEPT_LANGUAGE": "ja\0", "HTTP_COOKIE": "lang=ja"},
    "broken UTF-8 in path": {"path": "/seat/%ff%fe/"},
    "broken UTF-8 in query": {"path": LOGIN, "query": "next=%ff%fe"},
    "broken UTF-8 in field": {"method": "POST", "path": LOGIN, "body": b"login=%ff&password=%fe", "content_type": FORM},
    "raw bytes in field": {"method": "POST", "path": LOGIN, "body": b"login=\xff\xfe", "content_type": FORM},
    "surrogates": {"path": "/seat/%ED%A0%80/"},
    "overlong slash": {"path": "/%c0%af/"},
    "dots": {"path": "/static/../../etc/passwd"},
    "encoded dots": {"path": "/static/%2e%2e/%2e%2e/manage.py"},
    "double slash": {"path": "//evil.example/me/"},
    "backslash": {"path": "/\\evil.example"},
    "long path": {"path": "/" + "a" * 20_000},
    "long query": {"path": LOGIN, "query": "x=" + "a" * 20_000},
    "many headers": {f"HTTP_X_{n}": "1" for n in range(500)},
    "huge header": {"HTTP_X_BIG": "a" * 100_000},
    "huge cookie": {"HTTP_COOKIE": "a=" + "b" * 60_000},
    "many cookies": {"HTTP_COOKIE": "; ".join(f"c{n}=1" for n in range(3000))},
    "odd cookies": {"HTTP_COOKIE": ';;; ="x; \xff\xfe=\x01; session=; csrf=\x7f; theme=<script>'},
    "long language": {"HTTP_ACCEPT_LANGUAGE": ",".join(["ja;q=0.1"] * 3000)},
    "odd language": {"HTTP_ACCEPT_LANGUAGE": "\xff;q=x,;;,*;q=9"},
    "no host": {"HTTP_HOST": ""},
    "odd host": {"HTTP_HOST": "a b<c>"},
    "two hosts": {"HTTP_HOST": "testserver,evil.example"},
    "odd length": {"method": "POST", "path": LOGIN, "CONTENT_LENGTH": "abc"},
    "negative length": {"method": "POST", "path": LOGIN, "CONTENT_LENGTH": "-5"},
    "wide digits as length": {"method": "POST", "path": LOGIN, "CONTENT_LENGTH": "１２"},
    "huge length": {"method": "POST", "path": LOGIN, "CONTENT_LENGTH": "9" * 5000},
    "length without body": {"method": "POST", "path": LOGIN, "CONTENT_LENGTH": "100", "content_type": FORM},
    "unknown charset": {"method": "POST", "path": LOGIN, "body": b"a=1", "content_type": FORM + "; charset=klingon"},
    "no text charset": {"method": "POST", "path": LOGIN, "body": b"a=1", "content_type": FORM + "; charset=rot13"},
    "utf-16": {"method": "POST", "path": LOGIN, "query": "a=%ff", "content_type": FORM + "; charset=utf-16"},
    "NUL charset": {"method": "POST", "path": LOGIN, "content_type": FORM + "; charset=a\0b"},
    "RFC 2231 charset": {"path": LOGIN, "content_type": "text/html; charset*=klingon''x"},
    "long type": {"path": LOGIN, "content_type": "text/html; " + "a=b; " * 2000},
    "no boundary": {"method": "POST", "path": LOGIN, "body": b"x", "content_type": "multipart/form-data"},
    "odd boundary": {
        "method": "POST",
        "path": LOGIN,
        "body": b"x",
        "content_type": 'multipart/form-data; boundary="\xff"',
    },
    "open multipart": {
        "method": "POST",
        "path": LOGIN,
        "body": b'--b\r\nContent-Disposition: form-data; name="login"\r\n\r\nx',
        "content_type": "multipart/form-data; boundary=b",
    },
    "bad base64 part": {
        "method": "POST",
        "path": LOGIN,
        "body": b'--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n'
        b"Content-Transfer-Encoding: base64\r\n\r\n%%%%\r\n--b--\r\n",
        "content_type": "multipart/form-data; boundary=b",
    },
    "NUL in file name": {
        "method": "POST",
        "path": LOGIN,
        "body": b'--b\r\nContent-Disposition: form-data; name="f"; filename="x\0.json"\r\n\r\nx\r\n--b--\r\n',
        "content_type": "multipart/form-data; boundary=b",
    },
    "many files": {
        "method": "POST",
        "path": LOGIN,
        "body": b"".join(
            b'--b\r\nContent-Disposition: form-data; name="f%d"; filename="x"\r\n\r\nx\r\n' % n for n in range(50)
        )
        + b"--b--\r\n",
        "content_type": "multipart/form-data; boundary=b",
    },
    "many fields": {"method": "POST", "path": LOGIN, "body": b"&".join([b"a=1"] * 5000), "content_type": FORM},
    "big body": {"method": "POST", "path": LOGIN, "body": b"a=" + b"x" * 10_000_000, "content_type": FORM},
    "big part": {
        "method": "POST",
        "path": LOGIN,
        "body": b'--b\r\nContent-Disposition: form-data; name="login"\r\n\r\n' + b"x" * 3_000_000 + b"\r\n--b--\r\n",
        "content_type": "multipart/form-data; boundary=b",
    },
    "JSON": {"method": "POST", "path": LOGIN, "body": b'{"a":', "content_type": "application/json"},
    "odd method": {"method": "SPAM", "path": LOGIN},
    "trace": {"method": "TRACE", "path": LOGIN},
    "put": {"method": "PUT", "path": LOGIN, "body": b"x"},
    "delete": {"method": "DELETE", "path": LOGIN},
    "options": {"method": "OPTIONS", "path": LOGIN},
    "odd range": {"path": "/static/css/site.css", "HTTP_RANGE": "bytes=9-1,abc"},
    "odd since": {"path": "/static/css/site.css", "HTTP_IF_MODIFIED_SINCE": "yesterday \xff"},
    "odd etag": {"path": "/static/css/site.css", "HTTP_IF_NONE_MATCH": '"\xff'},
    "odd forwarded": {"path": LOGIN, "HTTP_X_FORWARDED_FOR": "\xff, <x>", "HTTP_X_FORWARDED_PROTO": "ftp"},
    "odd htmx": {"path": LOGIN, "HTTP_HX_REQUEST": "\xff", "HTTP_HX_CURRENT_URL": "http://[x", "HTTP_HX_TARGET": "%ff"},
    "odd origin": {"method": "POST", "path": LOGIN, "HTTP_ORIGIN": "http://[::1", "HTTP_REFERER": "http://[x"},
    "odd accept": {"path": "/nothing/", "HTTP_ACCEPT": ";;q=\xff,application/json;q=x"},
}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_known_malformed_requests(case: str) -> None:
    answer = send(**CASES[case])
    assert answer.status < 500
    assert "content-security-policy" in {k.lower() for k in answer.headers}
    assert b"Traceback" not in answer.body


REFUSED = {"NUL", "long path", "long query", "many headers", "huge", "odd host", "two hosts", "odd length", "negative"}


@pytest.mark.parametrize("case", [c for c in CASES if any(c.startswith(word) for word in REFUSED)], ids=str)
def test_what_no_browser_sends_is_refused(case: str) -> None:
    assert 400 <= send(**CASES[case]).status < 500


def targets() -> list[str]:
    """Every address of the site, its parts filled with nonsense."""

    def walk(patterns: list[Any], prefix: str = "/") -> list[str]:
        found: list[str] = []
        for pattern in patterns:
            here = prefix + str(pattern.pattern)
            if isinstance(pattern, URLResolver):
                found += walk(pattern.url_patterns, here)
            elif isinstance(pattern, URLPattern):
                found.append(here)
        return found

    return [
        p for p in walk(get_resolver().url_patterns) if not p.startswith("/admin/") and "(" not in p and "^" not in p
    ]


NONSENSE = [
    "x",
    "0",
    "-1",
    "9" * 30,
    "%FF",
    "%E3%81%82",
    "..",
    "%2e%2e",
    "a%0d%0ab",
    "<script>",
    "' or 1=1 --",
    "%F0%9F%92%A9",
]


def filled(pattern: str, rng: random.Random) -> str:
    while "<" in pattern and ">" in pattern.split("<", 1)[1]:
        head, rest = pattern.split("<", 1)
        part, tail = rest.split(">", 1)
        number = part.startswith("int:") and rng.random() < 0.7
        value = str(rng.choice([0, 1, 10**9, 10**30])) if number else rng.choice(NONSENSE).replace("<", "%3C")
        pattern = head + value.replace(">", "%3E") + tail
    return pattern


BODIES = [
    b"",
    b"a=1",
    b"command_id=" + b"x" * 500,
    b"name=%F0%9F%92%A9&text=%3Cb%3E&points=-1&value=9" + b"9" * 400,
    b"points=1e9&role=king&base=%7B%7D&fields=%5B%5D&version=%E4%B8%80",
    b"name=" + b"%E3%81%82" * 10_000,
    b'{"a":[[[[]]]]}',
    bytes(range(1, 256)),
]


@pytest.mark.parametrize("person", ["nobody", "guest", "member"])
def test_nonsense_at_every_address(person: str) -> None:
    """Some hundred requests: each address, GET and POST, with and without the CSRF token a page would hold."""
    client = Client()
    if person != "nobody":
        user = guests.create_guest("雪") if person == "guest" else get_user_model().objects.create_user("haru")
        client.force_login(user)
    cookies = "; ".join(f"{k}={m.value}" for k, m in client.cookies.items())
    token = "a" * 32
    rng = random.Random(20_260_101)
    sent = 0
    for pattern in targets():
        for method in ("GET", "POST", "POST"):
            if "logout" in pattern or "sign-out" in pattern:
                continue
            path = filled(pattern, rng)
            body = rng.choice(BODIES) if method == "POST" else b""
            head = {
                "HTTP_COOKIE": f"{cookies}; csrf={token}",
                "HTTP_X_CSRFTOKEN": token,
                "HTTP_ORIGIN": "http://testserver",
            }
            if rng.random() < 0.3:
                head["HTTP_HX_REQUEST"] = "true"
            kind = rng.choice([FORM, FORM, "application/json", "multipart/form-data; boundary=x", "text/plain"])
            answer = send(method, path, "next=//x&after=-1&page=9e9&q=%ff", body, kind, **head)
            assert answer.status < 500, (method, path, body[:60], kind)
            sent += 1
    assert sent >= 60


text = st.text(st.characters(min_codepoint=1, max_codepoint=255), max_size=60)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "HEAD", "X"]),
    path=st.sampled_from(["/", LOGIN, "/seat/", "/static/", "/i/", "/me/"]),
    tail=st.binary(max_size=30),
    query=text,
    body=st.binary(max_size=200),
    kind=st.sampled_from([FORM, "multipart/form-data; boundary=b", "application/json"]) | text,
    cookie=text,
    host=st.just("testserver") | text,
    language=text,
)
def test_random_requests(
    method: str, path: str, tail: bytes, query: str, body: bytes, kind: str, cookie: str, host: str, language: str
) -> None:
    answer = send(
        method,
        path + "".join(f"%{b:02x}" for b in tail),
        query,
        body,
        kind,
        HTTP_COOKIE=cookie,
        HTTP_HOST=host,
        HTTP_ACCEPT_LANGUAGE=language,
    )
    assert answer.status < 500
