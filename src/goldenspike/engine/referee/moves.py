"""The referee's comparison of the functions that compute legal moves."""

from __future__ import annotations

import numpy as np

from goldenspike.engine.compile import compiled
from goldenspike.engine.legal import LEGAL, count_moves, list_moves, nth_move, verify_move
from goldenspike.engine.masks import write_mask
from goldenspike.engine.moves import move_count
from goldenspike.engine.referee.faults import (
    COUNT_DIFFERS,
    FINE,
    LIST_DIFFERS,
    MASK_DIFFERS,
    NTH_DIFFERS,
    WRONG_SEAT_TO_MOVE,
)
from goldenspike.engine.state import CHOOSING, OVER, State
from goldenspike.engine.tables import Tables


@compiled
def compare_moves(state: State, tables: Tables, seat: int) -> int:
    """Check that counting, listing, numbering and masking moves agree with verifying each move.

    Return FINE, or the code of the fault. Every move of the board is tried, so this takes longer than
    all other checks together.
    """
    total = move_count(tables)
    accepted = np.zeros(total, np.bool_)
    count = 0
    for move in range(total):
        if verify_move(state, tables, seat, move) == LEGAL:
            accepted[move] = True
            count += 1
    due = state.choice[seat] == 0 if state.phase == CHOOSING else state.phase != OVER and state.turn == seat
    if due != (count > 0):
        return WRONG_SEAT_TO_MOVE
    if count_moves(state, tables, seat) != count:
        return COUNT_DIFFERS
    listed = np.empty(total, np.int16)
    if list_moves(state, tables, seat, listed) != count:
        return LIST_DIFFERS
    for i in range(count):
        if not accepted[listed[i]] or (i > 0 and listed[i] <= listed[i - 1]):
            return LIST_DIFFERS
    for n in range(count):
        move = nth_move(state, tables, seat, n)
        if not (0 <= move < total and accepted[move]):
            return NTH_DIFFERS
        accepted[move] = False
    return _compare_mask(state, tables, seat)


@compiled
def _compare_mask(state: State, tables: Tables, seat: int) -> int:
    """Check that the mask of a seat's legal moves, which environments use, has exactly the listed moves."""
    total = move_count(tables)
    mask, listed = np.empty(total, np.bool_), np.empty(total, np.int16)
    write_mask(state, tables, seat, mask)
    for i in range(list_moves(state, tables, seat, listed)):
        if not mask[listed[i]]:
            return MASK_DIFFERS
        mask[listed[i]] = False
    return MASK_DIFFERS if mask.any() else FINE
