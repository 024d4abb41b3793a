"""The longest continuous path (F-3): the exact longest trail in a seat's network.

A trail may pass a city many times but uses each route once. Five facts make the computation fast:

- If at most two cities of a component have an odd number of routes, one trail covers all of it (Euler).
- In a component without loops the longest trail joins the two cities farthest apart. Two traversals find it.
- Otherwise the longest trail starts and ends at odd cities, because at an even city it could be extended.
- Every odd city except the two ends has an unused route, so half the length of its shortest route is lost.
  The reachable length minus this loss is a tight bound for a depth-first search.
- If that search still takes long, a dynamic programme (:mod:`goldenspike.engine.sweep`) is fast.
"""

from __future__ import annotations

import numpy as np

from goldenspike.boards.limits import CITIES
from goldenspike.engine.bits import NO_BITS, bit, drop_lowest, lowest, popcount, wide
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.sweep import EDGES, TOO_WIDE, A, B, OwnedNetwork, Sweep, sweep
from goldenspike.engine.tables import Tables

_PATIENCE = 1000
"""Steps after which the search is abandoned for a sweep, whose minimum cost is about the same."""
_ENDLESS = 1 << 62


@compiled
def longest_trail(
    tables: Tables, owned_0: np.uint64, owned_1: np.uint64, floor: int, network: OwnedNetwork, memory: Sweep
) -> int:
    """Return the length of the longest trail over these routes.

    If no trail is longer than `floor`, return `floor`. A higher floor makes the search faster. `network` and
    `memory` are working memory.
    """
    edges = _lay_edges(tables, owned_0, owned_1, network)
    rest = ~NO_BITS if edges == EDGES else bit(edges) - bit(0)
    best = floor
    while rest != NO_BITS:
        component, total, cities, _ = _survey(network, wide(network.ends[A, lowest(rest)]), rest)
        rest &= ~component
        if total <= best:
            continue
        if _count_odd(network, cities) <= 2:
            best = total
        elif popcount(component) == popcount(cities) - 1:
            best = max(best, _span_of_tree(network, lowest(cities)))
        else:
            best = _search(network, memory, component, cities, best)
    return best


@inlined
def _lay_edges(tables: Tables, owned_0: np.uint64, owned_1: np.uint64, network: OwnedNetwork) -> int:
    """Give the owned routes numbers from 0, store the edges at each city, and return the number of edges."""
    edge = 0
    for city in range(CITIES):
        network.routes_at[city], network.shortest[city] = NO_BITS, 0
    for word in range(2):
        rest = owned_0 if word == 0 else owned_1
        while rest != NO_BITS:
            route = lowest(rest) + 64 * word
            rest = drop_lowest(rest)
            length = tables.route_length[route]
            network.length[edge] = length
            for end in range(2):
                city = tables.route_a[route] if end == 0 else tables.route_b[route]
                network.ends[end, edge] = city
                network.routes_at[city] |= bit(edge)
                if network.shortest[city] == 0 or length < network.shortest[city]:
                    network.shortest[city] = length
            edge += 1
    return edge


@compiled
def _survey(network: OwnedNetwork, start: int, free: np.uint64) -> tuple[np.uint64, int, np.uint64, int]:
    """Explore the part of the network that free edges join to a city.

    Return the edges, their total length, the cities, and an upper bound on a trail that starts here: the
    total length minus the unavoidable loss at odd cities.
    """
    edges, cities = NO_BITS, NO_BITS
    to_visit = bit(start)
    total, loss, spared = 0, 0, 0
    while to_visit != NO_BITS:
        city = lowest(to_visit)
        to_visit = drop_lowest(to_visit)
        cities |= bit(city)
        here = network.routes_at[city] & free
        if city != start and popcount(here) & 1:
            loss += network.shortest[city]
            spared = max(spared, network.shortest[city])
        fresh = here & ~edges
        edges |= here
        while fresh != NO_BITS:
            edge = lowest(fresh)
            fresh = drop_lowest(fresh)
            total += network.length[edge]
            other = bit(network.ends[A, edge] + network.ends[B, edge] - city)
            to_visit |= other & ~cities
    return edges, total, cities, total - (loss - spared + 1) // 2


