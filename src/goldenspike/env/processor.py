"""A batch of games on the processor, in NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldenspike.engine.state import States
from goldenspike.env.batch import (
    NEXT_STEP,
    SAME_STEP,
    STEP_MEMORY,
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
from goldenspike.env.opponents import Opponents


class ProcessorGames:
    """Games in host memory, a range of them for each thread."""

    def __init__(self, setting: Setting, batch: EnvBatch, opponents: Opponents, threads: int) -> None:
        self._setting, self.batch, self._opponents, self._threads = setting, batch, opponents, threads
        self._memories = [np.zeros(1, STEP_MEMORY) for _ in range(threads)]
        self._moves = np.zeros(len(batch.states), np.int64)
        self._none_over = np.zeros(len(batch.states), np.bool_)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def read(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return an array of the batch as it is now, in host memory."""
        return array

    def write(self, array: NDArray[Any], values: NDArray[Any]) -> None:
        """Set an array of the batch."""
        array[...] = values

    def take_moves(self, moves: ArrayLike) -> NDArray[np.int64]:
        """Return moves, given by their numbers, as the other methods take them."""
        given = np.asarray(moves)
        if given.dtype.kind not in "iu":
            raise TypeError(f"Moves are given by their whole numbers, not as {given.dtype}.")
        return np.ascontiguousarray(given, np.int64)

    def find_illegal(self, moves: NDArray[np.int64]) -> int:
        """Return the first game whose move is illegal, or ALL_LEGAL; games about to be reset accept any."""
        is_reset = self.batch.ended if self._setting.autoreset == NEXT_STEP else self._none_over
        return int(first_illegal(self.batch.masks, is_reset, moves))

    def begin(self, rows: NDArray[np.bool_]) -> None:
        """Deal games by their numbers."""
        self._run(begin_games, rows)
        self._answer()
        self._run(look_at_games)

    def play(self, moves: NDArray[np.int64]) -> None:
        """Play moves that are known to be legal."""
        is_same_step = self._setting.autoreset == SAME_STEP
        if not self._opponents.names and is_same_step:
            self._run(step_games, moves)
            return
        self._run(play_moves, moves)
        self._answer()
        self._run(finish_games)
        if is_same_step and self.batch.ended.any():
            self._answer()
        self._run(look_at_games)

    def draw(self) -> NDArray[np.int64]:
        """Return a random legal move for every game."""
        self._spread(lambda _, first, last: draw_moves(self._setting, self.batch, self._moves, first, last))
        return self._moves

    def state(self, game: int) -> States:
        """Return the state of a game, as an array of one."""
        return self.batch.states[game : game + 1]

    def close(self) -> None:
        """Stop the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def _answer(self) -> None:
        """Play the opponents' moves until every game is over or waits for the learner."""
        if self._opponents.names:
            self._opponents.answer(self.batch, self._spread)

    def _run(self, act: Callable[..., None], *arrays: NDArray[Any]) -> None:
        """Run a function of :mod:`goldenspike.env.batch` over all games."""
        setting, batch, memories = self._setting, self.batch, self._memories
        self._spread(lambda thread, first, last: act(setting, batch, *arrays, first, last, memories[thread]))

    def _spread(self, act: Callable[[int, int, int], None]) -> None:
        """Run a function over all games, with a range of them on each thread."""
        games = len(self.batch.states)
        if self._pool is None:
            act(0, 0, games)
            return
        ends = [games * i // self._threads for i in range(self._threads + 1)]
        for _ in self._pool.map(act, range(self._threads), ends[:-1], ends[1:]):
            pass
