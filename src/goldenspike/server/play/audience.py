"""The clients of a game: which ones are present, and what they have to be sent.

A game without clients is paused: its bots do not move, and its turn timer does not run.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from itertools import islice
from typing import Any, NamedTuple, Protocol

from goldenspike.server.protocol.problems import Problem

_LOGGER = logging.getLogger(__name__)
_BATCH = 200
"""How many listeners are notified before the event loop runs other tasks."""
_VISIT_SECONDS = 30.0
"""How long a client without a WebSocket counts as present after a request."""


class Listener(Protocol):
    """A client connected to a game."""

    viewer: int | None
    address: str
    key: bytes
    """The hash of the secret that the client connected with."""

    def notify(self) -> None:
        """Send the client what is new."""
        ...

    def dismiss(self, problem: Problem) -> None:
        """Close the connection with a reason."""
        ...


class _Visit(NamedTuple):
    address: str
    until: float


class Audience:
    """The clients of a game in this process, the seats connected to other processes, and cached messages.

    It does not refer to its game, because a game refers to it, and a reference cycle would be left to the
    garbage collector.
    """

    def __init__(self, game: str, seats: int) -> None:
        self._game = game
        self.listeners: set[Listener] = set()
        self.on_presence: Callable[[str, int], None] | None = None
        """Called with the game and `local_seats` when the first client of a seat connects to this process, or
        the last one disconnects."""
        self._remote: dict[bytes, tuple[int, float]] = {}
        """For each other process, the seats connected to it as a bit set, and when that expires."""
        self._seen = [time.monotonic()] * seats
        """When a client was last connected to each seat, in any process, by time.monotonic()."""
        self._visit: _Visit | None = None
        """The last request of a client without a WebSocket."""
        self.version = 0
        """Incremented with every change that listeners must be sent."""
        self.encoded: dict[object, Any] = {}
        """Cache of encoded messages and their parts, by reader; cleared by every change."""
        self.encoded_seats = b""
        """The seats as JSON; empty after a change."""
        self._pending: set[Listener] = set()
        """Listeners that have not been sent the newest version."""
        self._next_batch: asyncio.Handle | None = None
        """The scheduled call that notifies some of them."""

    # Presence

    def add(self, listener: Listener) -> None:
        """Add a listener."""
        self.listeners.add(listener)
        self._update_presence(listener)

    def remove(self, listener: Listener) -> None:
        """Remove a listener."""
        self.listeners.discard(listener)
        self.note_seen(listener.viewer)
        self._pending.discard(listener)
        self._update_presence(listener)

    def _update_presence(self, listener: Listener) -> None:
        """Notify the others if this was the first or the last connection of a seat."""
        viewer = listener.viewer
        if viewer is None or any(o.viewer == viewer for o in self.listeners if o is not listener):
            return
        self._notify_seats()
        if self.on_presence is not None:
            self.on_presence(self._game, self.local_seats)

    def visit(self, address: str) -> None:
        """Record that a client requests the game without a WebSocket."""
        self._visit = _Visit(address, time.monotonic() + _VISIT_SECONDS)

    def note_seen(self, seat: int | None) -> None:
        """Record that a seat is in use now."""
        if seat is not None:
            self._seen[seat] = time.monotonic()

    def seconds_absent(self, seat: int) -> float:
        """Return for how many seconds no client has been connected to a seat."""
        if self.seats >> seat & 1:
            return 0.0
        return time.monotonic() - self._seen[seat]

    @property
    def is_present(self) -> bool:
        """Whether any client is present, in this process or in another one."""
        return bool(self.listeners or self._remote) or self._current_visit is not None

    @property
    def address(self) -> str:
        """The client address that the game's bots count for.

        It is the address of the first connected seat, otherwise of a spectator, otherwise of the last client
        without a WebSocket. It is empty if clients are connected only to other processes.
        """
        first = min(self.listeners, key=_seat_order, default=self._current_visit)
        return "" if first is None else first.address

    @property
    def _current_visit(self) -> _Visit | None:
        return self._visit if self._visit is not None and self._visit.until > time.monotonic() else None

    @property
    def seats(self) -> int:
        """The seats connected to any process, as a bit set."""
        return self.local_seats | self._remote_seats

    @property
    def local_seats(self) -> int:
        """The seats connected to this process, as a bit set."""
        seats = 0
        for listener in self.listeners:
            if listener.viewer is not None:
                seats |= 1 << listener.viewer
        return seats

    @property
    def _remote_seats(self) -> int:
        seats = 0
        for theirs, _ in self._remote.values():
            seats |= theirs
        return seats

    def set_remote_seats(self, process: bytes, seats: int, until: float) -> None:
        """Record which seats are connected to another process, and when that expires."""
        before = self._remote_seats
        for seat in range(len(self._seen)):
            if before >> seat & 1:
                self.note_seen(seat)
        if seats:
            self._remote[process] = seats, until
        else:
            self._remote.pop(process, None)
        if self._remote_seats != before:
            self._notify_seats()

    def expire_presence(self, now: float) -> None:
        """Drop the presence that other processes have not renewed in time, because they may have died."""
        for process in [process for process, (_, until) in self._remote.items() if until < now]:
            self.set_remote_seats(process, 0, 0)

    # Notification

    def invalidate(self) -> None:
        """Start a new version, and clear the messages of the old one."""
        self.version += 1
        self.encoded.clear()

    def _notify_seats(self) -> None:
        self.encoded_seats = b""
        self.invalidate()
        self.notify()

    def notify(self) -> None:
        """Schedule a notification of all listeners, after the current callback has finished."""
        self._pending |= self.listeners
        if self._next_batch is None and self._pending:
            self._next_batch = asyncio.get_running_loop().call_soon(self._notify_batch, True)

    def _notify_batch(self, is_first: bool) -> None:
        """Notify a batch of listeners, players first, and schedule the rest, because thousands may watch."""
        if is_first and len(self._pending) > _BATCH:
            batch = [listener for listener in self._pending if listener.viewer is not None]
        else:
            batch = list(islice(self._pending, _BATCH))
        self._pending.difference_update(batch)
        loop = asyncio.get_running_loop()
        self._next_batch = loop.call_soon(self._notify_batch, False) if self._pending else None
        for listener in batch:
            try:
                listener.notify()
            except Exception:
                _LOGGER.exception("a client could not be notified", extra={"game": self._game})
        if self._next_batch is None:
            self.encoded.clear()


def _seat_order(listener: Listener) -> tuple[bool, int]:
    return listener.viewer is None, listener.viewer or 0
