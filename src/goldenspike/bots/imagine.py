"""Imagining what a view hides: a whole state that could be the real one.

Cards that nobody has seen are dealt at random to the other hands and the deck. Tickets that nobody has seen
are dealt with an eye on what their holders have built: a ticket that a seat's network already joins, or
touches at both ends, is a likelier one than a ticket at the other end of the map.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from goldenspike.boards.limits import TICKETS
from goldenspike.bots.hand import count_unseen, is_seen
from goldenspike.engine.bits import add, popcount
from goldenspike.engine.chance import CARDS, Chance, below, next_word
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.network import is_joined
from goldenspike.engine.record import Ints, Record, Wide, record_dtype
from goldenspike.engine.state import CHOOSING, EMPTY, KINDS, State
from goldenspike.engine.tables import Tables

_ANY, _TOUCHED, _SPANNED, _JOINED, _SHOWN = 2, 3, 8, 24, 0
"""How likely a ticket is to be held by a seat whose network touches neither of its cities, one, both, or
joins them; in a race a joined ticket would have been shown (J-4)."""


class Pool(Record):
    """What is still to be dealt while a state is imagined."""

    cards: Annotated[Ints, "i2", (KINDS,)]
    card_count: Wide
    tickets: Annotated[Ints, "i2", (TICKETS,)]
    weights: Annotated[Ints, "i2", (TICKETS,)]
    ticket_count: Wide


POOL = record_dtype(Pool)


@compiled
def imagine(view: State, tables: Tables, pool: Pool, chance: Chance, seat: int, state: State) -> None:
    """Fill in what a seat cannot see, at random but in keeping with its view; the state is a copy of it."""
    _gather_cards(view, tables, pool, seat)
    for other in range(view.seats):
        if other != seat:
            _deal_hand(view, pool, chance, other, state)
    for kind in range(KINDS):
        state.deck[kind] = pool.cards[kind]
    _gather_tickets(view, tables, pool, seat)
    for other in range(view.seats):
        if other != seat:
            _deal_tickets(view, tables, pool, chance, other, state)
    _stack_tickets(pool, chance, state)
    _shuffle_anew(state.chance, chance)


@inlined
def _gather_cards(view: State, tables: Tables, pool: Pool, seat: int) -> None:
    pool.card_count = 0
    for kind in range(KINDS):
        unseen = count_unseen(view, tables, seat, kind)
        pool.cards[kind] = unseen
        pool.card_count += unseen


@inlined
def _deal_hand(view: State, pool: Pool, chance: Chance, other: int, state: State) -> None:
    """Give a seat what it was seen to take, and unseen cards for the rest of its hand."""
    missing = int(view.hand_size[other])
    for kind in range(KINDS):
        state.hands[other, kind] = view.known[other, kind]
        missing -= int(view.known[other, kind])
    for _ in range(missing):
        n = below(chance, pool.card_count)
        kind = 0
        while n >= pool.cards[kind]:
            n -= int(pool.cards[kind])
            kind += 1
        pool.cards[kind] -= 1
        pool.card_count -= 1
        state.hands[other, kind] += 1


@inlined
def _gather_tickets(view: State, tables: Tables, pool: Pool, seat: int) -> None:
    pool.ticket_count = 0
    for ticket in range(tables.tickets):
        is_out = is_seen(view, seat, ticket)
        for i in range(view.offer_size[seat]):
            is_out = is_out or view.offer[seat, i] == ticket
        if not is_out:
            pool.tickets[pool.ticket_count] = ticket
            pool.ticket_count += 1


@compiled
def _deal_tickets(view: State, tables: Tables, pool: Pool, chance: Chance, other: int, state: State) -> None:
    """Give a seat the tickets it holds, and those it is choosing from, by how well they fit its network."""
    for i in range(pool.ticket_count):
        pool.weights[i] = _likelihood(view, tables, other, int(pool.tickets[i]))
    if tables.swaps:
        for i in range(view.offer_size[other]):
            ticket = _draw_weighted(pool, chance)
            state.offer[other, i] = ticket
            add(state.held[other], ticket)
        return
    for _ in range(view.held_count[other]):
        add(state.held[other], _draw_weighted(pool, chance))
    for i in range(view.offer_size[other]):
        state.offer[other, i] = _draw_weighted(pool, chance)
    if view.phase == CHOOSING and view.choice[other] != 0:
        state.choice[other] = _guess_choice(view, tables, chance, other)


@inlined
def _likelihood(view: State, tables: Tables, other: int, ticket: int) -> int:
    ends = tables.ticket_ends[ticket]
    touched = popcount(ends & view.touched[other])
    if touched < 2:
        return _TOUCHED if touched == 1 else _ANY
    if not is_joined(view, tables, other, ticket):
        return _SPANNED
    return _SHOWN if tables.swaps else _JOINED


@compiled
def _draw_weighted(pool: Pool, chance: Chance) -> int:
    """Take a ticket out of the pool, the likelier ones sooner."""
    total = 0
    for i in range(pool.ticket_count):
        total += int(pool.weights[i])
    n = below(chance, total) if total > 0 else 0
    at = 0
    while n >= pool.weights[at] and at < pool.ticket_count - 1:
        n -= int(pool.weights[at])
        at += 1
    ticket = int(pool.tickets[at])
    pool.ticket_count -= 1
    pool.tickets[at] = pool.tickets[pool.ticket_count]
    pool.weights[at] = pool.weights[pool.ticket_count]
    return ticket


@inlined
def _guess_choice(view: State, tables: Tables, chance: Chance, other: int) -> int:
    """Return some choice at setup that a seat may have made."""
    size = int(view.offer_size[other])
    while True:
        mask = below(chance, 1 << size)
        if popcount(np.uint64(mask)) >= min(tables.deal_keep, size):
            return mask


@inlined
def _stack_tickets(pool: Pool, chance: Chance, state: State) -> None:
    """Lay the tickets that are left down as the deck, in any order."""
    for i in range(TICKETS):
        state.ticket_deck[i] = EMPTY
    state.ticket_top = 0
    for i in range(state.ticket_deck_size):
        other = i + below(chance, pool.ticket_count - i)
        ticket = int(pool.tickets[other])
        pool.tickets[other] = pool.tickets[i]
        state.ticket_deck[i] = ticket


@inlined
def _shuffle_anew(cards: Chance, chance: Chance) -> None:
    """Let the cards come from a stream of their own."""
    for i in range(8):
        cards.key[i] = np.uint32(next_word(chance))
    cards.stream = CARDS
    cards.counter = 0
    cards.used = len(cards.block)
