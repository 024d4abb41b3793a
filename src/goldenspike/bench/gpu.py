"""Benchmarks of ``goldenspike bench gpu``: games and decisions per second on an NVIDIA GPU.

A figure of games includes copying the results to host memory. A decision of an environment is drawn at random
from the legal moves and played, and the next observation and mask are written; nothing leaves the GPU.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from goldenspike.bench.figures import Figure, rates
from goldenspike.bots.kernels import play_tables_on_gpu
from goldenspike.bots.policies import PLANNER
from goldenspike.editions import load_edition
from goldenspike.engine.cuda import cuda, kernels
from goldenspike.env.vector import VectorEnv
from goldenspike.game.seeds import read_seed
from goldenspike.simulation import series_keys, simulate

_SEED = read_seed("bench")
_MILLION = 1_000_000


def measure_gpu(repeat: int, scale: float) -> list[Callable[[], list[Figure]]]:
    """Return the measurements; each returns its figures when called."""
    games = [
        ("usa-classic", 2, 8 * _MILLION, "6,000,000", ""),
        ("usa-classic", 4, 4 * _MILLION, "", ""),
        ("new-york", 2, 16 * _MILLION, "20,000,000", "1,000,000,000"),
        ("first-journey", 2, 8 * _MILLION, "", ""),
    ]
    planners = [("usa-classic", "250,000"), ("new-york", ""), ("first-journey", "")]
    environments = [(1 << 16, False, "150,000,000"), (1 << 16, True, "40,000,000"), (1 << 14, False, "")]
    return [
        partial(_first_game, "usa-classic"),
        *(partial(_games, e, n, max(1, int(count * scale)), repeat, *goals) for e, n, count, *goals in games),
        *(partial(_planners, edition, int(scale * (1 << 18)), repeat, goal) for edition, goal in planners),
        *(
            partial(_decisions, games, graph, max(1, int(200 * scale)), repeat, goal)
            for games, graph, goal in environments
        ),
    ]


def _first_game(edition_id: str) -> list[Figure]:
    """Measure the first game of this process: the kernel is compiled, or loaded if it was compiled before."""
    start = time.perf_counter()
    simulate(load_edition(edition_id), 2, 1, _SEED, device="cuda")
    seconds = time.perf_counter() - start
    return [Figure("first game, with compiling or loading", seconds, seconds, "s", "40")]


def _games(
    edition_id: str, players: int, games: int, repeat: int, goal: str, decisions_goal: str
) -> list[Figure]:
    edition = load_edition(edition_id)
    run = simulate(edition, players, games, _SEED, device="cuda")
    best, median = rates(games, repeat, lambda: simulate(edition, players, games, _SEED, device="cuda"))
    decisions = float(run.summaries["decisions"].mean())
    name = f"{edition_id}, {players} players, random"
    return [
        Figure(name, best, median, "games/s", goal),
        Figure(name, best * decisions, median * decisions, "decisions/s", decisions_goal),
    ]


def _planners(edition_id: str, games: int, repeat: int, goal: str) -> list[Figure]:
    edition = load_edition(edition_id)
    policies, keys = np.full((games, 2), PLANNER, np.int16), series_keys(_SEED, np.arange(games))
    play_tables_on_gpu(edition, policies[:1], keys[:1])
    best, median = rates(games, repeat, lambda: play_tables_on_gpu(edition, policies, keys))
    return [Figure(f"{edition_id}, 2 players, planner", best, median, "games/s", goal)]


def _decisions(games: int, graph: bool, steps: int, repeat: int, goal: str) -> list[Figure]:
    env = VectorEnv("usa-classic", 2, games, _SEED, device="cuda", graph=graph)

    def play(steps: int) -> None:
        for _ in range(steps):
            env.play(env.random_moves())
        cuda.synchronize()

    play(100)  # compiles, and spreads the games over all stages of play
    best, median = rates(steps * games, repeat, lambda: play(steps))
    name = f"environment, usa-classic, 2 players, {games:,} games" + (
        ", with graph features" if graph else ""
    )
    return [Figure(name, best, median, "decisions/s", goal)]


def kernel_sizes() -> list[tuple[str, int, int]]:
    """Return the name, the registers and the bytes of local memory per thread of each kernel that has run."""
    sizes: list[tuple[str, int, int]] = []
    for kernel in kernels:
        registers: Any = kernel.get_regs_per_thread()
        memory: Any = kernel.get_local_mem_per_thread()
        sizes += [(kernel.py_func.__name__, registers[types], memory[types]) for types in registers]
    return sizes
