"""Tickets: offer, keep, return (S-3, T-1 to T-4); First Journey's swap and complete (J-2, J-4, J-5)."""

from __future__ import annotations

import numpy as np

from goldenspike.boards.limits import OFFER, TICKETS
from goldenspike.engine import events
from goldenspike.engine.bits import NO_BITS, add, bit, drop_lowest, lowest, pair_has, remove
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.events import Log, emit
from goldenspike.engine.network import is_coast_to_coast, is_joined
from goldenspike.engine.state import EMPTY, State
from goldenspike.engine.tables import Tables


@inlined
def draw_ticket(state: State) -> int:
    """Take the top ticket of the deck, which must not be empty."""
    ticket = int(state.ticket_deck[state.ticket_top])
    state.ticket_deck[state.ticket_top] = EMPTY
    state.ticket_top = (state.ticket_top + 1) % TICKETS
    state.ticket_deck_size -= 1
    return ticket


@inlined
def put_under_deck(state: State, ticket: int) -> None:
    """Put a ticket at the bottom of the deck (R-5)."""
    state.ticket_deck[(state.ticket_top + state.ticket_deck_size) % TICKETS] = ticket
    state.ticket_deck_size += 1


@compiled
def offer_tickets(state: State, seat: int, count: int, log: Log) -> None:
    """Offer a seat up to this many tickets to choose from (T-1)."""
    for _ in range(min(count, state.ticket_deck_size)):
        ticket = draw_ticket(state)
        state.offer[seat, state.offer_size[seat]] = ticket
        state.offer_size[seat] += 1
        emit(log, events.OFFERED, seat, ticket, 0, 0, 0)


@compiled
def keep_tickets(state: State, seat: int, mask: int, log: Log) -> None:
    """Keep the chosen tickets of the offer and return the rest to the bottom of the deck, in order (R-5)."""
    for i in range(state.offer_size[seat]):
        if mask >> i & 1:
            ticket = int(state.offer[seat, i])
            add(state.held[seat], ticket)
            state.held_count[seat] += 1
            emit(log, events.KEPT, seat, ticket, 0, 0, 0)
    for i in range(state.offer_size[seat]):
        if not mask >> i & 1:
            ticket = int(state.offer[seat, i])
            put_under_deck(state, ticket)
            emit(log, events.RETURNED, seat, ticket, 0, 0, 0)
    _clear_offer(state, seat)


@inlined
def _clear_offer(state: State, seat: int) -> None:
    for i in range(OFFER):
        state.offer[seat, i] = EMPTY
    state.offer_size[seat] = 0


@compiled
def joined_tickets(state: State, tables: Tables, seat: int) -> tuple[np.uint64, np.uint64]:
    """Return the held tickets of a seat that its routes join, as a pair of words."""
    found_0, found_1 = NO_BITS, NO_BITS
    for word in range(2):
        rest = state.held[seat, word]
        while rest != NO_BITS:
            ticket = lowest(rest) + 64 * word
            rest = drop_lowest(rest)
            if is_joined(state, tables, seat, ticket):
                if word == 0:
                    found_0 |= bit(ticket)
                else:
                    found_1 |= bit(ticket)
    return found_0, found_1


@inlined
def tell_joined(
    state: State, tables: Tables, seat: int, before: tuple[np.uint64, np.uint64], log: Log
) -> None:
    """Emit an event, private to the seat, for each ticket that has become joined (T-2)."""
    now = joined_tickets(state, tables, seat)
    for ticket in range(tables.tickets):
        if pair_has(now, ticket) and not pair_has(before, ticket):
            emit(log, events.JOINED, seat, ticket, 0, 0, 0)


@inlined
def receive_ticket(state: State, seat: int, log: Log) -> None:
    """Draw a ticket into a seat's hand without a choice (J-1, J-4)."""
    ticket = draw_ticket(state)
    add(state.held[seat], ticket)
    state.held_count[seat] += 1
    state.offer[seat, state.offer_size[seat]] = ticket
    state.offer_size[seat] += 1
    emit(log, events.RECEIVED, seat, ticket, 0, 0, 0)


@compiled
def swap_tickets(state: State, tables: Tables, seat: int, log: Log) -> None:
    """Draw new tickets, then put the old ones at the bottom of the deck (J-2, R-9).

    The code returns the old tickets first. This is equivalent, because it draws at most as many tickets as
    the deck had before, so none of the old ones is drawn again.
    """
    count, before = int(state.offer_size[seat]), int(state.ticket_deck_size)
    emit(log, events.SWAPPED, seat, count, 0, 0, 0)
    for i in range(count):
        ticket = int(state.offer[seat, i])
        remove(state.held[seat], ticket)
        put_under_deck(state, ticket)
    state.held_count[seat] = 0
    _clear_offer(state, seat)
    for _ in range(min(tables.deal, before)):
        receive_ticket(state, seat, log)


@compiled
def complete_tickets(state: State, tables: Tables, seat: int, log: Log) -> None:
    """Show what a seat has completed: the Coast-to-Coast bonus (J-5), then every joined ticket.

    Each shown ticket is replaced, and the replacement may be joined already (J-4). Stop at the number of
    tickets that wins, because the game is then over at once (J-6).
    """
    if not state.coast_to_coast[seat] and is_coast_to_coast(state, tables, seat):
        state.coast_to_coast[seat] = 1
        state.completed_count[seat] += 1
        emit(log, events.COAST_TO_COAST, seat, 0, 0, 0, 0)
    i = 0
    while i < state.offer_size[seat] and state.completed_count[seat] < tables.race_tickets:
        if not is_joined(state, tables, seat, int(state.offer[seat, i])):
            i += 1
            continue
        _show_completed(state, seat, i, log)
        if state.ticket_deck_size > 0 and state.completed_count[seat] < tables.race_tickets:
            receive_ticket(state, seat, log)


@inlined
def _show_completed(state: State, seat: int, index: int, log: Log) -> None:
    ticket = int(state.offer[seat, index])
    state.offer_size[seat] -= 1
    for i in range(index, state.offer_size[seat]):
        state.offer[seat, i] = state.offer[seat, i + 1]
    state.offer[seat, state.offer_size[seat]] = EMPTY
    remove(state.held[seat], ticket)
    state.held_count[seat] -= 1
    add(state.completed[seat], ticket)
    state.completed_count[seat] += 1
    emit(log, events.COMPLETED, seat, ticket, 0, 0, 0)
