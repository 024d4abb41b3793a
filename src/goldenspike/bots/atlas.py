"""What bots know of a board before a game: which routes meet in a city, how far apart cities are."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from goldenspike.boards.limits import CITIES
from goldenspike.editions import Edition
from goldenspike.engine.record import Ints, Record, Words, record_dtype

FAR = 999
"""A distance that means there is no way."""


class Atlas(Record):
    """A board seen as a graph."""

    routes_at: Annotated[Words, "u8", (CITIES, 2)]
    """The routes that end in a city."""
    distance: Annotated[Ints, "i2", (CITIES, CITIES)]
    """Pieces that join two cities on the empty board; FAR where nothing does."""


ATLAS = record_dtype(Atlas)


@lru_cache(maxsize=64)
def build_atlas(edition: Edition) -> NDArray[np.record]:
    """Return the atlas of an edition's board, as a read-only array of one record.

    >>> from goldenspike.editions import load_edition
    >>> edition = load_edition("usa-classic")
    >>> city = edition.board.city
    >>> int(build_atlas(edition)[0].distance[city("LAX"), city("NYC")])
    20
    """
    array = np.zeros(1, ATLAS)
    atlas: Any = array[0]
    atlas.distance[:] = FAR
    np.fill_diagonal(atlas.distance, 0)
    for route in edition.board.routes:
        member = np.uint64(1 << (route.index & 63))
        for city, other in ((route.a, route.b), (route.b, route.a)):
            atlas.routes_at[city, route.index >> 6] |= member
            atlas.distance[city, other] = min(atlas.distance[city, other], route.length)
    for middle in range(len(edition.board.cities)):  # Floyd and Warshall
        through = atlas.distance[:, middle, None] + atlas.distance[None, middle, :]
        np.minimum(atlas.distance, through, out=atlas.distance)
    array.flags.writeable = False
    return array
