"""Many games side by side in flat arrays, stepped by one compiled call."""

from __future__ import annotations

import operator
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldenspike.editions import Edition, load_edition
from goldenspike.engine.chance import CHANCE
from goldenspike.engine.state import new_states
from goldenspike.engine.tables import build_tables
from goldenspike.env.graph import new_kept
from goldenspike.env.layout import layout_of
from goldenspike.env.rewards import Reward, read_reward
from goldenspike.env.stepping import (
    ALL_LEGAL,
    Batch,
    Setting,
    begin_games,
    draw_moves,
    first_illegal,
    step_games,
)
from goldenspike.errors import MoveError
from goldenspike.seeds import Seed, key_words, read_seed

LIMIT = 2_000
"""Decisions after which a game is broken off, unless told otherwise."""


class VectorEnv:
    """Many games of one edition, always waiting for one move each.

    All arrays are made once, C-contiguous and written in place by every step: look at them, copy what you
    want to keep, hand them to other frameworks by DLPack without a copy. The first axis is the game.

    ================  ========================  =======================================================
    `observations`    uint8 (games, width)      what the seat to move sees; see `layout` and `scales`
    `masks`           bool (games, moves)       its legal moves
    `seats`           int8 (games)              the seat to move
    `rewards`         float32 (games, players)  what the last step earned each seat: 0 until a game ends
    `ended`           bool (games)              whether a game ended with the last step; a new one is dealt
    `truncated`       bool (games)              whether it was broken off at `limit` decisions, for nothing
    `scores`          int16 (games, players)    the scores of the last finished game
    `decisions`       int32 (games)             decisions made in this game
    `numbers`         int64 (games)             which game of the series this is
    ================  ========================  =======================================================

    >>> env = VectorEnv("usa-classic", players=2, games=8, seed=1)
    >>> env.observations.shape, env.masks.shape
    ((8, 486), (8, 1135))
    >>> for _ in range(1000):
    ...     env.step(env.random_moves())
    >>> bool(env.masks.any(axis=1).all()), bool((env.numbers >= 8).any())
    (True, True)
    """

    def __init__(
        self,
        edition: str | Path | Edition,
        players: int,
        games: int,
        seed: Seed | None = None,
        *,
        threads: int = 1,
        graph: bool = False,
        reward: Reward = "wins",
        limit: int = LIMIT,
    ) -> None:
        self.edition = edition if isinstance(edition, Edition) else load_edition(edition)
        # Plain integers: for any other kind of number the games would be compiled anew.
        self.players, self.games = self.edition.require_players(players), operator.index(games)
        self.threads, self.limit = operator.index(threads), operator.index(limit)
        if min(self.games, self.threads, self.limit) < 1:
            raise ValueError("There must be at least one game, one thread and one decision.")
        self._reward = read_reward(reward)
        self.layout = layout_of(self.edition, self.players, graph)
        self.scales = self.layout.scales
        self._batch = batch = self._new_batch()
        self.observations, self.masks, self.seats = batch.observations, batch.masks, batch.seats
        self.rewards, self.ended, self.truncated = batch.rewards, batch.ended, batch.truncated
        self.scores, self.decisions, self.numbers = batch.scores, batch.decisions, batch.numbers
        self._moves = np.zeros(self.games, np.int64)
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self.seed = b""
        self.reset(seed)

    def _new_batch(self) -> Batch:
        games, players = self.games, self.players
        graph_size = max(0, int(self.layout.array["graph_size"][0]))
        return Batch(
            states=new_states(games),
            chances=np.zeros(games, CHANCE),
            numbers=np.zeros(games, np.int64),
            decisions=np.zeros(games, np.int32),
            seats=np.zeros(games, np.int8),
            observations=np.zeros((games, self.layout.width), np.uint8),
            masks=np.zeros((games, self.layout.moves), np.bool_),
            rewards=np.zeros((games, players), np.float32),
            scores=np.zeros((games, players), np.int16),
            ended=np.zeros(games, np.bool_),
            truncated=np.zeros(games, np.bool_),
            kept=new_kept(games, players),
            features=np.zeros((games, players, graph_size), np.uint8),
        )

    def reset(self, seed: Seed | None = None) -> None:
        """Deal the first games of a series; without a seed, of a fresh one.

        Row i plays the games i, i + games, i + 2 * games, ... of the series: the very ones that
        :func:`goldenspike.simulation.simulate` deals for the same seed.
        """
        self.seed = read_seed(seed)
        self._setting = Setting(
            build_tables(self.edition),
            self.layout.array,
            key_words(self.seed),
            self.players,
            self.games,
            self.limit,
            self._reward,
        )
        for array in (self.rewards, self.scores, self.ended, self.truncated):
            array.fill(0)
        self._spread(lambda first, last: begin_games(self._setting, self._batch, first, last))

    def step(self, moves: ArrayLike) -> None:
        """Play one move in every game, by number, for the seat to move; deal anew the games that end.

        Should a move not be legal, none is played.
        """
        given = np.asarray(moves)
        if given.dtype.kind not in "iu":
            raise TypeError(f"Moves are given by their whole numbers, not as {given.dtype}.")
        numbers = np.ascontiguousarray(given, np.int64)
        if numbers.shape != (self.games,):
            raise ValueError(f"There are {self.games} games, each of which needs one move.")
        wrong = first_illegal(self.masks, numbers)
        if wrong != ALL_LEGAL:
            raise MoveError(f"Move {numbers[wrong]} is not legal in game {wrong}: see its row of `masks`.")
        self._spread(lambda first, last: step_games(self._setting, self._batch, numbers, first, last))

    def random_moves(self) -> NDArray[np.int64]:
        """Return a legal move for every game, all equally likely, the same ones for the same seed.

        The array is written anew by each call. Played at every step they give the games that
        :func:`goldenspike.simulation.simulate` plays.
        """
        self._spread(lambda first, last: draw_moves(self._setting, self._batch, self._moves, first, last))
        return self._moves

    def _spread(self, act: Callable[[int, int], None]) -> None:
        """Do something to all games, a range of them on each thread."""
        if self._pool is None:
            act(0, self.games)
            return
        ends = [self.games * i // self.threads for i in range(self.threads + 1)]
        for _ in self._pool.map(act, ends[:-1], ends[1:]):
            pass

    def close(self) -> None:
        """Let the threads go; the arrays stay."""
        if self._pool is not None:
            self._pool.shutdown()

    def __enter__(self) -> VectorEnv:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"VectorEnv({self.edition.id!r}, players={self.players}, games={self.games})"
