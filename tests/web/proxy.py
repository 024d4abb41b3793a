"""A TCP proxy between a page and the server that can be interrupted."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import urlsplit

T = TypeVar("T")


class Proxy:
    """Forwards bytes in both directions until it is cut, and again after it is restored."""

    def __init__(self, url: str) -> None:
        address = urlsplit(url)
        assert address.hostname is not None
        assert address.port is not None
        self._to = (address.hostname, address.port)
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._port = 0
        self._server: asyncio.Server | None = None
        self.restore()

    @property
    def url(self) -> str:
        """The address of the server through this proxy."""
        return f"http://127.0.0.1:{self._port}"

    def restore(self) -> None:
        """Accept connections again."""
        self._do(self._listen())

    def cut(self) -> None:
        """End every connection and refuse new ones."""
        self._do(self._end())

    def close(self) -> None:
        """Close the proxy."""
        self.cut()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _do(self, task: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(task, self._loop).result()

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._join, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def _end(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for writer in self._open:
            writer.transport.abort()
        while self._open:
            await asyncio.sleep(0.01)

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, onward = await asyncio.open_connection(*self._to)
        self._open |= {writer, onward}
        try:
            await asyncio.gather(self._pass_on(reader, onward), self._pass_on(there, writer))
        finally:
            for end in (writer, onward):
                end.transport.abort()
            self._open -= {writer, onward}

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65_536):
                writer.write(data)
                await writer.drain()
            writer.write_eof()
