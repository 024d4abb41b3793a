"""The awaited store of games: calls of the database in threads, so that they do not block the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from goldenspike.server.play.entry import Entry
from goldenspike.server.protocol.problems import removed_game, unavailable
from goldenspike.server.storage.database import Database
from goldenspike.server.storage.writer import Writer

P = ParamSpec("P")
T = TypeVar("T")


def _awaited(
    call: Callable[Concatenate[Database, P], T],
) -> Callable[Concatenate[Store, P], Coroutine[Any, Any, T]]:
    """Return the coroutine method of the store for a blocking method of the database."""

    @wraps(call)
    async def method(store: Store, /, *args: P.args, **kwargs: P.kwargs) -> T:
        # The store's own method, made here.
        return await store._run_in_thread(  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
            partial(call, store.database, *args, **kwargs)
        )

    return method


class Store:
    """The games of a server, opened by the URL of their database.

    Each method does what the method of :class:`Database` with its name does. It raises a :class:`Problem` if
    the database does not answer, or if the game was removed.
    """

    def __init__(self, url: str, connections: int = 6) -> None:
        self.database = Database(url, connections)
        self._writer = Writer(self.database)
        self.is_remote = self.database.is_remote
        """Whether the database is a server, which other processes may write to at the same time."""
        self._threads = ThreadPoolExecutor(connections - 1, "store")  # the writer uses one connection

    ping = _awaited(Database.ping)
    try_writing = _awaited(Database.try_writing)
    create = _awaited(Database.create)
    take_seat = _awaited(Database.take_seat)
    add_key = _awaited(Database.add_key)
    spend_key = _awaited(Database.spend_key)
    find_code = _awaited(Database.find_code)
    finish = _awaited(Database.finish)
    game = _awaited(Database.game)
    entries = _awaited(Database.entries)
    entries_after = _awaited(Database.entries_after)
    cut = _awaited(Database.cut)
    longer = _awaited(Database.longer)
    by_token = _awaited(Database.by_token)
    free_games = _awaited(Database.free_games)

    async def append(self, entry: Entry) -> bool:
        """Write an entry, in one transaction with others that are pending; see :meth:`Writer.append`."""
        return await self._writer.append(entry)

    async def maintain(
        self, call: Callable[Concatenate[Engine, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run a function of :mod:`goldenspike.server.storage.removal` on the database."""
        return await self._run_in_thread(partial(call, self.database.engine, *args, **kwargs))

    async def _run_in_thread(self, call: Callable[[], T]) -> T:
        """Run a blocking call that uses the database; turn its errors into problems."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, call)
        except IntegrityError as error:  # the row refers to a game that does not exist
            raise removed_game() from error
        except (SQLAlchemyError, OSError) as error:
            raise unavailable() from error

    async def stop_writing(self) -> None:
        """Write all pending entries, and refuse later ones."""
        await self._writer.close()

    async def close(self) -> None:
        """Write all pending entries, wait for running calls, and close all connections."""
        await self.stop_writing()
        self._threads.shutdown()
        self.database.close()
