"""Compiles CUDA kernels to PTX, in two processes; see tools/ptx."""

from __future__ import annotations

import re
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np

from goldenspike.bots import kernels as bots
from goldenspike.bots.graph import build_graph
from goldenspike.bots.workspace import WORKSPACE, new_workspaces
from goldenspike.editions import load_edition
from goldenspike.engine.chance import CHANCE
from goldenspike.engine.cuda import kernels, ptx_of
from goldenspike.engine.playout import SUMMARY
from goldenspike.engine.playout_kernel import play_games_kernel
from goldenspike.engine.state import STATE
from goldenspike.engine.tables import build_tables
from goldenspike.env import VectorEnv
from goldenspike.env import kernels as env


def list_kernels() -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Return all kernels by name, with arguments of the types that they are called with."""
    edition = load_edition("usa-classic")
    tables, graphs = np.array(build_tables(edition)), np.array(build_graph(edition))
    blanks, workspaces = np.zeros(1, STATE), np.zeros((1, 2), WORKSPACE)
    few, wide, byte = np.zeros(1, np.int16), np.zeros(1, np.int64), np.zeros(1, np.int8)
    vector = VectorEnv(edition, players=2, games=1, seed=1, graph=True)
    games = vector._setting._replace(tables=tables), vector._batch  # noqa: SLF001
    seats, keys = few.reshape(1, 1), np.zeros((1, 8), np.uint32)
    calls: list[tuple[Any, ...]] = [
        (bots.play_tables_kernel, tables, graphs, seats, few, keys, blanks, blanks, wide, workspaces),
        (play_games_kernel, tables, 2, keys[0], 0, blanks, np.zeros(1, SUMMARY)),
        (
            bots.answer_tables_kernel,
            *(tables, graphs, few, byte, blanks, np.zeros(1, np.int32), byte, workspaces),
            np.zeros((1, 2), CHANCE),
        ),
        (env.step_games_kernel, *games, blanks, wide),
        (env.play_moves_kernel, *games, blanks, wide),
        (env.look_at_games_kernel, *games, blanks),
        (env.finish_games_kernel, *games, blanks),
        (env.begin_games_kernel, *games, blanks, np.zeros(1, np.bool_)),
        (env.draw_moves_kernel, *games, wide),
        (env.find_illegal_kernel, vector.masks, vector.ended, wide, wide),
        (bots.fill_workspaces_kernel, new_workspaces(1), workspaces),
    ]
    found = {call[0].py_func.__name__: (call[0], call[1:]) for call in calls}
    missing = {kernel.py_func.__name__ for kernel in kernels} - found.keys()
    assert not missing, f"Add to tools/compile_ptx.py: {missing}"
    return found


def compile_one(name: str) -> str:
    """Compile a kernel and return what to print."""
    start = time.perf_counter()
    ptx = ptx_of(*list_kernels()[name])
    memory = sum(map(int, re.findall(r"__local_depot\d+\[(\d+)\]", ptx)))
    seconds = time.perf_counter() - start
    lines = ptx.count("\n")
    return f"{name:28} {lines:7,} lines of PTX, {memory:6,} bytes of local memory, {seconds:5.1f} s"


def main() -> int:
    """Compile the kernels that are asked for."""
    names = [
        name for name in list_kernels() if not sys.argv[1:] or any(word in name for word in sys.argv[1:])
    ]
    with ProcessPoolExecutor(2) as pool:
        for line in pool.map(compile_one, names):
            print(line, flush=True)  # noqa: T201  # a tool prints
    return 0


if __name__ == "__main__":
    sys.exit(main())
