"""One socket of the load: connects, greets, hands over what comes, and counts the bytes."""

from __future__ import annotations

import asyncio
import struct
from typing import cast

from goldenspike.cli.bench.load.frames import CLOSE, PING, PONG, TEXT, Frames, frame

_KEY, _ACCEPT = b"dGhlIHNhbXBsZSBub25jZQ==", b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
"""The example of RFC 6455, section 1.3: the key only shows that a server understands WebSockets."""
_END_OF_HEAD = b"\r\n\r\n"
_NORMAL = struct.pack("!H", 1000)


class Tally:
    """What all sockets of a process have carried."""

    __slots__ = ("received", "sent")

    def __init__(self) -> None:
        self.received = self.sent = 0


class Wire(asyncio.Protocol):
    """A client's end of a WebSocket. A kind of client says what it does with messages in :meth:`hear`."""

    __slots__ = ("_frames", "_head", "_hello", "_tally", "_transport", "closed")

    def __init__(self, link: str, tally: Tally) -> None:
        self._hello = frame(b'{"type":"hello","link":"%s"}' % link.encode())
        self._tally = tally
        self._frames = Frames()
        self._head: bytes | None = b""
        self._transport: asyncio.Transport | None = None
        self.closed = False

    def hear(self, data: bytes) -> None:
        """Take a message of the server."""
        raise NotImplementedError

    def lose(self) -> None:
        """Take that the connection has ended, also if it was this side that ended it."""

    def say(self, data: bytes) -> None:
        """Send a message."""
        self._send(frame(data))

    def close(self) -> None:
        """End the connection as a browser does."""
        if self._transport is not None and not self.closed:
            self._send(frame(_NORMAL, CLOSE))

    def _send(self, data: bytes) -> None:
        self._tally.sent += len(data)
        assert self._transport is not None
        self._transport.write(data)

    # What the transport calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a WebSocket."""
        self._transport = cast("asyncio.Transport", transport)
        host, port = self._transport.get_extra_info("peername")[:2]
        self._send(
            b"GET /api/socket HTTP/1.1\r\nHost: %s:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n" % (host.encode(), port, _KEY)
        )

    def data_received(self, data: bytes) -> None:
        """Take bytes: the answer to the request first, then frames."""
        self._tally.received += len(data)
        if self._head is not None:
            data = self._take_head(self._head + data)
        for kind, message in self._frames.take(data):
            if kind == TEXT:
                self.hear(message)
            elif kind == PING:
                self._send(frame(message, PONG))
            elif kind == CLOSE and self._transport is not None:
                self._transport.close()

    def _take_head(self, data: bytes) -> bytes:
        head, end, rest = data.partition(_END_OF_HEAD)
        if not end:
            self._head = data
            return b""
        if _ACCEPT not in head:
            raise ConnectionError(f"The server gave no WebSocket: {head.splitlines()[0].decode()}.")
        self._head = None
        self._send(self._hello)
        return rest

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # asyncio's signature
        """Take that the connection has ended."""
        self.closed = True
        self.lose()
