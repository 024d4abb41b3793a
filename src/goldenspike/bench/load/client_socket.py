"""A WebSocket client of the load generator: handshake, hello, messages, and byte counts."""

from __future__ import annotations

import asyncio
import struct
from typing import cast

from goldenspike.bench.load.frames import CLOSE, PING, PONG, TEXT, Frames, frame
from goldenspike.bench.load.requests import Address

_KEY, ACCEPT = b"dGhlIHNhbXBsZSBub25jZQ==", b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
"""The example of RFC 6455, section 1.3; the server does not require a random key."""
END_OF_HEAD = b"\r\n\r\n"
_NORMAL = struct.pack("!H", 1000)


def handshake(address: Address) -> bytes:
    """Return the request for a WebSocket."""
    host, port = address
    return (
        b"GET /api/socket HTTP/1.1\r\nHost: %s:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n" % (host.encode(), port, _KEY)
    )


def hello(link: str, last: int | None = None) -> bytes:
    """Return the first message on a WebSocket; `last` asks for the entries after that number."""
    known = b"" if last is None else b',"last":%d' % last
    return b'{"type":"hello","link":"%s"%s}' % (link.encode(), known)


class Tally:
    """Bytes sent and received by all sockets of a process."""

    __slots__ = ("received", "sent")

    def __init__(self) -> None:
        self.received = self.sent = 0


class ClientSocket(asyncio.Protocol):
    """A client's end of a WebSocket. Subclasses handle messages in :meth:`hear`."""

    __slots__ = ("_frames", "_head", "_hello", "_tally", "_transport", "closed")

    def __init__(self, link: str, tally: Tally) -> None:
        self._hello = frame(hello(link))
        self._tally = tally
        self._frames = Frames()
        self._head: bytes | None = b""
        self._transport: asyncio.Transport | None = None
        self.closed = False

    def hear(self, data: bytes) -> None:
        """Handle a message of the server."""
        raise NotImplementedError

    def lose(self) -> None:
        """Handle the end of the connection, even if this side ended it."""

    def say(self, data: bytes) -> None:
        """Send a message."""
        self._send(frame(data))

    def close(self) -> None:
        """Close the connection as a browser does."""
        if self._transport is not None and not self.closed:
            self._send(frame(_NORMAL, CLOSE))

    def abort(self) -> None:
        """Close the connection immediately."""
        if self._transport is not None:
            self._transport.abort()

    def _send(self, data: bytes) -> None:
        self._tally.sent += len(data)
        assert self._transport is not None
        self._transport.write(data)

    # asyncio.Protocol callbacks

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Request a WebSocket."""
        self._transport = cast("asyncio.Transport", transport)
        self._send(handshake(Address(*self._transport.get_extra_info("peername")[:2])))

    def data_received(self, data: bytes) -> None:
        """Handle received bytes: first the answer to the request, then frames."""
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
        head, end, rest = data.partition(END_OF_HEAD)
        if not end:
            self._head = data
            return b""
        if ACCEPT not in head:
            raise ConnectionError(f"The server gave no WebSocket: {head.splitlines()[0].decode()}.")
        self._head = None
        self._send(self._hello)
        return rest

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # asyncio's signature
        """Handle the end of the connection."""
        self.closed = True
        self.lose()
