"""The names of an edition's cards, routes and tickets as JSON strings, in a form for compiled code."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from goldenspike.boards.limits import FACE_UP, OFFER, ROUTES, SEATS, TICKETS
from goldenspike.editions import Edition
from goldenspike.engine.state import KINDS
from goldenspike.game.notation import notation_of
from goldenspike.game.view import PHASES
from goldenspike.game.words import card_words

PHASE = 0
CARD = PHASE + len(PHASES)
ROUTE = CARD + KINDS
TICKET = ROUTE + ROUTES
_COUNT = TICKET + TICKETS
"""The index of the first name of each kind in :class:`EncodedNames`."""

_NUMBER = len('"":-32768,')
"""The most bytes that a number takes, with its punctuation."""
_FRAME = 400
"""The most bytes that the field names of a seat, or of the table, take."""


class EncodedNames(NamedTuple):
    """All names of an edition, quoted and concatenated, and their offsets; the last offset is the end."""

    text: NDArray[np.uint8]
    begins: NDArray[np.int32]
    max_bytes: int
    """The most bytes that all views of a game together can take."""


@lru_cache(maxsize=64)
def encoded_names_of(edition: Edition) -> EncodedNames:
    """Return the encoded names of an edition.

    >>> from goldenspike.editions import load_edition
    >>> words = encoded_names_of(load_edition("usa-classic"))
    >>> bytes(words.text[words.begins[CARD] : words.begins[CARD + 2]])
    b'"purple""blue"'
    """
    names = [""] * _COUNT
    names[:CARD] = PHASES
    names[CARD : CARD + KINDS] = card_words(edition)
    names[ROUTE : ROUTE + len(edition.board.routes)] = [route.name for route in edition.board.routes]
    names[TICKET : TICKET + len(edition.tickets)] = [ticket.name for ticket in edition.tickets]
    quoted = [msgspec.json.encode(name) for name in names]
    sizes = np.array([0, *map(len, quoted)], np.int32)
    return EncodedNames(
        np.frombuffer(b"".join(quoted), np.uint8), sizes.cumsum(dtype=np.int32), _max_bytes(edition, sizes)
    )


def _max_bytes(edition: Edition, sizes: NDArray[np.int32]) -> int:
    """Return the most bytes that all views take. Each route and ticket belongs to at most one seat."""
    longest, everything = int(sizes.max()) + 1, int(sizes.sum()) + _COUNT
    cards = KINDS * (longest + _NUMBER)
    moves = (notation_of(edition).count + SEATS * (1 << OFFER)) * _NUMBER
    seat = 2 * cards + OFFER * longest + 2 * _FRAME
    return _FRAME + FACE_UP * longest + cards + 4 * everything + SEATS * seat + moves
