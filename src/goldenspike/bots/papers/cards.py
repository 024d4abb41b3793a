"""How the agents of the playtesting papers execute a plan: claim a route, else draw cards for one."""

from __future__ import annotations

from goldenspike.bots.greedy import draw_most_held
from goldenspike.bots.hand import CANNOT_PAY, best_claim, cheapest_claim
from goldenspike.bots.papers.aims import Aims
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.legal import takeable_kinds
from goldenspike.engine.moves import DRAW_DECK, TAKE
from goldenspike.engine.state import LOCOMOTIVE, NOT_LAST_ROUND, SECOND_CARD, State
from goldenspike.engine.tables import GREY, Tables

NO_COLOUR = -1


@compiled
def work_on_aims(view: State, tables: Tables, aims: Aims, seat: int) -> int:
    """Claim the best route of the plan that the hand can pay for; else draw for the plan.

    The draw is a face-up colour that the plan needs, the best route's first; else a face-up locomotive; else
    the top card. Ours: in the last round, and when the deck is empty, any route is claimed before a card that
    the plan does not need is taken, because the hand will not improve.
    """
    kinds = takeable_kinds(view, tables)
    may_claim = view.phase != SECOND_CARD
    if may_claim:
        move = _claim_of_plan(view, tables, aims, seat)
        if move == CANNOT_PAY and view.turns_left != NOT_LAST_ROUND:
            move = best_claim(view, tables, seat)
        if move != CANNOT_PAY:
            return move
    colour = _colour_of_plan(view, tables, aims, seat, kinds)
    if colour != NO_COLOUR:
        return TAKE + colour
    if kinds >> LOCOMOTIVE & 1:
        return TAKE + LOCOMOTIVE
    if view.deck_size > 0:
        return DRAW_DECK
    if may_claim:
        move = best_claim(view, tables, seat)
        if move != CANNOT_PAY:
            return move
    return draw_most_held(view, tables, seat)


@compiled
def _claim_of_plan(view: State, tables: Tables, aims: Aims, seat: int) -> int:
    """Return the claim of the plan's best route that the hand can pay for, or CANNOT_PAY."""
    best, most = CANNOT_PAY, 0
    for route in range(tables.routes):
        if aims.worth[route] > most:
            move = cheapest_claim(view, tables, seat, route)
            if move != CANNOT_PAY:
                best, most = move, aims.worth[route]
    return best


@compiled
def _colour_of_plan(view: State, tables: Tables, aims: Aims, seat: int, kinds: int) -> int:
    """Return the face-up colour that the plan's best route lacks, else the next route's, or NO_COLOUR."""
    best, most = NO_COLOUR, 0
    for route in range(tables.routes):
        if aims.worth[route] > most:
            colour = _colour_for(view, tables, seat, route, kinds)
            if kinds >> colour & 1 and view.hands[seat, colour] < tables.route_length[route]:
                best, most = colour, aims.worth[route]
    return best


@inlined
def _colour_for(view: State, tables: Tables, seat: int, route: int, kinds: int) -> int:
    """Return the colour to collect for a route; for a grey one that held most, ties to a face-up one."""
    best = int(tables.route_colour[route])
    if best == GREY:
        best = 0
        for colour in range(1, tables.colours):
            more = int(view.hands[seat, colour]) - int(view.hands[seat, best])
            if more > 0 or (more == 0 and (kinds >> colour & 1) > (kinds >> best & 1)):
                best = colour
    return best
