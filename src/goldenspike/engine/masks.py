"""Legal-move masks: a flag for every move of the board, computed on whole sets of routes at a time.

A mask is computed from a view, because a seat's legal moves never depend on hidden information.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldenspike.boards.limits import LENGTH
from goldenspike.engine.bits import NO_BITS, drop_lowest, lowest, popcount, wide
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.legal import LEGAL, is_to_move, least_kept, takeable_kinds, verify_move
from goldenspike.engine.moves import CLAIM, DRAW_DECK, DRAW_TICKETS, KEEP, PASS, TAKE
from goldenspike.engine.state import KINDS, LOCOMOTIVE, SECOND_CARD, TURN, State
from goldenspike.engine.tables import GREY, Tables

Mask = NDArray[np.bool_]
"""One flag for each move."""


@compiled
def write_mask(view: State, tables: Tables, seat: int, out: Mask) -> None:
    """Write which moves a seat may play; none if it is not to move."""
    out[:] = False
    if not is_to_move(view, seat):
        return
    if view.phase in (TURN, SECOND_CARD):
        can_act = _mark_draws(view, tables, out)
        if view.phase == TURN:
            can_act = _mark_actions(view, tables, seat, out) or can_act
            out[PASS] = not can_act
    else:
        least = least_kept(view, tables, seat)
        for kept in range(1, 1 << view.offer_size[seat]):
            out[KEEP + kept] = popcount(np.uint64(kept)) >= least


@inlined
def _mark_draws(view: State, tables: Tables, out: Mask) -> bool:
    out[DRAW_DECK] = view.deck_size > 0
    kinds = takeable_kinds(view, tables)
    for kind in range(KINDS):
        out[TAKE + kind] = kinds >> kind & 1 != 0
    return view.deck_size > 0 or kinds != 0


@inlined
def _mark_actions(view: State, tables: Tables, seat: int, out: Mask) -> bool:
    """Mark the moves allowed only at the start of a turn; return whether there are any."""
    out[DRAW_TICKETS] = verify_move(view, tables, wide(seat), wide(DRAW_TICKETS)) == LEGAL
    reach = min(tables.longest, view.pieces[seat])
    locomotives = min(reach, view.hands[seat, LOCOMOTIVE])
    any_claim = NO_BITS
    for word in range(tables.words):
        routes = view.open_to[seat, word] & tables.up_to[reach, word]
        any_claim |= _mark_locomotives(tables, routes & tables.up_to[locomotives, word], word, out)
        for k in range(min(locomotives, reach - 1) + 1):
            for colour in range(tables.colours):
                longest = min(LENGTH, k + view.hands[seat, colour])
                found = routes & (tables.fits[colour, longest, word] ^ tables.fits[colour, k, word])
                any_claim |= found
                _mark_claims(tables, found, word, colour, k, out)
    return out[DRAW_TICKETS] or any_claim != NO_BITS


@inlined
def _mark_locomotives(tables: Tables, found: np.uint64, word: int, out: Mask) -> np.uint64:
    """Mark the claims paid with locomotives alone, which are each route's last; return the routes."""
    rest = found
    while rest != NO_BITS:
        route = lowest(rest) + 64 * word
        rest = drop_lowest(rest)
        out[CLAIM + tables.first_claim[route + 1] - 1] = True
    return found


@inlined
def _mark_claims(tables: Tables, found: np.uint64, word: int, colour: int, k: int, out: Mask) -> None:
    """Mark the claims of routes paid with a colour and k locomotives."""
    while found != NO_BITS:
        route = lowest(found) + 64 * word
        found = drop_lowest(found)
        first = CLAIM + tables.first_claim[route] + k
        out[first + (colour * tables.route_length[route] if tables.route_colour[route] == GREY else 0)] = True
