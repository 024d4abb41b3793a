"""Reading from the database without making anybody wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from goldenspike.server.problems import unavailable

P = ParamSpec("P")
T = TypeVar("T")


class Pool:
    """Threads for calls that block. A database that does not answer is a :class:`Problem`."""

    def __init__(self, threads: int) -> None:
        self._threads = ThreadPoolExecutor(threads, "store")

    async def run(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what a call returns."""
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._threads, lambda: call(*args, **kwargs))
        except (SQLAlchemyError, OSError) as error:
            raise unavailable() from error

    def close(self) -> None:
        """Wait for the calls that run, then stop."""
        self._threads.shutdown()
