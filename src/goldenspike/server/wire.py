"""A socket as the application sees it: receive a text, write one, close. Over any ASGI server."""

from __future__ import annotations

from typing import Any, cast

from litestar.types import Receive, Scope, Send

from goldenspike.server.slim import EXTENSION, SlimWebSocket


class GoneError(Exception):
    """The other side has ended the connection."""


class Wire:
    """One socket."""

    __slots__ = ("_receive", "_send", "_slim")

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        extensions: dict[str, Any] = cast("dict[str, Any]", scope).get("extensions") or {}
        self._slim: SlimWebSocket | None = extensions.get(EXTENSION)

    async def accept(self) -> None:
        """Let somebody in."""
        await self._receive()
        await self._send({"type": "websocket.accept", "subprotocol": None, "headers": []})

    async def receive(self) -> str:
        """Return the next text; what is no text reads as an empty one. :class:`GoneError` at the end."""
        event: Any = await self._receive()
        if event["type"] == "websocket.disconnect":
            raise GoneError
        return event.get("text") or ""

    @property
    def is_ready(self) -> bool:
        """Whether a text can be written right now; otherwise it has to be sent."""
        return self._slim is not None and self._slim.is_writable

    def write(self, *texts: bytes) -> None:
        """Write texts, when :attr:`is_ready`."""
        assert self._slim is not None
        self._slim.write_texts(*texts)

    async def drain(self) -> None:
        """Wait until the reader has taken most of what was sent."""
        if self._slim is not None:
            await self._slim.drain()

    async def send(self, data: bytes) -> None:
        """Send a text, as soon as the reader has room for it."""
        if self._slim is not None:
            await self._slim.drain()
            self._slim.write_texts(data)
        else:
            await self._send({"type": "websocket.send", "bytes": None, "text": data.decode()})

    async def close(self, code: int, reason: str) -> None:
        """End the connection."""
        await self._send({"type": "websocket.close", "code": code, "reason": reason})
