"""The real server in a process of its own, and clients that read its streams byte by byte."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

BASE = Path(__file__).resolve().parent.parent.parent


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(condition: Callable[[], Any], seconds: float = 5.0, what: str = "") -> Any:
    """Wait for a condition; fails the test when it does not come true in time."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, f"not within {seconds} s: {what or condition}"
        time.sleep(0.01)
    return value


class Site:
    """`manage.py serve` with the test site."""

    def __init__(self, database_url: str, *, redis_url: str = "", settings: str = "tests.live.site.settings") -> None:
        self.port = free_port()
        self.env = os.environ | {
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "DJANGO_SETTINGS_MODULE": settings,
            "PYTHONPATH": str(BASE),
        }
        self.process: subprocess.Popen[bytes] | None = None
        self.log = ""

    def start(self) -> Site:
        command = [sys.executable, "manage.py", "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        self.process = subprocess.Popen(
            command, cwd=BASE, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        threading.Thread(target=self._read_log, args=(self.process,), daemon=True).start()
        until(self._answers, 60, "the server answers")
        return self

    def _read_log(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            self.log += line.decode("utf-8", "replace")

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, f"the server ended: {self.log}"
        try:
            self.get("/big/1/")
        except OSError:
            return False
        return True

    def stop(self) -> float:
        """SIGTERM; seconds until the process was gone."""
        assert self.process is not None
        started = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(15)
        return time.monotonic() - started

    def kill(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)

    def ask(
        self, method: str, path: str, form: dict[str, Any] | None = None, cookie: str = ""
    ) -> tuple[int, bytes, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            headers = {"Cookie": cookie} if cookie else {}
            body = urlencode(form) if form is not None else None
            if body is not None:
                headers["Content-Type"] = "application/x-www-form-urlencoded"
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            cookies = response.headers.get_all("Set-Cookie") or []
            return response.status, response.read(), "; ".join(cookie.split(";")[0] for cookie in cookies)
        except http.client.HTTPException as error:
            raise OSError(str(error)) from error
        finally:
            connection.close()

    def get(self, path: str, cookie: str = "") -> Any:
        status, body, _ = self.ask("GET", path, cookie=cookie)
        assert status == 200, (path, status, body[:300])
        return json.loads(body) if body.startswith(b"{") else body

    def post(self, path: str, cookie: str = "", **form: Any) -> Any:
        status, body, _ = self.ask("POST", path, form, cookie)
        assert status == 200, (path, status, body[:300])
        return json.loads(body)


class Room:
    """One topic of a running site and the people in it. Its first event (number 1) is the root of the dice."""

    def __init__(self, site: Site, topic: str) -> None:
        self.site, self.topic = site, topic

    def enter(self, name: str, role: str = "player", site: Site | None = None) -> str:
        """Sign somebody in; gives the session cookie."""
        address = f"/enter/{self.topic}/{name}.{self.topic.partition(':')[2]}/{role}/"
        status, body, cookie = (site or self.site).ask("GET", address)
        assert status == 200, body
        return cookie

    def say(self, text: str = "", site: Site | None = None, **form: Any) -> int:
        return (site or self.site).post(f"/say/{self.topic}/", text=text, **form)["seq"]

    def remove(self, name: str) -> None:
        self.site.post(f"/remove/{self.topic}/{name}.{self.topic.partition(':')[2]}/")

    def change_role(self, name: str, role: str) -> None:
        self.site.post(f"/role/{self.topic}/{name}.{self.topic.partition(':')[2]}/{role}/")

    def status(self, site: Site | None = None) -> Any:
        return (site or self.site).get(f"/status/{self.topic}/")

    def listen(self, cookie: str, after: int = 1, comes_back: bool = False, site: Site | None = None) -> Listener:
        return Listener(site or self.site, cookie, after, self.topic, comes_back)

    def stream(self, cookie: str, after: int | None, last_id: int | None = None) -> socket.socket:
        return open_stream(self.site, cookie, after, self.topic, last_id)


@dataclass(frozen=True)
class Message:
    event: str
    seq: int | None
    data: str


class Decoder:
    """Bytes of a chunked event-stream answer -> messages, however they are cut."""

    def __init__(self) -> None:
        self._raw = b""
        self._text = b""
        self.status = 0
        self.ended = False

    def feed(self, data: bytes) -> list[Message]:
        self._raw += data
        if not self.status:
            head, end, rest = self._raw.partition(b"\r\n\r\n")
            if not end:
                return []
            self.status = int(head.split(b" ")[1])
            self._raw = rest
        while not self.ended:
            size, end, rest = self._raw.partition(b"\r\n")
            if not end or len(rest) < int(size, 16) + 2:
                break
            length = int(size, 16)
            self._text, self._raw = self._text + rest[:length], rest[length + 2 :]
            self.ended = length == 0
        *whole, self._text = self._text.split(b"\n\n")
        return [message for block in whole if (message := self._message(block.decode())) is not None]

    @staticmethod
    def _message(block: str) -> Message | None:
        event, seq, data = "", None, []
        for line in block.split("\n"):
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "event":
                event = value
            elif name == "id":
                seq = int(value)
            elif name == "data":
                data.append(value)
        return Message(event, seq, "\n".join(data)) if event else None


def open_stream(site: Site, cookie: str, after: int | None, topic: str, last_id: int | None = None) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", site.port), timeout=20)
    query = "" if after is None else f"?after={after}"
    last = "" if last_id is None else f"Last-Event-ID: {last_id}\r\n"
    request = f"GET /live/stream/{topic}{query} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n{last}\r\n"
    connection.sendall(request.encode())
    return connection


class Listener:
    """A viewer that reads everything, in a thread. Comes back after each end like a browser, if told so."""

    def __init__(self, site: Site, cookie: str, after: int, topic: str, comes_back: bool) -> None:
        self.site, self.cookie, self.after, self.topic, self.comes_back = site, cookie, after, topic, comes_back
        self.messages: list[Message] = []
        self.arrived: list[float] = []
        self.shown: dict[str, str] = {}  # the viewer's log: rows by id, a repeat replaces
        self.ended = threading.Event()
        self._stop = False
        self._socket: socket.socket | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop:
            with contextlib.suppress(OSError):
                self._read()
            if not self.comes_back or any(m.event in {"gone", "resync"} for m in self.messages):
                break
            time.sleep(0.05 + random.random() * 0.2)
        self.ended.set()

    def _read(self) -> None:
        last = max((m.seq for m in self.messages if m.seq is not None), default=None)
        with open_stream(self.site, self.cookie, self.after, self.topic, last) as self._socket:
            decoder = Decoder()
            while data := self._socket.recv(65536):
                for message in decoder.feed(data):
                    show(message, self.shown)
                    self.messages.append(message)
                    self.arrived.append(time.monotonic())
                if decoder.ended:
                    return

    def close(self) -> None:
        self._stop = True
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(5)

    def kinds(self) -> list[str]:
        return [m.event for m in list(self.messages) if m.event != "heartbeat"]

    @property
    def ready(self) -> bool:
        return any(m.event == "hello" for m in list(self.messages))

    def rows(self) -> list[str]:
        return list(self.shown.values())


def show(message: Message, shown: dict[str, str]) -> None:
    """Put the rows of a fragment where a page would."""
    if message.event != "fragments":
        return
    for line in message.data.split("\n"):
        if line.startswith('<li id="'):
            name, _, rest = line.removeprefix('<li id="').partition('"')
            shown[name] = rest.partition(">")[2].removesuffix("</li>")


def rows(messages: list[Message]) -> list[str]:
    shown: dict[str, str] = {}
    for message in messages:
        show(message, shown)
    return list(shown.values())
