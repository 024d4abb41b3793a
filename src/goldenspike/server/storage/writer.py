"""The entry writer: writes all pending entries in one transaction, and answers each after the commit.

So a busy server waits for the disk a hundred times a second, not once for every move. The writer thread takes
pending entries itself, so the next transaction runs while the event loop still publishes the previous one.
"""

from __future__ import annotations

import asyncio
import time
from queue import SimpleQueue
from threading import Thread

from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from goldenspike.server.metrics import BATCH_SECONDS, BATCH_SIZE
from goldenspike.server.play.entry import Entry
from goldenspike.server.protocol.problems import Problem, removed_game, unavailable
from goldenspike.server.storage.database import Database

_MOST_AT_ONCE = 500
_BETWEEN = 0.008
"""Seconds from the start of one transaction to the next. A single move does not wait. Of many moves at once,
some wait up to this long and then share a transaction, because its cost hardly grows with its size."""
_Batch = list[tuple[Entry, asyncio.Future[bool]]]
_Answer = bool | Exception


class Writer:
    """Writes the entries of a process from one thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._waiting: SimpleQueue[tuple[Entry, asyncio.Future[bool]] | None] = SimpleQueue()
        """Entries in order of arrival; None stops the thread."""
        self._thread = Thread(target=self._write_all, name="writer", daemon=True)
        self._thread.start()

    async def append(self, entry: Entry) -> bool:
        """Write an entry; return whether it was stored (False: its number was taken).

        Raises a :class:`Problem` if the entry cannot be stored, or if the database cannot be reached. In the
        latter case it is unknown whether it was stored; read the log to find out.
        """
        if not self._thread.is_alive():
            raise unavailable()
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.put((entry, done))
        return await done

    async def close(self) -> None:
        """Write all pending entries, then stop."""
        self._waiting.put(None)
        await asyncio.to_thread(self._thread.join)

    # Called in the writer thread

    def _write_all(self) -> None:
        while batch := self._take():
            begun = time.monotonic()
            answers = self._write(batch)
            batch[0][1].get_loop().call_soon_threadsafe(_answer, batch, answers)
            time.sleep(max(0.0, begun + _BETWEEN - time.monotonic()))

    def _take(self) -> _Batch:
        """Wait for pending entries and return them; an empty batch means stop."""
        batch: _Batch = []
        while (item := self._waiting.get()) is not None:
            batch.append(item)
            if len(batch) == _MOST_AT_ONCE or self._waiting.empty():
                return batch
        if batch:
            self._waiting.put(None)  # stop after this batch
        return batch

    def _write(self, batch: _Batch) -> list[_Answer]:
        """Write entries; return for each whether it was stored, or the error."""
        BATCH_SIZE.observe(len(batch))
        try:
            with BATCH_SECONDS.time():
                return [*self._database.append([entry for entry, _ in batch])]
        except (DataError, IntegrityError) as error:
            if len(batch) == 1:
                return [_caused(_refused(error), error)]
            # One entry cannot be stored: write them one by one so that the others succeed.
            return [answer for one in batch for answer in self._write([one])]
        except (SQLAlchemyError, OSError) as error:
            return [_caused(unavailable(), error) for _ in batch]
        except Exception as error:  # noqa: BLE001  # passed on to the callers; later batches go on
            return [error for _ in batch]


def _refused(error: DataError | IntegrityError) -> Problem:
    if isinstance(error, DataError):
        return Problem(
            "malformed", "This cannot be saved; leave out unusual characters.", reason="unusual_characters"
        )
    return removed_game()


def _caused(problem: Problem, error: Exception) -> Problem:
    problem.__cause__ = error
    return problem


def _answer(batch: _Batch, answers: list[_Answer]) -> None:
    for (_, done), answer in zip(batch, answers, strict=True):
        if done.done():  # the caller was cancelled
            continue
        if isinstance(answer, Exception):
            done.set_exception(answer)
        else:
            done.set_result(answer)
