"""Static graph of a board, for bots: the routes at each city and the distances between cities."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

import numpy as np

from goldenspike.boards.limits import CITIES
from goldenspike.editions import Edition
from goldenspike.engine.struct import Ints, Struct, Structs, Words, struct_dtype

FAR = 999
"""A distance that means there is no path."""


class Graph(Struct):
    """A board as a graph."""

    routes_at: Annotated[Words, "u8", (CITIES, 2)]
    """The routes that end in a city."""
    distance: Annotated[Ints, "i2", (CITIES, CITIES)]
    """Pieces needed to join two cities on the empty board."""


GRAPH = struct_dtype(Graph)


@lru_cache(maxsize=64)
def build_graph(edition: Edition) -> Structs:
    """Return the graph of an edition's board, as a read-only array of one struct.

    >>> from goldenspike.editions import load_edition
    >>> edition = load_edition("usa-classic")
    >>> city = edition.board.city
    >>> int(build_graph(edition)[0].distance[city("LAX"), city("NYC")])
    20
    """
    array = np.zeros(1, GRAPH)
    graph: Any = array[0]
    cities = len(edition.board.cities)
    graph.distance[:cities, :cities] = edition.board.distances()
    for route in edition.board.routes:
        member = np.uint64(1 << (route.index & 63))
        for city in (route.a, route.b):
            graph.routes_at[city, route.index >> 6] |= member
    array.flags.writeable = False
    return array
