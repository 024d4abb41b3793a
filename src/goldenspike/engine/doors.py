"""The doors of the engine: what Python calls.

They take arrays of one record each, because Numba is handed those ten times faster than a bare record.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goldenspike.engine import claims, legal, playout, scoring, trail, turns
from goldenspike.engine import deal as _deal
from goldenspike.engine import network as _network
from goldenspike.engine import observe as _observe
from goldenspike.engine.chance import PLAYERS, open_stream
from goldenspike.engine.compile import door
from goldenspike.engine.record import Ints, Words32
from goldenspike.engine.scoring import Terms

Records = NDArray[np.record]


@door
def deal(states: Records, tables: Records, seats: int, key: Words32, first: int, logs: Records) -> None:
    """Set up a game; see :func:`goldenspike.engine.deal.deal`."""
    _open(logs)
    _deal.deal(states[0], tables[0], seats, key, first, logs[0])


@door
def step(states: Records, tables: Records, seat: int, move: int, logs: Records) -> int:
    """Play a move and log its events; return LEGAL, or the reason why nothing happened."""
    _open(logs)
    return turns.step(states[0], tables[0], seat, move, logs[0])


@door
def quick_step(states: Records, tables: Records, seat: int, move: int, logs: Records) -> int:
    """Play a move without a log; return LEGAL, or the reason why nothing happened."""
    logs[0].is_on = 0
    return turns.step(states[0], tables[0], seat, move, logs[0])


@door
def _open(logs: Records) -> None:
    logs[0].is_on = 1
    logs[0].count = 0


@door
def verify_move(states: Records, tables: Records, seat: int, move: int) -> int:
    """Return LEGAL, or the reason why a move may not be played now."""
    return legal.verify_move(states[0], tables[0], seat, move)


@door
def count_moves(states: Records, tables: Records, seat: int) -> int:
    """Count a seat's legal moves."""
    return legal.count_moves(states[0], tables[0], seat)


@door
def list_moves(states: Records, tables: Records, seat: int, out: Ints) -> int:
    """Write a seat's legal moves in rising order; return how many there are."""
    return legal.list_moves(states[0], tables[0], seat, out)


@door
def observe(states: Records, tables: Records, seat: int, views: Records) -> None:
    """Write into a blank record what a seat may see."""
    _observe.observe(states[0], tables[0], seat, views[0])


@door
def score_terms(states: Records, tables: Records, terms: Terms) -> int:
    """Write the terms of a finished game's scores; return who has the longest path, a bit each."""
    return scoring.score_terms(states[0], tables[0], terms)


@door
def finish(states: Records, tables: Records, logs: Records) -> None:
    """Score a game as if it ended now."""
    logs[0].is_on = 0
    scoring.finish(states[0], tables[0], logs[0])


@door
def longest_trail(tables: Records, owned_0: np.uint64, owned_1: np.uint64) -> int:
    """Return the length of the longest trail over a set of routes (F-3)."""
    return trail.longest_trail(tables[0], owned_0, owned_1, 0)


@door
def joined_cities(states: Records, tables: Records, seat: int, city: int) -> np.uint64:
    """Return the cities that a seat's routes join to a city, as a set."""
    return _network.joined_cities(states[0], tables[0], seat, city)


@door
def take_route(states: Records, tables: Records, seat: int, route: int) -> None:
    """Give a route to a seat without payment: what all see of a claim."""
    claims.take_route(states[0], tables[0], seat, route)


@door
def open_players(chances: Records, key: Words32) -> None:
    """Set a chance record to the stream that random players choose from."""
    open_stream(chances[0], key, PLAYERS)


@door
def random_move(states: Records, tables: Records, chances: Records, seat: int) -> int:
    """Return a legal move of a seat, all equally likely."""
    return playout.random_move(states[0], tables[0], chances[0], seat)
