"""The greedy bot: it claims the best route it can pay for."""

from __future__ import annotations

from goldenspike.bots.graph import Graph
from goldenspike.bots.hand import CANNOT_PAY, best_claim
from goldenspike.bots.paths import ticket_cities
from goldenspike.engine.compile import compiled
from goldenspike.engine.legal import least_kept, nth_move, takeable_kinds
from goldenspike.engine.moves import DRAW_DECK, KEEP, TAKE
from goldenspike.engine.state import CHOOSING, KEEPING, SECOND_CARD, State
from goldenspike.engine.tables import Tables


@compiled
def choose_greedy(view: State, tables: Tables, graph: Graph, seat: int) -> int:
    """Claim the most valuable route the hand can pay for, else draw; keep as few tickets as allowed."""
    if view.phase in (CHOOSING, KEEPING):
        return KEEP + shortest_tickets(view, tables, graph, seat)
    if view.phase != SECOND_CARD:
        move = best_claim(view, tables, seat)
        if move != CANNOT_PAY:
            return move
    return draw_most_held(view, tables, seat)


@compiled
def shortest_tickets(view: State, tables: Tables, graph: Graph, seat: int) -> int:
    """Return the bit set of tickets to keep: as few as allowed, those with the nearest cities."""
    mask = 0
    for _ in range(least_kept(view, tables, seat)):
        best, nearest = 0, -1
        for i in range(view.offer_size[seat]):
            distance = int(graph.distance[ticket_cities(tables, int(view.offer[seat, i]))])
            if not mask >> i & 1 and (nearest < 0 or distance < nearest):
                best, nearest = i, distance
        mask |= 1 << best
    return mask


@compiled
def draw_most_held(view: State, tables: Tables, seat: int) -> int:
    """Take the face-up colour the hand has most of, else the top card, else whatever is legal."""
    best, most = -1, 0
    kinds = takeable_kinds(view, tables)
    for colour in range(tables.colours):
        if kinds >> colour & 1 and view.hands[seat, colour] > most:
            best, most = colour, int(view.hands[seat, colour])
    if best >= 0:
        return TAKE + best
    if view.deck_size > 0:
        return DRAW_DECK
    return nth_move(view, tables, seat, 0)
