"""The vector environment: many games in arrays, on the processor or a GPU, stepped by one compiled call."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goldenspike.bots.graph import build_graph
from goldenspike.bots.policies import POLICIES
from goldenspike.device import DeviceError, choose_device
from goldenspike.editions import Edition, load_edition
from goldenspike.engine.chance import CHANCE
from goldenspike.engine.deal import ANY_SEAT
from goldenspike.engine.state import new_states
from goldenspike.engine.tables import build_tables
from goldenspike.env.batch import (
    ALL_LEGAL,
    DISABLED,
    NEXT_STEP,
    SAME_STEP,
    EnvBatch,
    Setting,
)
from goldenspike.env.graph import new_kept
from goldenspike.env.layout import layout_of
from goldenspike.env.opponents import Opponents
from goldenspike.env.processor import ProcessorGames
from goldenspike.env.rewards import Reward, read_reward
from goldenspike.env.text import write_text
from goldenspike.errors import MoveError
from goldenspike.game.seeds import Seed, key_words, read_seed
from goldenspike.game.view import View

if TYPE_CHECKING:
    from goldenspike.env.gpu import GpuGames

LIMIT = 2_000
"""The default number of decisions after which a game is truncated."""


AUTORESETS = {"SameStep": SAME_STEP, "NextStep": NEXT_STEP, "Disabled": DISABLED}
"""When an ended game is reset, by the names of Gymnasium's ``AutoresetMode``."""


