"""A route plan: the cheapest network that joins a seat's open tickets over owned and open routes.

This is a Steiner problem on a small graph. Tickets are joined one after the other, each by the cheapest path
over the routes that the earlier ones already use, in several orders; the cheapest network wins. A plan is
recomputed only when a route was claimed or the tickets have changed.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from goldenspike.boards.limits import ROUTES, SEATS
from goldenspike.bots.graph import FAR, Graph
from goldenspike.bots.paths import MOST_COST, NO_ROUTE, PATHS, Paths, spread_from, step_back, ticket_cities
from goldenspike.bots.planner.rivals import wanted_routes
from goldenspike.engine.bits import NO_BITS, add, bit, drop_lowest, has, lowest
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.network import is_joined
from goldenspike.engine.state import State
from goldenspike.engine.struct import Ints, Struct, Wide, Words, struct_dtype
from goldenspike.engine.tables import GREY, Tables

NO_CITY = -1
MOST_GOALS = 24
"""Most tickets in a plan; the others are ignored."""
_ORDERS = 4
NO_WAY = 16 * FAR
"""The weight of an impossible plan."""

LONG, SHORT, RACE = range(3)
"""The kinds of game that weights are for: with many pieces, with few, and races to complete tickets."""
GAME_KINDS = 3


class PlannerWeights(Struct):
    """The planner's weights, in quarters of a piece or a point.

    The default values are in :mod:`goldenspike.bots.planner.weights`.
    """

    per_piece: Wide
    """Cost of a piece on a route."""
    per_claim: Wide
    """Cost of spending a turn on a claim."""
    per_point: Wide
    """Amount by which a point of a route offsets its cost."""
    contested: Wide
    """Extra cost of a route that another seat's network touches."""
    per_weight: Wide
    """Value of a plan's weight when tickets are chosen, in sixteenths of a quarter point."""
    per_ticket: Wide
    """Value of a ticket that can be made, beyond its points."""
    late: Wide
    """Cost of each turn that a plan takes beyond the estimated turns left."""
    crowded: Wide
    """Cost of each piece that a plan takes beyond all but a `margin`."""
    margin: Wide
    more_pieces: Wide
    """Own pieces, of 45, needed to draw more tickets when all are made."""
    more_rivals: Wide
    """Pieces, of 45, that every seat must have left for that."""
    hoard: Wide
    """Cards in hand, for 45 pieces, below which an uncontested route is left for later."""
    hoard_until: Wide
    """Pieces, of 45, that every seat must have left for that."""
    spoil: Wide
    """Extra value of a route beyond the plan at a single rival's network, in quarters of a point."""
    haste: Wide
    """Extra value of each piece that a route beyond the plan takes, in quarters of a point."""
    thrift: Wide
    """Reduction of a claim's urgency per locomotive it costs."""
    path: Wide
    """Extra value of a route that extends the own network, where the longest path scores."""
    wary: Wide
    """Extra urgency of a planned route that another seat wants."""
    block: Wide
    """Extra value of a route that another seat wants, in quarters of a point."""
    swap: Wide
    """If the nearest ticket needs more pieces than this, swap tickets, where that is allowed."""
    windfall: Wide
    """Points that make a route worth claiming outside the plan, if nothing else needs the cards."""


class RoutePlan(Struct):
    """The routes a seat still needs, with the working memory to find them."""

    is_made: Wide
    owned: Annotated[Words, "u8", (SEATS, 2)]
    held: Annotated[Words, "u8", (2,)]
    """Input of the plan: all seats' routes and the own tickets. At the same table and for the same seat, the
    plan stays valid while these are unchanged."""
    routes: Annotated[Words, "u8", (2,)]
    """Routes to claim."""
    pieces: Wide
    """Pieces these take; in a race `pieces` and `weight` are those of the nearest ticket."""
    weight: Wide
    """Their cost by :class:`PlannerWeights`."""
    goals: Wide
    """How many unjoined tickets the plan joins."""
    wanted: Annotated[Words, "u8", (2,)]
    """Routes that other seats probably want next."""
    lost: Annotated[Words, "u8", (2,)]
    """Tickets that the plan gives up."""
    nearest: Annotated[Words, "u8", (2,)]
    nearest_pieces: Wide
    nearest_weight: Wide
    """In a race: the routes of the ticket that can be completed soonest, and their cost."""
    trial: Annotated[Words, "u8", (2,)]
    trial_pieces: Wide
    trial_weight: Wide
    cost: Annotated[Ints, "i2", (ROUTES,)]
    """Cost of each route by :class:`PlannerWeights`."""
    open_goals: Annotated[Ints, "i2", (MOST_GOALS,)]
    order: Annotated[Ints, "i2", (MOST_GOALS,)]
    paths: Annotated[Paths, PATHS]


WEIGHTS = struct_dtype(PlannerWeights)
PLAN = struct_dtype(RoutePlan)


