"""Plays games in Numba's CUDA simulator and compares them with the processor; run by test_simulator.py.

The simulator is chosen before Numba is imported, so this runs in a process of its own.
"""

from __future__ import annotations

import sys
from typing import Any, cast

import numpy as np
import pytest

from goldenspike.arena.plan import make_plan
from goldenspike.arena.play_compiled import play_quick
from goldenspike.arena.rows import fingerprint
from goldenspike.bench import gpu
from goldenspike.bots.policies import POLICIES
from goldenspike.device import choose_device
from goldenspike.editions import load_edition
from goldenspike.engine.cuda import IS_SIMULATED
from goldenspike.env import VectorEnv
from goldenspike.env.batch import EnvBatch
from goldenspike.errors import MoveError
from goldenspike.game.seeds import read_seed
from goldenspike.simulation import simulate

TABLES = [("usa-classic", 2), ("usa-mega", 5), ("usa-1910", 3), ("new-york", 2), ("first-journey", 4)]


def compare_simulations() -> None:
    """Compare the summaries of whole games: five games on four threads, in one wave."""
    for edition_id, players in TABLES:
        edition, seed = load_edition(edition_id), read_seed("simulator")
        done: list[int] = []
        there = simulate(edition, players, 5, seed, on_progress=done.append, device="cuda")
        assert there.summaries.tobytes() == simulate(edition, players, 5, seed).summaries.tobytes(), (
            edition_id
        )
        assert sum(done) == 5


def compare_matches() -> None:
    """Compare the rows of games among all compiled bots."""
    for edition in ("new-york", "first-journey"):
        bots = list(POLICIES)
        for seed, pair in enumerate(zip(bots, [*bots[1:], bots[0]], strict=True), 5):
            plan = make_plan(edition, pair, 2, seed=seed)
            games = range(plan.games)
            assert fingerprint(play_quick(plan, games, "cuda")) == fingerprint(play_quick(plan, games)), pair


def arrays_of(env: VectorEnv) -> dict[str, Any]:
    """Return all arrays of an environment, in host memory."""
    return {name: env._games.read(array) for name, array in env._batch._asdict().items()}


def compare_environments(**options: Any) -> None:
    """Play the same moves in two environments, and compare all arrays after every move."""
    edition, players = options.pop("table")
    steps = options.pop("steps")
    there = VectorEnv(edition, players, 3, 7, device="cuda", **options)
    here = VectorEnv(edition, players, 3, 7, **options)
    ends = 0
    for step in range(steps):
        moves = here.random_moves().copy()
        assert np.array_equal(there.random_moves().copy_to_host(), moves)  # pyright: ignore[reportAttributeAccessIssue]
        there.step(moves)
        here.step(moves)
        found, expected = arrays_of(there), arrays_of(here)
        for name in EnvBatch._fields:
            assert found[name].tobytes() == expected[name].tobytes(), (options, step, name)
        ends += int(here.ended.sum())
        if options.get("autoreset") == "Disabled" and here.ended.any():
            chosen, seeds = here.ended.copy(), [None, "mine", None]
            there.reset_games(chosen, seeds)
            here.reset_games(chosen, seeds)
    assert ends, options
    assert there.text(1) == here.text(1)


def compare_all_environments() -> None:
    """Compare every mode, with and without opponents and graph features."""
    compare_environments(table=("new-york", 2), steps=70, graph=True)
    compare_environments(table=("first-journey", 3), steps=200, graph=True, reward="scores")
    compare_environments(table=("new-york", 3), steps=60, opponents=["planner", "greedy"])
    compare_environments(table=("new-york", 2), steps=60, opponents=["path"], autoreset="NextStep", seat=1)
    compare_environments(table=("new-york", 2), steps=80, autoreset="Disabled", limit=40)
    compare_environments(table=("usa-classic", 2), steps=30, graph=True, limit=25)


def check_interfaces() -> None:
    """Check errors, and that another library shares the memory of an array."""
    env = VectorEnv("new-york", 2, 4, 1, device="cuda")
    shared = np.from_dlpack(env.observations)
    assert shared.dtype == np.uint8
    before = shared.copy()
    env.step(env.random_moves())
    assert not np.array_equal(shared, before)
    assert np.array_equal(shared, env.observations.copy_to_host())  # pyright: ignore[reportAttributeAccessIssue]
    masks = np.from_dlpack(cast("Any", env.masks))
    assert masks.dtype == np.bool_
    wrong = np.zeros(4, np.int64)
    wrong[2:] = [-1, 9999]
    for game, moves in ((0, wrong), (2, np.where([True, True, False, False], masks.argmax(axis=1), wrong))):
        states = arrays_of(env)["states"].tobytes()
        with pytest.raises(MoveError, match=f"not legal in game {game}"):
            env.step(moves)
        assert arrays_of(env)["states"].tobytes() == states


def measure_a_little() -> None:
    """Run the measurements of ``goldenspike bench gpu`` on a few games; their figures mean nothing here."""
    figures = [
        *gpu._first_game("new-york"),
        *gpu._games("new-york", 2, 3, 1, "", ""),
        *gpu._planners("new-york", 2, 1, ""),
        *gpu._decisions(2, True, 1, 1, ""),
    ]
    assert all(figure.best > 0 for figure in figures)


if __name__ == "__main__":
    assert IS_SIMULATED
    assert choose_device("auto") == "cuda"
    {
        "simulations": compare_simulations,
        "matches": compare_matches,
        "environments": compare_all_environments,
        "interfaces": check_interfaces,
        "figures": measure_a_little,
    }[sys.argv[1]]()
    print("the same")  # noqa: T201  # to the test