@inlined
def _count_odd(network: OwnedNetwork, cities: np.uint64) -> int:
    odd = 0
    while cities != NO_BITS:
        odd += popcount(network.routes_at[lowest(cities)]) & 1
        cities = drop_lowest(cities)
    return odd


@inlined
def _span_of_tree(network: OwnedNetwork, start: int) -> int:
    """Return the greatest distance in a component without loops, from the city farthest from the start."""
    far, _ = _farthest(network, start)
    return _farthest(network, far)[1]


@inlined
def _farthest(network: OwnedNetwork, start: int) -> tuple[int, int]:
    """Return the city farthest from another in a component without loops, and its distance."""
    far, seen, to_visit = start, bit(start), bit(start)
    network.distance[start] = 0
    while to_visit != NO_BITS:
        city = lowest(to_visit)
        to_visit = drop_lowest(to_visit)
        if network.distance[city] > network.distance[far]:
            far = city
        rest = network.routes_at[city]
        while rest != NO_BITS:
            edge = lowest(rest)
            rest = drop_lowest(rest)
            other = network.ends[A, edge] + network.ends[B, edge] - city
            if (seen & bit(other)) == NO_BITS:
                network.distance[other] = network.distance[city] + network.length[edge]
                seen |= bit(other)
                to_visit |= bit(other)
    return far, int(network.distance[far])


@inlined
def _search(network: OwnedNetwork, memory: Sweep, component: np.uint64, cities: np.uint64, best: int) -> int:
    """Search, then sweep; if the network is too wide for a sweep, search without a step limit."""
    for steps in (_PATIENCE, _ENDLESS):
        best, steps_left = _search_all(network, component, cities, best, steps)
        if steps_left > 0:
            break
        found = sweep(network, memory, component, cities, best)
        if found != TOO_WIDE:
            return found
    return best


@compiled
def _search_all(
    network: OwnedNetwork, component: np.uint64, cities: np.uint64, best: int, steps: int
) -> tuple[int, int]:
    """Try every odd city but the last as a start, because a trail that ends at the last starts at another.

    Return the length of the longest trail and the steps left; 0 if they ran out.
    """
    odd = 0
    while cities != NO_BITS:
        city = lowest(cities)
        cities = drop_lowest(cities)
        if popcount(network.routes_at[city]) & 1:
            network.distance[odd] = city
            odd += 1
    for i in range(odd - 1):
        best, steps = _search_from(network, component, int(network.distance[i]), best, steps)
    return best, steps


@compiled
def _search_from(
    network: OwnedNetwork, free: np.uint64, start: int, best: int, steps: int
) -> tuple[int, int]:
    """Return the longest trail from a city, or `best` if none is longer, by iterative depth-first search."""
    depth, length = 0, 0
    network.city[0] = start
    network.choices[0] = _choices(network, start, free, best)
    while depth >= 0 and steps > 0:
        choices = network.choices[depth]
        if choices == NO_BITS:
            depth -= 1
            if depth >= 0:
                edge = network.edge[depth]
                free |= bit(edge)
                length -= int(network.length[edge])
            continue
        steps -= 1
        edge = lowest(choices)
        network.choices[depth] = drop_lowest(choices)
        city = network.ends[A, edge] + network.ends[B, edge] - network.city[depth]
        network.edge[depth] = edge
        free &= ~bit(edge)
        length += int(network.length[edge])
        best = max(best, length)
        depth += 1
        network.city[depth] = city
        network.choices[depth] = _choices(network, city, free, best - length)
    return best, steps


@inlined
def _choices(network: OwnedNetwork, city: int, free: np.uint64, enough: int) -> np.uint64:
    """Return the free edges that may extend the trail, or none if they cannot add more than `enough`."""
    choices = network.routes_at[city] & free
    if popcount(choices) > 1 and _survey(network, wide(city), free)[3] <= enough:
        return NO_BITS
    return choices
