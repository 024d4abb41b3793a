"""The four agents of the playtesting papers."""

from __future__ import annotations

from goldenspike.boards.limits import OFFER
from goldenspike.bots.graph import Graph
from goldenspike.bots.hand import rank
from goldenspike.bots.papers.aims import (
    Aims,
    clear_aims,
    drop_short,
    want,
    want_best_route,
    want_every_way,
    want_first_missing,
)
from goldenspike.bots.papers.cards import work_on_aims
from goldenspike.bots.papers.tickets import FEW_TRAINS, best_tickets, lay_network, may_draw_tickets, may_swap
from goldenspike.bots.paths import Paths, lay_costs
from goldenspike.bots.planner.policy import fewest_pieces
from goldenspike.bots.workspace import Workspace
from goldenspike.engine.bits import has, wide
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.moves import DRAW_TICKETS, KEEP
from goldenspike.engine.state import CHOOSING, KEEPING, State
from goldenspike.engine.tables import Tables


@compiled
def choose_one_step(view: State, tables: Tables, graph: Graph, workspace: Workspace, seat: int) -> int:
    """Pursue the first missing route of the most valuable ticket; when all are joined, draw tickets.

    It keeps the tickets with the best points per train. When any seat has few trains left, it draws no more
    tickets and claims the most valuable routes.
    """
    if view.phase in (CHOOSING, KEEPING):
        lay_costs(view, tables, workspace.paths, seat)
        return KEEP + best_tickets(view, tables, graph, workspace, seat, wide(OFFER))
    if _find_goal(view, tables, graph, workspace, seat, wide(1)):
        return work_on_aims(view, tables, workspace.aims, seat)
    if may_swap(view, tables, seat):
        return DRAW_TICKETS
    if may_draw_tickets(view, tables) and fewest_pieces(view) >= FEW_TRAINS:
        return DRAW_TICKETS
    want_best_route(view, tables, workspace.paths, workspace.aims, seat)
    return work_on_aims(view, tables, workspace.aims, seat)


@compiled
def choose_long_route(view: State, tables: Tables, graph: Graph, workspace: Workspace, seat: int) -> int:
    """Pursue the first missing route of the most valuable ticket, over long routes only.

    It keeps as few tickets as allowed, those with the best points per train, and never draws more.
    """
    if view.phase in (CHOOSING, KEEPING):
        lay_costs(view, tables, workspace.paths, seat)
        drop_short(tables, workspace.paths, _long_route(tables))
        return KEEP + best_tickets(view, tables, graph, workspace, seat, wide(1))
    if _find_goal(view, tables, graph, workspace, seat, _long_route(tables)):
        return work_on_aims(view, tables, workspace.aims, seat)
    if may_swap(view, tables, seat):
        return DRAW_TICKETS
    want_best_route(view, tables, workspace.paths, workspace.aims, seat)
    return work_on_aims(view, tables, workspace.aims, seat)


@compiled
def _find_goal(
    view: State, tables: Tables, graph: Graph, workspace: Workspace, seat: int, shortest: int
) -> bool:
    """Put the route to pursue into the plan, none below a length; tell whether it is for a ticket."""
    clear_aims(tables, workspace.aims)
    lay_costs(view, tables, workspace.paths, seat)
    drop_short(tables, workspace.paths, shortest)
    return want_first_missing(view, tables, graph, workspace.paths, workspace.aims, seat)


@inlined
def _long_route(tables: Tables) -> int:
    """Return the length from which a route is long: three spaces; on small boards half the longest (ours)."""
    return min(3, (tables.longest + 1) // 2)


@compiled
def choose_hungry(view: State, tables: Tables, graph: Graph, workspace: Workspace, seat: int) -> int:
    """Plan one network for all tickets, draw tickets while it leaves many trains, claim any of its routes.

    It keeps the tickets with the best points per train.
    """
    lay_costs(view, tables, workspace.paths, seat)
    if view.phase in (CHOOSING, KEEPING):
        return KEEP + best_tickets(view, tables, graph, workspace, seat, wide(OFFER))
    clear_aims(tables, workspace.aims)
    left = lay_network(view, tables, graph, workspace.paths, seat)
    if may_draw_tickets(view, tables) and left > FEW_TRAINS:
        return DRAW_TICKETS
    if not _want_network(view, tables, workspace.paths, workspace.aims, seat):
        if may_swap(view, tables, seat):
            return DRAW_TICKETS
        want_best_route(view, tables, workspace.paths, workspace.aims, seat)
    return work_on_aims(view, tables, workspace.aims, seat)


@compiled
def _want_network(view: State, tables: Tables, paths: Paths, aims: Aims, seat: int) -> bool:
    """Want the missing routes of the network that was just planned; tell whether there are any."""
    found = False
    for route in range(tables.routes):
        if paths.cost[route] == 0 and not has(view.owned[seat], route):
            want(view, tables, aims, seat, route, rank(tables, route, 0))
            found = True
    return found


@compiled
def choose_path(view: State, tables: Tables, graph: Graph, workspace: Workspace, seat: int) -> int:
    """Claim from a ranked list of the routes missing for all tickets; keep every ticket, draw no more.

    A route is ranked by its points plus twice those of its ticket. Ours: the first route of the list that the
    hand can pay for is claimed, and a face-up card is taken for the first route it helps.
    """
    if view.phase in (CHOOSING, KEEPING):
        return KEEP + (1 << int(view.offer_size[seat])) - 1
    clear_aims(tables, workspace.aims)
    lay_costs(view, tables, workspace.paths, seat)
    if not want_every_way(view, tables, graph, workspace.paths, workspace.aims, seat):
        if may_swap(view, tables, seat):
            return DRAW_TICKETS
        want_best_route(view, tables, workspace.paths, workspace.aims, seat)
    return work_on_aims(view, tables, workspace.aims, seat)
