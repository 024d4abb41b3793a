"""The referee's checks of turn order, phase, and the end of the game."""

from __future__ import annotations

import numpy as np

from goldenspike.engine.bits import popcount
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.events import NOBODY
from goldenspike.engine.referee.faults import (
    CHOICE_WRONG,
    ENDING_WRONG,
    FINE,
    LAST_ROUND_WRONG,
    NO_SECOND_CARD,
    NOT_ENDED,
    OFFER_OUT_OF_PHASE,
    PASSES_WRONG,
    RESULT_TOO_EARLY,
    TURN_ORDER_WRONG,
)
from goldenspike.engine.state import (
    CHOOSING,
    EMPTY,
    KEEPING,
    LAST_PIECE_PLACED,
    LAST_ROUND_PLAYED,
    LOCOMOTIVE,
    NO_ENDING,
    NO_TIE,
    NOBODY_CAN_ACT,
    NOT_LAST_ROUND,
    OVER,
    SECOND_CARD,
    TICKETS_COMPLETED,
    State,
)
from goldenspike.engine.tables import Tables


@compiled
def check_turn_order(state: State) -> int:
    """Check that turns go round the seats in order (S-4); in a finished game `turn` is the last to move."""
    ended = int(state.turns) - (1 if state.phase == OVER else 0)
    if state.phase == CHOOSING and state.turns != 0:
        return TURN_ORDER_WRONG
    return FINE if (state.first + ended) % state.seats == state.turn else TURN_ORDER_WRONG


@compiled
def check_choices(state: State, tables: Tables) -> int:
    """Check that choices at setup are valid, and are carried out once all are made (S-3)."""
    waiting = 0
    for seat in range(state.seats):
        choice = int(state.choice[seat])
        if choice == 0:
            waiting += 1
            continue
        if state.phase != CHOOSING or choice >> state.offer_size[seat]:
            return CHOICE_WRONG
        if popcount(np.uint64(choice)) < tables.deal_keep:
            return CHOICE_WRONG
    return CHOICE_WRONG if waiting == 0 else FINE


@compiled
def check_offers(state: State, tables: Tables) -> int:
    """Check that only seats that must choose have an offer: all at setup, later who drew (S-3, T-1)."""
    for seat in range(state.seats):
        low, high = 0, 0
        if tables.swaps:
            high = int(tables.deal)
        elif state.phase == CHOOSING:
            low, high = int(tables.deal), int(tables.deal)
        elif state.phase == KEEPING and state.turn == seat:
            low, high = 1, int(tables.draw)
        if state.offer_size[seat] < low or state.offer_size[seat] > high:
            return OFFER_OUT_OF_PHASE
    return FINE


@compiled
def check_second_card(state: State, tables: Tables) -> int:
    """Check that a second card is due only if one may be drawn (D-4, R-3)."""
    if state.phase != SECOND_CARD:
        return FINE
    for slot in range(tables.face_up):
        if state.row[slot] != EMPTY and state.row[slot] != LOCOMOTIVE:
            return FINE
    return FINE if tables.face_up > 0 and state.deck.sum() > 0 else NO_SECOND_CARD


@inlined
def find_low_seat(state: State, tables: Tables) -> int:
    """Return a seat with few enough pieces to start the last round, or NOBODY (E-1)."""
    for seat in range(state.seats):
        if state.pieces[seat] <= tables.last_round_pieces:
            return seat
    return NOBODY


@compiled
def check_last_round(state: State, tables: Tables) -> int:
    """Check that the last round has begun if and only if a seat is low on pieces (E-1)."""
    if tables.race_tickets > 0:
        return FINE if state.turns_left == NOT_LAST_ROUND else LAST_ROUND_WRONG
    is_last = find_low_seat(state, tables) != NOBODY
    return FINE if is_last == (state.turns_left != NOT_LAST_ROUND) else LAST_ROUND_WRONG


@compiled
def check_passes(state: State) -> int:
    """Check that consecutive passes do not exceed the turns, and that a started turn resets them (R-13)."""
    if state.passes > state.seats or state.passes > state.turns:
        return PASSES_WRONG
    is_under_way = state.phase in (SECOND_CARD, KEEPING)
    return PASSES_WRONG if is_under_way and state.passes > 0 else FINE


@compiled
def check_result(state: State) -> int:
    """Check that no result is set before the game is over."""
    if state.phase == OVER:
        return FINE
    if state.ending != NO_ENDING or state.tie_break != NO_TIE or state.winners != 0:
        return RESULT_TOO_EARLY
    for seat in range(state.seats):
        if state.totals[seat] != 0:
            return RESULT_TOO_EARLY
    return FINE


@inlined
def find_reason_to_end(state: State, tables: Tables) -> int:
    """Return why the game must be over now, or NO_ENDING; tickets take precedence over pieces (R-10)."""
    reason = NO_ENDING
    if state.passes == state.seats:
        reason = NOBODY_CAN_ACT
    if state.turns_left == 0:
        reason = LAST_ROUND_PLAYED
    if tables.race_tickets > 0:
        for seat in range(state.seats):
            if state.pieces[seat] == 0:
                reason = LAST_PIECE_PLACED
        for seat in range(state.seats):
            if state.completed_count[seat] >= tables.race_tickets:
                reason = TICKETS_COMPLETED
    return reason


@compiled
def check_game_goes_on(state: State, tables: Tables) -> int:
    """Check that an unfinished game has no reason to end (E-1, J-6, J-7, R-13)."""
    return NOT_ENDED if state.phase != OVER and find_reason_to_end(state, tables) != NO_ENDING else FINE


@compiled
def check_ending(state: State, tables: Tables) -> int:
    """Check that a finished game ended for the reason it gives."""
    if state.phase != OVER:
        return FINE
    is_right = state.ending != NO_ENDING and state.ending == find_reason_to_end(state, tables)
    return FINE if is_right else ENDING_WRONG
