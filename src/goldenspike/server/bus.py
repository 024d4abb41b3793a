"""How the processes of one server tell each other of entries: by Redis, after they are safe in the database.

Nothing depends on a message arriving. Who misses one finds the gap with the next, or reads the log when Redis
is back.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import redis.asyncio
from redis.exceptions import RedisError

from goldenspike.server.entry import Entry

_LOGGER = logging.getLogger(__name__)
_PREFIX = "goldenspike:"
_PATIENCE = 2.0
"""Seconds after which Redis is taken to be away."""
_RETRY = 0.5


class Bus:
    """A connection to Redis that comes back by itself.

    `on_entry` is called with every entry of the games that are followed, `on_back` after Redis was away,
    `on_away` when it goes.
    """

    def __init__(
        self,
        url: str,
        on_entry: Callable[[Entry], Awaitable[None]],
        on_away: Callable[[], None],
        on_back: Callable[[], Awaitable[None]],
    ) -> None:
        self._client: Any = redis.asyncio.from_url(
            url, socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE, protocol=2
        )
        self._on_entry, self._on_away, self._on_back = on_entry, on_away, on_back
        self._followed: set[str] = set()
        self._ears: Any = None
        self._outgoing: list[Entry] = []
        self._untold: dict[str, Entry] = {}
        """The last entry of each game that could not be told of."""
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(Entry).decode
        self.is_up = False
        self._listening = asyncio.create_task(self._listen())
        self._telling: asyncio.Task[None] | None = None

    def publish(self, entry: Entry) -> None:
        """Tell the other processes of an entry, soon; if Redis is away, when it is back."""
        self._outgoing.append(entry)
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        """Tell of all entries that wait, those that came while Redis was being told in one go."""
        while self._outgoing:
            entries, self._outgoing = self._outgoing, []
            try:
                async with self._client.pipeline(transaction=False) as pipeline:
                    for entry in entries:
                        pipeline.publish(_PREFIX + entry.game, self._encode(entry))
                    await pipeline.execute()
            except (RedisError, OSError, TimeoutError):
                self._untold |= {entry.game: entry for entry in entries}

    async def follow(self, game: str) -> None:
        """Hear of a game from now on."""
        self._followed.add(game)
        if self._ears is not None:
            with contextlib.suppress(RedisError, OSError, TimeoutError):
                await self._ears.subscribe(_PREFIX + game)

    async def unfollow(self, game: str) -> None:
        """Hear of a game no more."""
        self._followed.discard(game)
        if self._ears is not None:
            with contextlib.suppress(RedisError, OSError, TimeoutError):
                await self._ears.unsubscribe(_PREFIX + game)

    async def _listen(self) -> None:
        while True:
            try:
                await self._listen_once()
            except (RedisError, OSError, TimeoutError) as error:
                if self.is_up:
                    _LOGGER.warning("redis is away", extra={"error": str(error)})
                self.is_up = False
                self._on_away()
                await asyncio.sleep(_RETRY)

    async def _listen_once(self) -> None:
        async with self._client.pubsub() as ears:
            await ears.subscribe(_PREFIX + "all")
            self._ears = ears  # from here on `follow` subscribes by itself
            try:
                if self._followed:
                    await ears.subscribe(*(_PREFIX + game for game in self._followed))
                await self._come_back()
                await self._hear(ears)
            finally:
                self._ears = None

    async def _come_back(self) -> None:
        await self._client.ping()
        self.is_up = True
        untold, self._untold = self._untold, {}
        for entry in untold.values():
            self.publish(entry)
        await self._on_back()

    async def _hear(self, ears: Any) -> None:
        loop = asyncio.get_running_loop()
        checked = loop.time()
        while True:
            message = await ears.get_message(ignore_subscribe_messages=True, timeout=_PATIENCE / 2)
            if message is not None:
                try:
                    entry = self._decode(message["data"])
                except msgspec.DecodeError:
                    _LOGGER.warning("something that is no entry came by redis")
                else:
                    await self._on_entry(entry)
            if loop.time() - checked > _PATIENCE:
                await self._client.ping()
                checked = loop.time()

    async def close(self) -> None:
        """Stop, once others were told of the last entries; but do not wait for better times."""
        if self._telling is not None:
            await asyncio.wait({self._telling}, timeout=_RETRY)
            self._telling.cancel()
        while not self._listening.done():  # a wish to stop can get lost where it meets the end of a wait
            self._listening.cancel()
            await asyncio.wait({self._listening}, timeout=_RETRY)
        await self._client.aclose()
