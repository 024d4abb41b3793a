"""A plan: the cheapest network that joins a seat's open tickets through what it owns and what is still open.

That is a Steiner problem on a small graph. Tickets are joined one after the other, each by the cheapest way
over what the ones before it already use, in several orders; the cheapest network wins. A network is only
worked out anew when somebody has claimed a route or the tickets have changed.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from goldenspike.boards.limits import ROUTES, SEATS
from goldenspike.bots.atlas import FAR, Atlas
from goldenspike.bots.paths import NO_ROUTE, PATHS, Paths, spread_from, step_back, ticket_cities
from goldenspike.bots.rivals import wanted_routes
from goldenspike.engine.bits import NO_BITS, add, bit, drop_lowest, has, lowest
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.network import is_joined
from goldenspike.engine.record import Ints, Record, Wide, Words, record_dtype
from goldenspike.engine.state import State
from goldenspike.engine.tables import GREY, Tables

NO_CITY = -1
MOST_GOALS = 24
"""Tickets that a plan takes up; any beyond are left to luck."""
_ORDERS = 4
NO_WAY = 16 * FAR
"""The weight of a plan that cannot be carried out."""

LONG, SHORT, RACE = range(3)
STYLES = 3
"""A planner's styles: for games of many pieces, of few, and where the first to complete tickets wins."""
_FEW_PIECES = 25


class Style(Record):
    """How a planner weighs things, in quarters of a piece or a point; see :mod:`goldenspike.bots.styles`."""

    per_piece: Wide
    """What a piece on a route costs."""
    per_claim: Wide
    """What it costs to spend a turn on claiming a route."""
    per_point: Wide
    """What the points of a route make up for."""
    contested: Wide
    """What it adds to a route that another seat's network touches."""
    per_weight: Wide
    """Sixteenths of a quarter point that a plan's weight is worth when tickets are chosen."""
    per_ticket: Wide
    """What a ticket that can be made is worth beyond its points."""
    late: Wide
    """What each turn costs that a plan takes beyond those that seem to be left."""
    crowded: Wide
    """What each piece costs that a plan takes beyond all but a `margin`."""
    margin: Wide
    more_pieces: Wide
    """Own pieces, of 45, with which more tickets are drawn when all are made."""
    more_rivals: Wide
    """Pieces, of 45, that every seat must have left for that."""
    hoard: Wide
    """Cards in hand below which a route that nobody contests is left for later."""
    thrift: Wide
    """How much less urgent a claim is for each locomotive it costs."""
    path: Wide
    """What a route is worth more that leads on from the own network, where the longest path scores."""
    wary: Wide
    """How much more urgent a planned route is that another seat wants."""
    block: Wide
    """What a route is worth more that another seat wants, in quarters of a point."""
    swap: Wide
    """Pieces at most that the nearest ticket may take before tickets are swapped, where they can be."""
    windfall: Wide
    """Points of a route that is worth claiming outside the plan, if nothing else needs the cards."""


class Plan(Record):
    """Which routes a seat still needs, and the sheets to find that out."""

    is_made: Wide
    owned: Annotated[Words, "u8", (SEATS, 2)]
    held: Annotated[Words, "u8", (2,)]
    """What the plan was made for, all seats' routes and the own tickets; while that is unchanged, so is the
    plan: at the same table, for the same seat."""
    routes: Annotated[Words, "u8", (2,)]
    """Routes to claim."""
    pieces: Wide
    """Pieces they take; in a race those of the nearest ticket, as is the weight."""
    weight: Wide
    """What they cost, as :class:`Style` weighs it."""
    goals: Wide
    """How many tickets the plan joins that are not joined yet."""
    wanted: Annotated[Words, "u8", (2,)]
    """Routes that other seats seem to want next."""
    lost: Annotated[Words, "u8", (2,)]
    """Tickets that it gives up."""
    nearest: Annotated[Words, "u8", (2,)]
    nearest_pieces: Wide
    nearest_weight: Wide
    """In a race: the routes of the ticket that can be completed soonest, and what they take."""
    trial: Annotated[Words, "u8", (2,)]
    trial_pieces: Wide
    trial_weight: Wide
    cost: Annotated[Ints, "i2", (ROUTES,)]
    """What each route costs, as :class:`Style` weighs it."""
    open_goals: Annotated[Ints, "i2", (MOST_GOALS,)]
    order: Annotated[Ints, "i2", (MOST_GOALS,)]
    paths: Annotated[Paths, PATHS]


