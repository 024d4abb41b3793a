"""What a hand can pay for, and how."""

from __future__ import annotations

from goldenspike.engine.compile import compiled
from goldenspike.engine.moves import claim_move
from goldenspike.engine.state import LOCOMOTIVE, State
from goldenspike.engine.tables import GREY, Tables

CANNOT_PAY = -1


@compiled
def cheapest_claim(view: State, tables: Tables, seat: int, route: int) -> int:
    """Return the claim of an open route that spends the fewest locomotives, or CANNOT_PAY.

    A grey route is paid with the colour there is most of, the lowest of several.
    """
    length = int(tables.route_length[route])
    if length > view.pieces[seat]:
        return CANNOT_PAY
    colour = int(tables.route_colour[route])
    if colour == GREY:
        colour = 0
        for other in range(1, tables.colours):
            if view.hands[seat, other] > view.hands[seat, colour]:
                colour = other
    locomotives = max(0, length - int(view.hands[seat, colour]))
    if locomotives > view.hands[seat, LOCOMOTIVE]:
        return CANNOT_PAY
    return claim_move(tables, route, LOCOMOTIVE if locomotives == length else colour, locomotives)
