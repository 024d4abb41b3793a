"""Cheapest ways over what a seat owns and what is still open to it."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from goldenspike.boards.limits import CITIES, ROUTES
from goldenspike.bots.atlas import FAR, Atlas
from goldenspike.engine.bits import NO_BITS, bit, drop_lowest, has, lowest
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.record import Ints, Record, Words, record_dtype
from goldenspike.engine.state import State
from goldenspike.engine.tables import Tables

NO_ROUTE = -1


class Paths(Record):
    """A sheet to work out cheapest ways on: fill in `cost`, then ask :func:`spread_from`."""

    cost: Annotated[Ints, "i2", (ROUTES,)]
    """What it takes to use a route: 0 for one that is owned, FAR for one that cannot be had."""
    distance: Annotated[Ints, "i2", (CITIES,)]
    """What the cheapest way from the source to a city costs, FAR if there is none."""
    via: Annotated[Ints, "i2", (CITIES,)]
    """The last route of that way, NO_ROUTE at the source."""
    waiting: Annotated[Words, "u8", (FAR,)]
    """Cities by the distance at which they wait for their turn; empty between calls."""


PATHS = record_dtype(Paths)


@compiled
def lay_costs(view: State, tables: Tables, paths: Paths, seat: int) -> None:
    """Let each route cost the pieces it takes: nothing if the seat owns it, FAR if it cannot have it."""
    for route in range(tables.routes):
        if has(view.owned[seat], route):
            paths.cost[route] = 0
        elif has(view.open_to[seat], route) and tables.route_length[route] <= view.pieces[seat]:
            paths.cost[route] = tables.route_length[route]
        else:
            paths.cost[route] = FAR


@compiled
def spread_from(tables: Tables, atlas: Atlas, paths: Paths, sources: np.uint64, until: np.uint64) -> None:
    """Work out the cheapest ways from the nearest of some cities to others (Dial's algorithm).

    It stops once one of the cities in `until` is reached; if that is empty, it goes everywhere. Ties are
    broken by the number of the city and of the route, so the same costs give the same ways.
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
        cities = paths.waiting[distance] & ~settled
        paths.waiting[distance] = NO_BITS
        if cities == NO_BITS:
            distance += 1
            continue
        paths.waiting[distance] = drop_lowest(cities)
        city = lowest(cities)
        settled |= bit(city)
        if (settled & until) != NO_BITS:
            break
        for word in range(tables.words):
            routes = atlas.routes_at[city, word]
            while routes != NO_BITS:
                route = lowest(routes) + 64 * word
                routes = drop_lowest(routes)
                other = tables.route_a[route] + tables.route_b[route] - city
                beyond = distance + int(paths.cost[route])
                if beyond < paths.distance[other]:
                    paths.distance[other] = beyond
                    paths.via[other] = route
                    paths.waiting[beyond] |= bit(other)
                    farthest = max(farthest, beyond)
    for waiting in range(distance, farthest + 1):
        paths.waiting[waiting] = NO_BITS


@inlined
def step_back(tables: Tables, paths: Paths, city: int) -> int:
    """Return the city before this one on the cheapest way to it."""
    route = int(paths.via[city])
    return tables.route_a[route] + tables.route_b[route] - city


@inlined
def ticket_cities(tables: Tables, ticket: int) -> tuple[int, int]:
    """Return the two cities of a ticket."""
    ends = tables.ticket_ends[ticket]
    return lowest(ends), lowest(drop_lowest(ends))
