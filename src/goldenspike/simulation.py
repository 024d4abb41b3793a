"""Simulate random games on several cores; results depend on the seed, not on the number of threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldenspike.device import Device
from goldenspike.editions import Edition
from goldenspike.engine import api
from goldenspike.engine.chance import CHANCE
from goldenspike.engine.playout import PLAYOUT_MEMORY, SUMMARY, game_key, game_keys, play_games
from goldenspike.engine.struct import Structs
from goldenspike.engine.tables import build_tables
from goldenspike.game.events import ENDINGS
from goldenspike.game.game import Game
from goldenspike.game.seeds import key_words

_CHUNK = 1000
"""Games per task: enough to make the overhead small, few enough to show progress."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """The results of simulated games: one row of `summaries` for each."""

    edition: Edition
    players: int
    summaries: Structs

    @property
    def totals(self) -> NDArray[np.int16]:
        """Scores, by game and seat."""
        return self.summaries["totals"][:, : self.players]

    @property
    def win_shares(self) -> NDArray[np.float64]:
        """Each seat's share of the wins; a shared win counts in equal parts."""
        won = (self.summaries["winners"][:, None] >> np.arange(self.players)) & 1
        return (won / won.sum(axis=1, keepdims=True)).mean(axis=0)

    @property
    def endings(self) -> dict[str, int]:
        """The number of games for each kind of ending."""
        codes, counts = np.unique(self.summaries["ending"], return_counts=True)
        return {ENDINGS[code]: int(count) for code, count in zip(codes, counts, strict=True)}


class _Memories(threading.local):
    """The working memory of each thread."""

    def __init__(self) -> None:
        self.memories = np.zeros(1, PLAYOUT_MEMORY)


def simulate(
    edition: Edition,
    players: int,
    games: int,
    seed: bytes,
    jobs: int = 1,
    on_progress: Callable[[int], None] = lambda _done: None,
    device: Device = "cpu",
) -> Simulation:
    """Play games of random moves and return their summaries.

    `on_progress` is called from time to time with the number of games finished since the last call. The games
    are the same for any number of jobs, which are threads, and on a GPU (see
    :func:`goldenspike.device.choose_device`).

    >>> from goldenspike.editions import load_edition
    >>> from goldenspike.game.seeds import read_seed
    >>> run = simulate(load_edition("new-york"), 2, 500, read_seed(1))
    >>> run.totals.shape, run.endings
    ((500, 2), {'last round played': 500})
    """
    players = edition.require_players(players)
    tables, base = build_tables(edition), key_words(seed)
    summaries = np.zeros(games, SUMMARY)
    if device == "cuda":
        from goldenspike.engine.playout_kernel import play_games_on_gpu  # noqa: PLC0415  # needs the extra

        play_games_on_gpu(tables, players, base, summaries, on_progress)
        return Simulation(edition, players, summaries)
    memories = _Memories()

    def play_chunk(first: int) -> int:
        chunk = summaries[first : first + _CHUNK]
        play_games(tables, players, base, first, chunk, memories.memories)
        return len(chunk)

    pool = ThreadPoolExecutor(jobs)
    try:
        for done in pool.map(play_chunk, range(0, games, _CHUNK)):
            on_progress(done)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # after Ctrl-C a thread may still be compiling
    return Simulation(edition, players, summaries)


def series_seed(seed: bytes, index: int) -> bytes:
    """Return the seed of one game of a series."""
    key = np.empty(8, np.uint32)
    game_key(key_words(seed), index, key)
    return key.astype("<u4").tobytes()


def series_keys(seed: bytes, indexes: NDArray[np.int64]) -> NDArray[np.uint32]:
    """Return the seeds of several games of a series as rows of words; see :func:`series_seed`."""
    keys = np.empty((len(indexes), 8), np.uint32)
    game_keys(key_words(seed), indexes, keys)
    return keys


def random_games(edition: Edition, players: int, games: int, seed: bytes) -> Iterator[Game]:
    """Yield the same games that :func:`simulate` plays, each with all its actions and events."""
    for index in range(games):
        yield random_game(edition, players, series_seed(seed, index))


def random_game(edition: Edition, players: int, seed: bytes) -> Game:
    """Return a game of random moves, played to its end.

    >>> from goldenspike.editions import load_edition
    >>> random_game(load_edition("new-york"), 2, bytes(32)).is_over
    True
    """
    game = Game.new(edition, players, seed)
    chances = np.zeros(1, CHANCE)
    api.open_players(chances, key_words(seed))
    while not game.is_over:
        seat = game.to_move[0]
        game.play(api.random_move(game.states, game.tables, chances, seat), seat)
    return game
