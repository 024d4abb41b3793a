"""Random games on a GPU."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from goldenspike.engine.cuda import cuda, kernel, launch
from goldenspike.engine.playout import SMALL_PLAYOUT_MEMORY, SUMMARY, play_game
from goldenspike.engine.state import STATE
from goldenspike.engine.struct import Structs, Words32

_WAVE = 1 << 20
"""Games of one launch: a fraction of a second, so that progress is shown and Ctrl-C works."""
_THREADS = 1 << 17


@kernel
def play_games_kernel(
    tables: Structs, seats: int, base: Words32, first: int, blanks: Structs, summaries: Structs
) -> None:
    """Play random games, one per summary, starting with number `first` of a series.

    A thread keeps its game in local memory, which the hardware interleaves, so that the threads of a warp
    read neighbouring addresses. It plays several games if there are more games than threads.
    """
    memories = cuda.local.array(1, SMALL_PLAYOUT_MEMORY)
    memory = memories[0]
    memory.states[0] = blanks[0]
    memory.log.is_on = 0
    for i in range(cuda.grid(1), len(summaries), cuda.gridsize(1)):
        play_game(tables[0], seats, base, first + i, summaries[i], memory)


def play_games_on_gpu(
    tables: Structs, seats: int, base: Words32, summaries: Structs, on_progress: Callable[[int], None]
) -> None:
    """Play random games, one per summary, from the first of a series on.

    `on_progress` is called with the number of games finished since the last call.
    """
    there = cuda.to_device(tables), seats, cuda.to_device(base)
    blanks = cuda.to_device(np.zeros(1, STATE))
    wave = cuda.device_array(min(_WAVE, len(summaries)), SUMMARY)
    for first in range(0, len(summaries), _WAVE):
        part = summaries[first : first + _WAVE]
        played = wave[: len(part)]
        launch(play_games_kernel, min(_THREADS, len(part)), *there, first, blanks, played)
        part[:] = played.copy_to_host()
        on_progress(len(part))
