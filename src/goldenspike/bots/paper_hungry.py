"""The agent that is hungry for tickets."""

from __future__ import annotations

from goldenspike.boards.limits import OFFER
from goldenspike.bots.atlas import Atlas
from goldenspike.bots.hand import rank
from goldenspike.bots.mind import Mind
from goldenspike.bots.paper_aims import Aims, clear_aims, want, want_best_route
from goldenspike.bots.paper_cards import work_on_aims
from goldenspike.bots.paper_tickets import FEW_TRAINS, best_tickets, lay_network, may_draw_tickets, may_swap
from goldenspike.bots.paths import Paths, lay_costs
from goldenspike.engine.bits import has, wide
from goldenspike.engine.compile import compiled
from goldenspike.engine.moves import DRAW_TICKETS, KEEP
from goldenspike.engine.state import CHOOSING, KEEPING, State
from goldenspike.engine.tables import Tables


@compiled
def choose_hungry(view: State, tables: Tables, atlas: Atlas, mind: Mind, seat: int) -> int:
    """Plan one network for all tickets, draw more while it leaves many trains, claim any route of it.

    It keeps the tickets with the best points per train.
    """
    lay_costs(view, tables, mind.paths, seat)
    if view.phase in (CHOOSING, KEEPING):
        return KEEP + best_tickets(view, tables, atlas, mind, seat, wide(OFFER))
    clear_aims(tables, mind.aims)
    left = lay_network(view, tables, atlas, mind.paths, seat)
    if may_draw_tickets(view, tables) and left > FEW_TRAINS:
        return DRAW_TICKETS
    if not _want_network(view, tables, mind.paths, mind.aims, seat):
        if may_swap(view, tables, seat):
            return DRAW_TICKETS
        want_best_route(view, tables, mind.paths, mind.aims, seat)
    return work_on_aims(view, tables, mind.aims, seat)


@compiled
def _want_network(view: State, tables: Tables, paths: Paths, aims: Aims, seat: int) -> bool:
    """Want the missing routes of a network that was just laid; tell whether there are any."""
    found = False
    for route in range(tables.routes):
        if paths.cost[route] == 0 and not has(view.owned[seat], route):
            want(view, tables, aims, seat, route, rank(tables, route, 0))
            found = True
    return found
