"""Random games in which the referee checks every state."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from goldenspike.engine.chance import CHANCE, PLAYERS, open_stream
from goldenspike.engine.compile import compiled, entry_point
from goldenspike.engine.deal import ANY_SEAT, deal
from goldenspike.engine.events import LOG
from goldenspike.engine.moves import CLAIM
from goldenspike.engine.playout import game_key, random_move, seat_to_move
from goldenspike.engine.referee.faults import FINE, GAME_TOO_LONG, SENTENCES
from goldenspike.engine.referee.inspection import inspect
from goldenspike.engine.referee.moves import compare_moves
from goldenspike.engine.state import OVER, State, new_states
from goldenspike.engine.struct import Structs, Words32
from goldenspike.engine.tables import Tables
from goldenspike.engine.turns import play_legal

TOO_LONG = 10_000
"""Decisions after which a game is assumed to be endless; random games take a few hundred."""

_HOARDERS = 4
"""One game in this many is played by hoarders, who choose again when about to claim a route. In such games
deck, row and tickets run out, which is rare when all moves are equally likely. In editions with swaps they
stop hoarding when the deck is empty, because otherwise they could swap for ever."""
_PATIENCE = 48
"""How often a hoarder chooses again before it claims a route."""


class Failure(NamedTuple):
    """Where a series of games went wrong: game and decisions played in it, and the fault."""

    game: int
    decisions: int
    fault: int

    def __str__(self) -> str:
        return f"game {self.game} after {self.decisions} decisions: {SENTENCES[self.fault]}"


def play_refereed(
    tables: Structs, seats: int, base: Words32, games: tuple[int, int], every: int
) -> Failure | None:
    """Play the games of a series from one number up to another, and check the state after every decision.

    The legal-move functions are compared once in `every` decisions, because that takes longest. Return the
    first failure. The GIL is released, so several threads can play at the same time.
    """
    chances, logs = np.zeros(1, CHANCE), np.zeros(1, LOG)
    key = np.empty(8, np.uint32)
    for game in range(*games):
        game_key(base, game, key)
        logs["is_on"] = game & 1  # the log must not affect the game
        patience = _PATIENCE if game % _HOARDERS == 0 else 0
        decisions, fault = _play_game(new_states(1), tables, seats, key, chances, logs, every, patience)
        if fault != FINE:
            return Failure(game, decisions, fault)
    return None


@entry_point
def _play_game(
    states: Structs,
    tables: Structs,
    seats: int,
    key: Words32,
    chances: Structs,
    logs: Structs,
    every: int,
    patience: int,
) -> tuple[int, int]:
    """Play random moves to the end or the first fault; return the decisions played, and the fault."""
    state, table, chance, log = states[0], tables[0], chances[0], logs[0]
    open_stream(chance, key, PLAYERS)
    deal(state, table, seats, key, ANY_SEAT, log)
    decisions = 0
    fault = inspect(state, table)
    while state.phase != OVER and fault == FINE:
        if decisions % every == 0:
            fault = _compare_all(state, table)
            if fault != FINE:
                break
        seat = seat_to_move(state)
        move = random_move(state, table, chance, seat)
        for _ in range(patience):
            if move < CLAIM or (table.swaps and state.deck_size == 0):
                break
            move = random_move(state, table, chance, seat)
        log.count = 0
        play_legal(state, table, seat, move, log)
        decisions += 1
        fault = inspect(state, table) if decisions < TOO_LONG else GAME_TOO_LONG
    return decisions, fault


@compiled
def _compare_all(state: State, tables: Tables) -> int:
    for seat in range(state.seats):
        fault = compare_moves(state, tables, seat)
        if fault != FINE:
            return fault
    return FINE
