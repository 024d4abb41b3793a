"""Writing entries: all that wait are written in one transaction, and each is answered once it is safe.

So a busy server waits for the disk a hundred times a second, not once for every move.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy.exc import SQLAlchemyError

from goldenspike.server.entry import Entry
from goldenspike.server.metrics import BATCH_SECONDS, BATCH_SIZE
from goldenspike.server.problems import unavailable
from goldenspike.server.store import Store

_MOST_AT_ONCE = 500
_BETWEEN = 0.004
"""Seconds from one transaction to the next. A move that comes alone waits for nothing; of many that come at
once, some wait so long, and then share a transaction, the cost of which hardly grows with them."""


class Writer:
    """The one place of a process from which entries are written."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(1, "writer")
        self._waiting: list[tuple[Entry, asyncio.Future[bool]]] = []
        self._task: asyncio.Task[None] | None = None
        self._next = 0.0
        """When the next transaction may begin."""

    async def append(self, entry: Entry) -> bool:
        """Write an entry; return whether it was kept (False: its number or its token was taken).

        Raises a :class:`Problem` if the database cannot be reached. Then it is not known whether the entry
        was kept; reading the log will tell.
        """
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((entry, done))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._write_all())
        return await done

    async def _write_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            if (pause := self._next - loop.time()) > 0:
                await asyncio.sleep(pause)
            self._next = loop.time() + _BETWEEN
            batch, self._waiting = self._waiting[:_MOST_AT_ONCE], self._waiting[_MOST_AT_ONCE:]
            entries = [entry for entry, _ in batch]
            BATCH_SIZE.observe(len(batch))
            try:
                with BATCH_SECONDS.time():
                    kept = await loop.run_in_executor(self._thread, self._store.append, entries)
            except (SQLAlchemyError, OSError) as error:
                for _, done in batch:
                    if not done.done():
                        problem = unavailable()
                        problem.__cause__ = error
                        done.set_exception(problem)
                continue
            for entry, done in batch:
                if not done.done():
                    done.set_result((entry.game, entry.number) in kept)

    async def close(self) -> None:
        """Write what waits, then stop."""
        if self._task is not None:
            await self._task
        self._thread.shutdown()
