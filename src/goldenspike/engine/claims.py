"""Claiming a route (C-1 to C-6)."""

from __future__ import annotations

from goldenspike.engine import events
from goldenspike.engine.bits import add, remove
from goldenspike.engine.cards import discard
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.events import Log, emit
from goldenspike.engine.state import LOCOMOTIVE, State
from goldenspike.engine.tables import NO_TWIN, Tables


@compiled
def claim_route(
    state: State, tables: Tables, seat: int, route: int, colour: int, locomotives: int, log: Log
) -> None:
    """Pay for a route, take it and score it (C-1)."""
    length = int(tables.route_length[route])
    if locomotives < length:
        discard(state, seat, colour, length - locomotives)
    if locomotives > 0:
        discard(state, seat, LOCOMOTIVE, locomotives)
    take_route(state, tables, seat, route)
    emit(log, events.CLAIMED, seat, route, colour, locomotives, tables.route_points[route])


@inlined
def take_route(state: State, tables: Tables, seat: int, route: int) -> None:
    """Place the pieces on a route, score it, and close it and, where the rules say so, its twin."""
    state.pieces[seat] -= tables.route_length[route]
    state.points[seat] += tables.route_points[route]
    add(state.owned[seat], route)
    state.touched[seat] |= tables.route_ends[route]
    for other in range(state.seats):
        remove(state.open_to[other], route)
    close_twin(state, tables, seat, route)


@inlined
def close_twin(state: State, tables: Tables, seat: int, route: int) -> None:
    """Close the other lane of a double to the claiming seat, or to all if there are few seats (C-6, R-6)."""
    twin = tables.route_twin[route]
    if twin == NO_TWIN:
        return
    if state.seats <= tables.doubles_close_up_to:
        for other in range(state.seats):
            remove(state.open_to[other], twin)
    else:
        remove(state.open_to[seat], twin)
