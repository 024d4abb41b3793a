"""The referee's checks of routes, and its own computation of connectivity and longest paths.

It uses none of the rules' code for networks, trails or scores, because it checks them independently. It is
written to be simple, not fast.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldenspike.boards.limits import CITIES
from goldenspike.engine.bits import NO_BITS, add, bit, has
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.events import NOBODY
from goldenspike.engine.referee.faults import (
    BOTH_LANES_OWNED,
    FINE,
    OPEN_WRONG,
    PIECES_LOST,
    POINTS_WRONG,
    ROUTE_OWNED_TWICE,
    TOUCHED_WRONG,
)
from goldenspike.engine.state import State
from goldenspike.engine.struct import Ints
from goldenspike.engine.tables import NO_TWIN, Tables

Owners = NDArray[np.int8]
"""The seat that owns each route, or NOBODY."""


@compiled
def find_owners(state: State, tables: Tables) -> Owners:
    """Return the owner of every route; if two seats own it, the higher seat."""
    owners = np.full(tables.routes, NOBODY, np.int8)
    for seat in range(state.seats):
        for route in range(tables.routes):
            if has(state.owned[seat], route):
                owners[route] = seat
    return owners


@compiled
def sum_of_routes(state: State, tables: Tables, seat: int, worth: Ints) -> int:
    """Add up a value per route over the routes of a seat."""
    total = 0
    for route in range(tables.routes):
        if has(state.owned[seat], route):
            total += int(worth[route])
    return total


@compiled
def check_pieces(state: State, tables: Tables) -> int:
    """Check that a seat's pieces left and its pieces on routes add up (C-1)."""
    for seat in range(state.seats):
        if state.pieces[seat] + sum_of_routes(state, tables, seat, tables.route_length) != tables.pieces:
            return PIECES_LOST
    return FINE


@compiled
def check_points(state: State, tables: Tables) -> int:
    """Check that a seat's points are those of its routes (C-1)."""
    for seat in range(state.seats):
        if state.points[seat] != sum_of_routes(state, tables, seat, tables.route_points):
            return POINTS_WRONG
    return FINE


@compiled
def check_owners(state: State) -> int:
    """Check that no route has two owners."""
    for seat in range(state.seats):
        for other in range(seat):
            for word in range(2):
                if (state.owned[seat, word] & state.owned[other, word]) != NO_BITS:
                    return ROUTE_OWNED_TWICE
    return FINE


@inlined
def is_twin_closed(state: State, tables: Tables, owners: Owners, seat: int, route: int) -> bool:
    """Tell whether the other lane's owner closes a route to a seat (C-6, R-6)."""
    twin = int(tables.route_twin[route])
    if twin == NO_TWIN or owners[twin] == NOBODY:
        return False
    return owners[twin] == seat or state.seats <= tables.doubles_close_up_to


@compiled
def check_doubles(state: State, tables: Tables) -> int:
    """Check that no seat owns a lane that was closed to it (C-6)."""
    owners = find_owners(state, tables)
    for route in range(tables.routes):
        if owners[route] != NOBODY and is_twin_closed(state, tables, owners, int(owners[route]), route):
            return BOTH_LANES_OWNED
    return FINE


@compiled
def check_open(state: State, tables: Tables) -> int:
    """Check that a route is open exactly if it has no owner and is not closed by its twin (C-4, C-6)."""
    owners = find_owners(state, tables)
    for seat in range(state.seats):
        expected = np.zeros(2, np.uint64)
        for route in range(tables.routes):
            if owners[route] == NOBODY and not is_twin_closed(state, tables, owners, seat, route):
                add(expected, route)
        for word in range(2):
            if state.open_to[seat, word] != expected[word]:
                return OPEN_WRONG
    return FINE


@compiled
def check_touched(state: State, tables: Tables) -> int:
    """Check that a seat touches the ends of its routes, and no other city."""
    for seat in range(state.seats):
        ends = NO_BITS
        for route in range(tables.routes):
            if has(state.owned[seat], route):
                ends |= bit(int(tables.route_a[route])) | bit(int(tables.route_b[route]))
        if state.touched[seat] != ends:
            return TOUCHED_WRONG
    return FINE


@compiled
def label_cities(state: State, tables: Tables, seat: int) -> Ints:
    """Give two cities the same label exactly if a seat's routes join them."""
    labels = np.arange(CITIES).astype(np.int16)
    for route in range(tables.routes):
        if has(state.owned[seat], route):
            old, new = labels[tables.route_a[route]], labels[tables.route_b[route]]
            for city in range(tables.cities):
                if labels[city] == old:
                    labels[city] = new
    return labels


@compiled
def longest_walk(state: State, tables: Tables, seat: int) -> int:
    """Return the length of a seat's longest continuous path by exhaustive search (F-3).

    A walk is abandoned only if all unused routes of the seat together could not make it the longest.
    """
    own = np.empty(tables.routes, np.int16)
    count = 0
    for route in range(tables.routes):
        if has(state.owned[seat], route):
            own[count] = route
            count += 1
    best = 0
    for start in range(tables.cities):
        best = _longest_walk_from(tables, own[:count], start, best)
    return best


@compiled
def _longest_walk_from(tables: Tables, own: Ints, start: int, best: int) -> int:
    used = np.zeros(len(own), np.bool_)
    path = np.zeros(len(own) + 1, np.int16)
    tried = np.zeros(len(own) + 2, np.int16)
    city, depth, length, left = start, 0, 0, 0
    for i in range(len(own)):
        left += int(tables.route_length[own[i]])
    while depth >= 0:
        i = int(tried[depth])
        if i == len(own) or length + left <= best:
            depth -= 1
            if depth >= 0:
                i = int(path[depth])
                used[i] = False
                city = int(tables.route_a[own[i]]) + int(tables.route_b[own[i]]) - city
                length -= int(tables.route_length[own[i]])
                left += int(tables.route_length[own[i]])
            continue
        tried[depth] = i + 1
        if used[i] or (tables.route_a[own[i]] != city and tables.route_b[own[i]] != city):
            continue
        used[i] = True
        path[depth] = i
        city = int(tables.route_a[own[i]]) + int(tables.route_b[own[i]]) - city
        length += int(tables.route_length[own[i]])
        left -= int(tables.route_length[own[i]])
        best = max(best, length)
        depth += 1
        tried[depth] = 0
    return best
