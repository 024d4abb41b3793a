"""The Gymnasium environments: one learner against bots."""

from __future__ import annotations

import operator
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from goldenspike.editions import Edition, load_edition
from goldenspike.env.batch import GIVES_UP
from goldenspike.env.rewards import Reward
from goldenspike.env.vector import LIMIT, VectorEnv
from goldenspike.extras import how_to_install

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"This environment needs Gymnasium. {how_to_install('env')}", name=error.name
    ) from None

_Env: Any = gymnasium.Env
_VectorEnv: Any = gymnasium.vector.VectorEnv

PLANNER = ("planner",)
"""The default opponents."""


class GymEnv(_Env):
    """One learner against bots; for :func:`gymnasium.make`.

    An observation is the view of the learner's seat, as numbers from 0 to 1 in the order of `layout`. An
    action is a move's number; :meth:`action_masks` and ``info["action_mask"]`` say which are legal. An
    illegal action loses: the episode ends with `illegal_reward`, and ``info["illegal_move"]`` names the move.

    `opponents` are bots by name, or ``mine.py:MyBot``, in the order in which they play after the learner; the
    number of players is one more. `seat` is the learner's; without it each game's seed decides. A game of
    more than `limit` decisions, the opponents' included, is truncated.

    >>> env = gymnasium.make("goldenspike/NewYork-v0", opponents=["planner", "greedy"], seat=0)
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, int(info["action_mask"].sum()), info["seat"]
    ((287,), 3, 0)
    >>> ended = False
    >>> while not ended:
    ...     action = env.action_space.sample(info["action_mask"])
    ...     observation, reward, terminated, truncated, info = env.step(action)
    ...     ended = terminated or truncated
    >>> reward in (-0.5, 0.25, 1.0), info["scores"].shape
    (True, (3,))
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "human"], "render_fps": 1}

    def __init__(
        self,
        edition: str | Path | Edition,
        opponents: Sequence[str] = PLANNER,
        *,
        seat: int | None = None,
        graph: bool = False,
        reward: Reward = "wins",
        illegal_reward: float = -1.0,
        limit: int = LIMIT,
        render_mode: str | None = None,
    ) -> None:
        self._games = _new_games(edition, opponents, 1, 1, seat, graph, reward, limit, "Disabled")
        self.layout = self._games.layout
        self.illegal_reward = float(illegal_reward)
        self.render_mode = render_mode
        self.observation_space = spaces.Box(0.0, 1.0, (self.layout.width,), np.float32)
        self.action_space = spaces.Discrete(self.layout.moves)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Deal the first game of the seed's series; without a seed, the next game of the series."""
        del options  # there are none
        super().reset(seed=seed)  # pyright: ignore[reportUnknownMemberType]
        self._games.reset_games(np.ones(1, np.bool_), [seed])
        self._show()
        return self._observe(), self._info()

    def step(self, action: Any) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Play the learner's move, then the opponents' until it is the learner's turn again."""
        games = self._games
        if games.ended[0]:
            raise gymnasium.error.ResetNeeded("The game is over: call reset() to deal the next one.")
        move = operator.index(action)
        is_legal = 0 <= move < self.layout.moves and bool(games.masks[0, move])
        games.play(np.array([move if is_legal else GIVES_UP], np.int64))
        is_truncated = bool(games.truncated[0])
        is_terminated = bool(games.ended[0]) and not is_truncated
        info = self._info()
        if not is_legal:
            info["illegal_move"] = move
        elif is_terminated:
            info["scores"] = games.scores[0].copy()
        reward = float(games.rewards[0, info["seat"]]) if is_legal else self.illegal_reward
        self._show()
        return self._observe(), reward, is_terminated, is_truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which moves are legal now, as sb3-contrib's MaskablePPO expects."""
        return self._games.masks[0].copy()

    def _observe(self) -> NDArray[np.float32]:
        return self._games.observations[0] * self._games.scales

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().view(np.int8), "seat": int(self._games.seats[0])}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return the learner's view as text (`ansi`), or print it (`human`)."""
        text = self._games.text(0)
        if self.render_mode == "human":
            sys.stdout.write(text + "\n")
            return None
        return text


