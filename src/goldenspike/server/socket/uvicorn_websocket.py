"""Uvicorn's WebSocket with less memory per connection and a faster write path.

It adds `write_texts` for messages that are already encoded. An application finds the protocol among the
extensions of its scope under :data:`EXTENSION`. Everything else is Uvicorn's: the handshake, pings, closing.

A closed connection leaves no reference cycles. Python's garbage collector would have to find them among all
objects, which stops the process for a tenth of a second.
"""

from __future__ import annotations

import asyncio
import struct
from typing import Any, cast
from weakref import WeakKeyDictionary

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State
from websockets.utils import apply_mask

from goldenspike.server.socket.rate_limits import Bucket
from goldenspike.server.socket.tcp_limits import STATE, ConnectionLimits

EXTENSION = "goldenspike.websocket"
_MOST_WAITING = 8
"""Queued messages after which reading from a socket is paused."""
_FRAMES_A_SECOND = 50.0
"""Frames of any kind that a client may send per second, unless the server sets another limit."""
_BURST_SECONDS = 3.0
"""Seconds' worth of frames that may arrive at once."""
_MOST_FRAGMENTS = 16
_PIECE = 1024
"""Bytes that are parsed before the frame budget is checked again: at most 170 frames."""
_CLOSE_SECONDS = 2.0
"""How long a client has to answer a close frame."""
_POLICY_VIOLATION = 1008
_TEXT = 0x81
"""First byte of a whole text message in one frame (RFC 6455, section 5.2)."""
_MASKED, _MASKED_HEAD = 0x80, 6
"""The mask bit of a client's frame, and the size of a short masked header: two bytes and a key of four."""
_SHORT, _LONG = 126, 127
"""Values of the size field that mean that the size is in the next two or eight bytes."""


class Inbox:
    """A queue for one reader, with a tenth of the memory of `asyncio.Queue`."""

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
    """An event that is nearly always set, with a tenth of the memory of `asyncio.Event`."""

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
    """Batches the writes of all sockets of an event loop until the end of its current iteration.

    Waking the reader, a process or a network card, is the expensive part of a write. In a batch, only the
    first write has to do it.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: dict[asyncio.Transport, list[bytes]] = {}

    def write(self, transport: asyncio.Transport, *parts: bytes) -> None:
        """Write at the end of the loop's iteration, in the order of the calls."""
        if not self._waiting:
            self._loop.call_soon(self._write_all)
        self._waiting.setdefault(transport, []).extend(parts)

    def flush(self, transport: asyncio.Transport) -> None:
        """Write the pending bytes of one socket now."""
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
    if not transport.is_closing():  # the client may have disconnected
        transport.write(b"".join(parts))


_OUTBOXES: WeakKeyDictionary[asyncio.AbstractEventLoop, Outbox] = WeakKeyDictionary()


def _head(size: int) -> bytes:
    """Return the frame header of a text of `size` bytes."""
    if size < _SHORT:
        return bytes((_TEXT, size))
    if size < 1 << 16:
        return struct.pack("!BBH", _TEXT, _SHORT, size)
    return struct.pack("!BBQ", _TEXT, _LONG, size)


