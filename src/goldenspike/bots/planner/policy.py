"""The planner's decisions: its tickets as one plan, the cards it needs, and routes for spare pieces."""

from __future__ import annotations

import numpy as np

from goldenspike.bots.graph import Graph
from goldenspike.bots.hand import CANNOT_PAY
from goldenspike.bots.planner.cards import draw_for, find_needs, lane_to_take, pay_for
from goldenspike.bots.planner.route_plan import PlannerWeights, make_plan, plan_tickets, weigh_routes
from goldenspike.bots.workspace import Workspace
from goldenspike.engine.bits import NO_BITS, bit, drop_lowest, has, lowest, popcount
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.legal import least_kept
from goldenspike.engine.moves import DRAW_TICKETS, KEEP, read_claim
from goldenspike.engine.state import CHOOSING, KEEPING, LOCOMOTIVE, NOT_LAST_ROUND, SECOND_CARD, State
from goldenspike.engine.tables import GREY, Tables

_NOTHING = -1


@compiled
def choose_planner(
    view: State, tables: Tables, graph: Graph, workspace: Workspace, weights: PlannerWeights, seat: int
) -> int:
    """Return the planner's move."""
    if view.phase in (CHOOSING, KEEPING):
        return KEEP + keep_best(view, tables, graph, workspace, weights, seat)
    make_plan(view, tables, graph, weights, workspace.plan, seat)
    goals_0, goals_1 = workspace.plan.routes[0], workspace.plan.routes[1]
    if view.phase != SECOND_CARD:
        move = _act(view, tables, workspace, weights, seat)
        if move != _NOTHING:
            return move
    if (goals_0 | goals_1) == NO_BITS:
        target = best_extra(view, tables, workspace, weights, seat)
        if target >= 0:
            goals_0 = bit(target) if target < 64 else NO_BITS
            goals_1 = bit(target) if target >= 64 else NO_BITS
    find_needs(view, tables, workspace.needs, seat, goals_0, goals_1)
    return draw_for(view, tables, workspace.needs, seat)


@inlined
def _act(view: State, tables: Tables, workspace: Workspace, weights: PlannerWeights, seat: int) -> int:
    """Return a claim or a draw of tickets, or _NOTHING to draw cards."""
    plan = workspace.plan
    find_needs(view, tables, workspace.needs, seat, plan.routes[0], plan.routes[1])
    move = _claim_planned(view, tables, workspace, weights, seat)
    if move != _NOTHING:
        return move
    has_goals = (plan.routes[0] | plan.routes[1]) != NO_BITS
    if tables.swaps:
        if _wants_swap(view, workspace, weights, seat):
            return DRAW_TICKETS
    elif not has_goals and wants_tickets(view, tables, weights, seat):
        return DRAW_TICKETS
    return _claim_extra(view, tables, workspace, weights, seat, has_goals)


@inlined
def _claim_planned(
    view: State, tables: Tables, workspace: Workspace, weights: PlannerWeights, seat: int
) -> int:
    """Return the most urgent claim of the plan that can be paid, or _NOTHING."""
    others = _others_cities(view, seat)
    is_hoarding = (
        view.hand_size[seat] * 45 < weights.hoard * tables.pieces
        and fewest_pieces(view) * 45 >= weights.hoard_until * tables.pieces
    )
    best, most = _NOTHING, -1000
    for word in range(2):
        rest = workspace.plan.routes[word]
        while rest != NO_BITS:
            planned = lowest(rest) + 64 * word
            rest = drop_lowest(rest)
            route = lane_to_take(view, tables, seat, planned)
            move = pay_for(view, tables, workspace.needs, seat, route)
            if move == CANNOT_PAY:
                continue
            contested = popcount(tables.route_ends[route] & others)
            if tables.swaps and has(workspace.plan.nearest, planned):
                contested += 4
            is_wanted = has(workspace.plan.wanted, route) or has(workspace.plan.wanted, planned)
            if contested == 0 and not is_wanted and is_hoarding:
                continue
            urgency = (
                8 * contested + int(tables.route_length[route]) - weights.thrift * read_claim(tables, move)[2]
            )
            urgency += weights.wary if is_wanted else 0
            if urgency > most:
                best, most = move, urgency
    return best


@inlined
def _others_cities(view: State, seat: int) -> np.uint64:
    """Return the cities of the other seats' networks."""
    cities = NO_BITS
    for other in range(view.seats):
        if other != seat:
            cities |= view.touched[other]
    return cities


@inlined
def _harm(
    view: State,
    tables: Tables,
    workspace: Workspace,
    weights: PlannerWeights,
    others: np.uint64,
    route: int,
) -> int:
    """Return what it is worth that others cannot have a route, in quarters of a point."""
    worth = weights.block if has(workspace.plan.wanted, route) else 0
    if (tables.route_ends[route] & others) != NO_BITS:
        worth += weights.spoil // (view.seats - 1)  # it hurts one of them, and not the others
    return worth


@inlined
def rounds_left(view: State) -> int:
    """Estimate how many more turns each seat will have."""
    if view.turns_left != NOT_LAST_ROUND:
        return 1 + int(view.turns_left - 1) // int(view.seats)
    return 2 + fewest_pieces(view) * 3 // 4


@inlined
def fewest_pieces(view: State) -> int:
    """Return the number of pieces of the seat that has the fewest left."""
    fewest = int(view.pieces[0])
    for seat in range(1, view.seats):
        fewest = min(fewest, int(view.pieces[seat]))
    return fewest


