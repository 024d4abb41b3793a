"""The message bus: processes of one server announce committed entries and presence to each other by Redis.

A process sends everything that is pending as one message to all processes. The message says how far logs are
written, not what they contain: each process reads the logs of its open games from the database.

Delivery is not required for correctness. A process that misses a message finds the gap with the next one, or
reads the log when Redis is back. Presence is repeated regularly.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import msgspec
import redis.asyncio
from redis.exceptions import RedisError

_LOGGER = logging.getLogger(__name__)
_CHANNEL = "goldenspike:all"
_NAME_BYTES = 16
_PATIENCE = 2.0
"""Seconds after which Redis counts as unreachable."""
_RETRY = 0.5


class Post(msgspec.Struct, array_like=True):
    """A message to all other processes. It holds no entries: they are always read from the database."""

    written: dict[str, int] = {}
    """By game, the last number that the sender has written to the log."""
    present: dict[str, int] = {}
    """By game, the seats connected to the sender, as a bit set."""
    asked: list[str] = []
    """Games for which the sender asks which seats are connected to other processes."""


class BusListener(Protocol):
    """Receives the messages of other processes."""

    def on_entries(self, game: str, number: int) -> None:
        """Receive how far another process has written the log of a game."""
        ...

    def on_presence(self, game: str, sender: bytes, seats: int) -> None:
        """Receive which seats are connected to another process."""
        ...

    def on_presence_request(self, game: str) -> None:
        """Receive the question which seats are connected here."""
        ...


class Bus:
    """A connection to Redis that reconnects automatically.

    `on_away` is called when the connection is lost, `on_back` after every connect, including the first.
    """

    def __init__(
        self,
        url: str,
        bus_listener: BusListener,
        on_away: Callable[[], None],
        on_back: Callable[[], Awaitable[None]],
    ) -> None:
        self._client: Any = redis.asyncio.from_url(
            url, socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE, protocol=2
        )
        self._bus_listener, self._on_away, self._on_back = bus_listener, on_away, on_back
        self._name = secrets.token_bytes(_NAME_BYTES)
        self._written: dict[str, int] = {}
        self._present: dict[str, int] = {}
        self._asked: list[str] = []
        self._unsent: dict[str, int] = {}
        """The last number of each log that could not be announced."""
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode_post = msgspec.msgpack.Decoder(Post).decode
        self.is_up = False
        self._listening = asyncio.create_task(self._listen())
        self._sending: asyncio.Task[None] | None = None

    def publish(self, game: str, number: int) -> None:
        """Announce how far a log is written; if Redis is unreachable, once it is back."""
        self._written[game] = number
        self._schedule_send()

    def publish_presence(self, game: str, seats: int) -> None:
        """Announce which seats are connected here, as a bit set."""
        self._present[game] = seats
        self._schedule_send()

    def request_presence(self, game: str) -> None:
        """Ask the other processes which seats are connected to them."""
        self._asked.append(game)
        self._schedule_send()

    def _schedule_send(self) -> None:
        if self._sending is None or self._sending.done():
            self._sending = asyncio.create_task(self._send())

    async def _send(self) -> None:
        """Send everything that is pending; what is added during a send goes into one further message."""
        while self._written or self._present or self._asked:
            written, self._written = self._written, {}
            present, self._present = self._present, {}
            asked, self._asked = self._asked, []
            post = Post(written, present, asked)
            try:
                await self._client.publish(_CHANNEL, self._name + self._encode(post))
            except (RedisError, OSError, TimeoutError):
                self._unsent |= written

    async def _listen(self) -> None:
        while True:
            try:
                await self._listen_once()
            except (RedisError, OSError, TimeoutError) as error:
                if self.is_up:
                    _LOGGER.warning("Redis is unreachable", extra={"error": str(error)})
                self.is_up = False
                self._on_away()
                await asyncio.sleep(_RETRY)

    async def _listen_once(self) -> None:
        async with self._client.pubsub() as bus_listener:
            await bus_listener.subscribe(_CHANNEL)
            await self._reconnect()
            await self._listen_to(bus_listener)

    async def _reconnect(self) -> None:
        await self._client.ping()
        self.is_up = True
        unsent, self._unsent = self._unsent, {}
        for game, number in unsent.items():
            self._written.setdefault(game, number)
            self._schedule_send()
        await self._on_back()

    async def _listen_to(self, bus_listener: Any) -> None:
        loop = asyncio.get_running_loop()
        checked = loop.time()
        while True:
            message = await bus_listener.get_message(ignore_subscribe_messages=True, timeout=_PATIENCE / 2)
            if message is not None:
                self._read(message["data"])
            if loop.time() - checked > _PATIENCE:
                await self._client.ping()
                checked = loop.time()

    def _read(self, data: bytes) -> None:
        """Pass a message on to the listener; ignore our own messages."""
        sender = data[:_NAME_BYTES]
        if sender == self._name:
            return
        try:
            post = self._decode_post(data[_NAME_BYTES:])
        except msgspec.DecodeError:
            _LOGGER.warning("a Redis message cannot be decoded")
            return
        for game, number in post.written.items():
            self._bus_listener.on_entries(game, number)
        for game, seats in post.present.items():
            self._bus_listener.on_presence(game, sender, seats)
        for game in post.asked:
            self._bus_listener.on_presence_request(game)

    async def close(self) -> None:
        """Stop after the last entries were announced, but do not wait for an unreachable Redis."""
        if self._sending is not None:
            await asyncio.wait({self._sending}, timeout=_RETRY)
            self._sending.cancel()
        while not self._listening.done():  # a cancellation can be lost if it coincides with the end of a wait
            self._listening.cancel()
            await asyncio.wait({self._listening}, timeout=_RETRY)
        await self._client.aclose()