class UvicornWebSocket(WebSocketsSansIOProtocol):
    """Uvicorn's WebSocket protocol with less memory, direct writes and frame limits."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._inbox, self._gate = Inbox(), Gate()
        self.queue, self.writable = cast("Any", self._inbox), cast("Any", self._gate)
        if self.loop not in _OUTBOXES:
            _OUTBOXES[self.loop] = Outbox(self.loop)
        self._outbox = _OUTBOXES[self.loop]
        self._limits: ConnectionLimits | None = self.app_state.get(STATE)
        rate = _FRAMES_A_SECOND if self._limits is None else self._limits.frame_rate
        self._budget = Bucket(rate, rate * _BURST_SECONDS)
        self.shared_budget: Bucket | None = None
        """The frame budget of all sockets of the client's address, once the application knows the address."""
        self._is_counted = False
        self.close_timeout = _CLOSE_SECONDS

    @property
    def is_writable(self) -> bool:
        """Whether the write buffer has room."""
        return self._gate.is_open

    def write_texts(self, *texts: bytes) -> None:
        """Send texts. If the connection has ended, do nothing; the receiving task will notice."""
        if not (self.close_sent or self.disconnected):
            for text in texts:
                self._outbox.write(self.transport, _head(len(text)), text)

    async def drain(self) -> None:
        """Wait until the socket is writable."""
        await self._gate.wait()

    async def send(self, message: Any) -> None:
        """Send an ASGI message, such as a close, after all texts that were written before."""
        if (
            self.close_sent
        ):  # the connection was closed, perhaps for too many frames, before the application noticed
            return
        self._outbox.flush(self.transport)
        await super().send(message)

    # Called by Uvicorn

    def handle_connect(self, event: Any) -> None:
        """Start the application, with this protocol among the extensions of its scope."""
        super().handle_connect(event)
        if hasattr(self, "scope"):  # not if the handshake was refused
            cast("dict[str, Any]", self.scope)["extensions"][EXTENSION] = self

    def start_keepalive(self) -> None:
        """Drop the handshake after it is done, because its headers take more memory than all the rest."""
        super().start_keepalive()
        self.scope["headers"] = []
        self.request.headers.clear()  # the parser keeps a reference to the request
        del self.request, self.response

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over from HTTP, and drop its parser, which would form a reference cycle."""
        super().connection_made(transport)
        http = cast("Any", self.transport.get_protocol())
        self._is_counted = getattr(http, "is_counted", False)
        if hasattr(http, "parser"):
            http.parser = None

    async def run_asgi(self) -> None:
        """Run the application, then clear its scope, which refers to this protocol."""
        await super().run_asgi()
        cast("dict[str, Any]", self.scope).clear()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection, and close the parser, which would form a reference cycle."""
        if self._limits is not None and self._is_counted:
            self._limits.remove(self.client[0] if self.client else "")
        super().connection_lost(exc)
        self.conn.parser.close()

    def data_received(self, data: bytes) -> None:
        """Handle received bytes. A single short text, as nearly all commands are, bypasses the parser."""
        if self._is_short_text(data):
            if self._is_in_budget():
                self.curr_msg_data_type = "text"
                self.frames = [apply_mask(data[_MASKED_HEAD:], data[2:_MASKED_HEAD])]
                self.send_receive_event_to_app()
            return
        for start in range(0, len(data), _PIECE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + _PIECE])

    def _is_in_budget(self) -> bool:
        """Count a frame; close the connection if there were too many."""
        if self.transport.is_closing():
            return False
        if self._budget.take() and (self.shared_budget is None or self.shared_budget.take()):
            return True
        self._end("Too many frames.")
        return False

    def _end(self, reason: str) -> None:
        self.conn.fail(_POLICY_VIOLATION, reason)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()

    def handle_ping(self) -> None:
        """Answer a ping."""
        if self._is_in_budget():
            super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        """Handle the answer to a ping."""
        if self._is_in_budget():
            super().handle_pong(event)

    def handle_text(self, event: Any) -> None:
        """Handle a text frame, which may be the first fragment of a message."""
        if self._is_in_budget():
            super().handle_text(event)

    def handle_bytes(self, event: Any) -> None:
        """Handle a binary frame, which may be the first fragment of a message."""
        if self._is_in_budget():
            super().handle_bytes(event)

    def handle_cont(self, event: Any) -> None:
        """Handle a further fragment of a message."""
        if self._is_in_budget():
            if len(self.frames) >= _MOST_FRAGMENTS:
                self._end("Too many fragments.")
            else:
                super().handle_cont(event)

    def _is_short_text(self, data: bytes) -> bool:
        """Tell whether bytes are exactly one short text frame, with no incomplete frame before it."""
        size = len(data) - _MASKED_HEAD
        return (
            0 <= size < min(_SHORT, self.config.ws_max_size)
            and data[0] == _TEXT
            and data[1] == _MASKED | size
            and self.conn.state is State.OPEN
            and not self.conn.reader.buffer  # no incomplete frame
            and not self.frames  # no incomplete message
        )

    def send_receive_event_to_app(self) -> None:
        """Queue a message for the application. Pause reading only when several are queued, not after each."""
        was_paused, self.read_paused = self.read_paused, True  # so that Uvicorn does not pause here
        super().send_receive_event_to_app()
        self.read_paused = was_paused
        if not was_paused and len(self._inbox) >= _MOST_WAITING and not self.transport.is_closing():
            self.read_paused = True
            self.transport.pause_reading()