class GymVectorEnv(_VectorEnv):
    """Many games of one learner against bots; for :func:`gymnasium.make_vec`.

    Each row is a :class:`GymEnv`, with the same settings, observations, actions and infos, and after
    ``reset(seed=n)`` row i plays the same games as a `GymEnv` after ``reset(seed=n + i)``. All rows are
    played in compiled code, on `threads` threads.

    `autoreset_mode` is Gymnasium's: with SAME_STEP the infos hold ``final_obs`` and ``final_info``; with
    DISABLED an ended game is reset by ``reset(options={"reset_mask": mask})``.

    >>> env = gymnasium.make_vec("goldenspike/UsaClassic-v0", num_envs=16, opponents=["greedy"])
    >>> observations, infos = env.reset(seed=1)
    >>> observations.shape, infos["action_mask"].shape
    ((16, 486), (16, 1135))
    """

    def __init__(
        self,
        edition: str | Path | Edition,
        opponents: Sequence[str] = PLANNER,
        *,
        num_envs: int = 1,
        threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        seat: int | None = None,
        graph: bool = False,
        reward: Reward = "wins",
        illegal_reward: float = -1.0,
        limit: int = LIMIT,
        render_mode: str | None = None,
    ) -> None:
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        mode: str = self.autoreset_mode.value
        self._games = _new_games(edition, opponents, num_envs, threads, seat, graph, reward, limit, mode)
        self.layout = self._games.layout
        self.illegal_reward = float(illegal_reward)
        self.num_envs = self._games.games
        self.metadata = {**GymEnv.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = render_mode
        self.single_observation_space = spaces.Box(0.0, 1.0, (self.layout.width,), np.float32)
        self.single_action_space = spaces.Discrete(self.layout.moves)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Reset all games or those of ``options["reset_mask"]``; seeds as in a `SyncVectorEnv`."""
        if isinstance(seed, int):
            super().reset(seed=seed)  # pyright: ignore[reportUnknownMemberType]
            seed = [seed + row for row in range(self.num_envs)]
        if seed is not None and len(seed) != self.num_envs:
            raise ValueError(f"There are {self.num_envs} games, each of which needs one seed.")
        chosen = (options or {}).get("reset_mask", np.ones(self.num_envs, np.bool_))
        self._games.reset_games(chosen, seed)
        return self._observe(), self._infos(chosen)

    def step(
        self, actions: Any
    ) -> tuple[
        NDArray[np.float32], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]:
        """Play the learner's move in every game, then the opponents' until it is the learner's turn."""
        games, rows = self._games, np.arange(self.num_envs)
        moves = np.array(actions, np.int64)
        if moves.shape != (self.num_envs,):
            raise ValueError(f"There are {self.num_envs} games, each of which needs one action.")
        was_over = games.ended & (self.autoreset_mode != AutoresetMode.SAME_STEP)
        if self.autoreset_mode == AutoresetMode.DISABLED and was_over.any():
            raise gymnasium.error.ResetNeeded(
                f'Game {was_over.argmax()} is over: deal a new one with reset(options={{"reset_mask": ...}}).'
            )
        in_range = (moves >= 0) & (moves < self.layout.moves)
        illegal = ~(in_range & games.masks[rows, np.where(in_range, moves, 0)]) & ~was_over
        movers = games.seats.copy()
        games.play(np.where(illegal, GIVES_UP, moves))
        rewards = games.rewards[rows, movers].astype(np.float64)
        rewards[illegal] = self.illegal_reward
        infos = self._infos(np.ones(self.num_envs, np.bool_))
        for row in np.flatnonzero(games.ended):
            infos = self._add_end(infos, int(row), int(movers[row]), int(moves[row]), bool(illegal[row]))
        return self._observe(), rewards, games.ended & ~games.truncated, games.truncated.copy(), infos

    def _add_end(
        self, infos: dict[str, Any], row: int, seat: int, move: int, is_illegal: bool
    ) -> dict[str, Any]:
        """Add the final observation and info of a game that ended with this step."""
        games = self._games
        end: dict[str, Any] = {}
        if is_illegal:
            end["illegal_move"] = move
        elif not games.truncated[row]:
            end["scores"] = games.scores[row].copy()
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            mask = np.zeros(self.layout.moves, np.int8)
            last = games.final_observations[row] * games.scales
            end = {"final_obs": last, "final_info": {"action_mask": mask, "seat": seat, **end}}
        return self._add_info(infos, end, row)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which moves are legal now, a row for each game."""
        return self._games.masks.copy()

    def _observe(self) -> NDArray[np.float32]:
        return self._games.observations * self._games.scales

    def _infos(self, rows: NDArray[np.bool_]) -> dict[str, Any]:
        masks = (self._games.masks & rows[:, None]).view(np.int8)
        seats = np.where(rows, self._games.seats, 0).astype(np.int64)
        return {"action_mask": masks, "_action_mask": rows.copy(), "seat": seats, "_seat": rows.copy()}

    def render(self) -> tuple[str, ...]:
        """Return the learner's view of each game as text."""
        return tuple(self._games.text(row) for row in range(self.num_envs))

    def close_extras(self, **_: Any) -> None:
        """Stop the threads."""
        if hasattr(self, "_games"):  # if __init__ completed
            self._games.close()


def _new_games(
    edition: str | Path | Edition,
    opponents: Sequence[str],
    games: int,
    threads: int,
    seat: int | None,
    graph: bool,
    reward: Reward,
    limit: int,
    autoreset: str,
) -> VectorEnv:
    if not opponents or isinstance(opponents, str):
        raise ValueError('Opponents are a list of one or more bots, like ["planner"].')
    loaded = edition if isinstance(edition, Edition) else load_edition(edition)
    return VectorEnv(
        loaded,
        len(opponents) + 1,
        games,
        opponents=opponents,
        seat=seat,
        autoreset=autoreset,
        threads=threads,
        graph=graph,
        reward=reward,
        limit=limit,
    )
