"""The bus between processes: one Redis subscription for each, and a check that messages really come back."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import uuid
from collections.abc import Callable
from typing import Any

import redis.asyncio as redis

from live.bus import CHANNEL, message

logger = logging.getLogger(__name__)

PING_SECONDS = 1.0
SILENCE_SECONDS = 3.0  # without our own ping for so long the bus counts as broken
TIMEOUT_SECONDS = 2.0


class RedisBus:
    """Messages are words: `s <topic> <seq>`, `p <process> <topic> <seats>`, `h <process>` (a ping to oneself).

    `connected` is true only while our own pings come back, so a Redis that hangs is noticed like one that is gone.
    """

    def __init__(
        self,
        url: str,
        on_seq: Callable[[str, int], None],
        on_presence: Callable[[str, str, list[int]], None],
        on_gap: Callable[[], None],
    ) -> None:
        self.process = uuid.uuid4().hex[:12]
        self._url = url
        self._on_seq = on_seq
        self._on_presence = on_presence
        self._on_gap = on_gap  # messages may have been missed: look at the table
        self._outgoing: dict[str, str] = {}  # subject -> newest message; older ones about the same need not be sent
        self._more = asyncio.Event()
        self._heard = float("-inf")
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def connected(self) -> bool:
        return asyncio.get_running_loop().time() - self._heard < SILENCE_SECONDS

    def start(self) -> None:
        for work in (self._receive, self._publish, self._ping):
            self._tasks.append(asyncio.get_running_loop().create_task(work()))

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def say_seq(self, name: str, seq: int) -> None:
        self._say(f"s {name}", message("s", name, seq))

    def say_presence(self, name: str, seats: list[int]) -> None:
        self._say(f"p {name}", message("p", self.process, name, ",".join(map(str, seats)) or "-"))

    def _say(self, subject: str, text: str) -> None:
        self._outgoing[subject] = text
        self._more.set()

    def _client(self) -> Any:
        return redis.Redis.from_url(
            self._url, socket_timeout=TIMEOUT_SECONDS, socket_connect_timeout=TIMEOUT_SECONDS, decode_responses=True
        )

    async def _ping(self) -> None:
        while True:
            self._say("h", message("h", self.process))
            await asyncio.sleep(PING_SECONDS)

    async def _publish(self) -> None:
        client = None
        while True:
            await self._more.wait()
            self._more.clear()
            batch, self._outgoing = self._outgoing, {}
            try:
                client = client or self._client()
                async with asyncio.timeout(TIMEOUT_SECONDS):
                    async with client.pipeline(transaction=False) as pipe:
                        for text in batch.values():
                            pipe.publish(CHANNEL, text)
                        await pipe.execute()
            except asyncio.CancelledError:
                raise
            except Exception as error:
                logger.debug("nothing published: %s", error)
                self._outgoing = batch | self._outgoing
                self._more.set()
                await _close(client)
                client = None
                await asyncio.sleep(0.5)

    async def _receive(self) -> None:
        pause = 0.2
        while True:
            client = self._client()
            try:
                async with client.pubsub(ignore_subscribe_messages=True) as channel:
                    await channel.subscribe(CHANNEL)
                    since = asyncio.get_running_loop().time()
                    self._on_gap()
                    while True:
                        got = await channel.get_message(timeout=PING_SECONDS)
                        if got is not None:
                            pause = 0.2
                            self._read(str(got["data"]))
                        now = asyncio.get_running_loop().time()
                        if now - max(self._heard, since) > SILENCE_SECONDS:
                            raise ConnectionError("our own pings do not come back")
            except asyncio.CancelledError:
                raise
            except Exception as error:
                logger.debug("the subscription broke: %s", error)
                self._heard = float("-inf")
            finally:
                await _close(client)
            await asyncio.sleep(pause * (0.5 + random.random()))  # noqa: S311 - spreads reconnects
            pause = min(pause * 2, 1.0)

    def _read(self, text: str) -> None:
        match text.split(" "):
            case ["s", name, seq] if seq.isdecimal():
                self._on_seq(name, int(seq))
            case ["p", process, name, seats] if process != self.process:
                self._on_presence(process, name, [int(s) for s in seats.split(",") if s.isdecimal()])
            case ["h", process] if process == self.process:
                if not self.connected:
                    logger.info("the bus is connected")
                self._heard = asyncio.get_running_loop().time()
            case _:
                pass


async def _close(client: Any) -> None:
    if client is not None:
        with contextlib.suppress(Exception):
            async with asyncio.timeout(0.5):
                await client.aclose()
