"""Which tickets the agents of the playtesting papers keep, and when they draw more."""

from __future__ import annotations

import numpy as np

from goldenspike.bots.graph import FAR, Graph
from goldenspike.bots.papers.aims import spread_over
from goldenspike.bots.paths import NO_ROUTE, Paths, step_back
from goldenspike.bots.workspace import Workspace
from goldenspike.engine.bits import NO_BITS, bit, drop_lowest, lowest, popcount
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.legal import least_kept
from goldenspike.engine.state import NOT_LAST_ROUND, TURN, State
from goldenspike.engine.tables import Tables

FEW_TRAINS = 8
"""At this many trains left it is too late for more tickets. Ours: also on boards with fewer trains."""


@compiled
def join_ticket(tables: Tables, graph: Graph, paths: Paths, ticket: int, pieces: int) -> int:
    """Add the cheapest path of a ticket to a network; return the pieces it takes, FAR if there are too few.

    Routes of the network then cost nothing, so that the next ticket can use them.
    """
    cost = spread_over(tables, graph, paths, ticket)
    if cost > pieces:
        return FAR
    city = lowest(tables.ticket_ends[ticket])
    while paths.via[city] != NO_ROUTE:
        route = int(paths.via[city])
        city = step_back(tables, paths, city)
        paths.cost[route] = 0
    return cost


@compiled
def lay_network(view: State, tables: Tables, graph: Graph, paths: Paths, seat: int) -> int:
    """Plan one network for all held tickets, the most valuable first; return the pieces it leaves.

    Ours: a ticket is given up if there are not enough pieces left for it.
    """
    left = int(view.pieces[seat])
    rest_0, rest_1 = view.held[seat, 0], view.held[seat, 1]
    while (rest_0 | rest_1) != NO_BITS:
        ticket = _most_valuable(tables, rest_0, rest_1)
        if ticket < 64:
            rest_0 &= ~bit(ticket)
        else:
            rest_1 &= ~bit(ticket)
        cost = join_ticket(tables, graph, paths, ticket, left)
        if cost != FAR:
            left -= cost
    return left


@inlined
def _most_valuable(tables: Tables, rest_0: np.uint64, rest_1: np.uint64) -> int:
    best, most = 0, -1
    for word in range(2):
        rest = rest_0 if word == 0 else rest_1
        while rest != NO_BITS:
            ticket = lowest(rest) + 64 * word
            rest = drop_lowest(rest)
            if tables.ticket_points[ticket] > most:
                best, most = ticket, int(tables.ticket_points[ticket])
    return best


@compiled
def best_tickets(
    view: State, tables: Tables, graph: Graph, workspace: Workspace, seat: int, most_kept: int
) -> int:
    """Return the bit set of offered tickets with the best points per train.

    The trains are those that one network for these tickets needs beyond the network for the held tickets. At
    most `most_kept` are kept, unless the rules require more.
    """
    paths, aims = workspace.paths, workspace.aims
    pieces = lay_network(view, tables, graph, paths, seat)
    for route in range(tables.routes):
        aims.cost[route] = paths.cost[route]
    least = least_kept(view, tables, seat)
    best, best_gain, best_trains = 0, 0, 1
    for mask in range(1, 1 << int(view.offer_size[seat])):
        if least <= popcount(np.uint64(mask)) <= max(least, most_kept):
            for route in range(tables.routes):
                paths.cost[route] = aims.cost[route]
            gain, trains = _try_tickets(view, tables, graph, paths, seat, mask, pieces)
            if best == 0 or _is_better(gain, trains, best_gain, best_trains):
                best, best_gain, best_trains = mask, gain, trains
    return best


@compiled
def _try_tickets(
    view: State, tables: Tables, graph: Graph, paths: Paths, seat: int, mask: int, pieces: int
) -> tuple[int, int]:
    """Return the points that a set of offered tickets would bring, and the trains their network takes."""
    gain, left = 0, pieces
    for i in range(view.offer_size[seat]):
        if mask >> i & 1:
            ticket = int(view.offer[seat, i])
            cost = join_ticket(tables, graph, paths, ticket, left)
            if cost == FAR:
                gain -= int(tables.ticket_points[ticket])
            else:
                gain += int(tables.ticket_points[ticket])
                left -= cost
    return gain, max(1, pieces - left)


@inlined
def _is_better(gain: int, trains: int, best_gain: int, best_trains: int) -> bool:
    """Compare points per train; if points would be lost, compare only the points (ours)."""
    if gain <= 0 or best_gain <= 0:
        return gain > best_gain
    return gain * best_trains > best_gain * trains


@inlined
def may_draw_tickets(view: State, tables: Tables) -> bool:
    """Tell whether tickets can be drawn and a turn is left to use them."""
    return (
        not tables.swaps
        and view.phase == TURN
        and view.ticket_deck_size > 0
        and view.turns_left == NOT_LAST_ROUND
    )


@inlined
def may_swap(view: State, tables: Tables, seat: int) -> bool:
    """Tell whether to swap tickets that can no longer be completed.

    Ours: at most every second turn, because the next tickets may be no better. In between the seat builds, so
    the game ends.
    """
    return (
        tables.swaps != 0
        and view.phase == TURN
        and view.offer_size[seat] > 0
        and view.ticket_deck_size > 0
        and view.turns // view.seats % 2 == 0
    )
