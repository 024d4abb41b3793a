"""The agent that works down the list of all routes its tickets need."""

from __future__ import annotations

from goldenspike.bots.atlas import Atlas
from goldenspike.bots.mind import Mind
from goldenspike.bots.paper_aims import clear_aims, want_best_route, want_every_way
from goldenspike.bots.paper_cards import work_on_aims
from goldenspike.bots.paper_tickets import may_swap
from goldenspike.bots.paths import lay_costs
from goldenspike.engine.compile import compiled
from goldenspike.engine.moves import DRAW_TICKETS, KEEP
from goldenspike.engine.state import CHOOSING, KEEPING, State
from goldenspike.engine.tables import Tables


@compiled
def choose_path(view: State, tables: Tables, atlas: Atlas, mind: Mind, seat: int) -> int:
    """Work down a list of the routes missing on the ways of all tickets; keep every ticket, draw no more.

    A route stands in the list by its points and twice those of its ticket. Ours: the first route of the list
    that the hand can pay is claimed, and a face-up card is taken for the first route it helps.
    """
    if view.phase in (CHOOSING, KEEPING):
        return KEEP + (1 << int(view.offer_size[seat])) - 1
    clear_aims(tables, mind.aims)
    lay_costs(view, tables, mind.paths, seat)
    if not want_every_way(view, tables, atlas, mind.paths, mind.aims, seat):
        if may_swap(view, tables, seat):
            return DRAW_TICKETS
        want_best_route(view, tables, mind.paths, mind.aims, seat)
    return work_on_aims(view, tables, mind.aims, seat)
