"""The longest trail of a hard network (F-3): a sweep across it that remembers only what matters ahead.

A trail is a set of edges that hang together and leave at most two cities with an odd number of them (Euler).
The sweep decides edge by edge whether the trail has it. Behind it lie the edges decided; at its border the
cities with edges on both sides. What lies behind matters ahead only through a *state*: which cities of the
border are joined, at which of them the number of edges taken is odd, and how many ends of the trail have been
passed. Of all choices with the same state only the longest is kept, and it is dropped when even with the best
luck ahead it cannot beat the longest trail known. So the work grows with the width of the border, not with
the number of trails; :mod:`goldenspike.engine.trail` says when it is worth its start.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldenspike.boards.limits import CITIES, PIECES
from goldenspike.boards.limits import LENGTH as LONGEST
from goldenspike.engine.bits import NO_BITS, ONE_BIT, bit, drop_lowest, lowest, popcount, wide
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.record import Ints, Words

EDGES = PIECES
"""The most routes one seat can own: as many as it has pieces."""

A, B, LENGTH = range(3)
Network = NDArray[np.int16]
"""Rows: each edge's two cities and its length."""

SLOTS = 15
"""The widest border. A slot holds one city of it, and another when that is passed."""
TOO_WIDE = -1

_LABELS, _MARKS = range(2)
States = NDArray[np.uint64]
"""Two rows. Labels: four bits for each slot, 0 for a city that no edge taken touches, otherwise one more than
the lowest slot it is joined to. Marks: the slots with an odd number of edges taken; above them the odd
cities with an edge skipped (an end of the longest trail has none); above these the number of ends passed."""

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
def sweep(network: Network, routes_at: Words, edges: np.uint64, cities: np.uint64, best: int) -> int:
    """Return the longest trail in a component, `best` if none is longer, or TOO_WIDE.

    The nearer `best` is to the truth, the fewer states there are. So first look only for trails that lose as
    little as any could, then for those that lose more and more: a miss costs less than the hit after it.
    """
    order = np.empty(EDGES, np.int16)
    if _order_edges(network, routes_at, edges, cities, order) > SLOTS:
        return TOO_WIDE
    prices = np.zeros(CITIES, np.int16)
    loss, top = _price_cities(network, routes_at, cities, prices)
    length = 0
    for step in range(popcount(edges)):
        length += int(network[LENGTH, order[step]])
    most = _bound(length, loss, 2 * top)
    gap, found, floor = 1, most, most
    while found == floor and floor > best:
        floor = max(best, most - gap)
        found = _sweep_above(network, routes_at, order, edges, prices, (length, loss, top), floor)
        gap += 1 + gap // 4
    return max(found, best)


@inlined
def _bound(length: int, loss: int, spared: int) -> int:
    """Return the most that a trail can have of this length.

    At every odd city but the ends an edge is lost. Its length pays the prices of both its cities, doubled, so
    all that is lost comes to at least half the prices of these cities (the spared ones are the ends).
    """
    return length - (max(0, loss - spared) + 1) // 2


@compiled
def _price_cities(network: Network, routes_at: Words, cities: np.uint64, prices: Ints) -> tuple[int, int]:
    """Price cities as high as may be; return the sum and the greatest of the prices of odd ones.

    The prices at the two ends of an edge must not come to more than twice its length.
    """
    most, best_few = -1, 0
    for few in range(1, 10, 2):
        total = _price_odd(network, routes_at, cities, few, prices)
        if total > most:
            most, best_few = total, few
    _price_odd(network, routes_at, cities, best_few, prices)
    loss, top = 0, 0
    for odd in range(1, -1, -1):
        rest = cities
        while rest != NO_BITS:
            city = lowest(rest)
            rest = drop_lowest(rest)
            if popcount(routes_at[city]) & 1 == odd:
                price = _what_is_left(network, routes_at[city], city, prices)
                prices[city] = price
                loss += odd * price
                top = max(top, odd * price)
    return loss, top


