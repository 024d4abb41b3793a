"""Writing entries: all that wait are written in one transaction, and each is answered once it is safe.

So a busy server waits for the disk a hundred times a second, not once for every move. The thread that writes
takes what waits by itself: while the loop is busy telling of one transaction, the next is on its way.
"""

from __future__ import annotations

import asyncio
import time
from queue import SimpleQueue
from threading import Thread

from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from goldenspike.server.entry import Entry
from goldenspike.server.metrics import BATCH_SECONDS, BATCH_SIZE
from goldenspike.server.problems import Problem, unavailable
from goldenspike.server.store import Store

_MOST_AT_ONCE = 500
_BETWEEN = 0.008
"""Seconds from one transaction to the next. A move that comes alone waits for nothing; of many that come at
once, some wait so long, and then share a transaction, the cost of which hardly grows with them."""
_Batch = list[tuple[Entry, asyncio.Future[bool]]]
_Answer = bool | Exception


class Writer:
    """The one place of a process from which entries are written."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: SimpleQueue[tuple[Entry, asyncio.Future[bool]] | None] = SimpleQueue()
        """Entries in the order they came; None is the end."""
        self._thread = Thread(target=self._write_all, name="writer", daemon=True)
        self._thread.start()

    async def append(self, entry: Entry) -> bool:
        """Write an entry; return whether it was kept (False: its number was taken).

        Raises a :class:`Problem` if the entry cannot be kept, or if the database cannot be reached. Then it
        is not known whether it was kept; reading the log will tell.
        """
        if not self._thread.is_alive():
            raise unavailable()
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.put((entry, done))
        return await done

    async def close(self) -> None:
        """Write what waits, then stop."""
        self._waiting.put(None)
        await asyncio.to_thread(self._thread.join)

    # What the thread does

    def _write_all(self) -> None:
        while batch := self._take():
            begun = time.monotonic()
            answers = self._write(batch)
            batch[0][1].get_loop().call_soon_threadsafe(_answer, batch, answers)
            time.sleep(max(0.0, begun + _BETWEEN - time.monotonic()))

    def _take(self) -> _Batch:
        """Return what waits, as soon as something does; nothing at the end."""
        batch: _Batch = []
        while (item := self._waiting.get()) is not None:
            batch.append(item)
            if len(batch) == _MOST_AT_ONCE or self._waiting.empty():
                return batch
        if batch:
            self._waiting.put(None)  # the end comes after these
        return batch

    def _write(self, batch: _Batch) -> list[_Answer]:
        """Write entries; return for each whether it was kept, or why that is not known."""
        BATCH_SIZE.observe(len(batch))
        try:
            with BATCH_SECONDS.time():
                return [*self._store.append([entry for entry, _ in batch])]
        except (DataError, IntegrityError) as error:
            if len(batch) == 1:
                return [_caused(_refused(error), error)]
            # One of them cannot be kept; the others must not suffer for it.
            return [answer for one in batch for answer in self._write([one])]
        except (SQLAlchemyError, OSError) as error:
            return [_caused(unavailable(), error) for _ in batch]
        except Exception as error:  # noqa: BLE001  # whoever waits has to hear of it, and others go on
            return [error for _ in batch]


def _refused(error: DataError | IntegrityError) -> Problem:
    if isinstance(error, DataError):
        return Problem("malformed", "This cannot be kept; leave out unusual characters.")
    return Problem("unknown_game", "There is no such game any more; it was removed.")


def _caused(problem: Problem, error: Exception) -> Problem:
    problem.__cause__ = error
    return problem


def _answer(batch: _Batch, answers: list[_Answer]) -> None:
    for (_, done), answer in zip(batch, answers, strict=True):
        if done.done():  # whoever waited has gone
            continue
        if isinstance(answer, Exception):
            done.set_exception(answer)
        else:
            done.set_result(answer)
