"""A batch of games on a GPU: states, observations, masks and rewards stay in its memory."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldenspike.bots.kernels import answer_tables_kernel, workspaces_on_gpu
from goldenspike.bots.policies import NOBODY_AWAITED
from goldenspike.engine.cuda import IS_SIMULATED, cuda, launch
from goldenspike.engine.state import STATE, States
from goldenspike.env.batch import ALL_LEGAL, NEXT_STEP, SAME_STEP, EnvBatch, Setting
from goldenspike.env.gpu_array import GpuArray
from goldenspike.env.kernels import (
    begin_games_kernel,
    draw_moves_kernel,
    find_illegal_kernel,
    finish_games_kernel,
    look_at_games_kernel,
    play_moves_kernel,
    step_games_kernel,
)
from goldenspike.env.opponents import Opponents


class GpuGames:
    """Games in the memory of a GPU, a thread for each. The arrays of its `batch` are :class:`GpuArray`."""

    def __init__(self, setting: Setting, batch: EnvBatch, opponents: Opponents, graphs: NDArray[Any]) -> None:
        self._count = len(batch.states)
        self._autoreset = setting.autoreset
        tables, parts = cuda.to_device(setting.tables), cuda.to_device(setting.parts)
        self._setting = setting._replace(tables=tables, parts=parts)
        self._batch = EnvBatch(*(cuda.to_device(array) for array in batch))
        self.batch = EnvBatch(*(GpuArray(array) for array in self._batch))  # pyright: ignore[reportArgumentType]
        self._blanks = cuda.to_device(np.zeros(1, STATE))
        self._moves = cuda.to_device(np.zeros(self._count, np.int64))
        self._none_over = cuda.to_device(np.zeros(self._count, np.bool_))
        self._found = cuda.to_device(np.zeros(1, np.int64))
        self._bots: tuple[Any, ...] = ()
        if opponents.names:
            self._bots = (
                cuda.to_device(graphs),
                cuda.to_device(opponents.policies),
                cuda.to_device(np.full(self._count, NOBODY_AWAITED, np.int8)),
                workspaces_on_gpu(self._count, len(opponents.policies)),
            )

    def read(self, array: Any) -> NDArray[Any]:
        """Return an array of the batch as it is now, in host memory."""
        return array.copy_to_host()

    def write(self, array: Any, values: NDArray[Any]) -> None:
        """Set an array of the batch."""
        array.there.copy_to_device(np.ascontiguousarray(np.broadcast_to(values, array.shape), array.dtype))

    def take_moves(self, moves: Any) -> Any:
        """Return moves, given by their numbers, as the other methods take them.

        Moves in the memory of the GPU (of PyTorch, JAX, CuPy or Numba) are used where they are.
        """
        if isinstance(moves, GpuArray):
            return moves.there
        if not IS_SIMULATED and cuda.is_cuda_array(moves):
            there = cuda.as_cuda_array(moves)
            if there.dtype != np.int64:
                raise TypeError(f"Moves on a GPU are given as int64, not as {there.dtype}.")
            return there
        given = np.asarray(moves)
        if given.dtype.kind not in "iu":
            raise TypeError(f"Moves are given by their whole numbers, not as {given.dtype}.")
        return cuda.to_device(np.ascontiguousarray(given, np.int64))

    def find_illegal(self, moves: Any) -> int:
        """Return the first game whose move is illegal, or ALL_LEGAL; games about to be reset accept any."""
        self._found.copy_to_device(np.full(1, self._count, np.int64))
        is_reset = self._batch.ended if self._autoreset == NEXT_STEP else self._none_over
        launch(find_illegal_kernel, self._count, self._batch.masks, is_reset, moves, self._found)
        first = int(self._found.copy_to_host()[0])
        return ALL_LEGAL if first == self._count else first

    def begin(self, rows: NDArray[np.bool_]) -> None:
        """Deal games by their numbers."""
        self._run(begin_games_kernel, cuda.to_device(np.ascontiguousarray(rows)))
        self._answer()
        self._run(look_at_games_kernel)

    def play(self, moves: Any) -> None:
        """Play moves that are known to be legal. The kernels run while Python goes on."""
        if not self._bots and self._autoreset == SAME_STEP:
            self._run(step_games_kernel, moves)
            return
        self._run(play_moves_kernel, moves)
        self._answer()
        self._run(finish_games_kernel)
        if self._autoreset == SAME_STEP:
            self._answer()
        self._run(look_at_games_kernel)

    def draw(self) -> Any:
        """Return a random legal move for every game."""
        launch(draw_moves_kernel, self._count, self._setting, self._batch, self._moves)
        return GpuArray(self._moves)

    def state(self, game: int) -> States:
        """Return the state of a game, as an array of one in host memory."""
        states: Any = self._batch.states
        return states[game : game + 1].copy_to_host()

    def close(self) -> None:
        """Do nothing: the memory is freed with the last reference to an array."""

    def _run(self, kernel: Any, *arrays: Any) -> None:
        launch(kernel, self._count, self._setting, self._batch, self._blanks, *arrays)

    def _answer(self) -> None:
        """Play the opponents' moves until every game is over or waits for the learner."""
        if self._bots:
            graphs, policies, awaited, workspaces = self._bots
            batch = self._batch
            launch(
                answer_tables_kernel,
                len(workspaces),
                self._setting.tables,
                graphs,
                policies,
                batch.homes,
                batch.states,
                batch.decisions,
                awaited,
                workspaces,
                batch.dice,
            )
