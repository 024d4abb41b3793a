"""The longest trail of a hard network (F-3), by dynamic programming over its edges.

A trail is a connected set of edges in which at most two cities have an odd number of edges (Euler). The sweep
decides edge by edge whether the trail uses it. The border is the set of cities that have both decided and
undecided edges. The decided edges affect the rest only through a *state*: which cities of the border are
joined, at which of them the number of edges taken is odd, and how many ends of the trail have been passed. Of
all choices with the same state only the longest is kept. It is dropped if its upper bound does not exceed the
longest trail known. So the cost grows with the width of the border, not with the number of trails.
:mod:`goldenspike.engine.trail` decides when to use it.

The sweep allocates nothing: its working memory is a struct with space for a fixed number of states.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from goldenspike.boards.limits import CITIES, PIECES
from goldenspike.boards.limits import LENGTH as LONGEST
from goldenspike.engine.bits import NO_BITS, ONE_BIT, bit, drop_lowest, lowest, popcount, wide
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.struct import Ints, Struct, Words, struct_dtype

EDGES = PIECES
"""The most routes one seat can own: as many as it has pieces."""

A, B = range(2)
"""The two ends of an edge."""

SLOTS = 15
"""The widest border. A slot holds one city of the border and is reused once that city is passed."""
TOO_WIDE = -1

_MANY, _FEW = 16_384, 64
"""Capacities. The hardest networks known have 12,483 states at once; the networks of 400,000 games of random
play had at most 5."""


class OwnedNetwork(Struct):
    """A seat's routes as edges numbered from 0, with working memory to find the longest trail over them."""

    routes_at: Annotated[Words, "u8", (CITIES,)]
    """The edges at each city."""
    choices: Annotated[Words, "u8", (EDGES + 1,)]
    """The edges still to be tried at each step of the current trail."""
    ends: Annotated[Ints, "i2", (2, EDGES)]
    """Each edge's two cities."""
    length: Annotated[Ints, "i2", (EDGES,)]
    shortest: Annotated[Ints, "i2", (CITIES,)]
    """The length of each city's shortest edge; 0 if it has none."""
    distance: Annotated[Ints, "i2", (CITIES,)]
    """Each city's distance in a tree; in a search, the odd cities."""
    city: Annotated[Ints, "i2", (EDGES + 1,)]
    edge: Annotated[Ints, "i2", (EDGES + 1,)]
    """The cities and edges of the current trail."""


class Sweep(Struct):
    """The working memory of a sweep.

    Of a state, `labels` has four bits per slot: 0 for a city that no taken edge touches, otherwise one more
    than the lowest slot it is joined to. `marks` has the slots with an odd number of taken edges; in the bits
    above, the odd cities with a skipped edge (an end of the longest trail has none); above these, the number
    of ends passed. There are two sets of states: before and after an edge is decided.
    """

    labels: Annotated[Words, "u8", (2, _MANY)]
    marks: Annotated[Words, "u8", (2, _MANY)]
    values: Annotated[Ints, "i2", (2, _MANY)]
    """The length of the edges taken."""
    places: Annotated[Ints, "i2", (4 * _MANY,)]
    """A hash table of the states after the edge: their numbers from 1."""
    neighbours: Annotated[Words, "u8", (CITIES,)]
    order: Annotated[Ints, "i2", (EDGES,)]
    path: Annotated[Ints, "i2", (CITIES,)]
    prices: Annotated[Ints, "i2", (CITIES,)]
    slot_of: Annotated[Ints, "i2", (CITIES,)]
    price_at: Annotated[Ints, "i2", (SLOTS,)]


class SmallSweep(Sweep):
    """The same with fewer states, where every thread of thousands has its own memory."""

    labels: Annotated[Words, "u8", (2, _FEW)]
    marks: Annotated[Words, "u8", (2, _FEW)]
    values: Annotated[Ints, "i2", (2, _FEW)]
    places: Annotated[Ints, "i2", (4 * _FEW,)]


OWNED_NETWORK = struct_dtype(OwnedNetwork)
SWEEP = struct_dtype(Sweep)
SMALL_SWEEP = struct_dtype(SmallSweep)

