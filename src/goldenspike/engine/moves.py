"""Moves as integers: one fixed numbering per board.

======================  ==========================================================
0                       pass (R-4)
1                       draw from the deck
2                       draw tickets, or swap them (J-2)
3 + kind                take a face-up card of this kind (8 is the locomotive)
11 + mask               keep these of the offered tickets, as a bit mask (1-63)
75 + claim              claim a route with a payment
======================  ==========================================================

A route's claims are numbered together. On a coloured route of length n, claim k pays with k locomotives
(k from 0 to n). On a grey route each colour in turn has its n claims with 0 to n - 1 locomotives, and the
last claim is all locomotives.
"""

from __future__ import annotations

from goldenspike.boards.limits import OFFER
from goldenspike.engine.bits import wide
from goldenspike.engine.compile import inlined
from goldenspike.engine.state import KINDS, LOCOMOTIVE
from goldenspike.engine.tables import GREY, Tables

PASS = 0
DRAW_DECK = 1
DRAW_TICKETS = 2
TAKE = 3
KEEP = TAKE + KINDS - 1
"""Offset of a bit mask of offered tickets; the mask is never 0."""
CLAIM = KEEP + (1 << OFFER)


@inlined
def move_count(tables: Tables) -> int:
    """Return the number of moves on this board."""
    return CLAIM + tables.claims


@inlined
def claim_move(tables: Tables, route: int, colour: int, locomotives: int) -> int:
    """Return the number of a claim; if only locomotives are paid, the colour is ignored."""
    length = tables.route_length[route]
    first = CLAIM + tables.first_claim[route]
    if tables.route_colour[route] != GREY:
        return first + locomotives
    if locomotives == length:
        return first + tables.colours * length
    return first + colour * length + locomotives


@inlined
def read_claim(tables: Tables, move: int) -> tuple[int, int, int]:
    """Return a claim's route, colour (LOCOMOTIVE if only locomotives are paid) and number of locomotives."""
    claim = move - CLAIM
    route = wide(tables.claim_route[claim])
    length = wide(tables.route_length[route])
    payment = claim - wide(tables.first_claim[route])
    colour = wide(tables.route_colour[route])
    if colour != GREY:
        return route, LOCOMOTIVE if payment == length else colour, payment
    if payment == tables.colours * length:
        return route, LOCOMOTIVE, length
    return route, payment // length, payment % length
