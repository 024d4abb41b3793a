"""Train a policy with PPO entirely on a GPU: games, observations, network and updates never leave it.

    .tools/bin/uv pip install --python .venv 'goldenspike[cuda]' 'numba-cuda[cu13]' torch
    .venv/bin/python examples/ppo_cuda.py --edition usa-classic --opponent greedy --seconds 300

The learner plays against a bot, which plays on the GPU as well. The arrays of the environment are PyTorch
tensors without a copy. With ``--device cpu`` the same script runs on the processor, a hundred times slower.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from goldenspike.env import VectorEnv


@dataclass
class Settings:
    """The settings of PPO."""

    games: int = 16_384
    """Games at the same time."""
    steps: int = 32
    """Decisions per game between two updates."""
    passes: int = 2
    batches: int = 4
    """How often an update goes over the decisions, and in how many parts."""
    rate: float = 3e-4
    discount: float = 1.0
    trace: float = 0.95
    """GAE's lambda."""
    clip: float = 0.2
    entropy: float = 0.01
    width: int = 512


class Policy(nn.Module):
    """Logits of all moves and a value, from an observation of bytes: about a million parameters."""

    def __init__(self, scales: Tensor, moves: int, width: int) -> None:
        super().__init__()
        self.register_buffer("scales", scales)
        self.body = nn.Sequential(
            nn.Linear(len(scales), width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.moves, self.value = nn.Linear(width, moves), nn.Linear(width, 1)
        nn.init.orthogonal_(self.moves.weight, 0.01)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """Return the log-probabilities of the legal moves, and the values."""
        hidden = self.body(observations.to(self.moves.weight.dtype) * self.scales.to(self.moves.weight.dtype))
        logits = self.moves(hidden).float().masked_fill(~masks, -1e9)
        return logits.log_softmax(1), self.value(hidden).float().squeeze(1)


class Games:
    """The environment's arrays as tensors."""

    def __init__(self, options: argparse.Namespace, settings: Settings) -> None:
        self.env = VectorEnv(
            options.edition,
            players=2,
            games=settings.games,
            seed=options.seed,
            opponents=[options.opponent],
            device=options.device,
        )

        def share(array: object) -> Tensor:
            return torch.as_tensor(array, device=options.device)

        self.observations, self.masks = share(self.env.observations), share(self.env.masks)
        self.rewards, self.ended, self.seats = map(share, (self.env.rewards, self.env.ended, self.env.seats))

    def step(self, moves: Tensor) -> tuple[Tensor, Tensor]:
        """Play moves; return the learner's reward and whether each game ended."""
        # The seat is read before the step, because the next game of a row may give the learner another.
        seats = self.seats.long().clone()
        self.env.play(moves if moves.is_cuda else moves.numpy())
        return self.rewards.gather(1, seats[:, None]).squeeze(1), self.ended.clone()


@dataclass
class Rollout:
    """What one rollout saw: the first axis is the step, the second the game."""

    observations: Tensor
    masks: Tensor
    moves: Tensor
    chances: Tensor
    values: Tensor
    rewards: Tensor
    ended: Tensor


@torch.no_grad()
def play(games: Games, policy: Policy, settings: Settings) -> tuple[Rollout, Tensor]:
    """Play some steps; return what was seen and the values of the last observations."""
    seen: list[tuple[Tensor, ...]] = []
    for _ in range(settings.steps):
        observations, masks = games.observations.clone(), games.masks.clone()
        chances, values = policy(observations, masks)
        moves = torch.multinomial(chances.exp(), 1)
        rewards, ended = games.step(moves.squeeze(1))
        chosen = chances.gather(1, moves).squeeze(1)
        seen.append((observations, masks, moves.squeeze(1), chosen, values, rewards, ended))
    last = policy(games.observations, games.masks)[1]
    return Rollout(*map(torch.stack, zip(*seen, strict=True))), last


def advantages_of(rollout: Rollout, last: Tensor, settings: Settings) -> Tensor:
    """Return the generalised advantage estimates."""
    found, advantage, following = torch.zeros_like(rollout.values), torch.zeros_like(last), last
    for step in reversed(range(settings.steps)):
        goes_on = (~rollout.ended[step]).float()
        delta = rollout.rewards[step] + settings.discount * following * goes_on - rollout.values[step]
        advantage = delta + settings.discount * settings.trace * goes_on * advantage
        found[step], following = advantage, rollout.values[step]
    return found


def update(
    policy: Policy, optimiser: torch.optim.Optimizer, rollout: Rollout, last: Tensor, settings: Settings
) -> None:
    """Improve the policy by clipped PPO."""
    advantages = advantages_of(rollout, last, settings)
    targets = (advantages + rollout.values).flatten()
    advantages = ((advantages - advantages.mean()) / (advantages.std() + 1e-8)).flatten()
    observations, masks = rollout.observations.flatten(0, 1), rollout.masks.flatten(0, 1)
    moves, before = rollout.moves.flatten(), rollout.chances.flatten()
    for _ in range(settings.passes):
        for part in torch.randperm(len(moves), device=moves.device).chunk(settings.batches):
            chances, values = policy(observations[part], masks[part])
            ratio = (chances.gather(1, moves[part, None]).squeeze(1) - before[part]).exp()
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            gain = torch.min(ratio * advantages[part], clipped * advantages[part]).mean()
            entropy = -(chances.exp() * chances.clamp(min=-20)).sum(1).mean()
            loss = 0.5 * (values - targets[part]).square().mean() - gain - settings.entropy * entropy
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimiser.step()


def train(options: argparse.Namespace) -> None:
    """Train for some time, and print the share of games won in each rollout."""
    torch.manual_seed(options.seed)
    settings = Settings(games=options.games)
    games = Games(options, settings)
    scales = torch.as_tensor(games.env.scales, device=options.device)
    policy = Policy(scales, games.masks.shape[1], settings.width).to(options.device)
    optimiser = torch.optim.Adam(policy.parameters(), settings.rate, eps=1e-5)
    print(f"{sum(p.numel() for p in policy.parameters()):,} parameters", flush=True)
    start, decisions, timed = time.perf_counter(), 0, 0.0
    while time.perf_counter() - start < options.seconds:
        begin = time.perf_counter()
        with torch.autocast(options.device, torch.bfloat16):
            rollout, last = play(games, policy, settings)
            update(policy, optimiser, rollout, last, settings)
        won = rollout.rewards[rollout.ended]
        text = (
            f"won {(won.mean().item() + 1) / 2:6.1%} of {len(won):,} games" if len(won) else "no game ended"
        )
        if decisions:  # the first round compiles
            timed += time.perf_counter() - begin
        decisions += settings.games * settings.steps
        rate = (decisions - settings.games * settings.steps) / timed if timed else 0.0
        print(
            f"{time.perf_counter() - start:6.0f} s, {decisions:13,} decisions, {text}, {rate:,.0f}/s",
            flush=True,
        )
    if options.out:
        torch.save(policy.state_dict(), options.out)


def main() -> None:
    """Read the options and train."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--edition", default="usa-classic")
    parser.add_argument("--opponent", default="greedy", help="a compiled bot (greedy)")
    parser.add_argument("--games", type=int, default=Settings.games, help="games at the same time (16384)")
    parser.add_argument("--seconds", type=float, default=300.0, help="how long to train (300)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--out", help="save the network's parameters in this file")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
