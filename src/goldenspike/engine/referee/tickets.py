"""The referee's checks of tickets."""

from __future__ import annotations

import numpy as np

from goldenspike.boards.limits import OFFER, SEATS, TICKETS
from goldenspike.engine.bits import NO_BITS, add, bit, has, popcount
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.record import Ints
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
from goldenspike.engine.tables import Tables


@compiled
def check_places(state: State, tables: Tables) -> int:
    """Check that every ticket is in one place: a hand, an offer, the deck, or shown as completed.

    Where tickets are offered, the completed ones of a finished game are still among those held. Where they
    are swapped, what lies before a seat is what it holds.
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
    """Check that a seat holds as many tickets as it is said to."""
    for seat in range(state.seats):
        if popcount(state.held[seat, 0]) + popcount(state.held[seat, 1]) != state.held_count[seat]:
            return HELD_MISCOUNTED
    return FINE


@compiled
def check_offer_sizes(state: State) -> int:
    """Check that the tickets before a seat fill the first places and no other."""
    for seat in range(SEATS):
        for i in range(OFFER):
            if (state.offer[seat, i] != EMPTY) != (i < state.offer_size[seat]):
                return OFFER_MISCOUNTED
    return FINE


@compiled
def check_ticket_deck(state: State) -> int:
    """Check that the ticket deck is a stretch of its ring, as long as it is said to be."""
    for i in range(TICKETS):
        is_ticket = state.ticket_deck[(state.ticket_top + i) % TICKETS] != EMPTY
        if is_ticket != (i < state.ticket_deck_size):
            return TICKET_DECK_MISCOUNTED
    return FINE


@compiled
def check_completed_counts(state: State) -> int:
    """Check that a seat has as many completed tickets as it is said to, Coast-to-Coast included (J-5)."""
    for seat in range(state.seats):
        shown = popcount(state.completed[seat, 0]) + popcount(state.completed[seat, 1])
        if shown + int(state.coast_to_coast[seat]) != state.completed_count[seat]:
            return COMPLETED_MISCOUNTED
    return FINE


@compiled
def check_open_tickets(state: State, tables: Tables) -> int:
    """Check that the open tickets before a seat are those it holds, where tickets are swapped (J-1)."""
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
    """Tell whether the cities of a ticket have one label."""
    label = -1
    for city in range(tables.cities):
        if (tables.ticket_ends[ticket] & bit(city)) != NO_BITS:
            if label >= 0 and labels[city] != label:
                return False
            label = int(labels[city])
    return True


@compiled
def check_completed(state: State, tables: Tables) -> int:
    """Check that the completed tickets are joined; at the end of a game of offers, that they are all of them.

    Before that end it is a secret which are (T-2).
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
    """Check that no open ticket is joined (J-4), unless the game was won before it could be shown (J-6)."""
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
    """Check that exactly those have the Coast-to-Coast ticket who joined west and east (J-5)."""
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
