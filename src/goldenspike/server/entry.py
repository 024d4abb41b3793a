"""An entry of a game's log: one thing that happened, numbered without gaps from 0.

The log is the game. An entry that changes the position holds it as it was afterwards, with the events that
led there, so that nothing has to be played again to go on, to take back, or to tell somebody what was
missed; a later fix of the rules changes no game that has begun. The positions of a finished game are
dropped: its seed and moves give them back.
"""

from __future__ import annotations

import struct
import time
from typing import Literal

import msgspec
import numpy as np

from goldenspike.engine.events import WIDTH
from goldenspike.event import Rows

Kind = Literal[
    "started",
    "moved",
    "undone",
    "undo asked",
    "undo answered",
    "joined",
    "left",
    "returned",
    "bot seated",
    "said",
    "rematch",
]
"""What can happen in a game. Only the first three change the position."""


_ROW = struct.Struct(f"<{WIDTH}h")


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened in a game."""

    game: str
    number: int
    kind: Kind
    at: int
    """When, in milliseconds since 1970."""
    seat: int | None = None
    token: str | None = None
    """What the client called this; one that comes twice is entered once."""
    move: int | None = None
    """The number of a move, of how many actions were taken back, or 1 and 0 for yes and no."""
    text: str | None = None
    """A move in words, what was said, a name, a bot's level, or the id of the game that follows."""
    events: bytes | None = None
    state: bytes | None = None
    state_hash: str | None = None
    reveals: bool = False
    """Whether it showed somebody what was hidden, so that nothing up to here can be taken back."""


def now() -> int:
    """Return the time, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def pack_rows(rows: Rows) -> bytes:
    """Return rows of events as bytes, the same on every platform."""
    return rows.astype("<i2").tobytes()


def unpack_rows(data: bytes | None) -> Rows:
    """Return the rows that were packed.

    >>> unpack_rows(pack_rows(np.array([[1, 0, 5, 0, 0, 0]], np.int16))).tolist()
    [[1, 0, 5, 0, 0, 0]]
    """
    return np.frombuffer(data or b"", "<i2").astype(np.int16).reshape(-1, WIDTH)


def list_rows(data: bytes | None) -> list[tuple[int, ...]]:
    """Return the rows that were packed, as plain numbers.

    >>> list_rows(pack_rows(np.array([[1, 0, 5, 0, 0, 0]], np.int16)))
    [(1, 0, 5, 0, 0, 0)]
    """
    return list(_ROW.iter_unpack(data or b""))
