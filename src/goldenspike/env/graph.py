"""Graph features: each ticket's distance from being joined, its routes, and what the hand can pay for.

A ticket's distance is the number of pieces still to lay on the cheapest path between its cities, over routes
that the seat owns (which cost nothing) and routes open to it. Of several cheapest paths the plan is the one
whose routes, from the ticket's higher-numbered city back, have the lowest numbers.

The plans are recomputed only when the seat's own routes or tickets change, or a route of a plan is closed to
it. Closing any other route changes nothing: other distances can only grow, so each plan stays a cheapest
path, and no other path becomes one.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from goldenspike.boards.limits import CITIES, COLOURS, LENGTH, OFFER, ROUTES
from goldenspike.engine.bits import NO_BITS, add, bit, drop_lowest, lowest, wide
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.state import CHOOSING, EMPTY, KEEPING, LOCOMOTIVE, State
from goldenspike.engine.struct import Ints, Struct, Structs, Wide, Words, struct_dtype
from goldenspike.engine.tables import GREY, Tables
from goldenspike.env.features import Row
from goldenspike.env.flags import write_word
from goldenspike.env.layout import ABSENT, HIGHEST, Parts

FAR = HIGHEST
"""Greater than any distance searched."""


class Network(Struct):
    """The routes that one seat can still use, as sets of cities."""

    near: Annotated[Words, "u8", (CITIES, LENGTH)]
    """By city and length minus 1: the cities that an open route of this length leads to."""
    joined: Annotated[Words, "u8", (CITIES,)]
    """The cities joined to each city by own routes, itself included."""
    routes_at: Annotated[Words, "u8", (CITIES, 2)]
    """The open routes at each city."""
    layers: Annotated[Words, "u8", (FAR + LENGTH + 1,)]
    """The cities at each distance from the start of a search."""
    cards: Annotated[Ints, "i2", (COLOURS,)]
    """By colour: how many cards the hand can pay with, locomotives included."""
    unused: Annotated[Row, "u1", (ROUTES,)]
    """Counts of plans that are not shown: those of tickets that are only offered."""


class Kept(Struct):
    """The inputs of a seat's cached features."""

    held: Annotated[Words, "u8", (2,)]
    owned: Annotated[Words, "u8", (2,)]
    open: Annotated[Words, "u8", (2,)]
    plan: Annotated[Words, "u8", (2,)]
    """Routes on the cheapest path of any ticket, held or offered."""
    offer: Wide
    """The offer as one number. NOTHING: the cache is empty."""


NETWORK = struct_dtype(Network)
KEPT = struct_dtype(Kept)

NOTHING = -1


@compiled
def write_graph(
    view: State,
    tables: Tables,
    parts: Parts,
    seat: int,
    out: Row,
    kept: Kept,
    features: Row,
    network: Network,
) -> None:
    """Write the graph features of a seat; those of the network come from the cache if it is valid."""
    offer = _offer_number(view, seat)
    if not _still_holds(view, seat, kept, offer):
        kept.offer = offer
        for word in range(2):
            kept.held[word] = view.held[seat, word]
            kept.owned[word] = view.owned[seat, word]
            kept.open[word] = view.open_to[seat, word]
            kept.plan[word] = NO_BITS
        features[:] = 0
        _lay_network(view, tables, seat, network)
        _measure_tickets(view, tables, parts, seat, features, network, kept)
        _measure_offer(view, tables, parts, seat, features, network, kept)
    for i in range(parts.graph_size):
        out[parts.graph + i] = features[i]
    _write_payable(view, tables, parts, seat, out, network)


@inlined
def _still_holds(view: State, seat: int, kept: Kept, offer: int) -> bool:
    if kept.offer != offer:
        return False
    changed = NO_BITS
    for word in range(2):
        changed |= kept.held[word] ^ view.held[seat, word]
        changed |= kept.owned[word] ^ view.owned[seat, word]
        changed |= kept.plan[word] & kept.open[word] & ~view.open_to[seat, word]
    return changed == NO_BITS


@inlined
def _offer_number(view: State, seat: int) -> int:
    number = 0
    if view.phase in (CHOOSING, KEEPING):
        for slot in range(OFFER):
            number = 128 * number + int(wide(view.offer[seat, slot])) + 1
    return number


@inlined
def _lay_network(view: State, tables: Tables, seat: int, network: Network) -> None:
    for city in range(tables.cities):
        network.joined[city] = bit(city)
        for word in range(2):
            network.routes_at[city, word] = NO_BITS
        for length in range(LENGTH):
            network.near[city, length] = NO_BITS
    for word in range(tables.words):
        rest = view.open_to[seat, word]
        while rest != NO_BITS:
            route = lowest(rest) + 64 * word
            a, b = tables.route_a[route], tables.route_b[route]
            network.near[a, tables.route_length[route] - 1] |= bit(b)
            network.near[b, tables.route_length[route] - 1] |= bit(a)
            network.routes_at[a, word] |= bit(route)
            network.routes_at[b, word] |= bit(route)
            rest = drop_lowest(rest)
        rest = view.owned[seat, word]
        while rest != NO_BITS:
            route = lowest(rest) + 64 * word
            _join(network, int(tables.route_a[route]), int(tables.route_b[route]))
            rest = drop_lowest(rest)


@inlined
def _join(network: Network, a: int, b: int) -> None:
    """Join two cities and all cities joined to them."""
    cities = network.joined[a] | network.joined[b]
    rest = cities
    while rest != NO_BITS:
        network.joined[lowest(rest)] = cities
        rest = drop_lowest(rest)


