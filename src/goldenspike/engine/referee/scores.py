"""The referee's checks of a finished game: scores, winners, and what broke a tie."""

from __future__ import annotations

import numpy as np

from goldenspike.boards.limits import SEATS
from goldenspike.engine.bits import NO_BITS, bit, has, popcount, wide
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.referee.faults import FINE, TIE_BREAK_WRONG, TOTALS_WRONG, WINNERS_WRONG
from goldenspike.engine.referee.routes import label_cities, longest_walk, sum_of_routes
from goldenspike.engine.referee.tickets import is_ticket_joined
from goldenspike.engine.state import BY_COMPLETED_TICKETS, NO_TIE, OVER, SHARED, State
from goldenspike.engine.struct import Ints
from goldenspike.engine.tables import Tables


@compiled
def count_completed(state: State, tables: Tables) -> Ints:
    """Return how many tickets each seat has joined, the Coast-to-Coast ticket included."""
    counts = np.zeros(SEATS, np.int16)
    for seat in range(state.seats):
        counts[seat] = state.coast_to_coast[seat]
        for ticket in range(tables.tickets):
            if has(state.completed[seat], ticket):
                counts[seat] += 1
    return counts


@compiled
def path_lengths(state: State, tables: Tables) -> Ints:
    """Return every seat's longest path; all 0 in editions that do not score it."""
    lengths = np.zeros(SEATS, np.int16)
    if tables.longest_path > 0:
        for seat in range(state.seats):
            lengths[seat] = longest_walk(state, tables, seat)
    return lengths


@inlined
def has_most(counts: Ints, seat: int) -> bool:
    """Tell whether this seat has the highest count and it is not 0 (R-7)."""
    return counts[seat] > 0 and counts[seat] == counts.max()


@compiled
def sum_of_tickets(state: State, tables: Tables, seat: int) -> int:
    """Add the points of the tickets a seat joined and subtract those of the others (F-2)."""
    total = 0
    labels = label_cities(state, tables, seat)
    for ticket in range(tables.tickets):
        if has(state.held[seat], ticket):
            points = int(tables.ticket_points[ticket])
            total += points if is_ticket_joined(tables, labels, ticket) else -points
    return total


@compiled
def sum_of_attractions(state: State, tables: Tables, seat: int) -> int:
    """Add the points for attractions at either end of a seat's routes (F-5)."""
    seen = NO_BITS
    for route in range(tables.routes):
        if has(state.owned[seat], route):
            seen |= bit(int(tables.route_a[route])) | bit(int(tables.route_b[route]))
    return int(tables.attraction) * popcount(seen & tables.attractions)


@compiled
def check_totals(state: State, tables: Tables) -> int:
    """Check that every final score is the sum of its terms (F-1 to F-5, V-5, V-6, J-6)."""
    if state.phase != OVER:
        return FINE
    completed = count_completed(state, tables)
    paths = path_lengths(state, tables)
    for seat in range(state.seats):
        total = int(completed[seat])
        if tables.race_tickets == 0:
            total = sum_of_routes(state, tables, seat, tables.route_points)
            total += sum_of_tickets(state, tables, seat) + sum_of_attractions(state, tables, seat)
            total += int(tables.globetrotter) if has_most(completed, seat) else 0
            total += int(tables.longest_path) if has_most(paths, seat) else 0
        if state.totals[seat] != total:
            return TOTALS_WRONG
    return FINE


@inlined
def keep_best(seats: int, values: Ints) -> int:
    """Return those of some seats that have the highest value, as a bit mask."""
    most = -32768
    best = 0
    for seat in range(SEATS):
        if seats >> seat & 1:
            if values[seat] > most:
                most, best = int(values[seat]), 0
            if values[seat] == most:
                best |= 1 << seat
    return best


@compiled
def find_winners(state: State, tables: Tables) -> tuple[int, int]:
    """Compute from the totals the winners, as a bit mask, and the tie-break (F-4, F-6, J-7, R-8)."""
    winners = keep_best((1 << int(state.seats)) - 1, state.totals)
    tie_break = NO_TIE
    for i in range(2):
        if popcount(np.uint64(winners)) > 1 and tables.tie_breaks[i] != NO_TIE:
            tie_break = wide(tables.tie_breaks[i])
            if tie_break == BY_COMPLETED_TICKETS:
                winners = keep_best(winners, count_completed(state, tables))
            else:
                winners = (winners & path_holders(state, tables)) or winners
    return winners, SHARED if popcount(np.uint64(winners)) > 1 else tie_break


@compiled
def path_holders(state: State, tables: Tables) -> int:
    """Return the seats with the Longest Path card as a bit mask."""
    paths = path_lengths(state, tables)
    holders = 0
    for seat in range(state.seats):
        if has_most(paths, seat):
            holders |= 1 << seat
    return holders


@compiled
def check_winners(state: State, tables: Tables) -> int:
    """Check that the winners are the seats with the best totals and tie-breaks."""
    if state.phase != OVER:
        return FINE
    return FINE if find_winners(state, tables)[0] == state.winners else WINNERS_WRONG


@compiled
def check_tie_break(state: State, tables: Tables) -> int:
    """Check that the stored tie-break is the one that decided."""
    if state.phase != OVER:
        return FINE
    return FINE if find_winners(state, tables)[1] == state.tie_break else TIE_BREAK_WRONG