@compiled
def _price_odd(network: Network, routes_at: Words, cities: np.uint64, few: int, prices: Ints) -> int:
    """Let odd cities with few edges share with each other, and have all elsewhere; return the sum."""
    total = 0
    while cities != NO_BITS:
        city = lowest(cities)
        cities = drop_lowest(cities)
        degree = popcount(routes_at[city])
        price = 2 * LONGEST if degree & 1 and degree <= few else 0
        rest = routes_at[city]
        while rest != NO_BITS and price > 0:
            edge = lowest(rest)
            rest = drop_lowest(rest)
            other = int(network[A, edge] + network[B, edge] - city)
            degree = popcount(routes_at[other])
            share = 1 if degree & 1 and degree <= few else 2
            price = min(price, share * int(network[LENGTH, edge]))
        prices[city] = price
        total += price
    return total


@inlined
def _what_is_left(network: Network, edges: np.uint64, city: int, prices: Ints) -> int:
    """Return the most that the prices of its neighbours leave to a city."""
    price = 2 * LONGEST
    while edges != NO_BITS:
        edge = lowest(edges)
        edges = drop_lowest(edges)
        other = network[A, edge] + network[B, edge] - city
        price = min(price, 2 * int(network[LENGTH, edge]) - int(prices[other]))
    return price


@compiled
def _sweep_above(
    network: Network,
    routes_at: Words,
    order: Ints,
    edges: np.uint64,
    prices: Ints,
    sums: tuple[int, int, int],
    best: int,
) -> int:
    """Return the longest trail, or `best` if none is longer."""
    slot_of = np.zeros(CITIES, np.int16)
    price_at = np.zeros(SLOTS, np.int16)
    states, values = np.zeros((2, 1), np.uint64), np.zeros(1, np.int16)
    count = len(values)
    length, loss, top = sums
    seen, empty, odd_ahead, may_end = NO_BITS, _IN_BORDER, NO_BITS, NO_BITS
    for step in range(popcount(edges)):
        edge = order[step]
        edges &= ~bit(edge)
        ends, passed = NO_BITS, NO_BITS
        for end in range(2):
            city = int(network[end, edge])
            if (seen & bit(city)) == NO_BITS:
                seen |= bit(city)
                slot = lowest(empty)
                empty = drop_lowest(empty)
                slot_of[city], price_at[slot] = slot, prices[city]
                may_end &= ~bit(slot)
                if popcount(routes_at[city]) & 1:
                    may_end |= bit(slot)
                    odd_ahead |= bit(slot)
                    loss -= int(price_at[slot])
            here = bit(slot_of[city])
            ends |= here
            odd_ahead ^= here
            if (routes_at[city] & edges) == NO_BITS:
                passed |= here
        empty |= passed
        taken = int(network[LENGTH, edge])
        length -= taken
        states, values, count, best = _decide(
            states,
            values,
            count,
            (ends, passed, may_end, odd_ahead),
            taken,
            price_at,
            (length, loss, top),
            best,
        )
    return best


@compiled
def _decide(
    states: States,
    values: Ints,
    count: int,
    slots: tuple[np.uint64, np.uint64, np.uint64, np.uint64],
    taken: int,
    price_at: Ints,
    ahead: tuple[int, int, int],
    best: int,
) -> tuple[States, Ints, int, int]:
    """Leave or take one edge in every state; return the states after it and the longest trail known.

    `slots` are those of the edge's ends, those that are passed with it, those whose city is odd, and those
    with an odd number of edges ahead. `ahead` are the length, the prices of odd cities and the highest price.
    """
    ends, passed, may_end, odd_ahead = slots
    length, loss, top = ahead
    after, after_values, after_count = np.empty((2, 2 * count), np.uint64), np.empty(2 * count, np.int16), 0
    size = 4
    while size < 4 * count:
        size *= 2
    places = np.zeros(size, np.int32)
    for i in range(2 * count):
        labels, marks, value = states[_LABELS, i >> 1], states[_MARKS, i >> 1], int(values[i >> 1])
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
        lost = loss + _sum_of(price_at, (marks & _IN_BORDER) ^ odd_ahead)
        if value + _bound(length, lost, (2 - wide(marks >> _ENDS)) * top) <= best:
            continue
        place = _find(after, places, labels, marks)
        if places[place] == 0:
            after[_LABELS, after_count], after[_MARKS, after_count] = labels, marks
            after_values[after_count] = value
            after_count += 1
            places[place] = after_count
        elif value > after_values[places[place] - 1]:
            after_values[places[place] - 1] = value
    return after, after_values, after_count, best


