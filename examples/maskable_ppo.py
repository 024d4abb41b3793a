"""Learn to beat a bot with MaskablePPO of sb3-contrib, then play the bot to see how well that went.

    .tools/bin/uv pip install --python .venv 'goldenspike[env]' sb3-contrib
    .venv/bin/python examples/maskable_ppo.py --edition NewYork --opponent greedy

sb3-contrib brings PyTorch; a CPU is enough.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.vec_env import VecEnv

import goldenspike.env  # noqa: F401  # registers the environments


def make_games(options: argparse.Namespace, seed: int) -> VecEnv:
    """Return games of the edition against the bot, side by side; a seed in each, from this one on."""
    settings = {"opponents": [options.opponent], "graph": True, "render_mode": None}
    return make_vec_env(f"goldenspike/{options.edition}-v0", options.envs, seed=seed, env_kwargs=settings)


def learn(options: argparse.Namespace) -> MaskablePPO:
    """Return a policy that has played this many moves."""
    model = MaskablePPO(
        "MlpPolicy",
        make_games(options, options.seed),
        n_steps=options.batch // options.envs,
        batch_size=options.batch // 4,
        n_epochs=4,
        gamma=1.0,  # the only reward comes at the end, and it is the same however late
        gae_lambda=0.95,
        ent_coef=0.01,
        learning_rate=options.rate,
        policy_kwargs={"net_arch": [256, 256]},
        seed=options.seed,
        verbose=1,
    )
    return model.learn(options.steps, log_interval=10)


def play(model: MaskablePPO | None, options: argparse.Namespace) -> list[float]:
    """Play games that were not trained on; return for each 1 if it was won, 0 if lost, a half for a tie.

    Without a model any legal move is played.
    """
    games = make_games(options, options.seed + 1_000_000)
    # Every row plays as many games: the first ones to end, of all rows, would be the short ones.
    quota = -(-options.games // options.envs)
    counts = np.zeros(options.envs, int)
    results: list[float] = []
    rng = np.random.default_rng(options.seed)
    observations: Any = games.reset()
    while counts.min() < quota:
        masks = get_action_masks(games)
        if model is None:
            actions = np.where(masks, rng.random(masks.shape), -1).argmax(axis=1)
        else:
            actions, _ = model.predict(observations, action_masks=masks, deterministic=True)
        observations, rewards, dones, _ = games.step(actions)
        for row in np.flatnonzero(dones & (counts < quota)):
            counts[row] += 1
            results.append((1 + float(rewards[row])) / 2)
    return results


def main() -> None:
    """Learn, then say how many games are won."""
    parser = argparse.ArgumentParser(description="Learn to beat a bot with MaskablePPO.")
    parser.add_argument("--edition", default="NewYork", help="as in goldenspike/NewYork-v0")
    parser.add_argument("--opponent", default="greedy", help="the bot to beat")
    parser.add_argument("--steps", type=int, default=300_000, help="moves to learn from")
    parser.add_argument("--games", type=int, default=1000, help="games to play afterwards")
    parser.add_argument("--envs", type=int, default=16, help="games side by side")
    parser.add_argument("--batch", type=int, default=4096, help="moves between two updates")
    parser.add_argument("--rate", type=float, default=3e-4, help="learning rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where to save the policy")
    options = parser.parse_args()
    torch.set_num_threads(1)  # so small a network is no quicker on several cores
    model = learn(options)
    if options.out:
        model.save(options.out)
    for name, player in (("random moves", None), ("the policy", model)):
        results = play(player, options)
        error = np.std(results) / np.sqrt(len(results))
        print(f"{name} won {np.mean(results):.1%} of {len(results)} games (standard error {error:.1%})")


if __name__ == "__main__":
    main()
