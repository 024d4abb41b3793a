"""Writing entries: all that wait are written in one transaction, and each is answered once it is safe.

So a busy server waits for the disk a hundred times a second, not once for every move.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from goldenspike.server.entry import Entry
from goldenspike.server.metrics import BATCH_SECONDS, BATCH_SIZE
from goldenspike.server.problems import Problem, unavailable
from goldenspike.server.store import Store

_MOST_AT_ONCE = 500
_BETWEEN = 0.004
"""Seconds from one transaction to the next. A move that comes alone waits for nothing; of many that come at
once, some wait so long, and then share a transaction, the cost of which hardly grows with them."""
_Batch = list[tuple[Entry, asyncio.Future[bool]]]


class Writer:
    """The one place of a process from which entries are written."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._thread = ThreadPoolExecutor(1, "writer")
        self._waiting: _Batch = []
        self._task: asyncio.Task[None] | None = None
        self._next = 0.0
        """When the next transaction may begin."""

    async def append(self, entry: Entry) -> bool:
        """Write an entry; return whether it was kept (False: its number or its token was taken).

        Raises a :class:`Problem` if the entry cannot be kept, or if the database cannot be reached. Then it
        is not known whether it was kept; reading the log will tell.
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
            await self._write(batch)

    async def _write(self, batch: _Batch) -> None:
        loop = asyncio.get_running_loop()
        BATCH_SIZE.observe(len(batch))
        try:
            with BATCH_SECONDS.time():
                kept = await loop.run_in_executor(self._thread, self._store.append, [e for e, _ in batch])
        except (DataError, IntegrityError) as error:
            if len(batch) == 1:
                problem = _refused(error)
                _fail(batch, lambda: problem, error)
            else:
                for one in batch:  # one of them cannot be kept; the others must not suffer for it
                    await self._write([one])
        except (SQLAlchemyError, OSError) as error:
            _fail(batch, unavailable, error)
        else:
            for (_, done), is_kept in zip(batch, kept, strict=True):
                if not done.done():
                    done.set_result(is_kept)

    async def close(self) -> None:
        """Write what waits, then stop."""
        if self._task is not None:
            await self._task
        self._thread.shutdown()


def _refused(error: DataError | IntegrityError) -> Problem:
    if isinstance(error, DataError):
        return Problem("malformed", "This cannot be kept; leave out unusual characters.")
    return Problem("unknown_game", "There is no such game any more; it was removed.")


def _fail(batch: _Batch, make_problem: Callable[[], Problem], error: Exception) -> None:
    for _, done in batch:
        if not done.done():
            problem = make_problem()
            problem.__cause__ = error
            done.set_exception(problem)