_SKIPPED, _ENDS = np.uint64(SLOTS), np.uint64(2 * SLOTS)
_ONE_END = ONE_BIT << _ENDS
_THREE_ENDS = np.uint64(3) << _ENDS
_DEAD = ~NO_BITS
_IN_BORDER = (ONE_BIT << _SKIPPED) - ONE_BIT
_EACH_LABEL = np.uint64(0x1111_1111_1111_1111)
_WHOLE_LABEL = np.uint64(15)
_LOW_HALF, _HALF = np.uint64(0xFFFF_FFFF), np.uint64(32)
_MIX_0, _MIX_1, _MIX_2 = np.uint64(0x9E37_79B1), np.uint64(0x85EB_CA77), np.uint64(0xC2B2_AE3D)


@compiled
def sweep(network: OwnedNetwork, memory: Sweep, edges: np.uint64, cities: np.uint64, best: int) -> int:
    """Return the longest trail in a component, `best` if none is longer, or TOO_WIDE.

    The closer `best` is to the result, the fewer states there are. So look first for trails that lose as
    little as possible, then allow more and more loss. A failed pass costs less than the successful one.
    """
    if _order_edges(network, memory, edges, cities) > SLOTS:
        return TOO_WIDE
    loss, top = _price_cities(network, memory, cities)
    length = 0
    for step in range(popcount(edges)):
        length += int(network.length[memory.order[step]])
    most = _bound(length, loss, 2 * top)
    gap, found, floor = 1, most, most
    while found == floor and floor > best:
        floor = max(best, most - gap)
        found = _sweep_above(network, memory, edges, (length, loss, top), floor)
        gap += 1 + gap // 4
    return TOO_WIDE if found == TOO_WIDE else max(found, best)


@inlined
def _bound(length: int, loss: int, spared: int) -> int:
    """Return an upper bound on the part of this length that a trail can use.

    At every odd city except the ends an edge is lost. Twice its length is at least the sum of the prices of
    its two cities, so the total loss is at least half the prices of these cities (`spared` is the ends').
    """
    return length - (max(0, loss - spared) + 1) // 2


@compiled
def _price_cities(network: OwnedNetwork, memory: Sweep, cities: np.uint64) -> tuple[int, int]:
    """Set the prices of cities as high as possible; return the sum and the maximum of those of odd cities.

    The prices at the two ends of an edge must not add up to more than twice its length.
    """
    most, best_few = -1, 0
    for few in range(1, 10, 2):
        total = _price_odd(network, memory, cities, few)
        if total > most:
            most, best_few = total, few
    _price_odd(network, memory, cities, best_few)
    loss, top = 0, 0
    for odd in range(1, -1, -1):
        rest = cities
        while rest != NO_BITS:
            city = lowest(rest)
            rest = drop_lowest(rest)
            if popcount(network.routes_at[city]) & 1 == odd:
                price = _what_is_left(network, memory, city)
                memory.prices[city] = price
                loss += odd * price
                top = max(top, odd * price)
    return loss, top


@compiled
def _price_odd(network: OwnedNetwork, memory: Sweep, cities: np.uint64, few: int) -> int:
    """Price odd cities with few edges, which split an edge's price with each other only; return the sum."""
    total = 0
    while cities != NO_BITS:
        city = lowest(cities)
        cities = drop_lowest(cities)
        degree = popcount(network.routes_at[city])
        price = 2 * LONGEST if degree & 1 and degree <= few else 0
        rest = network.routes_at[city]
        while rest != NO_BITS and price > 0:
            edge = lowest(rest)
            rest = drop_lowest(rest)
            other = int(network.ends[A, edge] + network.ends[B, edge] - city)
            degree = popcount(network.routes_at[other])
            share = 1 if degree & 1 and degree <= few else 2
            price = min(price, share * int(network.length[edge]))
        memory.prices[city] = price
        total += price
    return total


@inlined
def _what_is_left(network: OwnedNetwork, memory: Sweep, city: int) -> int:
    """Return the highest price of a city that the prices of its neighbours allow."""
    price = 2 * LONGEST
    edges = network.routes_at[city]
    while edges != NO_BITS:
        edge = lowest(edges)
        edges = drop_lowest(edges)
        other = network.ends[A, edge] + network.ends[B, edge] - city
        price = min(price, 2 * int(network.length[edge]) - int(memory.prices[other]))
    return price


