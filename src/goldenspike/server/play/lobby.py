"""The lobby: the public games with a free seat."""

from __future__ import annotations

import asyncio
import time

import msgspec

from goldenspike.server.play.games import Games
from goldenspike.server.protocol.messages import Listed, Lobby
from goldenspike.server.protocol.problems import Problem

_LISTED = 100
_SECONDS = 1.0
"""How long a list is used. Making one of 100 games takes 14 ms of processor time."""
_encode = msgspec.json.Encoder().encode


class LobbyList:
    """Lists the public games; a list is made at most once a second, unless a game was added or joined."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._lock = asyncio.Lock()
        self._encoded, self._until = b"", 0.0

    def invalidate(self) -> None:
        """Make a new list for the next client, because a public game has changed."""
        self._until = 0.0

    async def encoded(self) -> bytes:
        """Return the public games with a free seat, as the JSON of a :class:`Lobby`."""
        async with self._lock:  # so that clients that ask at the same time get the same list
            if time.monotonic() >= self._until:
                self._until = time.monotonic() + _SECONDS  # before it is read: it may change meanwhile
                try:
                    self._encoded = _encode(await self.read())
                except BaseException:
                    self.invalidate()
                    raise
            return self._encoded

    async def read(self) -> Lobby:
        """Return the public games with a free seat, as they are now."""
        listed: list[Listed] = []
        for stored in await self._games.store.free_games(_LISTED):
            try:
                live = await self._games.open(stored.id)
            except Problem as problem:
                if problem.code == "unavailable":
                    raise
                continue  # one game that cannot be opened (its edition was removed) must not hide the others
            if live.position.is_over:
                continue
            listed.append(
                Listed(stored.id, stored.edition, live.seat_infos(), live.setup.clock, stored.created)
            )
        return Lobby(listed)
