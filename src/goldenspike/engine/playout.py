"""Random playouts: complete games of random moves, many at a time."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from goldenspike.boards.limits import SEATS
from goldenspike.engine.bits import wide
from goldenspike.engine.chance import CHANCE, PLAYERS, Chance, below, chacha20_block, open_stream
from goldenspike.engine.compile import entry_point, inlined
from goldenspike.engine.deal import ANY_SEAT, deal
from goldenspike.engine.events import LOG, SMALL_LOG, Log
from goldenspike.engine.legal import count_moves, nth_move
from goldenspike.engine.state import CHOOSING, OVER, STATE, State
from goldenspike.engine.struct import Int, Ints, Struct, Structs, Words32, struct_dtype
from goldenspike.engine.tables import Tables
from goldenspike.engine.turns import play_legal

_SERIES = 1
"""Nonce that keeps the seeds of a series distinct from the streams of a game with the same key."""


class PlayoutSummary(Struct):
    """The summary of one simulated game."""

    decisions: Annotated[int, "i4"]
    turns: Int
    ending: Int
    tie_break: Int
    winners: Int
    totals: Annotated[Ints, "i2", (SEATS,)]
    held: Annotated[Ints, "i2", (SEATS,)]
    completed: Annotated[Ints, "i2", (SEATS,)]


class PlayoutMemory(Struct):
    """The working memory of a thread that plays games."""

    states: Annotated[Structs, STATE, (2,)]
    """A blank state, and the state in play."""
    chance: Annotated[Chance, CHANCE]
    key: Annotated[Words32, "u4", (8,)]
    log: Annotated[Log, LOG]


class SmallPlayoutMemory(PlayoutMemory):
    """The same for thousands of threads, as on a GPU."""

    log: Annotated[Log, SMALL_LOG]


SUMMARY = struct_dtype(PlayoutSummary)
PLAYOUT_MEMORY = struct_dtype(PlayoutMemory)
SMALL_PLAYOUT_MEMORY = struct_dtype(SmallPlayoutMemory)


@entry_point
def game_key(base: Words32, index: int, key: Words32) -> None:
    """Write the seed of one game of a series: half a ChaCha20 block keyed by the seed of the series."""
    chacha20_block(base, wide(index), (wide(0), wide(0), wide(_SERIES)), key)


@entry_point
def game_keys(base: Words32, indexes: NDArray[np.int64], keys: NDArray[np.uint32]) -> None:
    """Write the seeds of several games of a series; see :func:`game_key`."""
    for i in range(len(indexes)):
        game_key(base, indexes[i], keys[i])


@inlined
def seat_to_move(state: State) -> int:
    """Return the seat to move; if several are to choose at setup, the lowest."""
    if state.phase == CHOOSING:
        for seat in range(state.seats):
            if state.choice[seat] == 0:
                return seat
    return state.turn


@inlined
def random_move(state: State, tables: Tables, chance: Chance, seat: int) -> int:
    """Return a uniformly random legal move of a seat."""
    return nth_move(state, tables, seat, below(chance, count_moves(state, tables, seat)))


@inlined
def play_out(state: State, tables: Tables, chance: Chance, log: Log) -> int:
    """Play uniformly random legal moves to the end; return the number of decisions."""
    decisions = 0
    while state.phase != OVER:
        seat = seat_to_move(state)
        play_legal(state, tables, seat, random_move(state, tables, chance, seat), log)
        decisions += 1
    return decisions


@entry_point
def play_games(
    tables: Structs, seats: int, base: Words32, first: int, summaries: Structs, memories: Structs
) -> None:
    """Play random games, one per summary, starting with number `first` of a series."""
    for i in range(len(summaries)):
        play_game(tables[0], seats, base, first + i, summaries[i], memories[0])


@inlined
def play_game(
    tables: Tables, seats: int, base: Words32, index: int, summary: PlayoutSummary, memory: PlayoutMemory
) -> None:
    """Play one random game of a series and sum it up."""
    memory.states[1] = memory.states[0]
    game_key(base, index, memory.key)
    deal(memory.states[1], tables, seats, memory.key, wide(ANY_SEAT), memory.log)
    open_stream(memory.chance, memory.key, PLAYERS)
    decisions = play_out(memory.states[1], tables, memory.chance, memory.log)
    _sum_up(memory.states[1], decisions, summary)


@inlined
def _sum_up(state: State, decisions: int, summary: PlayoutSummary) -> None:
    summary.decisions = decisions
    summary.turns = state.turns
    summary.ending = state.ending
    summary.tie_break = state.tie_break
    summary.winners = state.winners
    for seat in range(SEATS):
        summary.totals[seat] = state.totals[seat]
        summary.held[seat] = state.held_count[seat]
        summary.completed[seat] = state.completed_count[seat]
