"""The setting `retention_days`: removes games without recent activity."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING

from goldenspike.server.play.entry import now
from goldenspike.server.protocol.problems import Problem
from goldenspike.server.storage.removal import CHUNK, find_idle, find_missing, remove_alone

if TYPE_CHECKING:
    from goldenspike.server.play.games import Games

_LOGGER = logging.getLogger(__name__)
_PAUSE = 0.05
"""Seconds between two transactions, so that other writers get their turn."""
_CHECK = 10.0
"""Seconds between checks whether games in memory were removed from the database. The first removal of old
games also waits this long, so that a server that has just started serves players first."""
_INTERVAL = 3600.0
"""Seconds between two removals of old games."""
_DAY = 86_400_000


class Retention:
    """Removes old games, and drops games from memory that were removed from the database."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._due = 0.0
        self._started, self._began = now(), time.monotonic()

    async def run(self) -> None:
        """Run until cancelled."""
        while True:
            await asyncio.sleep(_CHECK)
            try:
                await self.forget_removed()
                if time.monotonic() >= self._due:
                    await self.remove_old()
                    self._due = time.monotonic() + _INTERVAL
            except Problem:
                pass  # the database cannot be reached, which is logged elsewhere
            except Exception:
                _LOGGER.exception("old games could not be removed; it is tried again")

    async def forget_removed(self) -> None:
        """Drop games from memory that are not in the database any more."""
        games = self._games
        for game in await games.store.maintain(find_missing, games.ids_in_memory()):
            games.forget(game)
            _LOGGER.info("forgot a game that was removed from the database", extra={"game": game})

    async def remove_old(self) -> None:
        """Remove games without activity for `retention_days`."""
        if (days := self._games.settings.retention_days) is None:
            return
        # If the system clock has jumped ahead since the start, no game must be removed because of it.
        elapsed = round((time.monotonic() - self._began) * 1000)
        before = min(now(), self._started + elapsed) - days * _DAY
        store = self._games.store
        idle = await store.maintain(find_idle, before)
        total = 0
        for start in range(0, len(idle), CHUNK):
            removed = await store.maintain(remove_alone, idle[start : start + CHUNK], before)
            if removed is None:
                break
            total += removed
            await asyncio.sleep(_PAUSE)
        if total:
            _LOGGER.info("removed games that were idle for long", extra={"games": total, "days": days})
