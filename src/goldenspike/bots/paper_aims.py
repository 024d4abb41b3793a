"""The agents of the playtesting papers, and what they share: a plan of routes, each with its worth.

F. de Mesentier Silva, S. Lee, J. Togelius and A. Nealen played maps of the family with four agents of
different styles, and others have compared their bots with these since:

- *AI-based Playtesting of Contemporary Board Games*, Foundations of Digital Games 2017;
- *Evolving Maps and Decks for Ticket to Ride*, Foundations of Digital Games 2018.

They are written anew here from the descriptions: `paper_one_step.py` holds `one-step` and `long-route`,
`paper_hungry.py` and `paper_path.py` the other two. Every agent lays a plan, from nothing at each decision,
and :mod:`goldenspike.bots.paper_cards` works on it; they differ in the plan and in the tickets they take
(:mod:`goldenspike.bots.paper_tickets`). Where the papers are silent, a comment that begins with "Ours" says
what we chose.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from goldenspike.boards.limits import ROUTES
from goldenspike.bots.atlas import FAR, Atlas
from goldenspike.bots.hand import colour_held_most, rank
from goldenspike.bots.paths import NO_ROUTE, Paths, spread_from, step_back
from goldenspike.engine.bits import NO_BITS, drop_lowest, has, lowest, wide
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.record import Ints, Record, record_dtype
from goldenspike.engine.state import LOCOMOTIVE, State
from goldenspike.engine.tables import GREY, NO_TWIN, Tables

NO_TICKET = -1


class Aims(Record):
    """A sheet for a plan."""

    worth: Annotated[NDArray[np.int64], "i8", (ROUTES,)]
    """How much a route is wanted, 0 if it is not part of the plan. Only the order matters."""
    cost: Annotated[Ints, "i2", (ROUTES,)]
    """Costs put aside, to try one set of tickets after the other from the same start."""


AIMS = record_dtype(Aims)


@inlined
def clear_aims(tables: Tables, aims: Aims) -> None:
    """Begin a plan with nothing in it."""
    for route in range(tables.routes):
        aims.worth[route] = 0


@inlined
def want(view: State, tables: Tables, aims: Aims, seat: int, route: int, worth: int) -> None:
    """Put a route into the plan, at the higher worth if it is there already.

    Ours: either lane of a double will do, for they join the same cities; once one is claimed the other is
    closed to the seat and falls out of the next plan.
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
    """Let nobody plan over routes below a length, those the seat owns aside."""
    for route in range(tables.routes):
        if paths.cost[route] > 0 and tables.route_length[route] < shortest:
            paths.cost[route] = FAR


@compiled
def spread_over(tables: Tables, atlas: Atlas, paths: Paths, ticket: int) -> int:
    """Work out the cheapest ways to the second city of a ticket; return what it costs from the first."""
    ends = tables.ticket_ends[ticket]
    second = drop_lowest(ends)
    spread_from(tables, atlas, paths, second, ends & ~second)
    return int(paths.distance[lowest(ends)])


@compiled
def find_best_ticket(view: State, tables: Tables, atlas: Atlas, paths: Paths, seat: int) -> int:
    """Return the most valuable open ticket, or NO_TICKET: one not joined that the pieces still suffice for.

    Ours: of equal ones the cheapest, so that a race, where tickets have no points, is for the nearest.
    """
    best, most, cheapest = NO_TICKET, -1, FAR
    for word in range(2):
        rest = view.held[seat, word]
        while rest != NO_BITS:
            ticket = lowest(rest) + 64 * word
            rest = drop_lowest(rest)
            cost = spread_over(tables, atlas, paths, ticket)
            points = int(tables.ticket_points[ticket])
            if 0 < cost <= view.pieces[seat] and (points > most or (points == most and cost < cheapest)):
                best, most, cheapest = ticket, points, cost
    return best


@compiled
def want_first_missing(
    view: State, tables: Tables, atlas: Atlas, paths: Paths, aims: Aims, seat: int
) -> bool:
    """Want the first missing route on the cheapest way of the best ticket; tell whether there is one."""
    ticket = find_best_ticket(view, tables, atlas, paths, seat)
    if ticket == NO_TICKET:
        return False
    spread_over(tables, atlas, paths, ticket)
    city = lowest(tables.ticket_ends[ticket])
    while paths.cost[paths.via[city]] == 0:
        city = step_back(tables, paths, city)
    want(view, tables, aims, seat, wide(paths.via[city]), wide(1))
    return True


@compiled
def want_every_way(view: State, tables: Tables, atlas: Atlas, paths: Paths, aims: Aims, seat: int) -> bool:
    """Want all missing routes on the cheapest way of each open ticket; tell whether there is any.

    A route is worth its points and twice those of the ticket it is for. Ours: of several tickets, those of
    the most valuable one.
    """
    found = False
    for word in range(2):
        rest = view.held[seat, word]
        while rest != NO_BITS:
            ticket = lowest(rest) + 64 * word
            rest = drop_lowest(rest)
            if 0 < spread_over(tables, atlas, paths, ticket) <= view.pieces[seat]:
                found = True
                _want_way(view, tables, paths, aims, seat, ticket)
    return found


@compiled
def _want_way(view: State, tables: Tables, paths: Paths, aims: Aims, seat: int, ticket: int) -> None:
    """Want the missing routes on the way of a ticket that the paths were just spread over."""
    city = lowest(tables.ticket_ends[ticket])
    while paths.via[city] != NO_ROUTE:
        route = wide(paths.via[city])
        if paths.cost[route] > 0:
            want(view, tables, aims, seat, route, rank(tables, route, 2 * int(tables.ticket_points[ticket])))
        city = step_back(tables, paths, city)


@compiled
def want_best_route(view: State, tables: Tables, paths: Paths, aims: Aims, seat: int) -> None:
    """Want the most valuable route there is to have, of equal ones that with the fewest cards missing."""
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
    """Return how many cards a hand lacks for a route, its locomotives included; below 0 if it has more."""
    colour = wide(tables.route_colour[route])
    if colour == GREY:
        colour = colour_held_most(view, tables, seat)
    return int(tables.route_length[route]) - int(view.hands[seat, colour]) - int(view.hands[seat, LOCOMOTIVE])