@compiled
def make_plan(
    view: State, tables: Tables, graph: Graph, weights: PlannerWeights, plan: RoutePlan, seat: int
) -> None:
    """Plan for the tickets a seat holds; give up those it has too few pieces for."""
    is_same = plan.is_made != 0 and not tables.swaps
    for word in range(2):
        is_same = is_same and plan.held[word] == view.held[seat, word]
        for other in range(view.seats):
            is_same = is_same and plan.owned[other, word] == view.owned[other, word]
    if is_same:
        return
    plan.is_made = 1
    for word in range(2):
        plan.held[word] = view.held[seat, word]
        for other in range(view.seats):
            plan.owned[other, word] = view.owned[other, word]
    plan.wanted[0], plan.wanted[1] = wanted_routes(view, tables, graph, plan.paths, seat)
    weigh_routes(view, tables, weights, plan, seat)
    if tables.swaps:
        plan_race(view, tables, graph, plan, seat)
    else:
        plan_tickets(view, tables, graph, plan, seat, view.held[seat, 0], view.held[seat, 1])


@compiled
def weigh_routes(view: State, tables: Tables, weights: PlannerWeights, plan: RoutePlan, seat: int) -> None:
    """Set the cost of each route for this seat: 0 if it owns the route, FAR if it cannot have it."""
    others = NO_BITS
    for other in range(view.seats):
        if other != seat:
            others |= view.touched[other]
    for route in range(tables.routes):
        length = int(tables.route_length[route])
        if has(view.owned[seat], route):
            plan.cost[route] = 0
        elif has(view.open_to[seat], route) and length <= view.pieces[seat]:
            points = int(tables.route_points[route])
            cost = weights.per_piece * length + weights.per_claim - weights.per_point * points // 4
            if (tables.route_ends[route] & others) != NO_BITS:
                cost += weights.contested
            plan.cost[route] = min(max(1, cost), MOST_COST)
        else:
            plan.cost[route] = FAR


@compiled
def plan_tickets(
    view: State,
    tables: Tables,
    graph: Graph,
    plan: RoutePlan,
    seat: int,
    held_0: np.uint64,
    held_1: np.uint64,
) -> None:
    """Plan for a set of tickets over weighed routes; drop the least valuable while pieces do not suffice."""
    count = _list_goals(view, tables, plan, seat, held_0, held_1)
    plan.lost[0], plan.lost[1] = NO_BITS, NO_BITS
    while True:
        unreachable = _join_goals(tables, graph, plan, count)
        if unreachable < 0 and plan.pieces <= view.pieces[seat]:
            break
        given_up = unreachable if unreachable >= 0 else _least_valuable(tables, plan, count)
        ticket = int(plan.open_goals[given_up])
        add(plan.lost, ticket)
        count -= 1
        for i in range(given_up, count):
            plan.open_goals[i] = plan.open_goals[i + 1]
    plan.goals = count


@compiled
def plan_race(view: State, tables: Tables, graph: Graph, plan: RoutePlan, seat: int) -> None:
    """Plan each open ticket separately, and the joining of the coasts (J-5); use the soonest done.

    Here a plan depends on the hand: cards are drawn blind, so the best path is the one the hand can pay for.
    """
    _weigh_by_hand(view, tables, plan, seat)
    all_0, all_1, lost_0, lost_1 = NO_BITS, NO_BITS, NO_BITS, NO_BITS
    plan.nearest_weight, plan.nearest_pieces = NO_WAY, 0
    plan.nearest[0], plan.nearest[1] = NO_BITS, NO_BITS
    for word in range(2):
        rest = view.held[seat, word]
        while rest != NO_BITS:
            one = rest & ~drop_lowest(rest)
            rest = drop_lowest(rest)
            plan_tickets(
                view, tables, graph, plan, seat, one if word == 0 else NO_BITS, one if word == 1 else NO_BITS
            )
            lost_0 |= plan.lost[0]
            lost_1 |= plan.lost[1]
            if plan.goals > 0:
                all_0 |= plan.routes[0]
                all_1 |= plan.routes[1]
                _note_nearest(plan, plan.routes[0], plan.routes[1], plan.pieces, plan.weight)
    if tables.west != NO_BITS and not view.coast_to_coast[seat]:
        _join_coasts(tables, graph, plan)
        if plan.trial_pieces <= view.pieces[seat]:
            _note_nearest(plan, plan.trial[0], plan.trial[1], plan.trial_pieces, plan.trial_weight)
    plan.routes[0], plan.routes[1] = all_0 | plan.nearest[0], all_1 | plan.nearest[1]
    plan.pieces, plan.weight = plan.nearest_pieces, plan.nearest_weight
    plan.lost[0], plan.lost[1] = lost_0, lost_1
    plan.goals = 1 if plan.nearest_weight < NO_WAY else 0


@inlined
def _weigh_by_hand(view: State, tables: Tables, plan: RoutePlan, seat: int) -> None:
    """Set the cost of each available route to the turns it takes with this hand: draws and a claim."""
    for route in range(tables.routes):
        if 0 < plan.cost[route] < FAR:
            length, colour = int(tables.route_length[route]), int(tables.route_colour[route])
            held = 0
            for other in range(tables.colours):
                if colour in (GREY, other):
                    held = max(held, int(view.hands[seat, other]))
            plan.cost[route] = 4 + 2 * max(0, length - held) + length // 2


