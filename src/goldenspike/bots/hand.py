"""What a hand can pay for, which payment is cheapest, and which cards and tickets are unseen."""

from __future__ import annotations

from goldenspike.engine.bits import has
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.moves import claim_move
from goldenspike.engine.state import LOCOMOTIVE, State
from goldenspike.engine.tables import GREY, Tables

CANNOT_PAY = -1


@inlined
def colour_held_most(view: State, tables: Tables, seat: int) -> int:
    """Return the colour the hand has most of; ties go to the lowest number."""
    best = 0
    for colour in range(1, tables.colours):
        if view.hands[seat, colour] > view.hands[seat, best]:
            best = colour
    return best


@compiled
def cheapest_claim(view: State, tables: Tables, seat: int, route: int) -> int:
    """Return the claim of an open route that spends the fewest locomotives, or CANNOT_PAY.

    A grey route is paid with the colour the hand has most of; ties go to the lowest number.
    """
    length = int(tables.route_length[route])
    if length > view.pieces[seat]:
        return CANNOT_PAY
    colour = int(tables.route_colour[route])
    if colour == GREY:
        colour = colour_held_most(view, tables, seat)
    locomotives = max(0, length - int(view.hands[seat, colour]))
    if locomotives > view.hands[seat, LOCOMOTIVE]:
        return CANNOT_PAY
    return claim_move(tables, route, LOCOMOTIVE if locomotives == length else colour, locomotives)


@inlined
def rank(tables: Tables, route: int, points: int) -> int:
    """Return the rank of a route: its points plus `points`; ties go to the longer route.

    On a board without points for routes, only the length counts.
    """
    return 16 * (int(tables.route_points[route]) + points) + int(tables.route_length[route])


@compiled
def best_claim(view: State, tables: Tables, seat: int) -> int:
    """Return the claim of the most valuable route that the hand can pay for, or CANNOT_PAY."""
    best, most = CANNOT_PAY, 0
    for route in range(tables.routes):
        worth = rank(tables, route, 0)
        if worth > most and has(view.open_to[seat], route):
            move = cheapest_claim(view, tables, seat, route)
            if move != CANNOT_PAY:
                best, most = move, worth
    return best


@compiled
def count_unseen(view: State, tables: Tables, seat: int, kind: int) -> int:
    """Count the cards of a kind that a seat has not seen: those in the deck and hidden in other hands."""
    unseen = int(tables.deck[kind]) - int(view.hands[seat, kind]) - int(view.discards[kind])
    for slot in range(tables.face_up):
        if view.row[slot] == kind:
            unseen -= 1
    for other in range(view.seats):
        if other != seat:
            unseen -= int(view.known[other, kind])
    return unseen


@inlined
def is_seen(view: State, seat: int, ticket: int) -> bool:
    """Tell whether a seat knows where a ticket is: it holds it, or a seat has shown it as completed (J-4)."""
    seen = has(view.held[seat], ticket)
    for other in range(view.seats):
        seen = seen or has(view.completed[other], ticket)
    return seen
