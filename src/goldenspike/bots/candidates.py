"""The moves that a search tries, and how far it trusts each before it has."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from goldenspike.bots.atlas import Atlas
from goldenspike.bots.cards import find_needs, lane_to_take, pay_for
from goldenspike.bots.hand import CANNOT_PAY
from goldenspike.bots.mind import Mind
from goldenspike.bots.plan import make_plan, style_of
from goldenspike.bots.planner import choose_planner
from goldenspike.engine.bits import has, popcount
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.legal import LEGAL, faces_to_take, least_kept, verify_move
from goldenspike.engine.moves import DRAW_DECK, DRAW_TICKETS, KEEP, TAKE, read_claim
from goldenspike.engine.record import Ints, Record, Wide, record_dtype
from goldenspike.engine.state import CHOOSING, KEEPING, KINDS, LOCOMOTIVE, TURN, State
from goldenspike.engine.tables import NO_TWIN, Tables

_MOST = 64
_PLANNERS = 0.5
"""The part of the trust that the planner's own move has; the others share the rest."""
_CARD, _BLIND, _TICKETS = 1.0, 0.5, 0.3
"""How far a face-up card is trusted beside the others, the deck, and drawing tickets."""
_CLAIM, _PLANNED, _SPACE, _NEEDED, _DOUBT = -0.09, 0.072, 0.012, 0.0125, 0.04
"""What a claim adds to the prospects, on average, beside what the planner would do: any claim, one that is
planned, each space of it, each locomotive or needed card it takes away (a regression over 6,281 claims of 167
positions, each tried in 400 worlds); and by how much one may differ from that."""


class Candidates(Record):
    """Moves worth trying, the planner's own first."""

    count: Wide
    moves: Annotated[Ints, "i2", (_MOST,)]
    trust: Annotated[NDArray[np.float64], "f8", (_MOST,)]
    """How far each is trusted; together that is one."""


CANDIDATES = record_dtype(Candidates)


@compiled
def list_candidates(
    state: State, tables: Tables, atlas: Atlas, mind: Mind, seat: int, out: Candidates
) -> None:
    """List the moves worth trying, and how far each is trusted."""
    out.count = 0
    _add(out, choose_planner(state, tables, atlas, mind, seat), 0.0)
    if state.phase in (CHOOSING, KEEPING):
        _list_keeps(state, tables, seat, out)
    else:
        _list_draws(state, tables, seat, out)
        if state.phase == TURN:
            _list_claims(state, tables, atlas, mind, seat, out)
    total = 0.0
    for i in range(out.count):
        total += out.trust[i]
    for i in range(out.count):
        out.trust[i] *= (1.0 - _PLANNERS) / max(total, 1e-9)
    out.trust[0] = _PLANNERS


@inlined
def _add(out: Candidates, move: int, trust: float) -> None:
    """Add a move unless it is the planner's, or there is no room."""
    if out.count == _MOST or (out.count > 0 and out.moves[0] == move):
        return
    out.moves[out.count] = move
    out.trust[out.count] = trust
    out.count += 1


@inlined
def _list_keeps(state: State, tables: Tables, seat: int, out: Candidates) -> None:
    least = least_kept(state, tables, seat)
    for mask in range(1, 1 << state.offer_size[seat]):
        if popcount(np.uint64(mask)) >= least:
            _add(out, KEEP + mask, 1.0)


@inlined
def _list_draws(state: State, tables: Tables, seat: int, out: Candidates) -> None:
    faces = faces_to_take(state, tables)
    for kind in range(KINDS):
        if faces >> kind & 1:
            _add(out, TAKE + kind, _CARD)
    if state.deck_size > 0:
        _add(out, DRAW_DECK, _BLIND)
    if state.phase == TURN and verify_move(state, tables, seat, DRAW_TICKETS) == LEGAL:
        _add(out, DRAW_TICKETS, _TICKETS)


@inlined
def _list_claims(state: State, tables: Tables, atlas: Atlas, mind: Mind, seat: int, out: Candidates) -> None:
    """List a claim of each route that can be paid, with the cards that are missed least."""
    make_plan(state, tables, atlas, mind.styles[style_of(tables)], mind.plan, seat)
    find_needs(state, tables, mind.needs, seat, mind.plan.routes[0], mind.plan.routes[1])
    for route in range(tables.routes):
        if has(state.open_to[seat], route) and lane_to_take(state, tables, seat, route) == route:
            move = pay_for(state, tables, mind.needs, seat, route)
            if move != CANNOT_PAY:
                _add(out, move, _trust_claim(tables, mind, move))


@inlined
def _trust_claim(tables: Tables, mind: Mind, move: int) -> float:
    route, colour, locomotives = read_claim(tables, move)
    length, twin = int(tables.route_length[route]), int(tables.route_twin[route])
    taken = locomotives
    if colour != LOCOMOTIVE:
        taken += max(0, length - locomotives - int(mind.needs.spare[colour]))
    gain = _CLAIM + _SPACE * length - _NEEDED * taken
    if has(mind.plan.routes, route) or (twin != NO_TWIN and has(mind.plan.routes, twin)):
        gain += _PLANNED
    return math.exp(gain / _DOUBT)
