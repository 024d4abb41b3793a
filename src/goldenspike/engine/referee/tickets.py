"""The referee's checks of tickets."""

from __future__ import annotations

import numpy as np

from goldenspike.boards.limits import OFFER, SEATS, TICKETS
from goldenspike.engine.bits import NO_BITS, add, bit, has, popcount
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.referee.faults import (
    COAST_TO_COAST_WRONG,
    COMPLETED_MISCOUNTED,
    COMPLETED_WRONG,
    FINE,
    HELD_MISCOUNTED,
    HELD_NOT_BEFORE_SEAT,
    JOINED_NOT_SHOWN,
    OFFER_MISCOUNTED,
    TICKET_DECK_MISCOUNTED,
    TICKET_MISPLACED,
    TOO_FEW_TICKETS,
)
from goldenspike.engine.referee.routes import label_cities
from goldenspike.engine.state import CHOOSING, EMPTY, OVER, TICKETS_COMPLETED, State
from goldenspike.engine.struct import Ints
from goldenspike.engine.tables import Tables


@compiled
def check_places(state: State, tables: Tables) -> int:
    """Check that every ticket is in one place: a hand, an offer, the deck, or shown as completed.

    In editions with offers, the completed tickets of a finished game are also held. In editions with swaps, a
    seat's offer is the set of tickets it holds.
    """
    places = np.zeros(TICKETS, np.int16)
    for i in range(TICKETS):
        if state.ticket_deck[i] != EMPTY:
            places[state.ticket_deck[i]] += 1
    for seat in range(state.seats):
        for ticket in range(tables.tickets):
            if has(state.held[seat], ticket):
                places[ticket] += 1
            if tables.swaps and has(state.completed[seat], ticket):
                places[ticket] += 1
        for i in range(OFFER):
            if not tables.swaps and state.offer[seat, i] != EMPTY:
                places[state.offer[seat, i]] += 1
    for ticket in range(tables.tickets):
        if places[ticket] != 1:
            return TICKET_MISPLACED
    return FINE


@compiled
def check_held_counts(state: State) -> int:
    """Check that held_count is the number of tickets a seat holds."""
    for seat in range(state.seats):
        if popcount(state.held[seat, 0]) + popcount(state.held[seat, 1]) != state.held_count[seat]:
            return HELD_MISCOUNTED
    return FINE


@compiled
def check_offer_sizes(state: State) -> int:
    """Check that the offer has no gaps and is as long as offer_size."""
    for seat in range(SEATS):
        for i in range(OFFER):
            if (state.offer[seat, i] != EMPTY) != (i < state.offer_size[seat]):
                return OFFER_MISCOUNTED
    return FINE


@compiled
def check_ticket_deck(state: State) -> int:
    """Check that the ticket deck is a contiguous part of its ring buffer, as long as ticket_deck_size."""
    for i in range(TICKETS):
        is_ticket = state.ticket_deck[(state.ticket_top + i) % TICKETS] != EMPTY
        if is_ticket != (i < state.ticket_deck_size):
            return TICKET_DECK_MISCOUNTED
    return FINE


@compiled
def check_completed_counts(state: State) -> int:
    """Check that completed_count is the number of completed tickets, Coast-to-Coast included (J-5)."""
    for seat in range(state.seats):
        shown = popcount(state.completed[seat, 0]) + popcount(state.completed[seat, 1])
        if shown + int(state.coast_to_coast[seat]) != state.completed_count[seat]:
            return COMPLETED_MISCOUNTED
    return FINE


@compiled
def check_open_tickets(state: State, tables: Tables) -> int:
    """Check, in editions with swaps, that a seat's open tickets are those it holds (J-1)."""
    if not tables.swaps:
        return FINE
    for seat in range(state.seats):
        before = np.zeros(2, np.uint64)
        for i in range(OFFER):
            if state.offer[seat, i] != EMPTY:
                add(before, int(state.offer[seat, i]))
        for word in range(2):
            if before[word] != state.held[seat, word]:
                return HELD_NOT_BEFORE_SEAT
    return FINE


@compiled
def check_kept(state: State, tables: Tables) -> int:
    """Check that every seat kept enough of its opening tickets (S-3)."""
    if tables.swaps or state.phase == CHOOSING:
        return FINE
    for seat in range(state.seats):
        if popcount(state.held[seat, 0]) + popcount(state.held[seat, 1]) < tables.deal_keep:
            return TOO_FEW_TICKETS
    return FINE


@inlined
def is_ticket_joined(tables: Tables, labels: Ints, ticket: int) -> bool:
    """Tell whether the two cities of a ticket have the same label."""
    label = -1
    for city in range(tables.cities):
        if (tables.ticket_ends[ticket] & bit(city)) != NO_BITS:
            if label >= 0 and labels[city] != label:
                return False
            label = int(labels[city])
    return True


@compiled
def check_completed(state: State, tables: Tables) -> int:
    """Check that completed tickets are joined; at the end of a game with offers, that none is missing.

    Before that end no ticket is marked, because completion is secret (T-2).
    """
    if not tables.swaps and state.phase != OVER:
        for seat in range(state.seats):
            if (state.completed[seat, 0] | state.completed[seat, 1]) != NO_BITS:
                return COMPLETED_WRONG
        return FINE
    for seat in range(state.seats):
        labels = label_cities(state, tables, seat)
        for ticket in range(tables.tickets):
            is_completed = has(state.completed[seat], ticket)
            if is_completed and not is_ticket_joined(tables, labels, ticket):
                return COMPLETED_WRONG
            if not tables.swaps:
                is_held = has(state.held[seat], ticket)
                if is_completed != (is_held and is_ticket_joined(tables, labels, ticket)):
                    return COMPLETED_WRONG
    return FINE


@compiled
def check_shown(state: State, tables: Tables) -> int:
    """Check that no open ticket is joined (J-4), unless the game ended before it could be shown (J-6)."""
    if not tables.swaps or state.ending == TICKETS_COMPLETED:
        return FINE
    for seat in range(state.seats):
        labels = label_cities(state, tables, seat)
        for ticket in range(tables.tickets):
            if has(state.held[seat], ticket) and is_ticket_joined(tables, labels, ticket):
                return JOINED_NOT_SHOWN
    return FINE


@compiled
def check_coasts(state: State, tables: Tables) -> int:
    """Check that exactly the seats that joined west and east have the Coast-to-Coast ticket (J-5)."""
    for seat in range(state.seats):
        is_due = 0
        if tables.swaps and tables.west != NO_BITS:
            labels = label_cities(state, tables, seat)
            for west in range(tables.cities):
                for east in range(tables.cities):
                    is_west = (tables.west & state.touched[seat] & bit(west)) != NO_BITS
                    if is_west and (tables.east & bit(east)) != NO_BITS and labels[west] == labels[east]:
                        is_due = 1
        if state.coast_to_coast[seat] != is_due:
            return COAST_TO_COAST_WRONG
    return FINE
