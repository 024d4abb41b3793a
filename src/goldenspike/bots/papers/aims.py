"""The routes that an agent of the playtesting papers wants, each with its worth.

F. de Mesentier Silva, S. Lee, J. Togelius and A. Nealen played maps of the family with four agents of
different styles. Later papers compare their bots with these agents:

- *AI-based Playtesting of Contemporary Board Games*, Foundations of Digital Games 2017;
- *Evolving Maps and Decks for Ticket to Ride*, Foundations of Digital Games 2018.

This is an independent implementation from those descriptions: `one_step.py` has `one-step` and `long-route`,
`hungry.py` and `path.py` have the other two. Every agent makes a plan from scratch at each decision, and
:mod:`goldenspike.bots.papers.cards` executes it. The agents differ in the plan and in the tickets they take
(:mod:`goldenspike.bots.papers.tickets`). Where the papers do not say what to do, a comment that begins with
"Ours" says what we chose.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from goldenspike.boards.limits import ROUTES
from goldenspike.bots.graph import FAR, Graph
from goldenspike.bots.hand import colour_held_most, rank
from goldenspike.bots.paths import NO_ROUTE, Paths, spread_from, step_back
from goldenspike.engine.bits import NO_BITS, drop_lowest, has, lowest, wide
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.state import LOCOMOTIVE, State
from goldenspike.engine.struct import Ints, Struct, struct_dtype
from goldenspike.engine.tables import GREY, NO_TWIN, Tables

NO_TICKET = -1


class Aims(Struct):
    """A plan: the worth of each route."""

    worth: Annotated[NDArray[np.int64], "i8", (ROUTES,)]
    """How much a route is wanted; 0 if it is not in the plan. Only the order matters."""
    cost: Annotated[Ints, "i2", (ROUTES,)]
    """Saved costs, to try several sets of tickets from the same start."""


AIMS = struct_dtype(Aims)


@inlined
def clear_aims(tables: Tables, aims: Aims) -> None:
    """Start an empty plan."""
    for route in range(tables.routes):
        aims.worth[route] = 0


@inlined
def want(view: State, tables: Tables, aims: Aims, seat: int, route: int, worth: int) -> None:
    """Add a route to the plan, or raise its worth if the route is already in it.

    Ours: both lanes of a double are added, because they join the same cities. Once one lane is claimed, the
    other is closed to the seat and is not in the next plan.
    """
    aims.worth[route] = max(aims.worth[route], worth)
    twin = wide(tables.route_twin[route])
    if (
        twin != NO_TWIN
        and has(view.open_to[seat], twin)
        and tables.route_length[twin] == tables.route_length[route]
    ):
        aims.worth[twin] = max(aims.worth[twin], worth)


@inlined
def drop_short(tables: Tables, paths: Paths, shortest: int) -> None:
    """Exclude routes below a length, except those the seat owns."""
    for route in range(tables.routes):
        if paths.cost[route] > 0 and tables.route_length[route] < shortest:
            paths.cost[route] = FAR


@compiled
def spread_over(tables: Tables, graph: Graph, paths: Paths, ticket: int) -> int:
    """Find the cheapest paths to the second city of a ticket; return the cost from the first."""
    ends = tables.ticket_ends[ticket]
    second = drop_lowest(ends)
    spread_from(tables, graph, paths, second, ends & ~second)
    return int(paths.distance[lowest(ends)])


@compiled
def find_best_ticket(view: State, tables: Tables, graph: Graph, paths: Paths, seat: int) -> int:
    """Return the most valuable open ticket, or NO_TICKET: not joined, and with enough pieces left for it.

    Ours: ties go to the cheapest. In a race, where tickets have no points, that is the nearest one.
    """
    best, most, cheapest = NO_TICKET, -1, FAR
    for word in range(2):
        rest = view.held[seat, word]
        while rest != NO_BITS:
            ticket = lowest(rest) + 64 * word
            rest = drop_lowest(rest)
            cost = spread_over(tables, graph, paths, ticket)
            points = int(tables.ticket_points[ticket])
            if 0 < cost <= view.pieces[seat] and (points > most or (points == most and cost < cheapest)):
                best, most, cheapest = ticket, points, cost
    return best


@compiled
def want_first_missing(
    view: State, tables: Tables, graph: Graph, paths: Paths, aims: Aims, seat: int
) -> bool:
    """Want the first missing route on the cheapest path of the best ticket; tell whether there is one."""
    ticket = find_best_ticket(view, tables, graph, paths, seat)
    if ticket == NO_TICKET:
        return False
    spread_over(tables, graph, paths, ticket)
    city = lowest(tables.ticket_ends[ticket])
    while paths.cost[paths.via[city]] == 0:
        city = step_back(tables, paths, city)
    want(view, tables, aims, seat, wide(paths.via[city]), wide(1))
    return True


@compiled
def want_every_way(view: State, tables: Tables, graph: Graph, paths: Paths, aims: Aims, seat: int) -> bool:
    """Want all missing routes on the cheapest path of each open ticket; tell whether there are any.

    A route is worth its points plus twice the points of its ticket. Ours: a route of several tickets counts
    for the most valuable one.
    """
    found = False
    for word in range(2):
        rest = view.held[seat, word]
        while rest != NO_BITS:
            ticket = lowest(rest) + 64 * word
            rest = drop_lowest(rest)
            if 0 < spread_over(tables, graph, paths, ticket) <= view.pieces[seat]:
                found = True
                _want_way(view, tables, paths, aims, seat, ticket)
    return found


@compiled
def _want_way(view: State, tables: Tables, paths: Paths, aims: Aims, seat: int, ticket: int) -> None:
    """Want the missing routes on the path of the ticket that `spread_over` was last called for."""
    city = lowest(tables.ticket_ends[ticket])
    while paths.via[city] != NO_ROUTE:
        route = wide(paths.via[city])
        if paths.cost[route] > 0:
            want(view, tables, aims, seat, route, rank(tables, route, 2 * int(tables.ticket_points[ticket])))
        city = step_back(tables, paths, city)


@compiled
def want_best_route(view: State, tables: Tables, paths: Paths, aims: Aims, seat: int) -> None:
    """Want the most valuable route available; ties go to the one with the fewest cards missing."""
    best, most, fewest = NO_ROUTE, 0, 0
    for route in range(tables.routes):
        if 0 < paths.cost[route] < FAR:
            worth, missing = rank(tables, route, 0), cards_missing(view, tables, seat, route)
            if worth > most or (worth == most and missing < fewest):
                best, most, fewest = route, worth, missing
    if best != NO_ROUTE:
        want(view, tables, aims, seat, best, most)


@inlined
def cards_missing(view: State, tables: Tables, seat: int, route: int) -> int:
    """Return how many cards a hand lacks for a route, locomotives included; negative if it has more."""
    colour = wide(tables.route_colour[route])
    if colour == GREY:
        colour = colour_held_most(view, tables, seat)
    return int(tables.route_length[route]) - int(view.hands[seat, colour]) - int(view.hands[seat, LOCOMOTIVE])
