"""Uvicorn's WebSocket, slimmed: a server holds thousands of them, and mostly writes to them.

It adds a short way for messages that are written out already (`write_texts`), which an application finds
among the extensions of its scope under :data:`EXTENSION`. Everything else is Uvicorn's: the handshake, pings,
closing.

A connection that has ended leaves nothing behind that refers to itself. Otherwise Python would have to look
for it among all objects, and while it looks, for a tenth of a second, everybody waits.
"""

from __future__ import annotations

import asyncio
import struct
from typing import Any, cast
from weakref import WeakKeyDictionary

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State
from websockets.utils import apply_mask

EXTENSION = "goldenspike.slim"
_MOST_WAITING = 8
"""Messages that may wait to be taken before nothing more is read from a socket."""
_TEXT = 0x81
"""A whole message of text, in one frame (RFC 6455, section 5.2)."""
_MASKED, _MASKED_HEAD = 0x80, 6
"""What a client's frames have: a bit beside the size, and a key of four bytes behind it."""
_SHORT, _LONG = 126, 127
"""Where the size would stand: it is in the next two or eight bytes."""


class Inbox:
    """A queue for one reader, at a tenth of the memory of asyncio's."""

    __slots__ = ("_items", "_reader")

    def __init__(self) -> None:
        self._items: list[Any] = []
        self._reader: asyncio.Future[None] | None = None

    def __len__(self) -> int:
        return len(self._items)

    def put_nowait(self, item: Any) -> None:
        """Add an item."""
        self._items.append(item)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        """Return the first item, once there is one."""
        while not self._items:
            self._reader = asyncio.get_running_loop().create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        return self._items.pop(0)

    def empty(self) -> bool:
        """Tell whether there is no item."""
        return not self._items


class Gate:
    """An event that is nearly always set, at a tenth of the memory of asyncio's."""

    __slots__ = ("_waiting", "is_open")

    def __init__(self) -> None:
        self.is_open = True
        self._waiting: list[asyncio.Future[None]] = []

    def set(self) -> None:
        """Open the gate."""
        self.is_open = True
        waiting, self._waiting = self._waiting, []
        for future in waiting:
            if not future.done():
                future.set_result(None)

    def clear(self) -> None:
        """Close the gate."""
        self.is_open = False

    async def wait(self) -> bool:
        """Wait until the gate is open."""
        while not self.is_open:
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(future)
            await future
        return True


class Outbox:
    """What all sockets of a loop write in one of its turns, done together after it.

    The dear part of a write is to wake whoever reads, a process or a network card; of many in a row only the
    first has to.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: dict[asyncio.Transport, list[bytes]] = {}

    def write(self, transport: asyncio.Transport, *parts: bytes) -> None:
        """Write soon, in the order of the calls."""
        if not self._waiting:
            self._loop.call_soon(self._write_all)
        self._waiting.setdefault(transport, []).extend(parts)

    def flush(self, transport: asyncio.Transport) -> None:
        """Write now what waits for one socket."""
        parts = self._waiting.get(transport)
        if parts:
            _write(transport, parts)
            parts.clear()

    def _write_all(self) -> None:
        waiting, self._waiting = self._waiting, {}
        for transport, parts in waiting.items():
            if parts:
                _write(transport, parts)


def _write(transport: asyncio.Transport, parts: list[bytes]) -> None:
    if not transport.is_closing():  # its reader has gone meanwhile
        transport.write(b"".join(parts))


_OUTBOXES: WeakKeyDictionary[asyncio.AbstractEventLoop, Outbox] = WeakKeyDictionary()


def _head(size: int) -> bytes:
    """Return what stands before a text of so many bytes."""
    if size < _SHORT:
        return bytes((_TEXT, size))
    if size < 1 << 16:
        return struct.pack("!BBH", _TEXT, _SHORT, size)
    return struct.pack("!BBQ", _TEXT, _LONG, size)


class SlimWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket of Uvicorn that takes less memory and can be written to without a detour."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._inbox, self._gate = Inbox(), Gate()
        self.queue, self.writable = cast("Any", self._inbox), cast("Any", self._gate)
        if self.loop not in _OUTBOXES:
            _OUTBOXES[self.loop] = Outbox(self.loop)
        self._outbox = _OUTBOXES[self.loop]

    @property
    def is_writable(self) -> bool:
        """Whether what is written now goes out at once, or at least soon."""
        return self._gate.is_open

    def write_texts(self, *texts: bytes) -> None:
        """Send texts. If the connection has ended, nothing happens; its reader will hear of it."""
        if not (self.close_sent or self.disconnected):
            for text in texts:
                self._outbox.write(self.transport, _head(len(text)), text)

    async def drain(self) -> None:
        """Wait until the socket is writable."""
        await self._gate.wait()

    async def send(self, message: Any) -> None:
        """Send what an application sends by the long way, such as the end, after what it has sent before."""
        self._outbox.flush(self.transport)
        await super().send(message)

    # What Uvicorn calls

    def handle_connect(self, event: Any) -> None:
        """Begin the application, which may now find the short way."""
        super().handle_connect(event)
        if hasattr(self, "scope"):  # not if the handshake was refused
            cast("dict[str, Any]", self.scope)["extensions"][EXTENSION] = self

    def start_keepalive(self) -> None:
        """Go on after the handshake, and forget it: its headers take more room than all that follows."""
        super().start_keepalive()
        self.scope["headers"] = []
        self.request.headers.clear()  # the parser holds on to the request itself
        del self.request, self.response

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over from HTTP. Its parser, if it is one that knows its owner, is needed no more."""
        super().connection_made(transport)
        http = cast("Any", self.transport.get_protocol())
        if hasattr(http, "parser"):
            http.parser = None

    async def run_asgi(self) -> None:
        """Run the application, then forget what it was told: this socket is a part of it."""
        await super().run_asgi()
        cast("dict[str, Any]", self.scope).clear()

    def connection_lost(self, exc: Exception | None) -> None:
        """Hear that the connection has ended. The parser, which knows its owner, is needed no more."""
        super().connection_lost(exc)
        self.conn.parser.close()

    def data_received(self, data: bytes) -> None:
        """Take what came. A short text that came alone, as nearly all commands do, needs no parser."""
        if self._is_short_text(data):
            self.curr_msg_data_type = "text"
            self.frames = [apply_mask(data[_MASKED_HEAD:], data[2:_MASKED_HEAD])]
            self.send_receive_event_to_app()
        else:
            super().data_received(data)

    def _is_short_text(self, data: bytes) -> bool:
        """Tell whether bytes are one whole frame of text with its size in one byte, and all is as usual."""
        size = len(data) - _MASKED_HEAD
        return (
            0 <= size < min(_SHORT, self.config.ws_max_size)
            and data[0] == _TEXT
            and data[1] == _MASKED | size
            and self.conn.state is State.OPEN
            and not self.conn.reader.buffer  # no other frame has begun
            and not self.frames  # nor a message of several
        )

    def send_receive_event_to_app(self) -> None:
        """Hand a message over. Reading stops only when several wait, not after each."""
        was_paused, self.read_paused = self.read_paused, True  # so that Uvicorn does not pause here
        super().send_receive_event_to_app()
        self.read_paused = was_paused
        if not was_paused and len(self._inbox) >= _MOST_WAITING and not self.transport.is_closing():
            self.read_paused = True
            self.transport.pause_reading()
