"""Cheapest paths over the routes that a seat owns and those still open to it."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from goldenspike.boards.limits import CITIES, ROUTES
from goldenspike.bots.graph import FAR, Graph
from goldenspike.engine.bits import NO_BITS, bit, drop_lowest, has, lowest
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.state import State
from goldenspike.engine.struct import Ints, Struct, Words, struct_dtype
from goldenspike.engine.tables import Tables

NO_ROUTE = -1
_RING = 128
"""Distances in the queue at the same time, a power of 2: small, because every seat of thousands of games on a
GPU has its own."""
MOST_COST = _RING - 1
"""The greatest cost of a route that can be used."""


class Paths(Struct):
    """Working memory for cheapest paths: fill in `cost`, then call :func:`spread_from`."""

    cost: Annotated[Ints, "i2", (ROUTES,)]
    """Cost of using a route: 0 if the seat owns it, at most MOST_COST, or FAR if it cannot have it."""
    distance: Annotated[Ints, "i2", (CITIES,)]
    """Cost of the cheapest path from the source to a city; FAR if there is none."""
    via: Annotated[Ints, "i2", (CITIES,)]
    """The last route of that path; NO_ROUTE at the source."""
    waiting: Annotated[Words, "u8", (_RING,)]
    """Queue of cities, as a bit set per distance, modulo its size; empty between calls."""


PATHS = struct_dtype(Paths)


@compiled
def lay_costs(view: State, tables: Tables, paths: Paths, seat: int) -> None:
    """Set the cost of each route to its pieces: 0 if the seat owns it, FAR if it cannot have it."""
    for route in range(tables.routes):
        if has(view.owned[seat], route):
            paths.cost[route] = 0
        elif has(view.open_to[seat], route) and tables.route_length[route] <= view.pieces[seat]:
            paths.cost[route] = tables.route_length[route]
        else:
            paths.cost[route] = FAR


@compiled
def spread_from(tables: Tables, graph: Graph, paths: Paths, sources: np.uint64, until: np.uint64) -> None:
    """Find the cheapest path to each city from the nearest of some source cities (Dial's algorithm).

    The search stops once a city in `until` is reached; if `until` is empty, it covers the whole graph. Ties
    are broken by city number and route number, so the same costs give the same paths.
    """
    for city in range(tables.cities):
        paths.distance[city] = FAR
        paths.via[city] = NO_ROUTE
    rest = sources
    while rest != NO_BITS:
        paths.distance[lowest(rest)] = 0
        rest = drop_lowest(rest)
    paths.waiting[0] = sources
    distance, farthest, settled = 0, 0, NO_BITS
    while distance <= farthest:
        cities = paths.waiting[distance & MOST_COST] & ~settled
        paths.waiting[distance & MOST_COST] = NO_BITS
        if cities == NO_BITS:
            distance += 1
            continue
        paths.waiting[distance & MOST_COST] = drop_lowest(cities)
        city = lowest(cities)
        settled |= bit(city)
        if (settled & until) != NO_BITS:
            break
        for word in range(tables.words):
            routes = graph.routes_at[city, word]
            while routes != NO_BITS:
                route = lowest(routes) + 64 * word
                routes = drop_lowest(routes)
                other = tables.route_a[route] + tables.route_b[route] - city
                beyond = distance + int(paths.cost[route])
                if beyond < paths.distance[other]:
                    paths.distance[other] = beyond
                    paths.via[other] = route
                    paths.waiting[beyond & MOST_COST] |= bit(other)
                    farthest = max(farthest, beyond)
    for waiting in range(distance, farthest + 1):
        paths.waiting[waiting & MOST_COST] = NO_BITS


@inlined
def step_back(tables: Tables, paths: Paths, city: int) -> int:
    """Return the city before this one on the cheapest path to it."""
    route = int(paths.via[city])
    return tables.route_a[route] + tables.route_b[route] - city


@inlined
def ticket_cities(tables: Tables, ticket: int) -> tuple[int, int]:
    """Return the two cities of a ticket."""
    ends = tables.ticket_ends[ticket]
    return lowest(ends), lowest(drop_lowest(ends))