@inlined
def _note_nearest(
    plan: RoutePlan, routes_0: np.uint64, routes_1: np.uint64, pieces: int, weight: int
) -> None:
    if weight < plan.nearest_weight:
        plan.nearest_weight, plan.nearest_pieces = weight, pieces
        plan.nearest[0], plan.nearest[1] = routes_0, routes_1


@inlined
def _join_coasts(tables: Tables, graph: Graph, plan: RoutePlan) -> None:
    """Find the cheapest path from any western to any eastern city, into the trial."""
    paths = plan.paths
    for route in range(tables.routes):
        paths.cost[route] = plan.cost[route]
    plan.trial[0], plan.trial[1] = NO_BITS, NO_BITS
    plan.trial_pieces, plan.trial_weight = 0, NO_WAY
    spread_from(tables, graph, paths, tables.west, tables.east)
    nearest, rest = NO_CITY, tables.east
    while rest != NO_BITS:
        city = lowest(rest)
        rest = drop_lowest(rest)
        if nearest == NO_CITY or paths.distance[city] < paths.distance[nearest]:
            nearest = city
    if paths.distance[nearest] < FAR:
        plan.trial_weight = 0
        _take_way(tables, plan, nearest)


@inlined
def _take_way(tables: Tables, plan: RoutePlan, city: int) -> None:
    """Put the cheapest path to a city into the trial; its routes then cost nothing."""
    paths = plan.paths
    while paths.via[city] != NO_ROUTE:
        route = int(paths.via[city])
        if paths.cost[route] > 0:
            add(plan.trial, route)
            plan.trial_pieces += int(tables.route_length[route])
            plan.trial_weight += int(paths.cost[route])
            paths.cost[route] = 0
        city = step_back(tables, paths, city)


@inlined
def _list_goals(
    view: State, tables: Tables, plan: RoutePlan, seat: int, held_0: np.uint64, held_1: np.uint64
) -> int:
    """List the tickets of a set that are not joined yet, by their numbers; return how many."""
    count = 0
    for word in range(2):
        rest = held_0 if word == 0 else held_1
        while rest != NO_BITS and count < MOST_GOALS:
            ticket = lowest(rest) + 64 * word
            rest = drop_lowest(rest)
            if not is_joined(view, tables, seat, ticket):
                plan.open_goals[count] = ticket
                count += 1
    return count


@inlined
def _least_valuable(tables: Tables, plan: RoutePlan, count: int) -> int:
    """Return which goal to give up first: the one with the fewest points."""
    least, where = FAR, 0
    for i in range(count):
        points = int(tables.ticket_points[plan.open_goals[i]])
        if points < least:
            least, where = points, i
    return where


@inlined
def _join_goals(tables: Tables, graph: Graph, plan: RoutePlan, count: int) -> int:
    """Find the cheapest of several networks for the goals; return a goal that cannot be reached, or -1."""
    plan.routes[0], plan.routes[1] = NO_BITS, NO_BITS
    plan.pieces, plan.weight = 0, NO_WAY if count else 0
    _sort_goals(tables, graph, plan, count)
    for first in range(min(count, _ORDERS)):
        plan.order[0] = plan.open_goals[first]
        at = 1
        for i in range(count):
            if i != first:
                plan.order[at] = plan.open_goals[i]
                at += 1
        unreachable = _join_in_order(tables, graph, plan, count)
        if unreachable >= 0:
            for i in range(count):
                if plan.open_goals[i] == unreachable:
                    return i
        if plan.trial_weight < plan.weight:
            plan.weight, plan.pieces = plan.trial_weight, plan.trial_pieces
            plan.routes[0], plan.routes[1] = plan.trial[0], plan.trial[1]
    return -1


@inlined
def _sort_goals(tables: Tables, graph: Graph, plan: RoutePlan, count: int) -> None:
    """Sort the goals by distance on the empty board, the nearest first."""
    for i in range(1, count):
        ticket = int(plan.open_goals[i])
        a, b = ticket_cities(tables, ticket)
        at = i
        while at > 0:
            before = int(plan.open_goals[at - 1])
            c, d = ticket_cities(tables, before)
            if graph.distance[c, d] <= graph.distance[a, b]:
                break
            plan.open_goals[at] = before
            at -= 1
        plan.open_goals[at] = ticket


@compiled
def _join_in_order(tables: Tables, graph: Graph, plan: RoutePlan, count: int) -> int:
    """Join the goals in the given order, into the trial; return a ticket that cannot be joined, or -1."""
    paths = plan.paths
    for route in range(tables.routes):
        paths.cost[route] = plan.cost[route]
    plan.trial[0], plan.trial[1] = NO_BITS, NO_BITS
    plan.trial_pieces, plan.trial_weight = 0, 0
    for i in range(count):
        ticket = int(plan.order[i])
        a, b = ticket_cities(tables, ticket)
        spread_from(tables, graph, paths, bit(a), bit(b))
        if paths.distance[b] >= FAR:
            return ticket
        _take_way(tables, plan, b)
    return -1
