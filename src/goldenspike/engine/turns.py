"""Turns: play a move, end a turn, end the game (S-3, E-1, R-3, R-4, R-13)."""

from __future__ import annotations

from goldenspike.engine import events
from goldenspike.engine.bits import NO_BITS, wide
from goldenspike.engine.cards import give_from_deck, give_from_row, settle_cards
from goldenspike.engine.claims import claim_route
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.events import Log, emit
from goldenspike.engine.legal import LEGAL, count_actions, count_draws, verify_move
from goldenspike.engine.moves import CLAIM, DRAW_DECK, DRAW_TICKETS, KEEP, TAKE, read_claim
from goldenspike.engine.scoring import finish
from goldenspike.engine.state import (
    CHOOSING,
    KEEPING,
    KINDS,
    LAST_PIECE_PLACED,
    LAST_ROUND_PLAYED,
    LOCOMOTIVE,
    NO_ENDING,
    NOBODY_CAN_ACT,
    NOT_LAST_ROUND,
    SECOND_CARD,
    TICKETS_COMPLETED,
    TURN,
    TURN_DONE,
    State,
)
from goldenspike.engine.tables import Tables
from goldenspike.engine.tickets import (
    complete_tickets,
    joined_tickets,
    keep_tickets,
    offer_tickets,
    swap_tickets,
    tell_joined,
)


@inlined
def step(state: State, tables: Tables, seat: int, move: int, log: Log) -> int:
    """Play a move if it is legal; return LEGAL, or the reason why nothing happened."""
    reason = verify_move(state, tables, seat, move)
    if reason == LEGAL:
        play_legal(state, tables, seat, move, log)
    return reason


@inlined
def play_legal(state: State, tables: Tables, seat: int, move: int, log: Log) -> None:
    """Play a move that is known to be legal, and score the game if it has ended."""
    _carry_out(state, tables, seat, move, log)
    if state.ending != NO_ENDING:
        finish(state, tables, log)


@compiled
def _carry_out(state: State, tables: Tables, seat: int, move: int, log: Log) -> None:
    """Carry out a move and its consequences: the second card, the next turn, or the end of the game."""
    if state.phase == CHOOSING:
        _choose(state, seat, move - KEEP, log)
        return
    passes = int(state.passes)
    state.passes = 0
    if move >= CLAIM:
        _claim(state, tables, seat, move, log)
    elif move == DRAW_DECK:
        _draw_from_deck(state, tables, seat, log)
    elif move == DRAW_TICKETS and tables.swaps:
        _swap(state, tables, seat, passes, log)
    elif move == DRAW_TICKETS:
        offer_tickets(state, seat, tables.draw, log)
        state.phase = KEEPING
    elif move >= TAKE + KINDS:
        _keep(state, tables, seat, move - KEEP, log)
    elif move >= TAKE:
        _take(state, tables, seat, move - TAKE, log)
    else:
        state.passes = passes + 1
        emit(log, events.PASSED, seat, 0, 0, 0, 0)
        state.phase = TURN_DONE
    if state.phase == TURN_DONE:
        _end_turn(state, tables, seat, log)


@inlined
def _choose(state: State, seat: int, mask: int, log: Log) -> None:
    """Store a choice at setup; when all seats have chosen, carry out the choices in seat order (S-3, R-5)."""
    state.choice[seat] = mask
    emit(log, events.CHOSE, seat, mask, 0, 0, 0)
    for other in range(state.seats):
        if state.choice[other] == 0:
            return
    for other in range(state.seats):
        keep_tickets(state, other, wide(state.choice[other]), log)
        state.choice[other] = 0
    begin_turn(state, state.first, log)


@inlined
def begin_turn(state: State, seat: int, log: Log) -> None:
    """Give the turn to a seat."""
    state.phase = TURN
    state.turn = seat
    emit(log, events.TURN_BEGAN, seat, 0, 0, 0, 0)


