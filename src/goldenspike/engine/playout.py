"""Whole games of random play, many at a time."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from goldenspike.boards.limits import SEATS
from goldenspike.engine.bits import wide
from goldenspike.engine.chance import CHANCE, PLAYERS, Chance, below, chacha20_block, open_stream
from goldenspike.engine.compile import door, inlined
from goldenspike.engine.deal import ANY_SEAT, deal
from goldenspike.engine.events import LOG, Log
from goldenspike.engine.legal import count_moves, nth_move
from goldenspike.engine.record import Int, Ints, Record, Words32, record_dtype
from goldenspike.engine.state import CHOOSING, OVER, STATE, State
from goldenspike.engine.tables import Tables
from goldenspike.engine.turns import play_legal

_SERIES = 1
"""Sets the seeds of a series apart from the streams of a game, should they share a key."""


class Summary(Record):
    """What is kept of a game in a simulation."""

    decisions: Annotated[int, "i4"]
    turns: Int
    ending: Int
    tie_break: Int
    winners: Int
    totals: Annotated[Ints, "i2", (SEATS,)]
    held: Annotated[Ints, "i2", (SEATS,)]
    completed: Annotated[Ints, "i2", (SEATS,)]


SUMMARY = record_dtype(Summary)

Records = NDArray[np.record]


@door
def game_key(base: Words32, index: int, key: Words32) -> None:
    """Write the seed of one game of a series: half a ChaCha20 block under the series' own seed."""
    block = np.empty(16, np.uint32)
    chacha20_block(base, wide(index), (wide(0), wide(0), wide(_SERIES)), block)
    for i in range(8):
        key[i] = block[i]


@inlined
def seat_to_move(state: State) -> int:
    """Return the seat to move; of several that choose at setup, the lowest."""
    if state.phase == CHOOSING:
        for seat in range(state.seats):
            if state.choice[seat] == 0:
                return seat
    return state.turn


@inlined
def random_move(state: State, tables: Tables, chance: Chance, seat: int) -> int:
    """Return a legal move of a seat, all equally likely."""
    return nth_move(state, tables, seat, below(chance, count_moves(state, tables, seat)))


@inlined
def play_out(state: State, tables: Tables, chance: Chance, log: Log) -> int:
    """Play uniformly random legal moves to the end; return how many decisions that took."""
    decisions = 0
    while state.phase != OVER:
        seat = seat_to_move(state)
        play_legal(state, tables, seat, random_move(state, tables, chance, seat), log)
        decisions += 1
    return decisions


@door
def play_games(tables: Records, seats: int, base: Words32, first: int, summaries: Records) -> None:
    """Play games of random play, as many as there are summaries, from number `first` of a series."""
    states = np.zeros(2, STATE)  # a blank one, and the one in play
    chances = np.zeros(1, CHANCE)
    logs = np.zeros(1, LOG)
    key = np.empty(8, np.uint32)
    for i in range(len(summaries)):
        states[1] = states[0]
        game_key(base, first + i, key)
        deal(states[1], tables[0], seats, key, wide(ANY_SEAT), logs[0])
        open_stream(chances[0], key, PLAYERS)
        decisions = play_out(states[1], tables[0], chances[0], logs[0])
        _sum_up(states[1], decisions, summaries[i])


@inlined
def _sum_up(state: State, decisions: int, summary: Summary) -> None:
    summary.decisions = decisions
    summary.turns = state.turns
    summary.ending = state.ending
    summary.tie_break = state.tie_break
    summary.winners = state.winners
    for seat in range(SEATS):
        summary.totals[seat] = state.totals[seat]
        summary.held[seat] = state.held_count[seat]
        summary.completed[seat] = state.completed_count[seat]
