"""The whole of a game in one flat record, and the words for its phases and endings."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from goldenspike.boards.limits import COLOURS, FACE_UP, OFFER, SEATS, TICKETS
from goldenspike.engine.chance import CHANCE, Chance
from goldenspike.engine.record import Bytes, Int, Ints, Record, Wide, Words, record_dtype

LOCOMOTIVE = COLOURS
"""The kind of card that is not a colour; kinds below it are the board's colours."""
KINDS = COLOURS + 1
EMPTY = -1
"""A face-up slot without a card; a hidden or absent ticket."""

CHOOSING, TURN, SECOND_CARD, KEEPING, OVER, TURN_DONE = range(6)
"""Phases: all choose tickets at once; a turn begins; one card drawn; tickets offered; finished. TURN_DONE is
only seen while a move is being carried out."""

NO_ENDING, LAST_ROUND_PLAYED, NOBODY_CAN_ACT, TICKETS_COMPLETED, LAST_PIECE_PLACED = range(5)
"""Why a game ended: E-1, R-13, J-6, J-7."""

NO_TIE, BY_COMPLETED_TICKETS, BY_LONGEST_PATH, SHARED = range(4)
"""What decided between seats of equal points: F-4, F-6, R-8."""

NOT_LAST_ROUND = -1


class State(Record):
    """A game: everything that is on, beside or hidden around the table.

    Arrays run over seats first, then over kinds of card, tickets or words of a set. Sets of routes and
    tickets are pairs of words (:mod:`goldenspike.engine.bits`).
    """

    chance: Annotated[Chance, CHANCE]
    """The stream the train cards are drawn from."""
    open_to: Annotated[Words, "u8", (SEATS, 2)]
    """Routes a seat may still claim: not taken, not closed to it as a lane of a double (C-6)."""
    owned: Annotated[Words, "u8", (SEATS, 2)]
    """Routes a seat has claimed."""
    touched: Annotated[Words, "u8", (SEATS,)]
    """Cities at either end of them."""
    held: Annotated[Words, "u8", (SEATS, 2)]
    """Tickets a seat has kept; where tickets are swapped, its open ones."""
    completed: Annotated[Words, "u8", (SEATS, 2)]
    """Tickets known to all as completed: in a race at once (J-4), otherwise when the game is over."""
    seats: Wide
    first: Wide
    turn: Wide
    """The seat to move, in every phase but CHOOSING (there all that have not chosen) and OVER (nobody)."""
    turns: Wide
    """Turns ended so far."""
    turns_left: Wide
    """Turns until the end once the last round has begun (E-1), otherwise NOT_LAST_ROUND."""
    passes: Wide
    """Passes in a row (R-13)."""
    ending: Wide
    phase: Int
    tie_break: Int
    winners: Int
    """The winning seats, a bit each."""
    hands: Annotated[Ints, "i2", (SEATS, KINDS)]
    hand_size: Annotated[Ints, "i2", (SEATS,)]
    known: Annotated[Ints, "i2", (SEATS, KINDS)]
    """Cards a seat took from the face-up row and has not played since: what all have seen it hold (R-12)."""
    pieces: Annotated[Ints, "i2", (SEATS,)]
    points: Annotated[Ints, "i2", (SEATS,)]
    """Points for routes so far (C-1)."""
    totals: Annotated[Ints, "i2", (SEATS,)]
    """Final scores, 0 until the game is over."""
    row: Annotated[Ints, "i2", (FACE_UP,)]
    """Kinds of the face-up cards; EMPTY where none lies."""
    deck: Annotated[Ints, "i2", (KINDS,)]
    """Cards in the deck by kind. It has no order: nobody knows it, so the top card is any of them."""
    deck_size: Int
    discards: Annotated[Ints, "i2", (KINDS,)]
    discards_size: Int
    offer: Annotated[Bytes, "i1", (SEATS, OFFER)]
    """Tickets laid before a seat in the order they were drawn: to choose from; where tickets are swapped,
    its open tickets. EMPTY beyond its size."""
    offer_size: Annotated[Ints, "i2", (SEATS,)]
    choice: Annotated[Ints, "i2", (SEATS,)]
    """Which of its offer a seat keeps at setup, a bit each, until all have chosen (S-3); 0: not yet."""
    held_count: Annotated[Ints, "i2", (SEATS,)]
    completed_count: Annotated[Ints, "i2", (SEATS,)]
    """Completed tickets known to all, the Coast-to-Coast ticket included."""
    coast_to_coast: Annotated[Ints, "i2", (SEATS,)]
    """1 where a seat has the Coast-to-Coast ticket (J-5)."""
    ticket_deck: Annotated[Bytes, "i1", (TICKETS,)]
    """Tickets to draw, a ring: the top is at ticket_top, returned ones go behind the last."""
    ticket_top: Int
    ticket_deck_size: Int


STATE = record_dtype(State)
"""It has no gaps: NumPy does not copy what is in one, and states are compared and hashed as bytes."""

States = NDArray[np.record]
"""An array of states; a single game is an array of one."""


def new_states(count: int) -> States:
    """Return an array of blank states, to be dealt."""
    # Fifteen times faster than np.zeros, which looks at every field of such a record.
    return np.frombuffer(bytearray(count * STATE.itemsize), STATE)


def portable_bytes(states: States) -> bytes:
    """Return the bytes of states as they are on a little-endian machine, the same everywhere."""
    if np.little_endian:
        return states.tobytes()
    return states.astype(STATE.newbyteorder("<")).tobytes()


def read_states(data: bytes) -> States:
    """Return the states whose :func:`portable_bytes` these are. They are not for writing to."""
    states = np.frombuffer(data, STATE)
    return states if np.little_endian else states.view(STATE.newbyteorder("<")).astype(STATE)
