"""The referee's first checks: every value is in its valid range. The other checks rely on these."""

from __future__ import annotations

from goldenspike.boards.limits import OFFER, SEATS, TICKETS
from goldenspike.engine.bits import NO_BITS, has
from goldenspike.engine.compile import compiled
from goldenspike.engine.referee.faults import (
    FINE,
    NEGATIVE,
    OUT_OF_RANGE,
    SEAT_NOT_BLANK,
    UNKNOWN_CARD,
    UNKNOWN_ROUTE,
    UNKNOWN_TICKET,
)
from goldenspike.engine.state import (
    EMPTY,
    LAST_PIECE_PLACED,
    LOCOMOTIVE,
    NOT_LAST_ROUND,
    OVER,
    SHARED,
    State,
)
from goldenspike.engine.tables import Tables


@compiled
def check_signs(state: State) -> int:
    """Check that no count is negative."""
    least = min(state.hands.min(), state.known.min(), state.deck.min(), state.discards.min())
    least = min(least, state.hand_size.min(), state.deck_size, state.discards_size)
    least = min(least, state.pieces.min(), state.points.min(), state.turns, state.passes)
    least = min(least, state.offer_size.min(), state.choice.min(), state.ticket_deck_size)
    least = min(least, state.held_count.min(), state.completed_count.min())
    return NEGATIVE if least < 0 else FINE


@compiled
def check_ranges(state: State) -> int:
    """Check that codes, seats and indices are in range."""
    seats = state.seats
    if not (2 <= seats <= SEATS and 0 <= state.first < seats and 0 <= state.turn < seats):
        return OUT_OF_RANGE
    if not (0 <= state.phase <= OVER and 0 <= state.ending <= LAST_PIECE_PLACED):
        return OUT_OF_RANGE
    if not (0 <= state.tie_break <= SHARED and 0 <= state.winners < 1 << seats):
        return OUT_OF_RANGE
    if not (NOT_LAST_ROUND <= state.turns_left <= seats and 0 <= state.ticket_top < TICKETS):
        return OUT_OF_RANGE
    if not (state.offer_size.max() <= OFFER and state.ticket_deck_size <= TICKETS):
        return OUT_OF_RANGE
    return FINE


@compiled
def check_row_cards(state: State, tables: Tables) -> int:
    """Check that face-up slots hold a valid card or are empty, and that slots beyond the row are empty."""
    for slot in range(len(state.row)):
        kind = int(state.row[slot])
        is_card = 0 <= kind < tables.colours or kind == LOCOMOTIVE
        if kind != EMPTY and not (is_card and slot < tables.face_up):
            return UNKNOWN_CARD
    return FINE


@compiled
def check_route_numbers(state: State, tables: Tables) -> int:
    """Check that seats own only routes of the board."""
    for seat in range(state.seats):
        for route in range(tables.routes, 128):
            if has(state.owned[seat], route):
                return UNKNOWN_ROUTE
    return FINE


@compiled
def check_ticket_numbers(state: State, tables: Tables) -> int:
    """Check that all tickets belong to the edition."""
    for i in range(TICKETS):
        if not EMPTY <= state.ticket_deck[i] < tables.tickets:
            return UNKNOWN_TICKET
    for seat in range(SEATS):
        for i in range(OFFER):
            if not EMPTY <= state.offer[seat, i] < tables.tickets:
                return UNKNOWN_TICKET
        for ticket in range(tables.tickets, 128):
            if has(state.held[seat], ticket) or has(state.completed[seat], ticket):
                return UNKNOWN_TICKET
    return FINE


@compiled
def check_blank_seats(state: State) -> int:
    """Check that seats beyond the number of players are blank."""
    for seat in range(state.seats, SEATS):
        words = state.touched[seat]
        for word in range(2):
            words |= state.open_to[seat, word] | state.owned[seat, word]
            words |= state.held[seat, word] | state.completed[seat, word]
        cards = state.hands[seat].sum() + state.known[seat].sum() + state.hand_size[seat]
        counts = abs(state.pieces[seat]) + abs(state.points[seat]) + abs(state.totals[seat])
        tickets = state.offer_size[seat] + state.choice[seat] + state.held_count[seat]
        shown = state.completed_count[seat] + abs(state.coast_to_coast[seat])
        if words != NO_BITS or cards + counts + tickets + shown != 0 or state.offer[seat].max() != EMPTY:
            return SEAT_NOT_BLANK
    return FINE
