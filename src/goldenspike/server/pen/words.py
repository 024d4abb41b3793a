"""The names of an edition's things as they stand in a message, in the form that compiled code reads."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from goldenspike.boards.limits import FACE_UP, OFFER, ROUTES, SEATS, TICKETS
from goldenspike.editions import Edition
from goldenspike.engine.state import KINDS, LOCOMOTIVE
from goldenspike.notation import notation_of
from goldenspike.view import PHASES

PHASE = 0
CARD = PHASE + len(PHASES)
ROUTE = CARD + KINDS
TICKET = ROUTE + ROUTES
_COUNT = TICKET + TICKETS
"""Where each kind of thing begins in :class:`Words`."""

_NUMBER = len('"":-32768,')
"""The most room that a number takes, with what stands around it."""
_FRAME = 400
"""The most room that the names of all fields of a seat, or of the table, take."""


class Words(NamedTuple):
    """All words of an edition in a row, each in quotes, and where each begins; the last is where all end."""

    text: NDArray[np.uint8]
    begins: NDArray[np.int32]
    room: int
    """The most bytes that all views of a game can take."""


@lru_cache(maxsize=64)
def words_of(edition: Edition) -> Words:
    """Return the words of an edition.

    >>> from goldenspike.editions import load_edition
    >>> words = words_of(load_edition("usa-classic"))
    >>> bytes(words.text[words.begins[CARD] : words.begins[CARD + 2]])
    b'"purple""blue"'
    """
    names = [""] * _COUNT
    names[:CARD] = PHASES
    names[CARD : CARD + len(edition.board.colours)] = edition.board.colours
    names[CARD + LOCOMOTIVE] = "loco"
    names[ROUTE : ROUTE + len(edition.board.routes)] = [route.name for route in edition.board.routes]
    names[TICKET : TICKET + len(edition.tickets)] = [ticket.name for ticket in edition.tickets]
    quoted = [msgspec.json.encode(name) for name in names]
    sizes = np.array([0, *map(len, quoted)], np.int32)
    return Words(
        np.frombuffer(b"".join(quoted), np.uint8), sizes.cumsum(dtype=np.int32), _room(edition, sizes)
    )


def _room(edition: Edition, sizes: NDArray[np.int32]) -> int:
    """Return the most bytes that views take: no route, and no ticket, is more than one seat's."""
    longest, everything = int(sizes.max()) + 1, int(sizes.sum()) + _COUNT
    cards = KINDS * (longest + _NUMBER)
    moves = (notation_of(edition).count + SEATS * (1 << OFFER)) * _NUMBER
    seat = 2 * cards + OFFER * longest + 2 * _FRAME
    return _FRAME + FACE_UP * longest + cards + 4 * everything + SEATS * seat + moves
