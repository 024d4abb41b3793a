"""Connectivity of a seat's routes (F-2, F-5, J-4, J-5)."""

from __future__ import annotations

import numpy as np

from goldenspike.engine.bits import NO_BITS, bit, drop_lowest, lowest
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.state import State
from goldenspike.engine.tables import Tables


@compiled
def joined_cities(state: State, tables: Tables, seat: int, city: int) -> np.uint64:
    """Return the cities that a seat's routes join to a city, that city included."""
    cities = bit(city)
    rest_0, rest_1 = state.owned[seat, 0], state.owned[seat, 1]
    before = NO_BITS
    while before != cities:
        before = cities
        cities, rest_0 = _grow(tables, cities, rest_0, 0)
        cities, rest_1 = _grow(tables, cities, rest_1, 64)
    return cities


@inlined
def _grow(tables: Tables, cities: np.uint64, routes: np.uint64, offset: int) -> tuple[np.uint64, np.uint64]:
    """Make one pass over the routes: add the ends of those that touch the cities, and drop these routes."""
    left = routes
    while routes != NO_BITS:
        member = routes & ~drop_lowest(routes)
        ends = tables.route_ends[lowest(routes) + offset]
        routes = drop_lowest(routes)
        if (ends & cities) != NO_BITS:
            cities |= ends
            left &= ~member
    return cities, left


@inlined
def is_joined(state: State, tables: Tables, seat: int, ticket: int) -> bool:
    """Tell whether a seat's routes join a ticket's two cities (F-2)."""
    ends = tables.ticket_ends[ticket]
    if (ends & ~state.touched[seat]) != NO_BITS:
        return False
    return (ends & ~joined_cities(state, tables, seat, lowest(ends))) == NO_BITS


@inlined
def is_coast_to_coast(state: State, tables: Tables, seat: int) -> bool:
    """Tell whether a seat's routes join a western city to an eastern one (J-5)."""
    west = tables.west & state.touched[seat]
    if (tables.east & state.touched[seat]) == NO_BITS:
        return False
    while west != NO_BITS:
        if (joined_cities(state, tables, seat, lowest(west)) & tables.east) != NO_BITS:
            return True
        west = drop_lowest(west)
    return False
