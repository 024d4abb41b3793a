"""Setting up a game (S-1 to S-5, J-1)."""

from __future__ import annotations

from goldenspike.boards.limits import OFFER, SEATS, TICKETS
from goldenspike.engine import events
from goldenspike.engine.cards import give_from_deck, settle_cards
from goldenspike.engine.chance import CARDS, FIRST_SEAT, below, open_stream, shuffle
from goldenspike.engine.chance import TICKETS as TICKET_STREAM
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.events import Log, emit
from goldenspike.engine.state import CHOOSING, EMPTY, KINDS, NOT_LAST_ROUND, State
from goldenspike.engine.struct import Words32
from goldenspike.engine.tables import Tables
from goldenspike.engine.tickets import offer_tickets, receive_ticket
from goldenspike.engine.turns import begin_turn

ANY_SEAT = -1
"""Let the seed decide which seat begins (S-4)."""


@compiled
def deal(state: State, tables: Tables, seats: int, key: Words32, first: int, log: Log) -> None:
    """Set up a game in a blank state: shuffle tickets, deal cards, fill the row, deal tickets."""
    _lay_pieces(state, tables, seats)
    open_stream(state.chance, key, FIRST_SEAT)
    state.first = below(state.chance, seats) if first == ANY_SEAT else first
    emit(log, events.STARTED, state.first, seats, 0, 0, 0)
    _shuffle_tickets(state, tables, key)
    open_stream(state.chance, key, CARDS)
    for seat in range(seats):
        for _ in range(tables.opening_hand):
            give_from_deck(state, seat, log)
    settle_cards(state, tables, log)
    if tables.swaps:
        for seat in range(seats):
            for _ in range(tables.deal):
                receive_ticket(state, seat, log)
        begin_turn(state, state.first, log)
    else:
        state.phase = CHOOSING
        state.turn = state.first
        for seat in range(seats):
            offer_tickets(state, seat, tables.deal, log)


@inlined
def _lay_pieces(state: State, tables: Tables, seats: int) -> None:
    state.seats = seats
    state.turns_left = NOT_LAST_ROUND
    for seat in range(SEATS):
        for i in range(OFFER):
            state.offer[seat, i] = EMPTY
    for seat in range(seats):
        state.pieces[seat] = tables.pieces
        for word in range(2):
            state.open_to[seat, word] = tables.up_to[-1, word]
    for slot in range(len(state.row)):
        state.row[slot] = EMPTY
    for kind in range(KINDS):
        state.deck[kind] = tables.deck[kind]
        state.deck_size += tables.deck[kind]


@inlined
def _shuffle_tickets(state: State, tables: Tables, key: Words32) -> None:
    for i in range(TICKETS):
        state.ticket_deck[i] = i if i < tables.tickets else EMPTY
    open_stream(state.chance, key, TICKET_STREAM)
    shuffle(state.chance, state.ticket_deck, tables.tickets)
    state.ticket_deck_size = tables.tickets
