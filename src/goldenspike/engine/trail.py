"""The longest continuous path (F-3): the longest trail in a seat's network, exactly.

A trail may pass a city many times but uses each route once. Five facts make it cheap:

- Where at most two cities of a component have an odd number of routes, one trail covers it all (Euler).
- In a component without loops the longest trail joins the two cities farthest apart: two sweeps find it.
- Otherwise the longest trail starts and ends at odd cities: at an even one it could always go on.
- Of the odd cities only the two ends keep all their routes on the trail, so half the shortest route of
  every other one is lost. What can still be reached, less this loss, bounds a depth-first search tightly.
- Where that search is long all the same, a sweep (:mod:`goldenspike.engine.sweep`) is short.
"""

from __future__ import annotations

import numpy as np

from goldenspike.boards.limits import CITIES
from goldenspike.engine.bits import NO_BITS, bit, drop_lowest, lowest, popcount, wide
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.record import Words
from goldenspike.engine.sweep import EDGES, LENGTH, TOO_WIDE, A, B, Network, sweep
from goldenspike.engine.tables import Tables

_SHORTEST, _DISTANCE, _CITY, _EDGE = range(3, 7)
"""Rows after those of a network: each city's shortest edge and its distance in a tree; the cities and edges
of the trail under way."""
_ROUTES_AT, _CHOICES = range(2)

_PATIENCE = 1000
"""Steps after which a search gives way to a sweep, which costs about as much at least."""
_ENDLESS = 1 << 62


@compiled
def longest_trail(tables: Tables, owned_0: np.uint64, owned_1: np.uint64, floor: int) -> int:
    """Return the length of the longest trail over these routes.

    A caller to whom only more than `floor` matters says so, and gets `floor` if there is no longer one.
    """
    numbers = np.empty((7, EDGES + 1), np.int16)
    sets = np.zeros((2, EDGES + 1), np.uint64)
    edges = _lay_edges(tables, owned_0, owned_1, numbers, sets)
    rest = ~NO_BITS if edges == EDGES else bit(edges) - bit(0)
    best = floor
    while rest != NO_BITS:
        component, total, cities, _ = _survey(numbers, sets, wide(numbers[A, lowest(rest)]), rest)
        rest &= ~component
        if total <= best:
            continue
        if _count_odd(sets, cities) <= 2:
            best = total
        elif popcount(component) == popcount(cities) - 1:
            best = max(best, _span_of_tree(numbers, sets, lowest(cities)))
        else:
            best = _search(numbers, sets, component, cities, best)
    return best


@inlined
def _lay_edges(tables: Tables, owned_0: np.uint64, owned_1: np.uint64, numbers: Network, sets: Words) -> int:
    """Give the owned routes numbers from 0, note each city's, and return how many there are."""
    edge = 0
    for city in range(CITIES):
        numbers[_SHORTEST, city] = 0
    for word in range(2):
        rest = owned_0 if word == 0 else owned_1
        while rest != NO_BITS:
            route = lowest(rest) + 64 * word
            rest = drop_lowest(rest)
            length = tables.route_length[route]
            numbers[LENGTH, edge] = length
            for end in range(2):
                city = tables.route_a[route] if end == 0 else tables.route_b[route]
                numbers[end, edge] = city
                sets[_ROUTES_AT, city] |= bit(edge)
                if numbers[_SHORTEST, city] == 0 or length < numbers[_SHORTEST, city]:
                    numbers[_SHORTEST, city] = length
            edge += 1
    return edge


@compiled
def _survey(
    numbers: Network, sets: Words, start: int, free: np.uint64
) -> tuple[np.uint64, int, np.uint64, int]:
    """Explore what can be reached from a city over free edges.

    Return the edges, their length, the cities, and a bound on a trail that starts here: all that length
    less what must be lost at odd cities.
    """
    edges, cities = NO_BITS, NO_BITS
    to_visit = bit(start)
    total, loss, spared = 0, 0, 0
    while to_visit != NO_BITS:
        city = lowest(to_visit)
        to_visit = drop_lowest(to_visit)
        cities |= bit(city)
        here = sets[_ROUTES_AT, city] & free
        if city != start and popcount(here) & 1:
            loss += numbers[_SHORTEST, city]
            spared = max(spared, numbers[_SHORTEST, city])
        fresh = here & ~edges
        edges |= here
        while fresh != NO_BITS:
            edge = lowest(fresh)
            fresh = drop_lowest(fresh)
            total += numbers[LENGTH, edge]
            other = bit(numbers[A, edge] + numbers[B, edge] - city)
            to_visit |= other & ~cities
    return edges, total, cities, total - (loss - spared + 1) // 2