@inlined
def _measure_tickets(
    view: State, tables: Tables, parts: Parts, seat: int, features: Row, network: Network, kept: Kept
) -> None:
    """Measure every held ticket, and count on each route the tickets whose plans use it."""
    plan = features[parts.plan - parts.graph : parts.graph_size]
    for word in range(2):
        rest = view.held[seat, word]
        while rest != NO_BITS:
            ticket = lowest(rest) + 64 * word
            rest = drop_lowest(rest)
            distance = _distance(tables, network, tables.ticket_ends[ticket])
            features[ticket] = min(distance, tables.pieces)
            features[parts.ticket_joined - parts.graph + ticket] = 1 if distance == 0 else 0
            features[parts.ticket_lost - parts.graph + ticket] = 1 if distance > view.pieces[seat] else 0
            _add_plan(tables, network, tables.ticket_ends[ticket], distance, plan, kept)


@inlined
def _measure_offer(
    view: State, tables: Tables, parts: Parts, seat: int, features: Row, network: Network, kept: Kept
) -> None:
    if parts.offer_remaining == ABSENT or view.phase not in (CHOOSING, KEEPING):
        return
    for route in range(tables.routes):
        network.unused[route] = 0
    for slot in range(view.offer_size[seat]):
        ticket = int(view.offer[seat, slot])
        if ticket != EMPTY:
            distance = _distance(tables, network, tables.ticket_ends[ticket])
            features[parts.offer_remaining - parts.graph + slot] = min(distance, tables.pieces)
            features[parts.offer_lost - parts.graph + slot] = 1 if distance > view.pieces[seat] else 0
            _add_plan(tables, network, tables.ticket_ends[ticket], distance, network.unused, kept)


@compiled
def _distance(tables: Tables, network: Network, ends: np.uint64) -> int:
    """Return how many pieces join two cities, or FAR; leave the layers of the search.

    The search advances one piece at a time. Each city is expanded once, when it is found: the cities its
    routes lead to are added to the layers above, for all lengths at once.
    """
    goal = drop_lowest(ends)
    for distance in range(LENGTH):
        network.layers[distance] = NO_BITS
    network.layers[0] = network.joined[lowest(ends)]
    seen, last = NO_BITS, 0
    for distance in range(FAR):
        network.layers[distance + LENGTH] = NO_BITS
        rest = network.layers[distance] & ~seen
        found = rest
        while rest != NO_BITS:
            found |= network.joined[lowest(rest)]
            rest = drop_lowest(rest)
        network.layers[distance] = found
        if (found & goal) != NO_BITS:
            return distance
        if found != NO_BITS:
            last = distance
            seen |= found
            rest = found
            while rest != NO_BITS:
                city = lowest(rest)
                rest = drop_lowest(rest)
                for length in range(LENGTH):
                    network.layers[distance + 1 + length] |= network.near[city, length]
        elif distance - last > tables.longest:
            break
    return FAR


@inlined
def _way_back(tables: Tables, network: Network, here: np.uint64, distance: int) -> int:
    """Return the lowest-numbered route from these cities to one that is nearer the start by its length."""
    for word in range(tables.words):
        routes, cities = NO_BITS, here
        while cities != NO_BITS:
            routes |= network.routes_at[lowest(cities), word]
            cities = drop_lowest(cities)
        while routes != NO_BITS:
            route = lowest(routes) + 64 * word
            routes = drop_lowest(routes)
            before = distance - tables.route_length[route]
            if before >= 0 and (tables.route_ends[route] & ~here & network.layers[before]) != NO_BITS:
                return route
    return EMPTY


@compiled
def _add_plan(
    tables: Tables, network: Network, ends: np.uint64, distance: int, counts: Row, kept: Kept
) -> None:
    """Count one more ticket on each route of the cheapest path between two cities, if there is one."""
    here = network.joined[lowest(drop_lowest(ends))]
    while 0 < distance < FAR:
        route = _way_back(tables, network, here, distance)
        add(kept.plan, route)
        counts[route] += 1  # there are fewer than 255 tickets
        distance -= tables.route_length[route]
        here = network.joined[lowest(tables.route_ends[route] & ~here)]


@inlined
def _write_payable(view: State, tables: Tables, parts: Parts, seat: int, out: Row, network: Network) -> None:
    """Write for each open route how many cards the hand lacks, and whether it can be claimed now."""
    locomotives, most = int(view.hands[seat, LOCOMOTIVE]), 0
    for colour in range(tables.colours):
        network.cards[colour] = view.hands[seat, colour] + locomotives
        most = max(most, network.cards[colour])
    out[parts.missing : parts.missing + tables.routes] = 0
    for word in range(tables.words):
        paid = NO_BITS
        for colour in range(tables.colours):
            paid |= tables.fits[colour, min(LENGTH, network.cards[colour]), word]
        rest = view.open_to[seat, word] & ~paid
        while rest != NO_BITS:
            route = lowest(rest) + 64 * word
            rest = drop_lowest(rest)
            colour = int(tables.route_colour[route])
            cards = most if colour == GREY else int(network.cards[colour])
            out[parts.missing + route] = tables.route_length[route] - cards
        in_reach = tables.up_to[min(LENGTH, view.pieces[seat]), word]
        write_word(
            view.open_to[seat, word] & paid & in_reach,
            tables.routes - 64 * word,
            out,
            parts.payable + 64 * word,
        )


def new_kept(games: int, players: int) -> Structs:
    """Return empty caches, for each game and seat."""
    kept = np.zeros((games, players), KEPT)
    kept["offer"] = NOTHING
    return kept