@compiled
def _sweep_above(
    network: OwnedNetwork, memory: Sweep, edges: np.uint64, sums: tuple[int, int, int], best: int
) -> int:
    """Return the longest trail, `best` if none is longer, or TOO_WIDE."""
    before, count = 0, 1
    memory.labels[before, 0], memory.marks[before, 0], memory.values[before, 0] = NO_BITS, NO_BITS, 0
    length, loss, top = sums
    seen, empty, odd_ahead, may_end = NO_BITS, _IN_BORDER, NO_BITS, NO_BITS
    for step in range(popcount(edges)):
        edge = memory.order[step]
        edges &= ~bit(edge)
        ends, passed = NO_BITS, NO_BITS
        for end in range(2):
            city = int(network.ends[end, edge])
            if (seen & bit(city)) == NO_BITS:
                seen |= bit(city)
                slot = lowest(empty)
                empty = drop_lowest(empty)
                memory.slot_of[city], memory.price_at[slot] = slot, memory.prices[city]
                may_end &= ~bit(slot)
                if popcount(network.routes_at[city]) & 1:
                    may_end |= bit(slot)
                    odd_ahead |= bit(slot)
                    loss -= int(memory.price_at[slot])
            here = bit(memory.slot_of[city])
            ends |= here
            odd_ahead ^= here
            if (network.routes_at[city] & edges) == NO_BITS:
                passed |= here
        empty |= passed
        taken = int(network.length[edge])
        length -= taken
        slots = (ends, passed, may_end, odd_ahead)
        count, best = _decide(memory, before, count, slots, taken, (length, loss, top), best)
        if count == TOO_WIDE:
            return TOO_WIDE
        before = 1 - before
    return best


@compiled
def _decide(
    memory: Sweep,
    before: int,
    count: int,
    slots: tuple[np.uint64, np.uint64, np.uint64, np.uint64],
    taken: int,
    ahead: tuple[int, int, int],
    best: int,
) -> tuple[int, int]:
    """Skip or take one edge in every state; return the number of states after it and the longest trail known.

    `slots`: the slots of the edge's ends, of cities passed with it, of odd cities, and of cities with an odd
    number of edges ahead. `ahead`: the length ahead, the prices of odd cities, and the highest price. The
    number is TOO_WIDE if there are more states than the memory has space for.
    """
    ends, passed, may_end, odd_ahead = slots
    length, loss, top = ahead
    after, after_count = 1 - before, 0
    size = 4
    while size < 4 * count:
        size *= 2
    for place in range(size):
        memory.places[place] = 0
    for i in range(2 * count):
        labels, marks = memory.labels[before, i >> 1], memory.marks[before, i >> 1]
        value = int(memory.values[before, i >> 1])
        if i & 1:
            labels = _join(labels, ends)
            marks ^= ends
            value += taken
        else:
            marks |= (ends & may_end) << _SKIPPED
        labels, marks, is_open = _pass(labels, marks, passed, may_end)
        if not is_open:
            if marks != _DEAD and labels == NO_BITS:
                best = max(best, value)
            continue
        lost = loss + _sum_of(memory, (marks & _IN_BORDER) ^ odd_ahead)
        if value + _bound(length, lost, (2 - wide(marks >> _ENDS)) * top) <= best:
            continue
        place = _find(memory, after, size, labels, marks)
        if memory.places[place] == 0:
            if after_count == memory.values.shape[1]:
                return TOO_WIDE, best
            memory.labels[after, after_count], memory.marks[after, after_count] = labels, marks
            memory.values[after, after_count] = value
            after_count += 1
            memory.places[place] = after_count
        elif value > memory.values[after, memory.places[place] - 1]:
            memory.values[after, memory.places[place] - 1] = value
    return after_count, best


@inlined
def _pass(
    labels: np.uint64, marks: np.uint64, passed: np.uint64, may_end: np.uint64
) -> tuple[np.uint64, np.uint64, bool]:
    """Empty the slots of cities that are passed; return the state and whether it can be extended.

    A state with an end at an even city or a third end cannot (its marks become DEAD). Nor can a state whose
    taken edges are cut off from the border; they are a complete trail if no others are at the border.
    """
    while passed != NO_BITS:
        slot = lowest(passed)
        passed = drop_lowest(passed)
        if (marks & bit(slot)) != NO_BITS:
            marks = (marks ^ bit(slot)) + _ONE_END
            if (
                (may_end & bit(slot)) == NO_BITS
                or (marks & bit(slot) << _SKIPPED) != NO_BITS
                or marks >= _THREE_ENDS
            ):
                return labels, _DEAD, False
        marks &= ~(bit(slot) << _SKIPPED)
        here = ONE_BIT << np.uint64(4 * slot)
        label = labels >> np.uint64(4 * slot) & _WHOLE_LABEL
        if label != NO_BITS:
            others = _with_label(labels, label) & ~here
            labels &= ~(here * _WHOLE_LABEL)
            if others == NO_BITS:
                return labels, marks, False
            labels = _relabel(labels, others)
    return labels, marks, True


