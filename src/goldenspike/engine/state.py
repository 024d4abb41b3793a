"""The complete state of a game as one flat struct, and the codes of phases and endings."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from goldenspike.boards.limits import COLOURS, FACE_UP, OFFER, SEATS, TICKETS
from goldenspike.engine.chance import CHANCE, Chance
from goldenspike.engine.struct import Bytes, Int, Ints, Struct, Structs, Wide, Words, struct_dtype

LOCOMOTIVE = COLOURS
"""The kind of card that is not a colour; kinds below it are the board's colours."""
KINDS = COLOURS + 1
EMPTY = -1
"""A face-up slot without a card; a hidden or absent ticket."""

CHOOSING, TURN, SECOND_CARD, KEEPING, OVER, TURN_DONE = range(6)
"""Phases: all seats choose tickets at once; start of a turn; one card drawn; tickets offered; game over.
TURN_DONE occurs only while a move is being played."""

NO_ENDING, LAST_ROUND_PLAYED, NOBODY_CAN_ACT, TICKETS_COMPLETED, LAST_PIECE_PLACED = range(5)
"""Why a game ended: E-1, R-13, J-6, J-7."""

NO_TIE, BY_COMPLETED_TICKETS, BY_LONGEST_PATH, SHARED = range(4)
"""What decided between seats with equal points: F-4, F-6, R-8."""

NOT_LAST_ROUND = -1


class State(Struct):
    """The complete state of a game, hidden information included.

    Arrays run over seats first, then over kinds of card, tickets or words of a set. Sets of routes and
    tickets are pairs of words (:mod:`goldenspike.engine.bits`).
    """

    chance: Annotated[Chance, CHANCE]
    """The stream the train cards are drawn from."""
    open_to: Annotated[Words, "u8", (SEATS, 2)]
    """Routes a seat may still claim: not taken, and not closed to it as a lane of a double (C-6)."""
    owned: Annotated[Words, "u8", (SEATS, 2)]
    """Routes a seat has claimed."""
    touched: Annotated[Words, "u8", (SEATS,)]
    """Cities at either end of the routes a seat has claimed."""
    held: Annotated[Words, "u8", (SEATS, 2)]
    """Tickets a seat has kept; in editions with swaps, its open tickets."""
    completed: Annotated[Words, "u8", (SEATS, 2)]
    """Tickets known to all as completed: in a race at once (J-4), otherwise when the game is over."""
    seats: Wide
    first: Wide
    turn: Wide
    """The seat to move. In CHOOSING every seat that has not chosen is to move; in OVER no seat is."""
    turns: Wide
    """Turns ended so far."""
    turns_left: Wide
    """Turns until the end once the last round has begun (E-1); NOT_LAST_ROUND before that."""
    passes: Wide
    """Passes in a row (R-13)."""
    ending: Wide
    phase: Int
    tie_break: Int
    winners: Int
    """The winning seats as a bit mask."""
    hands: Annotated[Ints, "i2", (SEATS, KINDS)]
    hand_size: Annotated[Ints, "i2", (SEATS,)]
    known: Annotated[Ints, "i2", (SEATS, KINDS)]
    """Cards a seat took from the face-up row and has not played since; all players know of them (R-12)."""
    pieces: Annotated[Ints, "i2", (SEATS,)]
    points: Annotated[Ints, "i2", (SEATS,)]
    """Points for routes so far (C-1)."""
    totals: Annotated[Ints, "i2", (SEATS,)]
    """Final scores; 0 until the game is over."""
    row: Annotated[Ints, "i2", (FACE_UP,)]
    """Kinds of the face-up cards; EMPTY for an empty slot."""
    deck: Annotated[Ints, "i2", (KINDS,)]
    """Cards in the deck by kind. The deck has no stored order; each draw picks a card at random."""
    deck_size: Int
    discards: Annotated[Ints, "i2", (KINDS,)]
    discards_size: Int
    offer: Annotated[Bytes, "i1", (SEATS, OFFER)]
    """Tickets offered to a seat, in the order they were drawn; in editions with swaps, its open tickets.
    EMPTY beyond offer_size."""
    offer_size: Annotated[Ints, "i2", (SEATS,)]
    choice: Annotated[Ints, "i2", (SEATS,)]
    """The offered tickets a seat keeps at setup, as a bit mask, until all have chosen (S-3); 0: none yet."""
    held_count: Annotated[Ints, "i2", (SEATS,)]
    completed_count: Annotated[Ints, "i2", (SEATS,)]
    """Completed tickets known to all, the Coast-to-Coast ticket included."""
    coast_to_coast: Annotated[Ints, "i2", (SEATS,)]
    """1 where a seat has the Coast-to-Coast ticket (J-5)."""
    ticket_deck: Annotated[Bytes, "i1", (TICKETS,)]
    """Tickets to draw, as a ring buffer: the top is at ticket_top, returned tickets go to the end."""
    ticket_top: Int
    ticket_deck_size: Int


STATE = struct_dtype(State)
"""It has no padding, because states are compared and hashed as bytes and NumPy does not copy padding."""

States = Structs
"""An array of states; a single game is an array of one."""


def new_states(count: int) -> States:
    """Return an array of blank states, to be dealt."""
    # Fifteen times faster than np.zeros, which visits every field of a struct.
    return np.frombuffer(bytearray(count * STATE.itemsize), STATE)


def portable_bytes(states: States) -> bytes:
    """Return the bytes of states in little-endian order on every machine."""
    if np.little_endian:
        return states.tobytes()
    return states.astype(STATE.newbyteorder("<")).tobytes()


def read_states(data: bytes) -> States:
    """Return the states that :func:`portable_bytes` wrote. Treat them as read-only."""
    states = np.frombuffer(data, STATE)
    return states if np.little_endian else states.view(STATE.newbyteorder("<")).astype(STATE)