class VectorEnv:
    """Many games of one edition, each always waiting for a move.

    All arrays are allocated once, C-contiguous, and written in place by every step: read them, copy what you
    want to keep, or share them with other frameworks by DLPack without a copy. The first axis is the game.

    ======================  ========================  =================================================
    `observations`          uint8 (games, width)      what the seat to move sees; see `layout`, `scales`
    `masks`                 bool (games, moves)       its legal moves
    `seats`                 int8 (games)              the seat to move
    `rewards`               float32 (games, players)  rewards of the last step: 0 until a game ends
    `ended`                 bool (games)              whether a game ended with the last step
    `truncated`             bool (games)              whether it was truncated at `limit` decisions,
                                                      without rewards
    `final_observations`    uint8 (games, width)      what the seat that moved last saw of the last game
                                                      that ended
    `scores`                int16 (games, players)    the scores of the last finished game
    `decisions`             int32 (games)             decisions made in this game, the opponents' too
    `numbers`               int64 (games)             which game of the series this is
    ======================  ========================  =================================================

    >>> env = VectorEnv("usa-classic", players=2, games=8, seed=1)
    >>> env.observations.shape, env.masks.shape
    ((8, 486), (8, 1135))
    >>> for _ in range(1000):
    ...     env.step(env.random_moves())
    >>> bool(env.masks.any(axis=1).all()), bool((env.numbers >= 8).any())
    (True, True)

    With `opponents`, bots by name, the learner plays only the other seats: a step plays its move and then the
    bots' moves, until the learner is to move again. The bots sit after the learner's seats, in this order.
    `seat` is the first of the learner's seats; without it the seed of each game decides.

    >>> env = VectorEnv("new-york", players=3, games=8, seed=1, opponents=["planner", "greedy"], seat=1)
    >>> for _ in range(100):
    ...     env.step(env.random_moves())
    >>> set(env.seats.tolist()), int(env.numbers.min()) > 8
    ({1}, True)

    With `device="cuda"` the games and all arrays are on an NVIDIA GPU, as
    :class:`goldenspike.env.gpu_array.GpuArray`, which PyTorch, JAX and CuPy share without a copy. Opponents
    are then compiled bots. With "auto" they are on a GPU if there is one. The games are the same.

    `autoreset` says when an ended game is reset, by the names of Gymnasium's `AutoresetMode`: in the same
    step ("SameStep"), in the next, whatever move is given ("NextStep"), or by :meth:`reset_games`
    ("Disabled"). Until it is reset, the row of an ended game shows its final position, with no legal moves.
    """

    def __init__(
        self,
        edition: str | Path | Edition,
        players: int,
        games: int,
        seed: Seed | None = None,
        *,
        opponents: Sequence[str] = (),
        seat: int | None = None,
        autoreset: str = "SameStep",
        threads: int = 1,
        device: str = "cpu",
        graph: bool = False,
        reward: Reward = "wins",
        limit: int = LIMIT,
    ) -> None:
        self.edition = edition if isinstance(edition, Edition) else load_edition(edition)
        # Plain integers, because Numba would compile the games again for any other type.
        self.players, self.games = self.edition.require_players(players), operator.index(games)
        self.threads, self.limit = operator.index(threads), operator.index(limit)
        if min(self.games, self.threads, self.limit) < 1:
            raise ValueError("There must be at least one game, one thread and one decision.")
        if autoreset not in AUTORESETS:
            raise ValueError(f"Autoreset is one of {', '.join(AUTORESETS)}, not {autoreset!r}.")
        self.autoreset = autoreset
        self.device = choose_device(device)
        self._opponents = Opponents(self.edition, self.players, opponents, self.threads)
        self.opponents = self._opponents.names
        self.layout = layout_of(self.edition, self.players, graph)
        self.scales = self.layout.scales
        self._setting = Setting(
            build_tables(self.edition),
            self.layout.array,
            self.players,
            self.limit,
            read_reward(reward),
            AUTORESETS[autoreset],
            ANY_SEAT if seat is None else self._read_seat(seat),
        )
        self._games = self._place_games()
        self._batch = batch = self._games.batch
        self.observations, self.masks, self.seats = batch.observations, batch.masks, batch.seats
        self.rewards, self.ended, self.truncated = batch.rewards, batch.ended, batch.truncated
        self.scores, self.decisions, self.numbers = batch.scores, batch.decisions, batch.numbers
        self.final_observations = batch.final_observations
        self.seed = b""
        self.reset(seed)

    def _read_seat(self, seat: int) -> int:
        number = operator.index(seat)
        if not 0 <= number < self.players:
            raise ValueError(f"The seats of {self.players} players are 0 to {self.players - 1}, not {seat}.")
        return number

    def _place_games(self) -> ProcessorGames | GpuGames:
        """Return the batch of games, in the memory of the device."""
        if self.device == "cpu":
            return ProcessorGames(self._setting, self._new_batch(), self._opponents, self.threads)
        if self._opponents.has_python:
            raise DeviceError(f"On a GPU the opponents are compiled bots: {', '.join(POLICIES)}.")
        from goldenspike.env.gpu import GpuGames  # noqa: PLC0415  # needs the extra

        return GpuGames(self._setting, self._new_batch(), self._opponents, build_graph(self.edition))

    def _new_batch(self) -> EnvBatch:
        games, players = self.games, self.players
        graph_size = max(0, int(self.layout.array["graph_size"][0]))
        return EnvBatch(
            states=new_states(games),
            chances=np.zeros(games, CHANCE),
            dice=np.zeros((games, players if self.opponents else 0), CHANCE),
            bases=np.zeros((games, 8), np.uint32),
            strides=np.zeros(games, np.int64),
            homes=np.zeros(games, np.int8),
            is_new=np.zeros(games, np.bool_),
            gives_up=np.zeros(games, np.bool_),
            numbers=np.zeros(games, np.int64),
            decisions=np.zeros(games, np.int32),
            seats=np.zeros(games, np.int8),
            observations=np.zeros((games, self.layout.width), np.uint8),
            final_observations=np.zeros((games, self.layout.width), np.uint8),
            masks=np.zeros((games, self.layout.moves), np.bool_),
            rewards=np.zeros((games, players), np.float32),
            scores=np.zeros((games, players), np.int16),
            ended=np.zeros(games, np.bool_),
            truncated=np.zeros(games, np.bool_),
            kept=new_kept(games, players),
            features=np.zeros((games, players, graph_size), np.uint8),
        )

    def reset(self, seed: Seed | None = None) -> None:
        """Deal the first games of a series; without a seed, of a randomly seeded one.

        Row i plays the games i, i + games, i + 2 * games, ... of the series: the same games that
        :func:`goldenspike.simulation.simulate` deals for the same seed.
        """
        self.seed = read_seed(seed)
        games, batch = self._games, self._games.batch
        games.write(batch.bases, key_words(self.seed))
        games.write(batch.strides, np.array(self.games))
        games.write(batch.numbers, np.arange(self.games))
        games.begin(np.ones(self.games, np.bool_))
        for array in (batch.scores, batch.final_observations):
            games.write(array, np.array(0))

    def reset_games(self, chosen: ArrayLike, seeds: Sequence[Seed | None] | None = None) -> None:
        """Reset the games that are True in `chosen`: deal the next one of the series in each of these rows.

        With `seeds`, one for each row, a chosen row begins its own series with game 0; a row whose seed is
        None continues its series.
        """
        rows = np.asarray(chosen)
        if rows.dtype != np.bool_ or rows.shape != (self.games,):
            raise ValueError(f"Say True or False for each of the {self.games} games.")
        games, batch = self._games, self._games.batch
        bases, strides, numbers = map(games.read, (batch.bases, batch.strides, batch.numbers))
        numbers[rows] += strides[rows]
        for row, seed in enumerate(seeds or ()):
            if rows[row] and seed is not None:
                bases[row] = key_words(read_seed(seed))
                strides[row], numbers[row] = 1, 0
        for array, values in ((batch.bases, bases), (batch.strides, strides), (batch.numbers, numbers)):
            games.write(array, values)
        games.begin(rows)

    def step(self, moves: ArrayLike) -> None:
        """Play one move in every game, by number, for the seat to move.

        If any move is illegal, none is played.
        """
        numbers = self._games.take_moves(moves)
        if numbers.shape != (self.games,):
            raise ValueError(f"There are {self.games} games, each of which needs one move.")
        wrong = self._games.find_illegal(numbers)
        if wrong != ALL_LEGAL:
            if self.autoreset == "Disabled" and self._games.read(self.ended)[wrong]:
                raise MoveError(f"Game {wrong} is over: deal a new one with `reset_games`.")
            move = self._games.read(numbers)[wrong]
            raise MoveError(f"Move {move} is not legal in game {wrong}: see its row of `masks`.")
        self._games.play(numbers)

    def play(self, moves: ArrayLike) -> None:
        """Play moves that are known to be legal; GIVES_UP ends a game without rewards.

        On a GPU this waits for nothing, while :meth:`step` waits for the check of the moves.
        """
        self._games.play(self._games.take_moves(moves))

    def random_moves(self) -> NDArray[np.int64]:
        """Return a uniformly random legal move for every game, the same ones for the same seed.

        Each call overwrites the array. Played at every step, the moves give the games that
        :func:`goldenspike.simulation.simulate` plays.
        """
        return self._games.draw()

    def text(self, game: int) -> str:
        """Return a game as text, as the seat to move sees it."""
        seat = int(self._games.read(self.seats)[game])
        return write_text(View.of(self.edition, self._games.state(game), seat))

    def close(self) -> None:
        """Stop the threads; the arrays stay valid."""
        self._games.close()

    def __enter__(self) -> VectorEnv:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"VectorEnv({self.edition.id!r}, players={self.players}, games={self.games})"
