"""Compares games on a GPU with the processor's; run by test_gpu.py, and without pytest by tools/gpu_check."""

from __future__ import annotations

import hashlib
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import Any

import numpy as np

from goldenspike.arena.plan import make_plan
from goldenspike.arena.play_compiled import play_quick
from goldenspike.arena.rows import fingerprint
from goldenspike.bots.graph import build_graph
from goldenspike.bots.policies import POLICIES, RANDOM, play_tables
from goldenspike.bots.workspace import new_workspaces
from goldenspike.editions import Edition, edition_ids, load_edition
from goldenspike.engine.chance import CHANCE
from goldenspike.engine.deal import ANY_SEAT
from goldenspike.engine.events import LOG
from goldenspike.engine.state import new_states
from goldenspike.engine.tables import build_tables
from goldenspike.env import VectorEnv
from goldenspike.game.seeds import read_seed
from goldenspike.simulation import series_keys, simulate

GAMES = 100_000
TABLES = [
    (edition_id, players)
    for edition_id in edition_ids()
    for players in range(load_edition(edition_id).players[0], load_edition(edition_id).players[1] + 1)
]
BOTS = [(edition_id, bot) for edition_id in edition_ids() for bot in POLICIES]
ENVIRONMENTS = [
    (autoreset, opponents) for autoreset in ("SameStep", "NextStep") for opponents in ((), ("planner",))
]


def digest(array: Any) -> str:
    """Return a hash of an array."""
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:16]


def compare_random_games(edition_id: str, players: int) -> str:
    """Compare final states, decision counts and summaries; return the hash of the states."""
    from goldenspike.bots.kernels import play_tables_on_gpu  # noqa: PLC0415  # needs the extra

    edition, seed = load_edition(edition_id), read_seed("gpu")
    policies = np.full((GAMES, players), RANDOM, np.int16)
    states, decisions = play_tables_on_gpu(edition, policies, series_keys(seed, np.arange(GAMES)))
    expected_states, expected_decisions = play_on_processor(edition, policies, seed)
    assert digest(states) == digest(expected_states)
    assert digest(decisions) == digest(expected_decisions)
    there = simulate(edition, players, GAMES, seed, device="cuda")
    assert digest(there.summaries) == digest(simulate(edition, players, GAMES, seed, 8).summaries)
    return digest(states)


def play_on_processor(edition: Edition, policies: Any, seed: bytes) -> tuple[Any, Any]:
    """Play the same games on all cores."""
    games, seats = policies.shape
    states, decisions = new_states(games), np.zeros(games, np.int64)
    keys = series_keys(seed, np.arange(games))

    def play(first: int) -> None:
        some = slice(first, first + 5_000)
        play_tables(
            build_tables(edition),
            build_graph(edition),
            policies[some],
            np.full(len(states[some]), ANY_SEAT, np.int16),
            keys[some],
            states[some],
            decisions[some],
            new_workspaces(seats),
            np.zeros(seats, CHANCE),
            np.zeros(1, LOG),
        )

    with ThreadPoolExecutor() as pool:
        list(pool.map(play, range(0, games, 5_000)))
    return states, decisions


def compare_bots(edition_id: str, bot: str, games: int = 2_000) -> str:
    """Compare the rows of a match of a bot against the planner; return their hash."""
    plan = make_plan(edition_id, [bot, "planner"], games, seed=3)
    found = fingerprint(play_quick(plan, range(plan.games), "cuda"))
    assert found == fingerprint(play_quick(plan, range(plan.games)))
    return found[:16]


def compare_environments(
    autoreset: str, opponents: tuple[str, ...], games: int = 512, steps: int = 400
) -> str:
    """Compare all arrays of two environments after many steps; return the hash of the observations."""
    settings: dict[str, Any] = {"opponents": opponents, "autoreset": autoreset, "graph": True}
    there = VectorEnv("usa-classic", 2, games, 9, device="cuda", **settings)
    here = VectorEnv("usa-classic", 2, games, 9, **settings)
    for _ in range(steps):
        there.step(there.random_moves())
        here.step(here.random_moves())
    for name, array in here._batch._asdict().items():
        assert digest(there._games.read(getattr(there._batch, name))) == digest(array), name
    return digest(here.observations)


def share_with_torch() -> str:
    """Check that PyTorch sees what the environment writes, by both protocols."""
    import torch  # noqa: PLC0415  # pyright: ignore[reportMissingImports]

    env = VectorEnv("new-york", 2, 64, 1, device="cuda")
    observations: Any = env.observations
    for shared in (torch.as_tensor(observations, device="cuda"), torch.from_dlpack(observations)):
        env.play(torch.as_tensor(env.masks, device="cuda").to(torch.int64).argmax(1))
        torch.cuda.synchronize()
        assert np.array_equal(shared.cpu().numpy(), observations.copy_to_host())
    return torch.__version__


def main() -> None:
    """Run all comparisons and print a line for each."""
    calls: list[tuple[Any, ...]] = [(compare_random_games, *table) for table in TABLES]
    calls += [(compare_bots, *pair) for pair in BOTS]
    calls += [(compare_environments, *setting) for setting in ENVIRONMENTS]
    if find_spec("torch") is not None:
        calls += [(share_with_torch,)]
    for act, *arguments in calls:
        start = time.perf_counter()
        result = act(*arguments)
        print(act.__name__, *arguments, result, f"{time.perf_counter() - start:.1f} s", flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
