"""Estimates of what the other seats are building, from their claims.

An unseen ticket is likely a rival's if the rival's network touches both of its cities without joining them.
The routes on the rival's cheapest path between the two are the ones it wants next.
"""

from __future__ import annotations

import numpy as np

from goldenspike.bots.graph import Graph
from goldenspike.bots.hand import is_seen
from goldenspike.bots.paths import Paths, lay_costs, spread_from, step_back, ticket_cities
from goldenspike.engine.bits import NO_BITS, bit, popcount
from goldenspike.engine.compile import compiled
from goldenspike.engine.network import is_joined
from goldenspike.engine.state import State
from goldenspike.engine.tables import Tables

_NEAR = 8
"""Most pieces that a rival is assumed to spend on joining a ticket."""


@compiled
def wanted_routes(
    view: State, tables: Tables, graph: Graph, paths: Paths, seat: int
) -> tuple[np.uint64, np.uint64]:
    """Return the routes that other seats probably want next."""
    wanted_0, wanted_1 = NO_BITS, NO_BITS
    for rival in range(view.seats):
        if rival == seat or view.touched[rival] == NO_BITS:
            continue
        lay_costs(view, tables, paths, rival)
        for ticket in range(tables.tickets):
            ends = tables.ticket_ends[ticket]
            if popcount(ends & view.touched[rival]) < 2 or is_seen(view, seat, ticket):
                continue
            if is_joined(view, tables, rival, ticket):
                continue
            a, b = ticket_cities(tables, ticket)
            spread_from(tables, graph, paths, bit(a), bit(b))
            if paths.distance[b] > min(_NEAR, int(view.pieces[rival])):
                continue
            city = b
            while city != a:
                route = int(paths.via[city])
                city = step_back(tables, paths, city)
                if paths.cost[route] > 0:
                    wanted_0 |= bit(route) if route < 64 else NO_BITS
                    wanted_1 |= bit(route) if route >= 64 else NO_BITS
    return wanted_0, wanted_1
