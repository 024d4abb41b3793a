"""The longest continuous path (F-3): the longest trail in a seat's network, exactly.

A trail may pass a city many times but uses each route once. Four facts make it cheap:

- Where at most two cities of a component have an odd number of routes, one trail covers it all (Euler).
- In a component without loops the longest trail joins the two cities farthest apart: two sweeps find it.
- Otherwise the longest trail starts and ends at odd cities: at an even one it could always go on.
- Of the odd cities only the two ends keep all their routes on the trail, so half the shortest route of
  every other one is lost. What can still be reached, less this loss, bounds a depth-first search tightly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldenspike.boards.limits import CITIES
from goldenspike.engine.bits import NO_BITS, bit, drop_lowest, lowest, popcount, wide
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.record import Words
from goldenspike.engine.tables import Tables

EDGES = 64
"""The most routes one seat can own: as many as it has pieces."""

_A, _B, _LENGTH, _SHORTEST, _DISTANCE, _CITY, _EDGE = range(7)
_ROUTES_AT, _CHOICES = range(2)

Numbers = NDArray[np.int16]
"""Rows: each edge's two cities and its length; each city's shortest route and its distance in a tree; the
cities and edges of the trail under way."""


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
        component, total, cities, _ = _survey(numbers, sets, wide(numbers[_A, lowest(rest)]), rest)
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
def _lay_edges(tables: Tables, owned_0: np.uint64, owned_1: np.uint64, numbers: Numbers, sets: Words) -> int:
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
            numbers[_LENGTH, edge] = length
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
    numbers: Numbers, sets: Words, start: int, free: np.uint64
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
            total += numbers[_LENGTH, edge]
            other = bit(numbers[_A, edge] + numbers[_B, edge] - city)
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
def _span_of_tree(numbers: Numbers, sets: Words, start: int) -> int:
    """Return the greatest distance in a component without loops: from any city to the farthest and across."""
    far, _ = _farthest(numbers, sets, start)
    return _farthest(numbers, sets, far)[1]


@inlined
def _farthest(numbers: Numbers, sets: Words, start: int) -> tuple[int, int]:
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
            other = numbers[_A, edge] + numbers[_B, edge] - city
            if (seen & bit(other)) == NO_BITS:
                numbers[_DISTANCE, other] = numbers[_DISTANCE, city] + numbers[_LENGTH, edge]
                seen |= bit(other)
                to_visit |= bit(other)
    return far, int(numbers[_DISTANCE, far])


@inlined
def _search(numbers: Numbers, sets: Words, component: np.uint64, cities: np.uint64, best: int) -> int:
    """Try every odd city as a start but the last: a trail that ends there starts at another."""
    odd = 0
    while cities != NO_BITS:
        city = lowest(cities)
        cities = drop_lowest(cities)
        if popcount(sets[_ROUTES_AT, city]) & 1:
            numbers[_DISTANCE, odd] = city
            odd += 1
    for i in range(odd - 1):
        best = _search_from(numbers, sets, component, wide(numbers[_DISTANCE, i]), best)
    return best


@compiled
def _search_from(numbers: Numbers, sets: Words, free: np.uint64, start: int, best: int) -> int:
    """Return the longest trail from a city, or `best` if none is longer: depth first, without recursion."""
    depth, length = 0, 0
    numbers[_CITY, 0] = start
    sets[_CHOICES, 0] = _choices(numbers, sets, start, free, best)
    while depth >= 0:
        choices = sets[_CHOICES, depth]
        if choices == NO_BITS:
            depth -= 1
            if depth >= 0:
                edge = numbers[_EDGE, depth]
                free |= bit(edge)
                length -= numbers[_LENGTH, edge]
            continue
        edge = lowest(choices)
        sets[_CHOICES, depth] = drop_lowest(choices)
        city = numbers[_A, edge] + numbers[_B, edge] - numbers[_CITY, depth]
        numbers[_EDGE, depth] = edge
        free &= ~bit(edge)
        length += int(numbers[_LENGTH, edge])
        best = max(best, length)
        depth += 1
        numbers[_CITY, depth] = city
        sets[_CHOICES, depth] = _choices(numbers, sets, city, free, best - length)
    return best


@inlined
def _choices(numbers: Numbers, sets: Words, city: int, free: np.uint64, enough: int) -> np.uint64:
    """Return the free edges to go on by, or none if they cannot add more than `enough`."""
    choices = sets[_ROUTES_AT, city] & free
    if popcount(choices) > 1 and _survey(numbers, sets, wide(city), free)[3] <= enough:
        return NO_BITS
    return choices