@inlined
def _draw_from_deck(state: State, tables: Tables, seat: int, log: Log) -> None:
    """Draw the top card (D-1, D-5); without a face-up row, both cards of the turn at once (J-2, R-11)."""
    give_from_deck(state, seat, log)
    settle_cards(state, tables, log)
    if tables.face_up == 0 and state.deck_size > 0:
        give_from_deck(state, seat, log)
        settle_cards(state, tables, log)
    _go_on_drawing(state, tables, tables.face_up == 0)


@inlined
def _take(state: State, tables: Tables, seat: int, kind: int, log: Log) -> None:
    """Take a face-up card and replace it (D-2); a locomotive is the whole action (D-3)."""
    give_from_row(state, tables, seat, kind, log)
    settle_cards(state, tables, log)
    _go_on_drawing(state, tables, kind == LOCOMOTIVE)


@inlined
def _go_on_drawing(state: State, tables: Tables, is_done: bool) -> None:
    """Continue with the second card, or end the turn if this was it or none can be drawn (R-3)."""
    is_second = state.phase == SECOND_CARD
    state.phase = SECOND_CARD
    if is_done or is_second or count_draws(state, tables) == 0:
        state.phase = TURN_DONE


@inlined
def _swap(state: State, tables: Tables, seat: int, passes: int, log: Log) -> None:
    """Swap tickets (J-2). A swap that was the only action and completes nothing counts as a pass (R-16)."""
    is_forced = state.deck_size == 0 and count_actions(state, tables, seat) == 1
    completed = state.completed_count[seat]
    swap_tickets(state, tables, seat, log)
    complete_tickets(state, tables, seat, log)
    if is_forced and state.completed_count[seat] == completed:
        state.passes = passes + 1
    state.phase = TURN_DONE


@inlined
def _keep(state: State, tables: Tables, seat: int, mask: int, log: Log) -> None:
    before = joined_tickets(state, tables, seat) if log.is_on else (NO_BITS, NO_BITS)
    keep_tickets(state, seat, mask, log)
    if log.is_on:
        tell_joined(state, tables, seat, before, log)
    state.phase = TURN_DONE


@inlined
def _claim(state: State, tables: Tables, seat: int, move: int, log: Log) -> None:
    route, colour, locomotives = read_claim(tables, move)
    before = joined_tickets(state, tables, seat) if log.is_on else (NO_BITS, NO_BITS)
    claim_route(state, tables, seat, route, colour, locomotives, log)
    settle_cards(state, tables, log)
    if tables.swaps:
        complete_tickets(state, tables, seat, log)
    elif log.is_on:
        tell_joined(state, tables, seat, before, log)
    state.phase = TURN_DONE


@inlined
def _end_turn(state: State, tables: Tables, seat: int, log: Log) -> None:
    """Give the turn to the next seat, or set the reason why the game is over."""
    state.turns += 1
    if state.turns_left != NOT_LAST_ROUND:
        state.turns_left -= 1
    elif tables.race_tickets == 0 and state.pieces[seat] <= tables.last_round_pieces:
        state.turns_left = state.seats
        emit(log, events.LAST_ROUND, seat, 0, 0, 0, 0)
    emit(log, events.TURN_ENDED, seat, state.turns, state.turns_left, state.passes, 0)
    state.ending = _find_ending(state, tables, seat)
    if state.ending == NO_ENDING:
        begin_turn(state, (seat + 1) % state.seats, log)


@inlined
def _find_ending(state: State, tables: Tables, seat: int) -> int:
    """Return why the game ends with this turn, or NO_ENDING; tickets take precedence over pieces (R-10)."""
    if tables.race_tickets > 0 and state.completed_count[seat] >= tables.race_tickets:
        return TICKETS_COMPLETED
    if tables.race_tickets > 0 and state.pieces[seat] == 0:
        return LAST_PIECE_PLACED
    if state.turns_left == 0:
        return LAST_ROUND_PLAYED
    return NOBODY_CAN_ACT if state.passes == state.seats else NO_ENDING
