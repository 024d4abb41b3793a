"""The WebSocket transport of the application: receive and send texts, and close, over any ASGI server."""

from __future__ import annotations

from typing import Any, cast

from litestar.types import Receive, Scope, Send

from goldenspike.server.socket.rate_limits import Bucket
from goldenspike.server.socket.uvicorn_websocket import EXTENSION, UvicornWebSocket


class GoneError(Exception):
    """The client has closed the connection."""


class Transport:
    """One WebSocket."""

    __slots__ = ("_receive", "_send", "_websocket")

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        extensions: dict[str, Any] = cast("dict[str, Any]", scope).get("extensions") or {}
        self._websocket: UvicornWebSocket | None = extensions.get(EXTENSION)

    def limit_frames(self, budget: Bucket) -> None:
        """Charge every frame to a budget that other sockets share; the socket is closed when it is spent."""
        if self._websocket is not None:
            self._websocket.shared_budget = budget

    async def accept(self) -> None:
        """Accept the connection."""
        await self._receive()
        await self._send({"type": "websocket.accept", "subprotocol": None, "headers": []})

    async def receive(self) -> str:
        """Return the next text, or "" for a binary message; raise :class:`GoneError` at the end."""
        event: Any = await self._receive()
        if event["type"] == "websocket.disconnect":
            raise GoneError
        return event.get("text") or ""

    @property
    def is_ready(self) -> bool:
        """Whether :meth:`write` can be used now; otherwise use :meth:`send`."""
        return self._websocket is not None and self._websocket.is_writable

    def write(self, *texts: bytes) -> None:
        """Write texts without waiting; only allowed if :attr:`is_ready`."""
        assert self._websocket is not None
        self._websocket.write_texts(*texts)

    async def drain(self) -> None:
        """Wait until most of what was sent has left the write buffer."""
        if self._websocket is not None:
            await self._websocket.drain()

    async def send(self, data: bytes) -> None:
        """Send a text as soon as the socket is writable."""
        if self._websocket is not None:
            await self._websocket.drain()
            self._websocket.write_texts(data)
        else:
            await self._send({"type": "websocket.send", "bytes": None, "text": data.decode()})

    async def close(self, code: int, reason: str) -> None:
        """Close the connection."""
        await self._send({"type": "websocket.close", "code": code, "reason": reason})
