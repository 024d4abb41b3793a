"""Benchmarks of ``goldenspike bench engine``: games, steps, copies, the longest path."""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable
from functools import partial

import numpy as np

from goldenspike.bench.figures import Figure, rates, run_python, times
from goldenspike.editions import load_edition
from goldenspike.engine import api
from goldenspike.engine.compile import entry_point
from goldenspike.engine.events import LOG
from goldenspike.engine.state import STATE, new_states
from goldenspike.engine.struct import Structs
from goldenspike.engine.tables import build_tables
from goldenspike.game.game import Game
from goldenspike.game.seeds import read_seed
from goldenspike.simulation import random_game, random_games, simulate

_SEED = read_seed("bench")
_NANO = 1e9


def measure_engine(repeat: int, scale: float) -> list[Callable[[], list[Figure]]]:
    """Return the measurements; each returns its figures when called."""
    games = [
        ("usa-classic", 2, 20_000, "40,000"),
        ("usa-classic", 4, 10_000, "20,000"),
        ("usa-mega", 5, 5_000, ""),
        ("new-york", 2, 50_000, "100,000"),
        ("first-journey", 2, 40_000, "80,000"),
    ]
    return [
        *(partial(_games, e, n, max(1, int(count * scale)), repeat, goal) for e, n, count, goal in games),
        partial(_cores, int(40_000 * scale), repeat),
        partial(_steps, int(100_000 * scale), repeat),
        partial(_moves, max(1, int(40 * scale)), repeat),
        partial(_copies, repeat),
        partial(_longest_path, repeat),
        partial(_interpreted, max(1, int(10 * scale))),
    ]


def _games(edition_id: str, players: int, games: int, repeat: int, goal: str) -> list[Figure]:
    """Measure random games on one core, with exact final scoring."""
    edition = load_edition(edition_id)
    run = simulate(edition, players, games, _SEED)
    best, median = rates(games, repeat, lambda: simulate(edition, players, games, _SEED))
    decisions = float(run.summaries["decisions"].mean())
    name = f"{edition_id}, {players} players"
    return [
        Figure(name, best, median, "games/s", goal),
        Figure(
            name, best * decisions, median * decisions, "decisions/s", "6,000,000" if goal == "40,000" else ""
        ),
    ]


def _cores(games: int, repeat: int) -> list[Figure]:
    """Play the same batch on one core and on two, alternately."""
    edition = load_edition("usa-classic")
    ratios: list[float] = []
    for _ in range(repeat):
        one, two = (
            times(1, partial(simulate, edition, 2, games, _SEED, jobs))[0]
            for jobs in (1, min(2, os.cpu_count() or 1))
        )
        ratios.append(one / two)
    return [Figure("two cores against one", max(ratios), statistics.median(ratios), "times", "1.8")]


def _steps(count: int, repeat: int) -> list[Figure]:
    """Measure single steps by number from a Python loop: whole games, replayed from their moves."""
    edition = load_edition("usa-classic")
    tables, logs = build_tables(edition), np.zeros(1, LOG)
    plays = [
        [(p.seat, p.number) for p in g.played] for g in random_games(edition, 2, count // 150 + 1, _SEED)
    ]
    starts = [Game.new(edition, 2, g.seed) for g in random_games(edition, 2, len(plays), _SEED)]
    steps = sum(map(len, plays))

    def play() -> None:
        step = api.quick_step
        for game, moves in zip([game.copy() for game in starts], plays, strict=True):
            states = game.states
            for seat, number in moves:
                step(states, tables, seat, number, logs)
            assert game.is_over

    best, median = rates(steps, repeat, play)
    return [Figure("single steps from Python", best, median, "steps/s", "500,000")]


def _moves(games: int, repeat: int) -> list[Figure]:
    """Measure moves through `Game.play`, with events and hashes."""
    edition = load_edition("usa-classic")
    played = [random_game(edition, 2, read_seed(i)) for i in range(games)]

    def play() -> None:
        for old in played:
            game = Game.new(edition, 2, old.seed)
            for action in old.played:
                game.play(action.number, action.seat)

    best, median = rates(sum(len(game.played) for game in played), repeat, play)
    return [Figure("moves through Game.play", best, median, "moves/s", "20,000")]


@entry_point
def _copy(states: Structs, copies: int) -> None:
    for i in range(copies):
        states[1 + (i & 1)] = states[0]


def _copies(repeat: int) -> list[Figure]:
    """Measure the size of a state, and the time of a copy in compiled code."""
    states, copies = new_states(3), 1_000_000
    _copy(states, 1)
    best, median = times(repeat, lambda: _copy(states, copies))
    return [
        Figure("size of a state", STATE.itemsize, STATE.itemsize, "bytes", "1,024"),
        Figure("copy of a state", best / copies * _NANO, median / copies * _NANO, "ns", "300"),
    ]


def _longest_path(repeat: int) -> list[Figure]:
    """Time the longest path on the hardest network of 45 trains found on the USA board."""
    edition = load_edition("usa-classic")
    tables = build_tables(edition)
    by_name = {route.name: route.index for route in edition.board.routes}
    owned = sum(1 << by_name[name] for name in HARDEST_NETWORK.split())
    words = np.uint64(owned & (1 << 64) - 1), np.uint64(owned >> 64)
    logs = np.zeros(1, LOG)
    api.longest_trail(tables, *words, logs)
    best, median = times(repeat * 5, lambda: api.longest_trail(tables, *words, logs))
    return [Figure("longest path, hardest found", best * 1e3, median * 1e3, "ms", "50")]


def _interpreted(games: int) -> list[Figure]:
    """Measure how many times faster compiled play is than the same source interpreted, in one run."""
    edition = load_edition("usa-classic")
    count = 5_000
    compiled_rate = rates(count, 3, lambda: simulate(edition, 2, count, _SEED))[1]
    code = (
        "import time; from goldenspike.simulation import simulate; from goldenspike import load_edition;"
        "from goldenspike.game.seeds import read_seed; e = load_edition('usa-classic');"
        "t = time.perf_counter();"
        f"simulate(e, 2, {games}, read_seed('bench')); print({games} / (time.perf_counter() - t))"
    )
    rate = float(run_python(code, NUMBA_DISABLE_JIT="1"))
    return [
        Figure("interpreted, usa-classic, 2 players", rate, rate, "games/s"),
        Figure("compiled against interpreted", compiled_rate / rate, compiled_rate / rate, "times"),
    ]


HARDEST_NETWORK = (
    "ATL-NAS CHI-OMA CHI-PIT/black CHI-STL/green DAL-HOU/1 DAL-OKC/1 DEN-OKC DUL-OMA/1 KAN-OKC/1 KAN-OMA/2 "
    "KAN-STL/blue LIT-NAS LIT-OKC LIT-STL NAS-PIT NYC-PIT/green PIT-RAL PIT-TOR RAL-WAS/1 SSM-TOR"
)
"""Routes of the USA board, found by hill climbing over networks of 45 trains."""
