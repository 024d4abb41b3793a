"""What ``goldenspike bench env`` measures: decisions of the vector environment.

A decision is all of it: a random legal move is drawn, checked against the mask and played, ended games are
dealt anew, and the next observation and mask are written.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from goldenspike.cli.bench.figures import Figure, rates
from goldenspike.env.vector import VectorEnv

_GAMES = 1024
"""Side by side, on one core."""
_DECISIONS = 1_000_000


def measure_env(repeat: int, scale: float) -> list[Callable[[], list[Figure]]]:
    """Return the measurements; each returns its figures when called."""
    tables = [
        ("usa-classic", 2, False, "700,000"),
        ("usa-classic", 2, True, ""),
        ("usa-classic", 4, False, ""),
        ("usa-mega", 5, False, ""),
        ("new-york", 2, False, ""),
        ("first-journey", 2, False, ""),
    ]
    steps = max(1, int(_DECISIONS * scale) // _GAMES)
    return [partial(_decisions, *table, steps, repeat) for table in tables]


def _decisions(edition: str, players: int, graph: bool, goal: str, steps: int, repeat: int) -> list[Figure]:
    with VectorEnv(edition, players, _GAMES, "bench", threads=1, graph=graph) as env:

        def play(steps: int) -> None:
            for _ in range(steps):
                env.step(env.random_moves())

        play(max(1, steps // 10))  # compiles, and spreads the games over all stages of a game
        best, median = rates(steps * _GAMES, repeat, lambda: play(steps))
    name = f"environment, {edition}, {players} players" + (", with graph features" if graph else "")
    return [Figure(name, best, median, "decisions/s", goal)]
