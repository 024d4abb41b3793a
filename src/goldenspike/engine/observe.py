"""Views: what a seat may see of a game (R-12), as a state struct filled from blank.

Only the fields copied here are in a view, so a new field of the state is hidden until it is added here.
Hidden information is blank; where its number is public, the count is shown. During setup a view shows that
another seat has chosen, but not what it keeps (S-3).
"""

from __future__ import annotations

from goldenspike.boards.limits import OFFER, SEATS
from goldenspike.engine.bits import NO_BITS
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.state import EMPTY, KINDS, OVER, State
from goldenspike.engine.tables import Tables

SPECTATOR = -1
"""The seat number of a spectator."""
HAS_CHOSEN = -1
"""Shown in a view for another seat's choice, which is made but still hidden."""


@compiled
def observe(state: State, tables: Tables, seat: int, view: State) -> None:
    """Write what a seat, or a spectator, may see into a blank struct or an older view of the same seat."""
    _show_table(state, view)
    for other in range(state.seats):
        _show_seat(state, view, other)
        _show_choice(state, tables, view, other, seat)
    for other in range(SEATS):
        for i in range(OFFER):
            view.offer[other, i] = state.offer[other, i] if other == seat else EMPTY
    if seat != SPECTATOR:
        for kind in range(KINDS):
            view.hands[seat, kind] = state.hands[seat, kind]
        for word in range(2):
            view.held[seat, word] = state.held[seat, word]


@inlined
def _show_table(state: State, view: State) -> None:
    view.phase = state.phase
    view.seats = state.seats
    view.first = state.first
    view.turn = state.turn
    view.turns = state.turns
    view.turns_left = state.turns_left
    view.passes = state.passes
    view.ending = state.ending
    view.tie_break = state.tie_break
    view.winners = state.winners
    for slot in range(len(state.row)):
        view.row[slot] = state.row[slot]
    for kind in range(KINDS):
        view.discards[kind] = state.discards[kind]
    view.discards_size = state.discards_size
    view.deck_size = state.deck_size
    view.ticket_deck_size = state.ticket_deck_size
    for i in range(len(state.ticket_deck)):
        view.ticket_deck[i] = EMPTY


@inlined
def _show_seat(state: State, view: State, other: int) -> None:
    """Show the public part of a seat: its pieces, routes and points, and the number of cards and tickets."""
    view.hand_size[other] = state.hand_size[other]
    for kind in range(KINDS):
        view.known[other, kind] = state.known[other, kind]
    view.pieces[other] = state.pieces[other]
    view.points[other] = state.points[other]
    view.totals[other] = state.totals[other]
    view.touched[other] = state.touched[other]
    view.held_count[other] = state.held_count[other]
    view.offer_size[other] = state.offer_size[other]
    view.completed_count[other] = state.completed_count[other]
    view.coast_to_coast[other] = state.coast_to_coast[other]
    for word in range(2):
        view.owned[other, word] = state.owned[other, word]
        view.open_to[other, word] = state.open_to[other, word]
        view.completed[other, word] = state.completed[other, word]


@inlined
def _show_choice(state: State, tables: Tables, view: State, other: int, seat: int) -> None:
    """Show a setup choice to its own seat, and to others only that it was made; reveal tickets at the end."""
    if other == seat:
        view.choice[other] = state.choice[other]
    else:
        view.choice[other] = HAS_CHOSEN if state.choice[other] != 0 else 0
        for word in range(2):
            view.held[other, word] = state.held[other, word] if _is_revealed(state, tables) else NO_BITS


@inlined
def _is_revealed(state: State, tables: Tables) -> bool:
    return state.phase == OVER and not tables.swaps
