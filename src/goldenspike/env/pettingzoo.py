"""The PettingZoo environment: one seat after the other (agent environment cycle)."""

from __future__ import annotations

import operator
import sys
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from goldenspike.editions import Edition, load_edition
from goldenspike.env.rewards import Reward, read_reward
from goldenspike.env.single import SingleGame
from goldenspike.env.text import write_text
from goldenspike.env.vector import LIMIT
from goldenspike.extras import how_to_install
from goldenspike.game.seeds import Seed, read_seed
from goldenspike.simulation import series_seed

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv  # pyright: ignore[reportMissingTypeStubs]
    from pettingzoo.utils import wrappers  # pyright: ignore[reportMissingTypeStubs]
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"This environment needs PettingZoo and Gymnasium. {how_to_install('env')}", name=error.name
    ) from None

_AECEnv: Any = AECEnv
_wrappers: Any = wrappers


def aec(
    edition: str | Path | Edition,
    players: int,
    *,
    graph: bool = False,
    reward: Reward = "wins",
    limit: int = LIMIT,
    render_mode: str | None = None,
) -> Any:
    """Return a PettingZoo AEC environment, which checks that it is called in order.

    >>> env = aec("usa-classic", players=4)
    >>> env.reset(seed=7)
    >>> env.agents, env.agent_selection
    (['seat_0', 'seat_1', 'seat_2', 'seat_3'], 'seat_0')
    >>> observation, reward, is_over, is_broken_off, info = env.last()
    >>> observation["observation"].shape, int(observation["action_mask"].sum())
    ((716,), 4)
    >>> env.step(env.action_space("seat_0").sample(observation["action_mask"]))
    """
    game = edition if isinstance(edition, Edition) else load_edition(edition)
    raw = SeatBySeat(game, game.require_players(players), graph, reward, limit, render_mode)
    return _wrappers.OrderEnforcingWrapper(raw)


class SeatBySeat(_AECEnv):
    """A game in which one seat at a time decides. At setup the seats choose in order, unseen by the others.

    An observation is a dictionary: `observation`, numbers from 0 to 1 in the order of the layout, and
    `action_mask`, 1 for each legal move (none if it is not the seat's decision). An action is a move's
    number; an illegal one raises a :class:`~goldenspike.errors.MoveError` and changes nothing.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "goldenspike_v0",
        "render_modes": ["ansi", "human"],
        "is_parallelizable": True,
        "render_fps": 1,
    }

    def __init__(
        self, edition: Edition, players: int, graph: bool, reward: Reward, limit: int, render_mode: str | None
    ) -> None:
        super().__init__()  # pyright: ignore[reportUnknownMemberType]
        self.game = SingleGame(edition, players, graph)
        self.layout = self.game.layout
        self.limit = operator.index(limit)
        if self.limit < 1:
            raise ValueError("There must be at least one decision.")
        self._reward = read_reward(reward)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self._observation_spaces = {agent: self._new_space() for agent in self.possible_agents}
        self._action_spaces = {agent: spaces.Discrete(self.layout.moves) for agent in self.possible_agents}
        self._base, self._number = read_seed(None), -1

    def _new_space(self) -> spaces.Dict:
        return spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, (self.layout.width,), np.float32),
                "action_mask": spaces.Box(0, 1, (self.layout.moves,), np.int8),
            }
        )

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of a seat's observations, which is the same for all seats."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of moves, by number."""
        return self._action_spaces[agent]

    def reset(self, seed: Seed | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal the first game of the seed's series; without a seed, the next game of the series."""
        del options  # there are none
        self._number += 1
        if seed is not None:
            self._base, self._number = read_seed(seed), 0
        self.game.deal(series_seed(self._base, self._number))
        self._decisions = 0
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._select()

    def _select(self) -> None:
        """Select the seat to move; at the end each seat in order, so that it gets its reward."""
        is_going_on = not any(self.terminations.values()) and not any(self.truncations.values())
        self.agent_selection = self.possible_agents[self.game.seat if is_going_on else 0]

    def observe(self, agent: str) -> dict[str, Any]:
        """Return a seat's observation and its legal moves."""
        observation, mask = self.game.observe(self.possible_agents.index(agent))
        return {"observation": observation, "action_mask": mask}

    def step(self, action: Any) -> None:
        """Play the move of the seat to move; None if the game is over for it."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.game.play(operator.index(action))
        self._decisions += 1
        self._cumulative_rewards[agent] = 0.0
        if self.game.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.agents, self.game.rewards(self._reward), strict=True))
        elif self._decisions >= self.limit:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self._select()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return a spectator's view as text (`ansi`), or print it (`human`)."""
        text = write_text(self.game.view(None))
        if self.render_mode == "human":
            sys.stdout.write(text + "\n")
            return None
        return text
