"""The functions of the engine that Python calls.

Structs are passed as arrays of length one, because Numba unboxes these ten times faster than a single struct.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldenspike.engine import claims, legal, playout, scoring, trail, turns
from goldenspike.engine import deal as _deal
from goldenspike.engine import network as _network
from goldenspike.engine import observe as _observe
from goldenspike.engine.chance import PLAYERS, open_stream
from goldenspike.engine.compile import entry_point
from goldenspike.engine.scoring import Terms
from goldenspike.engine.struct import Ints, Structs, Words32


@entry_point
def deal(states: Structs, tables: Structs, seats: int, key: Words32, first: int, logs: Structs) -> None:
    """Set up a game; see :func:`goldenspike.engine.deal.deal`."""
    _open(logs)
    _deal.deal(states[0], tables[0], seats, key, first, logs[0])


@entry_point
def step(states: Structs, tables: Structs, seat: int, move: int, logs: Structs) -> int:
    """Play a move and log its events; return LEGAL, or the reason why nothing happened."""
    _open(logs)
    return turns.step(states[0], tables[0], seat, move, logs[0])


@entry_point
def quick_step(states: Structs, tables: Structs, seat: int, move: int, logs: Structs) -> int:
    """Play a move without a log; return LEGAL, or the reason why nothing happened."""
    logs[0].is_on = 0
    return turns.step(states[0], tables[0], seat, move, logs[0])


@entry_point
def _open(logs: Structs) -> None:
    logs[0].is_on = 1
    logs[0].count = 0


@entry_point
def verify_move(states: Structs, tables: Structs, seat: int, move: int) -> int:
    """Return LEGAL, or the reason why a move may not be played now."""
    return legal.verify_move(states[0], tables[0], seat, move)


@entry_point
def count_moves(states: Structs, tables: Structs, seat: int) -> int:
    """Count a seat's legal moves."""
    return legal.count_moves(states[0], tables[0], seat)


@entry_point
def list_moves(states: Structs, tables: Structs, seat: int, out: Ints) -> int:
    """Write a seat's legal moves in ascending order; return how many there are."""
    return legal.list_moves(states[0], tables[0], seat, out)


@entry_point
def observe(states: Structs, tables: Structs, seat: int, views: Structs) -> None:
    """Write what a seat may see into a blank struct."""
    _observe.observe(states[0], tables[0], seat, views[0])


@entry_point
def score_terms(states: Structs, tables: Structs, terms: Terms, logs: Structs) -> int:
    """Write the score terms of a finished game; return the seats with the longest path as a bit mask."""
    return scoring.score_terms(states[0], tables[0], terms, logs[0])


@entry_point
def score_games(states: Structs, tables: Structs, terms: NDArray[np.int16], logs: Structs) -> None:
    """Write the score terms of many finished games, by game, seat and term."""
    for i in range(len(states)):
        scoring.score_terms(states[i], tables[0], terms[i], logs[0])


@entry_point
def finish(states: Structs, tables: Structs, logs: Structs) -> None:
    """Score a game as if it ended now."""
    logs[0].is_on = 0
    scoring.finish(states[0], tables[0], logs[0])


@entry_point
def longest_trail(tables: Structs, owned_0: np.uint64, owned_1: np.uint64, logs: Structs) -> int:
    """Return the length of the longest trail over a set of routes (F-3)."""
    return trail.longest_trail(tables[0], owned_0, owned_1, 0, logs[0].network, logs[0].sweep)


@entry_point
def joined_cities(states: Structs, tables: Structs, seat: int, city: int) -> np.uint64:
    """Return the cities that a seat's routes join to a city, as a set."""
    return _network.joined_cities(states[0], tables[0], seat, city)


@entry_point
def take_route(states: Structs, tables: Structs, seat: int, route: int) -> None:
    """Give a route to a seat without payment: the public part of a claim."""
    claims.take_route(states[0], tables[0], seat, route)


@entry_point
def open_players(chances: Structs, key: Words32) -> None:
    """Set a chance struct to the stream that random players choose from."""
    open_stream(chances[0], key, PLAYERS)


@entry_point
def random_move(states: Structs, tables: Structs, chances: Structs, seat: int) -> int:
    """Return a uniformly random legal move of a seat."""
    return playout.random_move(states[0], tables[0], chances[0], seat)
