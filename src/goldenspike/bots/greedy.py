"""The greedy bot: it claims the best route it can pay for."""

from __future__ import annotations

from goldenspike.bots.atlas import Atlas
from goldenspike.bots.hand import CANNOT_PAY, best_claim
from goldenspike.bots.paths import ticket_cities
from goldenspike.engine.compile import compiled
from goldenspike.engine.legal import faces_to_take, least_kept, nth_move
from goldenspike.engine.moves import DRAW_DECK, KEEP, TAKE
from goldenspike.engine.state import CHOOSING, KEEPING, SECOND_CARD, State
from goldenspike.engine.tables import Tables


@compiled
def choose_greedy(view: State, tables: Tables, atlas: Atlas, seat: int) -> int:
    """Claim the route worth most of those the hand can pay, else draw; keep as few tickets as may be."""
    if view.phase in (CHOOSING, KEEPING):
        return KEEP + shortest_tickets(view, tables, atlas, seat)
    if view.phase != SECOND_CARD:
        move = best_claim(view, tables, seat)
        if move != CANNOT_PAY:
            return move
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