STYLE = record_dtype(Style)
PLAN = record_dtype(Plan)


@compiled
def make_plan(view: State, tables: Tables, atlas: Atlas, style: Style, plan: Plan, seat: int) -> None:
    """Plan for the tickets a seat holds, giving up those it has not the pieces for."""
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
    plan.wanted[0], plan.wanted[1] = wanted_routes(view, tables, atlas, plan.paths, seat)
    weigh_routes(view, tables, style, plan, seat)
    if tables.swaps:
        plan_race(view, tables, atlas, plan, seat)
    else:
        plan_tickets(view, tables, atlas, plan, seat, view.held[seat, 0], view.held[seat, 1])


@inlined
def style_of(tables: Tables) -> int:
    """Return which of its styles a planner plays in: a race for tickets, a short game or a long one."""
    if tables.race_tickets > 0:
        return RACE
    return SHORT if tables.pieces <= _FEW_PIECES else LONG


@compiled
def weigh_routes(view: State, tables: Tables, style: Style, plan: Plan, seat: int) -> None:
    """Say what each route costs this seat: nothing if it is its own, FAR if it cannot have it."""
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
            cost = style.per_piece * length + style.per_claim - style.per_point * points // 4
            if (tables.route_ends[route] & others) != NO_BITS:
                cost += style.contested
            plan.cost[route] = max(1, cost)
        else:
            plan.cost[route] = FAR


