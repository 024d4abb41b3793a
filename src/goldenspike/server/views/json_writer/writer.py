"""The JSON writer of an edition: encodes views and events for messages."""

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
from goldenspike.game.events import Row, read_row
from goldenspike.game.position import Position
from goldenspike.server.views.json_writer.encoded_names import encoded_names_of
from goldenspike.server.views.json_writer.write import write_views

_EVENTS_KEPT = 8192
"""Size of the cache of encoded events. Most events repeat, such as a drawn card or the start of a turn."""

_encode = msgspec.json.Encoder().encode


class Views(NamedTuple):
    """The views of a game as JSON."""

    table: bytes
    """The public view; its JSON object is left open after the closed routes."""
    own: list[bytes]
    """The private view of each seat."""


class JsonWriter:
    """Writes the JSON of one edition's games. Get it with :func:`json_writer_of`, which caches it."""

    def __init__(self, edition: Edition) -> None:
        self._words = encoded_names_of(edition)

        def write_event(row: Row, sees_private: bool) -> msgspec.Raw:
            return msgspec.Raw(_encode(read_row(edition, row, sees_private=sees_private)))

        self.write_event: Callable[[Row, bool], msgspec.Raw] = lru_cache(_EVENTS_KEPT)(write_event)
        """Encode an event, with or without its private details."""

    def write_views(self, position: Position, undoers: int) -> Views:
        """Encode the views of a game; `undoers` are the seats that can undo, as a bit set."""
        words, buffer, ends = (
            self._words,
            np.empty(self._words.max_bytes, np.uint8),
            np.empty(1 + SEATS, np.int32),
        )
        blank = new_states(1 + SEATS)
        write_views(position.states, position.tables, blank, words.text, words.begins, undoers, buffer, ends)
        parts = ends.tolist()[: 1 + position.players]
        text = buffer[: parts[-1]].tobytes()
        return Views(text[: parts[0]], [text[a:b] for a, b in pairwise(parts)])


@lru_cache(maxsize=64)
def json_writer_of(edition: Edition) -> JsonWriter:
    """Return the JSON writer of an edition.

    >>> from goldenspike.editions import load_edition
    >>> usa = load_edition("usa-classic")
    >>> position, _ = Position.deal(usa, 2, bytes(32), None)
    >>> json_writer_of(usa).write_views(position, 0).table[:37]
    b'{"phase":"choosing","to_move":[0,1],"'
    """
    return JsonWriter(edition)