@inlined
def _pass(
    labels: np.uint64, marks: np.uint64, passed: np.uint64, may_end: np.uint64
) -> tuple[np.uint64, np.uint64, bool]:
    """Empty the slots of cities that are passed; return the state and whether it can go on.

    It cannot with an end at an even city or a third end (then DEAD), nor when edges taken are cut off
    from the border; they are a whole trail if no others are at the border.
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
def _sum_of(price_at: Ints, slots: np.uint64) -> int:
    total = 0
    while slots != NO_BITS:
        total += int(price_at[lowest(slots)])
        slots = drop_lowest(slots)
    return total


@inlined
def _find(states: States, places: NDArray[np.int32], labels: np.uint64, marks: np.uint64) -> int:
    """Return the place of a state in a hash table of numbers from 1, or the empty place where it belongs.

    No product here passes 64 bits.
    """
    mixed = (labels & _LOW_HALF) * _MIX_0 ^ (labels >> _HALF) * _MIX_1 ^ marks * _MIX_2
    place = wide((mixed ^ mixed >> _HALF) & np.uint64(len(places) - 1))
    while places[place] != 0:
        other = places[place] - 1
        if states[_LABELS, other] == labels and states[_MARKS, other] == marks:
            break
        place = (place + 1) & (len(places) - 1)
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
    """Join two slots and all that is joined to them."""
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
def _order_edges(network: Network, routes_at: Words, edges: np.uint64, cities: np.uint64, order: Ints) -> int:
    """Order the edges by the best of several orders of cities, and return how wide the border gets.

    Of one city's edges those inside the border come first.
    """
    neighbours = np.zeros(CITIES, np.uint64)
    rest = edges
    while rest != NO_BITS:
        edge = lowest(rest)
        rest = drop_lowest(rest)
        neighbours[network[A, edge]] |= bit(network[B, edge])
        neighbours[network[B, edge]] |= bit(network[A, edge])
    path = np.empty(CITIES, np.int16)
    least, start, rest = 1 << 62, 0, cities
    while rest != NO_BITS:
        cost = _order_cities(neighbours, cities, lowest(rest), path)
        if cost < least:
            least, start = cost, lowest(rest)
        rest = drop_lowest(rest)
    _order_cities(neighbours, cities, start, path)
    seen, done, widest, step = NO_BITS, NO_BITS, 0, 0
    for i in range(popcount(cities)):
        city = int(path[i])
        seen |= bit(city)
        for is_new in range(2):
            rest = routes_at[city] & edges
            while rest != NO_BITS:
                edge = lowest(rest)
                rest = drop_lowest(rest)
                other = network[A, edge] + network[B, edge] - city
                if is_new or (seen & bit(other)) != NO_BITS:
                    seen |= bit(other)
                    edges &= ~bit(edge)
                    order[step] = edge
                    step += 1
        widest = max(widest, popcount(seen & ~done))
        done |= bit(city)
    return widest


@compiled
def _order_cities(neighbours: Words, cities: np.uint64, start: int, order: Ints) -> int:
    """Order cities from a start so that the border stays narrow; return what the sweep will about cost."""
    border, cost = NO_BITS, 0
    city = start
    for i in range(popcount(cities)):
        order[i] = city
        cities &= ~bit(city)
        border = (border | neighbours[city]) & cities
        cost += 1 << 2 * min(popcount(border), 27)  # all of them together stay below 2^62
        least = CITIES * CITIES
        rest = cities
        while rest != NO_BITS:
            other = lowest(rest)
            rest = drop_lowest(rest)
            width = popcount((border | neighbours[other]) & cities & ~bit(other))
            rank = CITIES * width + popcount(neighbours[other] & cities)
            if rank < least:
                least, city = rank, other
    return cost
