"""Limits on TCP connections, enforced before a request reaches the application.

Uvicorn keeps a connection that sends half a request open for ever, parses as many pipelined requests as fit
into one read, and accepts connections until the process has no file descriptors left. The protocol here gives
a request a deadline, limits what one connection may queue, counts connections by address, and keeps some
descriptors free so that "full" can still be answered.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from goldenspike.server.protocol.problems import Problem
from goldenspike.server.settings import Settings, list_networks
from goldenspike.server.socket.rate_limits import AddressCounter, Buckets, frame_rate, limited_address

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None

_LOGGER = logging.getLogger(__name__)
STATE = "connection_limits"
"""The key in the lifespan state under which the protocols find the limits."""
_SPARE_FILES = 64
"""File descriptors kept for the database, Redis, the bots' processes and connections that are refused."""
_SPARE_CONNECTIONS = 64
"""Connections beyond the limit of WebSockets, for HTTP requests and for WebSockets that are refused."""
_FIRST_REQUEST_SECONDS = 0.3
"""How long a stopping server waits for the first request of a new connection."""
_HEAD_SECONDS = 10.0
_BODY_SECONDS = 30.0
_HEAD_BYTES = 32_768
_MOST_PIPELINED = 8
_REFILL_SECONDS = 3.0
"""In this time an address may open as many connections as it may have open at once."""


class ConnectionLimits:
    """Counts the open TCP connections of a process. Trusted proxies have no limit per address."""

    def __init__(
        self,
        most: int,
        most_of_address: int,
        frame_rate: float,
        proxies: Sequence[IPv4Network | IPv6Network] = (),
    ) -> None:
        self.frame_rate = frame_rate
        """Frames of any kind that a WebSocket may send in a second, on average."""
        self._proxies = proxies
        self._counter = AddressCounter(most, most_of_address)
        self._opening = Buckets(most_of_address / _REFILL_SECONDS, most_of_address)

    def add(self, host: str) -> None:
        """Count a new connection, or raise the :class:`Problem` that there are too many."""
        address, is_proxy = limited_address(host), self._is_proxy(host)
        if not is_proxy:
            self._opening.require(address)
        self._counter.add(address, is_limited=not is_proxy)

    def remove(self, host: str) -> None:
        """Stop counting a connection that has ended."""
        self._counter.remove(limited_address(host))

    def _is_proxy(self, host: str) -> bool:
        if not self._proxies:
            return False
        try:
            address = ip_address(host)
        except ValueError:  # a Unix socket: only a proxy on this machine uses one
            return True
        return any(address in network for network in self._proxies)


def make_limits(settings: Settings) -> ConnectionLimits:
    """Return the limits of this process; log a warning if the system allows too few open files."""
    wanted = settings.connections + _SPARE_CONNECTIONS + _SPARE_FILES
    allowed = _allow_files(wanted)
    most = max(1, allowed - _SPARE_FILES)
    if most < settings.connections:
        _LOGGER.warning(
            "This process may open %d files, so it takes %d connections instead of %d. Raise the limit "
            "(LimitNOFILE= in a systemd unit, ulimit -n in a shell) or lower --connections.",
            allowed,
            most,
            settings.connections,
        )
    most = min(most, settings.connections + _SPARE_CONNECTIONS)  # the spare ones can be refused with a reason
    proxies = list_networks(settings.proxy)
    return ConnectionLimits(most, settings.address_connections, frame_rate(settings.message_rate), proxies)


def _allow_files(wanted: int) -> int:
    """Raise the soft limit of open files as far as allowed and needed; return what it is now."""
    if resource is None:
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return soft


class LimitedHttpProtocol(HttpToolsProtocol):
    """Uvicorn's HTTP protocol with deadlines and limits."""

    _deadline: asyncio.TimerHandle | None = None
    is_counted = False
    _has_asked = False
    _is_in_head = True
    _head_bytes = 0

    @property
    def _limits(self) -> ConnectionLimits | None:
        return self.app_state.get(STATE)

    def connection_made(self, transport: Any) -> None:
        """Count the connection, and refuse it at once if there are too many."""
        super().connection_made(transport)
        try:
            if self._limits is not None:
                self._limits.add(self._host)
                self.is_counted = True
        except Problem as problem:
            self._refuse(int(problem.status), problem.message)
        else:
            self._give(_HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection; one that became a WebSocket does that itself."""
        self._give(None)
        if self._limits is not None and self.is_counted:
            self._limits.remove(self._host)
        super().connection_lost(exc)

    @property
    def _host(self) -> str:
        return self.client[0] if self.client else ""

    def _give(self, seconds: float | None) -> None:
        """Set the deadline of the request that is being read, or lift it."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self._time_out)

    def _time_out(self) -> None:
        self._deadline = None
        self._refuse(408, "The request took too long to arrive.")

    def _refuse(self, status: int, sentence: str) -> None:
        if not self.transport.is_closing():
            text = f"{sentence}\n".encode()
            head = (
                f"HTTP/1.1 {status} \r\ncontent-type: text/plain; charset=utf-8\r\n"
                f"content-length: {len(text)}\r\nretry-after: 5\r\nconnection: close\r\n\r\n"
            )
            self.transport.write(head.encode() + text)
            self.transport.close()

    def shutdown(self) -> None:
        """Close the connection when its requests are answered; a new one may still send its first request.

        Otherwise a client that has just connected would be disconnected when a compiled server takes over.
        """
        if self._has_asked:
            super().shutdown()
        else:
            self.loop.call_later(_FIRST_REQUEST_SECONDS, super().shutdown)

    # Called by Uvicorn while it reads a request

    def data_received(self, data: bytes) -> None:
        """Parse received bytes, unless the connection was refused; refuse a head that is too large."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        if self._is_in_head:
            self._head_bytes += len(data)
            if self._head_bytes > _HEAD_BYTES:
                self._refuse(431, "The head of the request is too large.")

    def on_message_begin(self) -> None:
        """Set the deadline of the next request's head, unless too many requests are queued."""
        super().on_message_begin()
        self._has_asked, self._is_in_head, self._head_bytes = True, True, 0
        self._give(_HEAD_SECONDS)
        if len(self.pipeline) >= _MOST_PIPELINED:
            raise ValueError("too many pipelined requests")  # the parser stops, and Uvicorn answers 400

    def on_headers_complete(self) -> None:
        """Set the deadline of the body."""
        self._is_in_head = False
        self._give(_BODY_SECONDS)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Lift the deadline, because the request is complete."""
        self._give(None)
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Lift the deadline and switch to the WebSocket protocol."""
        self._give(None)
        super().handle_websocket_upgrade()
