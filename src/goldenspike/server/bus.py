"""How the processes of one server tell each other of entries: by Redis, after they are safe in the database.

All that a process has to tell at a time goes out as one post, to all processes; each reads what is about the
games that it has open. So what Redis costs is shared by all entries of a transaction.

Nothing depends on a post arriving. Who misses one finds the gap with the next, or reads the log when Redis is
back; who is connected where is told again and again.
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

from goldenspike.server.entry import Entry

_LOGGER = logging.getLogger(__name__)
_CHANNEL = "goldenspike:all"
_NAME_BYTES = 16
_MOST_AT_ONCE = 200
"""Entries in one post."""
_PATIENCE = 2.0
"""Seconds after which Redis is taken to be away."""
_RETRY = 0.5


class Post(msgspec.Struct, array_like=True):
    """What a process tells all others, entries after the name of their game."""

    entries: list[tuple[str, msgspec.Raw]] = []
    present: dict[str, int] = {}
    """The seats whose people are connected to the sender, a bit each, by game."""
    asked: list[str] = []
    """Games of which the sender wants to know who is connected elsewhere."""


class Ears(Protocol):
    """Who hears what other processes tell."""

    def is_open(self, game: str) -> bool:
        """Tell whether anything about a game matters here."""
        ...

    def hear(self, entry: Entry) -> None:
        """Hear of an entry that another process has written."""
        ...

    def hear_present(self, game: str, sender: bytes, seats: int) -> None:
        """Hear which seats' people are connected to another process."""
        ...

    def hear_asked(self, game: str) -> None:
        """Hear that another process asks who is connected here."""
        ...


class Bus:
    """A connection to Redis that comes back by itself.

    `on_away` is called when Redis goes, `on_back` when it is there, for the first time or again.
    """

    def __init__(
        self, url: str, ears: Ears, on_away: Callable[[], None], on_back: Callable[[], Awaitable[None]]
    ) -> None:
        self._client: Any = redis.asyncio.from_url(
            url, socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE, protocol=2
        )
        self._ears, self._on_away, self._on_back = ears, on_away, on_back
        self._name = secrets.token_bytes(_NAME_BYTES)
        self._entries: list[Entry] = []
        self._present: dict[str, int] = {}
        self._asked: list[str] = []
        self._untold: dict[str, Entry] = {}
        """The last entry of each game that could not be told of."""
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode_post = msgspec.msgpack.Decoder(Post).decode
        self._decode_entry = msgspec.msgpack.Decoder(Entry).decode
        self.is_up = False
        self._listening = asyncio.create_task(self._listen())
        self._telling: asyncio.Task[None] | None = None

    def publish(self, entry: Entry) -> None:
        """Tell the other processes of an entry, soon; if Redis is away, when it is back."""
        self._entries.append(entry)
        self._tell_soon()

    def tell_present(self, game: str, seats: int) -> None:
        """Tell the other processes which seats' people are connected here, a bit each."""
        self._present[game] = seats
        self._tell_soon()

    def ask_present(self, game: str) -> None:
        """Ask the other processes who is connected to them."""
        self._asked.append(game)
        self._tell_soon()

    def _tell_soon(self) -> None:
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        """Tell all that waits, what came while Redis was being told in one go."""
        while self._entries or self._present or self._asked:
            entries, self._entries = self._entries[:_MOST_AT_ONCE], self._entries[_MOST_AT_ONCE:]
            present, self._present = self._present, {}
            asked, self._asked = self._asked, []
            post = Post([(entry.game, msgspec.Raw(self._encode(entry))) for entry in entries], present, asked)
            try:
                await self._client.publish(_CHANNEL, self._name + self._encode(post))
            except (RedisError, OSError, TimeoutError):
                self._untold |= {entry.game: entry for entry in entries}

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
            await ears.subscribe(_CHANNEL)
            await self._come_back()
            await self._listen_to(ears)

    async def _come_back(self) -> None:
        await self._client.ping()
        self.is_up = True
        untold, self._untold = self._untold, {}
        for entry in untold.values():
            self.publish(entry)
        await self._on_back()

    async def _listen_to(self, ears: Any) -> None:
        loop = asyncio.get_running_loop()
        checked = loop.time()
        while True:
            message = await ears.get_message(ignore_subscribe_messages=True, timeout=_PATIENCE / 2)
            if message is not None:
                self._read(message["data"])
            if loop.time() - checked > _PATIENCE:
                await self._client.ping()
                checked = loop.time()

    def _read(self, data: bytes) -> None:
        """Pass on what a post says about games that are open here; one's own is none of one's business."""
        sender = data[:_NAME_BYTES]
        if sender == self._name:
            return
        try:
            post = self._decode_post(data[_NAME_BYTES:])
            entries = [self._decode_entry(raw) for game, raw in post.entries if self._ears.is_open(game)]
        except msgspec.DecodeError:
            _LOGGER.warning("something that is no post came by redis")
            return
        for entry in entries:
            try:
                self._ears.hear(entry)
            except Exception:  # whatever it is, other games must go on
                _LOGGER.exception("an entry could not be taken in", extra={"game": entry.game})
        for game, seats in post.present.items():
            self._ears.hear_present(game, sender, seats)
        for game in post.asked:
            self._ears.hear_asked(game)

    async def close(self) -> None:
        """Stop, once others were told of the last entries; but do not wait for better times."""
        if self._telling is not None:
            await asyncio.wait({self._telling}, timeout=_RETRY)
            self._telling.cancel()
        while not self._listening.done():  # a wish to stop can get lost where it meets the end of a wait
            self._listening.cancel()
            await asyncio.wait({self._listening}, timeout=_RETRY)
        await self._client.aclose()
