"""Games among compiled bots on a GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from goldenspike.boards.limits import SEATS
from goldenspike.bots.graph import build_graph
from goldenspike.bots.policies import answer_tables, play_tables
from goldenspike.bots.workspace import WORKSPACE, new_workspaces
from goldenspike.editions import Edition
from goldenspike.engine.chance import CHANCE
from goldenspike.engine.cuda import cuda, kernel, launch
from goldenspike.engine.deal import ANY_SEAT
from goldenspike.engine.events import SMALL_LOG
from goldenspike.engine.state import STATE, States
from goldenspike.engine.struct import Ints, Structs
from goldenspike.engine.tables import build_tables

_THREADS = 1 << 16
"""Games that are played at the same time; more would only wait, and each has workspaces of its own."""


@kernel
def fill_workspaces_kernel(workspace: Structs, workspaces: Any) -> None:
    """Copy a workspace to the seats of all threads."""
    thread = cuda.grid(1)
    if thread < len(workspaces):
        for seat in range(workspaces.shape[1]):
            workspaces[thread, seat] = workspace[0]


@kernel
def play_tables_kernel(
    tables: Structs,
    graphs: Structs,
    policies: Ints,
    firsts: Ints,
    keys: Any,
    blanks: Structs,
    states: Structs,
    decisions: Any,
    workspaces: Any,
) -> None:
    """Play games among compiled bots to the end; see :func:`goldenspike.bots.policies.play_tables`.

    Every thread has workspaces of its own, one for each seat.
    """
    thread = cuda.grid(1)
    if thread < len(workspaces):
        dice, logs = cuda.local.array(SEATS, CHANCE), cuda.local.array(1, SMALL_LOG)
        logs[0].is_on = 0
        for i in range(thread, len(states), len(workspaces)):
            states[i] = blanks[0]
            play_tables(
                tables,
                graphs,
                policies[i : i + 1],
                firsts[i : i + 1],
                keys[i : i + 1],
                states[i : i + 1],
                decisions[i : i + 1],
                workspaces[thread],
                dice,
                logs,
            )


@kernel
def answer_tables_kernel(
    tables: Structs,
    graphs: Structs,
    policies: Ints,
    homes: Any,
    states: Structs,
    decisions: Any,
    awaited: Any,
    workspaces: Any,
    dice: Structs,
) -> None:
    """Play on until a seat without a bot is to move; see :func:`goldenspike.bots.policies.answer_tables`."""
    thread = cuda.grid(1)
    if thread < len(workspaces):
        logs = cuda.local.array(1, SMALL_LOG)
        logs[0].is_on = 0
        for i in range(thread, len(states), len(workspaces)):
            answer_tables(
                tables,
                graphs,
                policies,
                homes[i : i + 1],
                states[i : i + 1],
                decisions[i : i + 1],
                awaited[i : i + 1],
                workspaces[thread],
                dice[i : i + 1],
                logs,
            )


def play_tables_on_gpu(
    edition: Edition, policies: Ints, keys: NDArray[np.uint32]
) -> tuple[States, NDArray[np.int64]]:
    """Play games among compiled bots; return the final states and each game's decision count.

    See :func:`goldenspike.bots.policies.play_tables`; the seed decides who begins.
    """
    games, seats = policies.shape
    states, decisions = cuda.device_array(games, STATE), cuda.device_array(games, np.int64)
    workspaces = workspaces_on_gpu(games, seats)
    launch(
        play_tables_kernel,
        len(workspaces),
        cuda.to_device(build_tables(edition)),
        cuda.to_device(build_graph(edition)),
        cuda.to_device(policies),
        cuda.to_device(np.full(games, ANY_SEAT, np.int16)),
        cuda.to_device(keys),
        cuda.to_device(np.zeros(1, STATE)),
        states,
        decisions,
        workspaces,
    )
    return states.copy_to_host(), decisions.copy_to_host()


def workspaces_on_gpu(games: int, seats: int) -> Any:
    """Return workspaces for as many threads as games can be played at the same time, by thread and seat."""
    workspaces = cuda.device_array((min(games, _THREADS), seats), WORKSPACE)
    launch(fill_workspaces_kernel, len(workspaces), cuda.to_device(new_workspaces(1)), workspaces)
    return workspaces