@inlined
def _wants_swap(view: State, workspace: Workspace, weights: PlannerWeights, seat: int) -> bool:
    """Tell whether no open ticket is near enough. Only every other turn, so that bots cannot swap forever."""
    if view.ticket_deck_size == 0 or view.offer_size[seat] == 0 or view.turns // view.seats % 2 == 1:
        return False
    return workspace.plan.goals == 0 or workspace.plan.pieces > weights.swap


@inlined
def wants_tickets(view: State, tables: Tables, weights: PlannerWeights, seat: int) -> bool:
    """Tell whether it is early enough to draw tickets."""
    if tables.swaps or view.ticket_deck_size == 0 or view.turns_left != NOT_LAST_ROUND:
        return False
    if view.pieces[seat] * 45 < weights.more_pieces * tables.pieces:
        return False
    return fewest_pieces(view) * 45 >= weights.more_rivals * tables.pieces


@inlined
def _claim_extra(
    view: State, tables: Tables, workspace: Workspace, weights: PlannerWeights, seat: int, has_goals: bool
) -> int:
    """Return a claim beyond the plan: a windfall if there is one, the best target once the plan is done."""
    target = best_extra(view, tables, workspace, weights, seat)
    if target < 0:
        return _NOTHING
    move = pay_for(view, tables, workspace.needs, seat, target)
    if move == CANNOT_PAY or (has_goals and not _is_windfall(view, tables, workspace, weights, seat, target)):
        return _NOTHING
    return move


@inlined
def _is_windfall(
    view: State, tables: Tables, workspace: Workspace, weights: PlannerWeights, seat: int, route: int
) -> bool:
    """Tell whether a route outside the plan is worth a turn: many points for cards nothing else needs."""
    length = int(tables.route_length[route])
    if length + workspace.plan.pieces > view.pieces[seat]:
        return False
    worth = 4 * int(tables.route_points[route])
    worth += _harm(view, tables, workspace, weights, _others_cities(view, seat), route)
    if worth < 4 * weights.windfall:
        return False
    colour = int(tables.route_colour[route])
    if colour != GREY:
        return workspace.needs.spare[colour] >= length
    most = 0
    for other in range(tables.colours):
        most = max(most, int(workspace.needs.spare[other]))
    return most >= length


@compiled
def best_extra(view: State, tables: Tables, workspace: Workspace, weights: PlannerWeights, seat: int) -> int:
    """Return the open route with the most points per turn it takes, or _NOTHING."""
    best, most = _NOTHING, 0
    rounds = rounds_left(view)
    others = _others_cities(view, seat)
    wild = int(view.hands[seat, LOCOMOTIVE])
    for route in range(tables.routes):
        length = int(tables.route_length[route])
        if not has(view.open_to[seat], route) or length > view.pieces[seat]:
            continue
        colour = int(tables.route_colour[route])
        held = 0
        if colour != GREY:
            held = int(view.hands[seat, colour])
        else:
            for other in range(tables.colours):
                held = max(held, int(view.hands[seat, other]))
        missing = max(0, length - held - wild)
        turns = 1 + (missing + 1) // 2
        if turns > rounds:
            continue
        worth = 4 * int(tables.route_points[route]) + (1 + weights.haste) * length
        if tables.attraction > 0:
            fresh = tables.route_ends[route] & tables.attractions & ~view.touched[seat]
            worth += 4 * int(tables.attraction) * popcount(fresh)
        if tables.longest_path > 0 and (tables.route_ends[route] & view.touched[seat]) != NO_BITS:
            worth += weights.path
        if turns <= 2:
            worth += _harm(view, tables, workspace, weights, others, route)
        rate = 64 * worth // turns
        if rate > most:
            best, most = route, rate
    return best


@compiled
def keep_best(
    view: State, tables: Tables, graph: Graph, workspace: Workspace, weights: PlannerWeights, seat: int
) -> int:
    """Return the bit set of offered tickets to keep: those that add most to the plan."""
    plan = workspace.plan
    plan.is_made = 0
    weigh_routes(view, tables, weights, plan, seat)
    least = least_kept(view, tables, seat)
    best, most = 1, -1_000_000
    for mask in range(1, 1 << view.offer_size[seat]):
        if popcount(np.uint64(mask)) < least:
            continue
        held_0, held_1 = view.held[seat, 0], view.held[seat, 1]
        for i in range(view.offer_size[seat]):
            if mask >> i & 1:
                ticket = int(view.offer[seat, i])
                if ticket < 64:
                    held_0 |= bit(ticket)
                else:
                    held_1 |= bit(ticket)
        plan_tickets(view, tables, graph, plan, seat, held_0, held_1)
        worth = _worth_of_plan(view, tables, workspace, weights, seat, held_0, held_1)
        if worth > most:
            best, most = mask, worth
    return best


@inlined
def _worth_of_plan(
    view: State,
    tables: Tables,
    workspace: Workspace,
    weights: PlannerWeights,
    seat: int,
    held_0: np.uint64,
    held_1: np.uint64,
) -> int:
    """Return the value of a set of tickets and its plan: points won, lost and spent, in quarters."""
    plan = workspace.plan
    worth = 0
    for word in range(2):
        rest = held_0 if word == 0 else held_1
        while rest != NO_BITS:
            ticket = lowest(rest) + 64 * word
            rest = drop_lowest(rest)
            points = 4 * int(tables.ticket_points[ticket])
            worth += -points if has(plan.lost, ticket) else points + weights.per_ticket
    claims = popcount(plan.routes[0]) + popcount(plan.routes[1])
    turns = claims + int(plan.pieces) // 2
    late = max(0, turns - rounds_left(view))
    crowded = max(0, int(plan.pieces) - int(view.pieces[seat]) + weights.margin * int(tables.pieces) // 45)
    return (
        worth - weights.per_weight * int(plan.weight) // 16 - weights.late * late - weights.crowded * crowded
    )
