"""Whole games of random play, many at a time."""

from __future__ import annotations

import numpy as np

from goldenspike.engine.chance import Chance, below, chacha20_block
from goldenspike.engine.compile import compiled, inlined
from goldenspike.engine.events import Log
from goldenspike.engine.legal import count_moves, nth_move
from goldenspike.engine.record import Words32
from goldenspike.engine.state import CHOOSING, OVER, State
from goldenspike.engine.tables import Tables
from goldenspike.engine.turns import play_legal


@compiled
def game_key(base: Words32, index: int, key: Words32) -> None:
    """Write the seed of one game of a series: half a ChaCha20 block under the series' own seed."""
    block = np.empty(16, np.uint32)
    chacha20_block(base, index, (0, 0, 1), block)
    for i in range(8):
        key[i] = block[i]


@inlined
def seat_to_move(state: State) -> int:
    """Return the seat to move; of several that choose at setup, the lowest."""
    if state.phase == CHOOSING:
        for seat in range(state.seats):
            if state.choice[seat] == 0:
                return seat
    return int(state.turn)


@compiled
def play_out(state: State, tables: Tables, chance: Chance, log: Log) -> int:
    """Play uniformly random legal moves to the end; return how many decisions that took."""
    decisions = 0
    while state.phase != OVER:
        seat = seat_to_move(state)
        move = nth_move(state, tables, seat, below(chance, count_moves(state, tables, seat)))
        play_legal(state, tables, seat, move, log)
        decisions += 1
    return decisions
