"""The steps of a batch of games on a GPU: one thread for each game."""

from __future__ import annotations

from typing import Any

from goldenspike.engine.cuda import cuda, kernel
from goldenspike.engine.struct import Structs
from goldenspike.env.batch import (
    ALL_LEGAL,
    SMALL_STEP_MEMORY,
    EnvBatch,
    Setting,
    begin_games,
    draw_moves,
    finish_games,
    first_illegal,
    look_at_games,
    play_moves,
    step_games,
)


@kernel
def begin_games_kernel(setting: Setting, batch: EnvBatch, blanks: Structs, chosen: Any) -> None:
    """Deal the chosen games, by their numbers."""
    i = cuda.grid(1)
    if i < len(batch.states):
        memories = cuda.local.array(1, SMALL_STEP_MEMORY)
        memories[0].views[0] = blanks[0]
        memories[0].log.is_on = 0
        begin_games(setting, batch, chosen, i, i + 1, memories)


@kernel
def step_games_kernel(setting: Setting, batch: EnvBatch, blanks: Structs, moves: Any) -> None:
    """Play a legal move in each game; reset those that end with it."""
    i = cuda.grid(1)
    if i < len(batch.states):
        memories = cuda.local.array(1, SMALL_STEP_MEMORY)
        memories[0].views[0] = blanks[0]
        memories[0].log.is_on = 0
        step_games(setting, batch, moves, i, i + 1, memories)


@kernel
def play_moves_kernel(setting: Setting, batch: EnvBatch, blanks: Structs, moves: Any) -> None:
    """Play a legal move in each game; reset those that had ended before."""
    i = cuda.grid(1)
    if i < len(batch.states):
        memories = cuda.local.array(1, SMALL_STEP_MEMORY)
        memories[0].views[0] = blanks[0]
        memories[0].log.is_on = 0
        play_moves(setting, batch, moves, i, i + 1, memories)


@kernel
def finish_games_kernel(setting: Setting, batch: EnvBatch, blanks: Structs) -> None:
    """Set which games have ended, and their rewards; reset them if it is time."""
    i = cuda.grid(1)
    if i < len(batch.states):
        memories = cuda.local.array(1, SMALL_STEP_MEMORY)
        memories[0].views[0] = blanks[0]
        memories[0].log.is_on = 0
        finish_games(setting, batch, i, i + 1, memories)


@kernel
def look_at_games_kernel(setting: Setting, batch: EnvBatch, blanks: Structs) -> None:
    """Observe each game for the seat to move."""
    i = cuda.grid(1)
    if i < len(batch.states):
        memories = cuda.local.array(1, SMALL_STEP_MEMORY)
        memories[0].views[0] = blanks[0]
        look_at_games(setting, batch, i, i + 1, memories)


@kernel
def draw_moves_kernel(setting: Setting, batch: EnvBatch, moves: Any) -> None:
    """Draw a uniformly random legal move for each game, from the game's own seed."""
    i = cuda.grid(1)
    if i < len(batch.states):
        draw_moves(setting, batch, moves, i, i + 1)


@kernel
def find_illegal_kernel(masks: Any, over: Any, moves: Any, found: Any) -> None:
    """Lower `found` to the first game whose move is illegal; ended games accept any move."""
    i = cuda.grid(1)
    if i < len(moves) and first_illegal(masks[i : i + 1], over[i : i + 1], moves[i : i + 1]) != ALL_LEGAL:
        cuda.atomic.min(found, 0, i)
