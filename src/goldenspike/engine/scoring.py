"""Final scores and winners (F-1 to F-6, V-5, V-6, J-6, J-7)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldenspike.boards.limits import SEATS
from goldenspike.engine import events
from goldenspike.engine.bits import NO_BITS, drop_lowest, has, lowest, pair_has, popcount
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.events import NOBODY, TERMS, Log, emit
from goldenspike.engine.state import BY_COMPLETED_TICKETS, NO_TIE, OVER, SHARED, State
from goldenspike.engine.struct import Ints
from goldenspike.engine.tables import Tables
from goldenspike.engine.tickets import joined_tickets
from goldenspike.engine.trail import longest_trail

ROUTES, TICKETS_MADE, TICKETS_FAILED, LONGEST_PATH, GLOBETROTTER, ATTRACTIONS, COMPLETED = range(7)
"""Terms of a score; COMPLETED counts tickets in editions where only tickets decide (J-6)."""

Terms = NDArray[np.int16]
"""Points by seat and term."""


@compiled
def finish(state: State, tables: Tables, log: Log) -> None:
    """Reveal the tickets, compute the final scores, and set the winners."""
    state.phase = OVER
    if tables.race_tickets == 0:
        for seat in range(state.seats):
            _reveal_tickets(state, tables, seat, log)
    terms = log.terms
    for seat in range(SEATS):
        for term in range(TERMS):
            terms[seat, term] = 0
    path_holders = score_terms(state, tables, terms, log)
    for seat in range(state.seats):
        for term in range(TERMS):
            state.totals[seat] += terms[seat, term]
            if terms[seat, term] != 0:
                emit(log, events.SCORED, seat, term, terms[seat, term], 0, 0)
    _name_winners(state, tables, path_holders)
    emit(log, events.ENDED, NOBODY, state.ending, state.tie_break, state.winners, 0)


@inlined
def _reveal_tickets(state: State, tables: Tables, seat: int, log: Log) -> None:
    """Reveal a seat's tickets and mark those that are joined as completed (F-2)."""
    joined = joined_tickets(state, tables, seat)
    for word in range(2):
        state.completed[seat, word] = joined[word]
        state.completed_count[seat] += popcount(joined[word])
        rest = state.held[seat, word]
        while rest != NO_BITS and log.is_on:
            ticket = lowest(rest) + 64 * word
            rest = drop_lowest(rest)
            emit(log, events.REVEALED, seat, ticket, 1 if pair_has(joined, ticket) else 0, 0, 0)


@inlined
def score_terms(state: State, tables: Tables, terms: Terms, log: Log) -> int:
    """Write all score terms of a finished game; return the seats with the Longest Path as a bit mask."""
    if tables.race_tickets > 0:
        for seat in range(state.seats):
            terms[seat, COMPLETED] = state.completed_count[seat]
        return 0
    for seat in range(state.seats):
        terms[seat, ROUTES] = state.points[seat]
        _score_tickets(state, tables, seat, terms)
        if tables.attraction > 0:
            seen = popcount(state.touched[seat] & tables.attractions)
            terms[seat, ATTRACTIONS] = tables.attraction * seen
    if tables.globetrotter > 0:
        _award(terms, GLOBETROTTER, tables.globetrotter, most_of(state.completed_count, state.seats))
    path_holders = 0
    if tables.longest_path > 0:
        path_holders = longest_path_holders(state, tables, log)
        _award(terms, LONGEST_PATH, tables.longest_path, path_holders)
    return path_holders


@inlined
def _score_tickets(state: State, tables: Tables, seat: int, terms: Terms) -> None:
    """Add the points of completed tickets and subtract those of the others (F-2)."""
    for word in range(2):
        rest = state.held[seat, word]
        while rest != NO_BITS:
            ticket = lowest(rest) + 64 * word
            rest = drop_lowest(rest)
            if has(state.completed[seat], ticket):
                terms[seat, TICKETS_MADE] += tables.ticket_points[ticket]
            else:
                terms[seat, TICKETS_FAILED] -= tables.ticket_points[ticket]


@inlined
def _award(terms: Terms, term: int, points: int, seats: int) -> None:
    for seat in range(SEATS):
        if seats >> seat & 1:
            terms[seat, term] = points


@inlined
def most_of(counts: Ints, seats: int) -> int:
    """Return the seats with the highest count as a bit mask; no seats if it is 0 (V-5, R-7)."""
    most, best = 0, 0
    for seat in range(seats):
        if counts[seat] > most:
            most, best = int(counts[seat]), 0
        if counts[seat] == most and most > 0:
            best |= 1 << seat
    return best


@inlined
def longest_path_holders(state: State, tables: Tables, log: Log) -> int:
    """Return the seats with the longest path as a bit mask (V-6, F-3, R-7).

    A seat's path is computed only as far as needed to know whether it reaches the longest so far.
    """
    longest, holders = 0, 0
    for seat in range(state.seats):
        routes_0, routes_1 = state.owned[seat, 0], state.owned[seat, 1]
        length = longest_trail(tables, routes_0, routes_1, max(0, longest - 1), log.network, log.sweep)
        if length > longest:
            longest, holders = length, 0
        if length == longest and length > 0:
            holders |= 1 << seat
    return holders


@inlined
def _name_winners(state: State, tables: Tables, path_holders: int) -> None:
    """Find the seats with the highest total, and break ties by the edition's rules (F-4, F-6, J-7, R-8)."""
    highest = state.totals[0]
    for seat in range(state.seats):
        highest = max(highest, state.totals[seat])
    winners = 0
    for seat in range(state.seats):
        if state.totals[seat] == highest:
            winners |= 1 << seat
    tie_break = NO_TIE
    for i in range(len(tables.tie_breaks)):
        if is_tie(winners) and tables.tie_breaks[i] != NO_TIE:
            tie_break = int(tables.tie_breaks[i])
            if tie_break == BY_COMPLETED_TICKETS:
                winners = _most_completed_of(state, winners)
            elif winners & path_holders:
                winners &= path_holders
    state.winners = winners
    state.tie_break = SHARED if is_tie(winners) else tie_break


@inlined
def is_tie(seats: int) -> bool:
    """Tell whether a mask holds more than one seat."""
    return seats & (seats - 1) != 0


@inlined
def _most_completed_of(state: State, seats: int) -> int:
    most, best = -1, 0
    for seat in range(state.seats):
        if seats >> seat & 1:
            if state.completed_count[seat] > most:
                most, best = int(state.completed_count[seat]), 0
            if state.completed_count[seat] == most:
                best |= 1 << seat
    return best
