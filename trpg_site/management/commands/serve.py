"""Run the site: pages, live stream and all, in one process."""

from __future__ import annotations

import contextlib
import os
import socket
import sqlite3
from collections.abc import Callable
from typing import Any

import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

BACKLOG = 2048  # a whole club coming back at once after a restart
GRACE_SECONDS = 2  # for answers under way when the server is told to stop
KEEP_ALIVE_SECONDS = 20
FIXED_SQLITE = (3, 51, 3)


class LiveServer(uvicorn.Server):
    """uvicorn that ends the event streams before it waits for open connections: otherwise it would wait for ever."""

    welcome: Callable[[], None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and self.welcome is not None:
            self.welcome()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        from live.hub import hub

        for server in self.servers:  # nobody who is sent away may come back to the process that ends
            server.close()
        hub.end_streams()
        await super().shutdown(sockets)


class Command(BaseCommand):
    help = "Run the site with uvicorn."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--host", default=os.environ.get("HOST", "0.0.0.0"))  # noqa: S104 - a table in a LAN
        parser.add_argument("--port", type=int, default=int(os.environ.get("PORT", "8000")))
        parser.add_argument("--welcome", action="store_true", help="print the address once the site answers")
        parser.add_argument("--access-log", action="store_true", help="write a line for each request")

    def handle(self, *args: Any, **options: Any) -> None:
        self.warn_about_sqlite()
        config = uvicorn.Config(
            "trpg_site.asgi:application",
            host=options["host"],
            port=options["port"],
            loop="auto",  # uvloop where it exists
            http="trpg_site.door:GuardedProtocol",
            ws="none",
            lifespan="on",
            backlog=BACKLOG,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=GRACE_SECONDS,
            access_log=options["access_log"],
            log_config=None,  # the site's own: secrets in addresses are masked
            server_header=False,
            # How many proxies are trusted is a setting; the pages read the header by themselves (see accounts).
            proxy_headers=False,
        )
        server = LiveServer(config)
        if options["welcome"]:
            server.welcome = lambda: self.greet(options["port"])
        with contextlib.suppress(KeyboardInterrupt):
            server.run()
        if not server.started:
            raise CommandError("the site could not start", returncode=3)

    def greet(self, port: int) -> None:
        """Say where the site is, for this machine and for phones in the same network."""
        lines = ["", f"  卓日和 Takubiyori: http://localhost:{port}"]
        if (address := own_address()) is not None:
            lines.append(f"  同じネットワークから / from your network: http://{address}:{port}")
        notes = settings.VAR_DIR / "welcome.txt"
        if notes.exists():
            lines += ["", *(f"  {line}" for line in notes.read_text(encoding="utf-8").splitlines())]
        self.stdout.write("\n".join([*lines, "", "  止める / stop: Ctrl+C", ""]))
        self.stdout.flush()

    def warn_about_sqlite(self) -> None:
        if connection.vendor == "sqlite" and sqlite3.sqlite_version_info < FIXED_SQLITE:
            self.stderr.write(
                f"SQLite {sqlite3.sqlite_version}: versions before 3.51.3 could damage a database that several "
                "programs write at once; the site lets only one write at a time."
            )


def own_address() -> str | None:
    """This machine's address in its network, None without one. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if address.startswith("127.") else address
