"""A pen for each edition: it writes views and events as they stand in a message."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import msgspec
import numpy as np

from goldenspike.boards.limits import SEATS
from goldenspike.editions import Edition
from goldenspike.engine.state import new_states
from goldenspike.event import Row, read_row
from goldenspike.position import Position
from goldenspike.server.pen.words import words_of
from goldenspike.server.pen.write import write_views

_EVENTS_KEPT = 8192
"""Most events are like one before: a card drawn, a turn that began."""

_encode = msgspec.json.Encoder().encode


class Views(NamedTuple):
    """What is seen of a game, written out."""

    table: bytes
    """What all see, left open after the closed routes."""
    own: list[bytes]
    """What only a seat sees, for each."""


class Pen:
    """Writes in the words of one edition. Get it with :func:`pen_of`, which keeps it."""

    def __init__(self, edition: Edition) -> None:
        self._words = words_of(edition)

        def write_event(row: Row, sees_private: bool) -> msgspec.Raw:
            return msgspec.Raw(_encode(read_row(edition, row, sees_private=sees_private)))

        self.write_event: Callable[[Row, bool], msgspec.Raw] = lru_cache(_EVENTS_KEPT)(write_event)
        """Write an event, with its private details or without."""

    def write_views(self, position: Position, undoers: int) -> Views:
        """Write what is seen of a game; `undoers` are the seats that can take something back, a bit each."""
        words, page, ends = self._words, np.empty(self._words.room, np.uint8), np.empty(1 + SEATS, np.int32)
        blank = new_states(1 + SEATS)
        write_views(position.states, position.tables, blank, words.text, words.begins, undoers, page, ends)
        parts = ends.tolist()[: 1 + position.players]
        text = page[: parts[-1]].tobytes()
        return Views(text[: parts[0]], [text[a:b] for a, b in pairwise(parts)])


@lru_cache(maxsize=64)
def pen_of(edition: Edition) -> Pen:
    """Return the pen of an edition.

    >>> from goldenspike.editions import load_edition
    >>> usa = load_edition("usa-classic")
    >>> position, _ = Position.deal(usa, 2, bytes(32), None)
    >>> pen_of(usa).write_views(position, 0).table[:37]
    b'{"phase":"choosing","to_move":[0,1],"'
    """
    return Pen(edition)