@compiled
def plan_tickets(
    view: State, tables: Tables, atlas: Atlas, plan: Plan, seat: int, held_0: np.uint64, held_1: np.uint64
) -> None:
    """Plan for a set of tickets; routes are weighed already. Give up the least valuable while pieces lack."""
    count = _list_goals(view, tables, plan, seat, held_0, held_1)
    plan.lost[0], plan.lost[1] = NO_BITS, NO_BITS
    while True:
        unreachable = _join_goals(tables, atlas, plan, count)
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
def plan_race(view: State, tables: Tables, atlas: Atlas, plan: Plan, seat: int) -> None:
    """Plan for each open ticket by itself, and for joining the coasts (J-5), the soonest done first.

    Here a plan depends on the hand: cards are drawn blind, so the best way is the one they happen to pay.
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
                view, tables, atlas, plan, seat, one if word == 0 else NO_BITS, one if word == 1 else NO_BITS
            )
            lost_0 |= plan.lost[0]
            lost_1 |= plan.lost[1]
            if plan.goals > 0:
                all_0 |= plan.routes[0]
                all_1 |= plan.routes[1]
                _note_nearest(plan, plan.routes[0], plan.routes[1], plan.pieces, plan.weight)
    if tables.west != NO_BITS and not view.coast_to_coast[seat]:
        _join_coasts(tables, atlas, plan)
        if plan.trial_pieces <= view.pieces[seat]:
            _note_nearest(plan, plan.trial[0], plan.trial[1], plan.trial_pieces, plan.trial_weight)
    plan.routes[0], plan.routes[1] = all_0 | plan.nearest[0], all_1 | plan.nearest[1]
    plan.pieces, plan.weight = plan.nearest_pieces, plan.nearest_weight
    plan.lost[0], plan.lost[1] = lost_0, lost_1
    plan.goals = 1 if plan.nearest_weight < NO_WAY else 0


@inlined
def _weigh_by_hand(view: State, tables: Tables, plan: Plan, seat: int) -> None:
    """Let each route that can be had cost the turns it takes with this hand: draws and a claim."""
    for route in range(tables.routes):
        if 0 < plan.cost[route] < FAR:
            length, colour = int(tables.route_length[route]), int(tables.route_colour[route])
            held = 0
            for other in range(tables.colours):
                if colour in (GREY, other):
                    held = max(held, int(view.hands[seat, other]))
            plan.cost[route] = 4 + 2 * max(0, length - held) + length // 2


@inlined
def _note_nearest(plan: Plan, routes_0: np.uint64, routes_1: np.uint64, pieces: int, weight: int) -> None:
    if weight < plan.nearest_weight:
        plan.nearest_weight, plan.nearest_pieces = weight, pieces
        plan.nearest[0], plan.nearest[1] = routes_0, routes_1


@inlined
def _join_coasts(tables: Tables, atlas: Atlas, plan: Plan) -> None:
    """Find the cheapest way from any western to any eastern city, into the trial."""
    paths = plan.paths
    for route in range(tables.routes):
        paths.cost[route] = plan.cost[route]
    plan.trial[0], plan.trial[1] = NO_BITS, NO_BITS
    plan.trial_pieces, plan.trial_weight = 0, NO_WAY
    spread_from(tables, atlas, paths, tables.west, tables.east)
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
def _take_way(tables: Tables, plan: Plan, city: int) -> None:
    """Put the cheapest way to a city into the trial; from then on its routes cost nothing."""
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
    view: State, tables: Tables, plan: Plan, seat: int, held_0: np.uint64, held_1: np.uint64
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
def _least_valuable(tables: Tables, plan: Plan, count: int) -> int:
    """Return which goal to give up first: the one with the fewest points."""
    least, where = FAR, 0
    for i in range(count):
        points = int(tables.ticket_points[plan.open_goals[i]])
        if points < least:
            least, where = points, i
    return where


@inlined
def _join_goals(tables: Tables, atlas: Atlas, plan: Plan, count: int) -> int:
    """Find the cheapest of several networks for the goals; return a goal that cannot be reached, or -1."""
    plan.routes[0], plan.routes[1] = NO_BITS, NO_BITS
    plan.pieces, plan.weight = 0, NO_WAY if count else 0
    _sort_goals(tables, atlas, plan, count)
    for first in range(min(count, _ORDERS)):
        plan.order[0] = plan.open_goals[first]
        at = 1
        for i in range(count):
            if i != first:
                plan.order[at] = plan.open_goals[i]
                at += 1
        unreachable = _join_in_order(tables, atlas, plan, count)
        if unreachable >= 0:
            for i in range(count):
                if plan.open_goals[i] == unreachable:
                    return i
        if plan.trial_weight < plan.weight:
            plan.weight, plan.pieces = plan.trial_weight, plan.trial_pieces
            plan.routes[0], plan.routes[1] = plan.trial[0], plan.trial[1]
    return -1


@inlined
def _sort_goals(tables: Tables, atlas: Atlas, plan: Plan, count: int) -> None:
    """Put the goals in order of their distance on the empty board, the nearest first."""
    for i in range(1, count):
        ticket = int(plan.open_goals[i])
        a, b = ticket_cities(tables, ticket)
        at = i
        while at > 0:
            before = int(plan.open_goals[at - 1])
            c, d = ticket_cities(tables, before)
            if atlas.distance[c, d] <= atlas.distance[a, b]:
                break
            plan.open_goals[at] = before
            at -= 1
        plan.open_goals[at] = ticket


@compiled
def _join_in_order(tables: Tables, atlas: Atlas, plan: Plan, count: int) -> int:
    """Join the goals in the order laid out, into the trial; return a ticket that cannot be joined, or -1."""
    paths = plan.paths
    for route in range(tables.routes):
        paths.cost[route] = plan.cost[route]
    plan.trial[0], plan.trial[1] = NO_BITS, NO_BITS
    plan.trial_pieces, plan.trial_weight = 0, 0
    for i in range(count):
        ticket = int(plan.order[i])
        a, b = ticket_cities(tables, ticket)
        spread_from(tables, atlas, paths, bit(a), bit(b))
        if paths.distance[b] >= FAR:
            return ticket
        _take_way(tables, plan, b)
    return -1
