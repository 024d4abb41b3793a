"""The referee's checks of train cards."""

from __future__ import annotations

from goldenspike.engine.compile import compiled
from goldenspike.engine.referee.faults import (
    CARDS_LOST,
    DECK_MISCOUNTED,
    DISCARDS_MISCOUNTED,
    DISCARDS_NOT_SHUFFLED,
    FINE,
    HAND_MISCOUNTED,
    KNOWN_NOT_HELD,
    LOCOMOTIVES_NOT_WIPED,
    ROW_HAS_GAP,
)
from goldenspike.engine.state import EMPTY, KINDS, LOCOMOTIVE, State
from goldenspike.engine.tables import Tables


@compiled
def check_cards(state: State, tables: Tables) -> int:
    """Check that the cards of each kind add up to the edition's deck."""
    for kind in range(KINDS):
        found = int(state.deck[kind]) + int(state.discards[kind])
        for seat in range(state.seats):
            found += int(state.hands[seat, kind])
        for slot in range(tables.face_up):
            if state.row[slot] == kind:
                found += 1
        if found != tables.deck[kind]:
            return CARDS_LOST
    return FINE


@compiled
def check_hand_sizes(state: State) -> int:
    """Check that a hand's size is the number of its cards."""
    for seat in range(state.seats):
        if state.hands[seat].sum() != state.hand_size[seat]:
            return HAND_MISCOUNTED
    return FINE


@compiled
def check_deck_size(state: State) -> int:
    """Check that the deck's size is the number of its cards."""
    return FINE if state.deck.sum() == state.deck_size else DECK_MISCOUNTED


@compiled
def check_discards_size(state: State) -> int:
    """Check that the discards' size is the number of their cards."""
    return FINE if state.discards.sum() == state.discards_size else DISCARDS_MISCOUNTED


@compiled
def check_known(state: State) -> int:
    """Check that the cards a seat is known to hold are in its hand (R-12)."""
    for seat in range(state.seats):
        for kind in range(KINDS):
            if state.known[seat, kind] > state.hands[seat, kind]:
                return KNOWN_NOT_HELD
    return FINE


@compiled
def check_row(state: State, tables: Tables) -> int:
    """Check that the row is full while the deck has cards (D-2, D-8)."""
    for slot in range(tables.face_up):
        if state.row[slot] == EMPTY and state.deck.sum() > 0:
            return ROW_HAS_GAP
    return FINE


@compiled
def check_reshuffle(state: State) -> int:
    """Check that the deck is empty only when there are no discards (D-7)."""
    return DISCARDS_NOT_SHUFFLED if state.deck.sum() == 0 and state.discards.sum() > 0 else FINE


@compiled
def check_wipe(state: State, tables: Tables) -> int:
    """Check that three locomotives are face up only if no wipe could change that (D-6, R-1, R-15)."""
    in_row, locomotives = 0, 0
    for slot in range(tables.face_up):
        if state.row[slot] != EMPTY:
            in_row += 1
        if state.row[slot] == LOCOMOTIVE:
            locomotives += 1
    if locomotives < 3:
        return FINE
    others = in_row - locomotives
    for kind in range(LOCOMOTIVE):
        others += int(state.deck[kind]) + int(state.discards[kind])
    if others < 3:
        return FINE
    changes_places = state.deck.sum() == in_row and state.discards.sum() == 0
    return FINE if changes_places and state.deck[LOCOMOTIVE] >= 3 else LOCOMOTIVES_NOT_WIPED
