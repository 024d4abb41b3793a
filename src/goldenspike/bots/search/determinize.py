"""Determinization: sampling a full state that is consistent with a view.

Unseen cards are dealt uniformly to the other hands and the deck. Unseen tickets are weighted by what their
holders have built: a ticket whose cities a seat's network joins or touches is likelier than a ticket at the
other end of the map.
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
from goldenspike.engine.state import CHOOSING, EMPTY, KINDS, State
from goldenspike.engine.struct import Ints, Struct, Wide, struct_dtype
from goldenspike.engine.tables import Tables

_ANY, _TOUCHED, _SPANNED, _JOINED, _SHOWN = 2, 3, 8, 24, 0
"""Weight of a ticket for a seat whose network touches neither of its cities, one, both, or joins them. In a
race the last weight is 0, because a joined ticket would have been shown (J-4)."""


class HiddenPool(Struct):
    """Cards and tickets still to be dealt while a state is sampled."""

    cards: Annotated[Ints, "i2", (KINDS,)]
    card_count: Wide
    tickets: Annotated[Ints, "i2", (TICKETS,)]
    weights: Annotated[Ints, "i2", (TICKETS,)]
    ticket_count: Wide


HIDDEN_POOL = struct_dtype(HiddenPool)


@compiled
def determinize(
    view: State, tables: Tables, pool: HiddenPool, chance: Chance, seat: int, state: State
) -> None:
    """Fill in at random what a seat cannot see, consistent with its view; `state` starts as a copy of it."""
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
def _gather_cards(view: State, tables: Tables, pool: HiddenPool, seat: int) -> None:
    pool.card_count = 0
    for kind in range(KINDS):
        unseen = count_unseen(view, tables, seat, kind)
        pool.cards[kind] = unseen
        pool.card_count += unseen


@inlined
def _deal_hand(view: State, pool: HiddenPool, chance: Chance, other: int, state: State) -> None:
    """Give a seat the cards it was seen to take, and unseen cards for the rest of its hand."""
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
def _gather_tickets(view: State, tables: Tables, pool: HiddenPool, seat: int) -> None:
    pool.ticket_count = 0
    for ticket in range(tables.tickets):
        is_out = is_seen(view, seat, ticket)
        for i in range(view.offer_size[seat]):
            is_out = is_out or view.offer[seat, i] == ticket
        if not is_out:
            pool.tickets[pool.ticket_count] = ticket
            pool.ticket_count += 1


@compiled
def _deal_tickets(
    view: State, tables: Tables, pool: HiddenPool, chance: Chance, other: int, state: State
) -> None:
    """Give a seat its held and offered tickets, weighted by how well they fit its network."""
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
def _draw_weighted(pool: HiddenPool, chance: Chance) -> int:
    """Take a ticket out of the pool at random, by weight."""
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
    """Return a random legal choice that a seat may have made at setup."""
    size = int(view.offer_size[other])
    while True:
        mask = below(chance, 1 << size)
        if popcount(np.uint64(mask)) >= min(tables.deal_keep, size):
            return mask


@inlined
def _stack_tickets(pool: HiddenPool, chance: Chance, state: State) -> None:
    """Put the remaining tickets into the deck in random order."""
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
    """Give the cards a new random stream."""
    for i in range(8):
        cards.key[i] = np.uint32(next_word(chance))
    cards.stream = CARDS
    cards.counter = 0
    cards.used = len(cards.block)
