"""Two agents with one goal at a time: `one-step`, and `long-route`, which only has eyes for long ones."""

from __future__ import annotations

from goldenspike.boards.limits import OFFER
from goldenspike.bots.atlas import Atlas
from goldenspike.bots.mind import Mind
from goldenspike.bots.paper_aims import clear_aims, drop_short, want_best_route, want_first_missing
from goldenspike.bots.paper_cards import work_on_aims
from goldenspike.bots.paper_tickets import FEW_TRAINS, best_tickets, may_draw_tickets, may_swap
from goldenspike.bots.paths import lay_costs
from goldenspike.bots.planner import fewest_pieces
from goldenspike.engine.bits import wide
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.moves import DRAW_TICKETS, KEEP
from goldenspike.engine.state import CHOOSING, KEEPING, State
from goldenspike.engine.tables import Tables


@compiled
def choose_one_step(view: State, tables: Tables, atlas: Atlas, mind: Mind, seat: int) -> int:
    """Work on the first missing route of the most valuable ticket; with all done, draw tickets while all can.

    It keeps the tickets with the best points per train. When somebody has few trains left it claims the
    most valuable routes.
    """
    if view.phase in (CHOOSING, KEEPING):
        lay_costs(view, tables, mind.paths, seat)
        return KEEP + best_tickets(view, tables, atlas, mind, seat, wide(OFFER))
    if _find_goal(view, tables, atlas, mind, seat, wide(1)):
        return work_on_aims(view, tables, mind.aims, seat)
    if may_swap(view, tables, seat):
        return DRAW_TICKETS
    if may_draw_tickets(view, tables) and fewest_pieces(view) >= FEW_TRAINS:
        return DRAW_TICKETS
    want_best_route(view, tables, mind.paths, mind.aims, seat)
    return work_on_aims(view, tables, mind.aims, seat)


@compiled
def choose_long_route(view: State, tables: Tables, atlas: Atlas, mind: Mind, seat: int) -> int:
    """Work on the first missing route of the most valuable ticket, over long routes only.

    It keeps as few tickets as it may, those with the best points per train, and never draws more.
    """
    if view.phase in (CHOOSING, KEEPING):
        lay_costs(view, tables, mind.paths, seat)
        drop_short(tables, mind.paths, _long_route(tables))
        return KEEP + best_tickets(view, tables, atlas, mind, seat, wide(1))
    if _find_goal(view, tables, atlas, mind, seat, _long_route(tables)):
        return work_on_aims(view, tables, mind.aims, seat)
    if may_swap(view, tables, seat):
        return DRAW_TICKETS
    want_best_route(view, tables, mind.paths, mind.aims, seat)
    return work_on_aims(view, tables, mind.aims, seat)


@compiled
def _find_goal(view: State, tables: Tables, atlas: Atlas, mind: Mind, seat: int, shortest: int) -> bool:
    """Put the one route to work on into the plan, none below a length; tell whether a ticket asks for one."""
    clear_aims(tables, mind.aims)
    lay_costs(view, tables, mind.paths, seat)
    drop_short(tables, mind.paths, shortest)
    return want_first_missing(view, tables, atlas, mind.paths, mind.aims, seat)


@inlined
def _long_route(tables: Tables) -> int:
    """Return from which length on a route is long: three spaces, on small boards half the longest (ours)."""
    return min(3, (tables.longest + 1) // 2)