@inlined
def _sum_of(memory: Sweep, slots: np.uint64) -> int:
    total = 0
    while slots != NO_BITS:
        total += int(memory.price_at[lowest(slots)])
        slots = drop_lowest(slots)
    return total


@inlined
def _find(memory: Sweep, after: int, size: int, labels: np.uint64, marks: np.uint64) -> int:
    """Return the place of a state in the hash table, or the empty place where it belongs.

    No product here exceeds 64 bits.
    """
    mixed = (labels & _LOW_HALF) * _MIX_0 ^ (labels >> _HALF) * _MIX_1 ^ marks * _MIX_2
    place = wide((mixed ^ mixed >> _HALF) & np.uint64(size - 1))
    while memory.places[place] != 0:
        other = memory.places[place] - 1
        if memory.labels[after, other] == labels and memory.marks[after, other] == marks:
            break
        place = (place + 1) & (size - 1)
    return place


@inlined
def _with_label(labels: np.uint64, label: np.uint64) -> np.uint64:
    """Return the slots that have a label, each as the lowest of its four bits."""
    differ = labels ^ (label * _EACH_LABEL)
    differ |= differ >> np.uint64(2)
    differ |= differ >> ONE_BIT
    return ~differ & _EACH_LABEL


@inlined
def _relabel(labels: np.uint64, members: np.uint64) -> np.uint64:
    """Give slots the label of the lowest of them."""
    label = np.uint64((lowest(members) >> 2) + 1)
    return labels & ~(members * _WHOLE_LABEL) | members * label


@inlined
def _join(labels: np.uint64, ends: np.uint64) -> np.uint64:
    """Join two slots and all slots joined to either."""
    members = NO_BITS
    while ends != NO_BITS:
        shift = np.uint64(4 * lowest(ends))
        ends = drop_lowest(ends)
        label = labels >> shift & _WHOLE_LABEL
        members |= ONE_BIT << shift
        if label != NO_BITS:
            members |= _with_label(labels, label)
    return _relabel(labels, members)


@inlined
def _order_edges(network: OwnedNetwork, memory: Sweep, edges: np.uint64, cities: np.uint64) -> int:
    """Order the edges by the best of several orders of cities, and return the greatest width of the border.

    Of one city's edges, those to cities already seen come first.
    """
    for city in range(CITIES):
        memory.neighbours[city] = NO_BITS
    rest = edges
    while rest != NO_BITS:
        edge = lowest(rest)
        rest = drop_lowest(rest)
        a, b = network.ends[A, edge], network.ends[B, edge]
        memory.neighbours[a] |= bit(b)
        memory.neighbours[b] |= bit(a)
    least, start, rest = 1 << 62, 0, cities
    while rest != NO_BITS:
        cost = _order_cities(memory, cities, lowest(rest))
        if cost < least:
            least, start = cost, lowest(rest)
        rest = drop_lowest(rest)
    _order_cities(memory, cities, start)
    seen, done, widest, step = NO_BITS, NO_BITS, 0, 0
    for i in range(popcount(cities)):
        city = int(memory.path[i])
        seen |= bit(city)
        for is_new in range(2):
            rest = network.routes_at[city] & edges
            while rest != NO_BITS:
                edge = lowest(rest)
                rest = drop_lowest(rest)
                other = network.ends[A, edge] + network.ends[B, edge] - city
                if is_new or (seen & bit(other)) != NO_BITS:
                    seen |= bit(other)
                    edges &= ~bit(edge)
                    memory.order[step] = edge
                    step += 1
        widest = max(widest, popcount(seen & ~done))
        done |= bit(city)
    return widest


@compiled
def _order_cities(memory: Sweep, cities: np.uint64, start: int) -> int:
    """Order cities from a start so that the border stays narrow; return the estimated cost of the sweep."""
    border, cost = NO_BITS, 0
    city = start
    for i in range(popcount(cities)):
        memory.path[i] = city
        cities &= ~bit(city)
        border = (border | memory.neighbours[city]) & cities
        cost += 1 << 2 * min(popcount(border), 27)  # the sum stays below 2^62
        least = CITIES * CITIES
        rest = cities
        while rest != NO_BITS:
            other = lowest(rest)
            rest = drop_lowest(rest)
            width = popcount((border | memory.neighbours[other]) & cities & ~bit(other))
            rank = CITIES * width + popcount(memory.neighbours[other] & cities)
            if rank < least:
                least, city = rank, other
    return cost
