"""The floor: a bot that plays any move, and one that takes the best route it can pay for."""

from __future__ import annotations

from goldenspike.bots.atlas import Atlas
from goldenspike.bots.hand import CANNOT_PAY, cheapest_claim
from goldenspike.bots.paths import ticket_cities
from goldenspike.engine.bits import has
from goldenspike.engine.chance import Chance, below
from goldenspike.engine.compile import compiled
from goldenspike.engine.legal import count_moves, faces_to_take, least_kept, nth_move
from goldenspike.engine.moves import DRAW_DECK, KEEP, TAKE
from goldenspike.engine.state import CHOOSING, KEEPING, SECOND_CARD, State
from goldenspike.engine.tables import Tables


@compiled
def choose_random(view: State, tables: Tables, chance: Chance, seat: int) -> int:
    """Return any legal move, all equally likely."""
    return nth_move(view, tables, seat, below(chance, count_moves(view, tables, seat)))


@compiled
def choose_greedy(view: State, tables: Tables, atlas: Atlas, seat: int) -> int:
    """Claim the route worth most of those the hand can pay, else draw; keep as few tickets as may be."""
    if view.phase in (CHOOSING, KEEPING):
        return KEEP + shortest_tickets(view, tables, atlas, seat)
    if view.phase != SECOND_CARD:
        best, most = CANNOT_PAY, -1
        for route in range(tables.routes):
            if has(view.open_to[seat], route):
                worth = 16 * int(tables.route_points[route]) + int(tables.route_length[route])
                move = cheapest_claim(view, tables, seat, route)
                if move != CANNOT_PAY and worth > most:
                    best, most = move, worth
        if best != CANNOT_PAY:
            return best
    return draw_most_held(view, tables, seat)


@compiled
def shortest_tickets(view: State, tables: Tables, atlas: Atlas, seat: int) -> int:
    """Return which tickets of an offer to keep, a bit each: as few as may be, those of the nearest cities."""
    mask = 0
    for _ in range(least_kept(view, tables, seat)):
        best, nearest = 0, -1
        for i in range(view.offer_size[seat]):
            distance = int(atlas.distance[ticket_cities(tables, int(view.offer[seat, i]))])
            if not mask >> i & 1 and (nearest < 0 or distance < nearest):
                best, nearest = i, distance
        mask |= 1 << best
    return mask


@compiled
def draw_most_held(view: State, tables: Tables, seat: int) -> int:
    """Take the face-up colour there is most of in hand, else the top card; do what is left if neither can."""
    best, most = -1, 0
    faces = faces_to_take(view, tables)
    for colour in range(tables.colours):
        if faces >> colour & 1 and view.hands[seat, colour] > most:
            best, most = colour, int(view.hands[seat, colour])
    if best >= 0:
        return TAKE + best
    if view.deck_size > 0:
        return DRAW_DECK
    return nth_move(view, tables, seat, 0)
