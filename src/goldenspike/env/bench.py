"""How many decisions a second the vector environment makes: ``python -m goldenspike.env.bench``.

A decision is all of it: a random legal move is drawn, checked against the mask and played, ended games are
dealt anew, and the next observation and mask are written.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Sequence

from goldenspike.env.vector import VectorEnv


def measure(env: VectorEnv, decisions: int, repeat: int) -> list[float]:
    """Return the decisions a second of several runs of about so many decisions.

    >>> rates = measure(VectorEnv("new-york", players=2, games=64, seed=1), 640, repeat=3)
    >>> len(rates), min(rates) > 0
    (3, True)
    """
    steps = max(1, decisions // env.games)
    for _ in range(max(1, steps // 10)):  # compiles, and spreads the games over all stages of a game
        env.step(env.random_moves())
    rates: list[float] = []
    for _ in range(repeat):
        start = time.perf_counter()
        for _ in range(steps):
            env.step(env.random_moves())
        rates.append(steps * env.games / (time.perf_counter() - start))
    return rates


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what the arguments ask for and write one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edition", default="usa-classic")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=1024, help="games side by side")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--graph", action="store_true", help="with graph features")
    parser.add_argument("--decisions", type=int, default=1_000_000, help="decisions of one run")
    parser.add_argument("--repeat", type=int, default=5, help="runs")
    read = parser.parse_args(arguments)
    with VectorEnv(
        read.edition, read.players, read.games, "bench", threads=read.threads, graph=read.graph
    ) as env:
        rates = measure(env, read.decisions, read.repeat)
        sys.stdout.write(
            f"{env.edition.id}, {env.players} players, {env.games} games, {env.threads} threads, "
            f"{env.layout.width} bytes: best {max(rates):,.0f} decisions/s, "
            f"median {statistics.median(rates):,.0f} of {len(rates)}\n"
        )


if __name__ == "__main__":
    main()