@inlined
def _count_odd(sets: Words, cities: np.uint64) -> int:
    odd = 0
    while cities != NO_BITS:
        odd += popcount(sets[_ROUTES_AT, lowest(cities)]) & 1
        cities = drop_lowest(cities)
    return odd


@inlined
def _span_of_tree(numbers: Network, sets: Words, start: int) -> int:
    """Return the greatest distance in a component without loops: to the farthest city, and across."""
    far, _ = _farthest(numbers, sets, start)
    return _farthest(numbers, sets, far)[1]


@inlined
def _farthest(numbers: Network, sets: Words, start: int) -> tuple[int, int]:
    """Return the city farthest from another in a component without loops, and its distance."""
    far, seen, to_visit = start, bit(start), bit(start)
    numbers[_DISTANCE, start] = 0
    while to_visit != NO_BITS:
        city = lowest(to_visit)
        to_visit = drop_lowest(to_visit)
        if numbers[_DISTANCE, city] > numbers[_DISTANCE, far]:
            far = city
        rest = sets[_ROUTES_AT, city]
        while rest != NO_BITS:
            edge = lowest(rest)
            rest = drop_lowest(rest)
            other = numbers[A, edge] + numbers[B, edge] - city
            if (seen & bit(other)) == NO_BITS:
                numbers[_DISTANCE, other] = numbers[_DISTANCE, city] + numbers[LENGTH, edge]
                seen |= bit(other)
                to_visit |= bit(other)
    return far, int(numbers[_DISTANCE, far])


@inlined
def _search(numbers: Network, sets: Words, component: np.uint64, cities: np.uint64, best: int) -> int:
    """Search, then sweep; where the network is too wide for that, search to the end."""
    for steps in (_PATIENCE, _ENDLESS):
        best, steps_left = _search_all(numbers, sets, component, cities, best, steps)
        if steps_left > 0:
            break
        found = sweep(numbers, sets[_ROUTES_AT], component, cities, best)
        if found != TOO_WIDE:
            return found
    return best


@compiled
def _search_all(
    numbers: Network, sets: Words, component: np.uint64, cities: np.uint64, best: int, steps: int
) -> tuple[int, int]:
    """Try every odd city as a start but the last: a trail that ends there starts at another.

    Return the longest trail and how many steps are left; none if they ran out.
    """
    odd = 0
    while cities != NO_BITS:
        city = lowest(cities)
        cities = drop_lowest(cities)
        if popcount(sets[_ROUTES_AT, city]) & 1:
            numbers[_DISTANCE, odd] = city
            odd += 1
    for i in range(odd - 1):
        best, steps = _search_from(numbers, sets, component, int(numbers[_DISTANCE, i]), best, steps)
    return best, steps


@compiled
def _search_from(
    numbers: Network, sets: Words, free: np.uint64, start: int, best: int, steps: int
) -> tuple[int, int]:
    """Return the longest trail from a city, or `best` if none is longer: depth first, without recursion."""
    depth, length = 0, 0
    numbers[_CITY, 0] = start
    sets[_CHOICES, 0] = _choices(numbers, sets, start, free, best)
    while depth >= 0 and steps > 0:
        choices = sets[_CHOICES, depth]
        if choices == NO_BITS:
            depth -= 1
            if depth >= 0:
                edge = numbers[_EDGE, depth]
                free |= bit(edge)
                length -= numbers[LENGTH, edge]
            continue
        steps -= 1
        edge = lowest(choices)
        sets[_CHOICES, depth] = drop_lowest(choices)
        city = numbers[A, edge] + numbers[B, edge] - numbers[_CITY, depth]
        numbers[_EDGE, depth] = edge
        free &= ~bit(edge)
        length += int(numbers[LENGTH, edge])
        best = max(best, length)
        depth += 1
        numbers[_CITY, depth] = city
        sets[_CHOICES, depth] = _choices(numbers, sets, city, free, best - length)
    return best, steps


@inlined
def _choices(numbers: Network, sets: Words, city: int, free: np.uint64, enough: int) -> np.uint64:
    """Return the free edges to go on by, or none if they cannot add more than `enough`."""
    choices = sets[_ROUTES_AT, city] & free
    if popcount(choices) > 1 and _survey(numbers, sets, wide(city), free)[3] <= enough:
        return NO_BITS
    return choices
