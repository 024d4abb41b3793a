"""Benchmarks of ``goldenspike bench env``: decisions of the vector environment.

A decision includes everything: a random legal move is drawn, checked against the mask and played, ended games
are reset, and the next observation and mask are written. Against a bot only the learner's decisions count,
although the bot's moves are played as well.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from goldenspike.bench.figures import Figure, rates
from goldenspike.env.vector import VectorEnv

_GAMES = 1024
"""Games in the batch, on one core."""
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
    alone = [partial(_decisions, *table, steps, repeat) for table in tables]
    against = [
        partial(_decisions, "usa-classic", 2, False, "", max(1, steps // 4), repeat, opponent)
        for opponent in ("greedy", "planner")
    ]
    return [*alone, *against]


def _decisions(
    edition: str, players: int, graph: bool, goal: str, steps: int, repeat: int, opponent: str = ""
) -> list[Figure]:
    opponents = [opponent] if opponent else []
    with VectorEnv(edition, players, _GAMES, "bench", opponents=opponents, threads=1, graph=graph) as env:

        def play(steps: int) -> None:
            for _ in range(steps):
                env.step(env.random_moves())

        play(max(1, steps // 10))  # compiles, and spreads the games over all stages of play
        best, median = rates(steps * _GAMES, repeat, lambda: play(steps))
    name = f"environment, {edition}, {players} players" + (", with graph features" if graph else "")
    name += f", the learner's against {opponent}" if opponent else ""
    return [Figure(name, best, median, "decisions/s", goal)]
