"""Many games of random play, on all cores, the same for the same seed however many work on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goldenspike.editions import Edition
from goldenspike.engine import doors
from goldenspike.engine.chance import CHANCE
from goldenspike.engine.playout import SUMMARY, game_key, play_games
from goldenspike.engine.tables import build_tables
from goldenspike.event import ENDINGS
from goldenspike.game import Game
from goldenspike.seeds import key_words

_CHUNK = 1000
"""Games handed to a worker at a time: long enough to be worth it, short enough to show progress."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """What came of many games: one row of `summaries` for each."""

    edition: Edition
    players: int
    summaries: NDArray[np.record]

    @property
    def totals(self) -> NDArray[np.int16]:
        """Scores, by game and seat."""
        return self.summaries["totals"][:, : self.players]

    @property
    def win_shares(self) -> NDArray[np.float64]:
        """Each seat's part of the victories; a shared one counts in equal parts."""
        won = (self.summaries["winners"][:, None] >> np.arange(self.players)) & 1
        return (won / won.sum(axis=1, keepdims=True)).mean(axis=0)

    @property
    def endings(self) -> dict[str, int]:
        """How often games ended in which way."""
        codes, counts = np.unique(self.summaries["ending"], return_counts=True)
        return {ENDINGS[code]: int(count) for code, count in zip(codes, counts, strict=True)}


def simulate(
    edition: Edition,
    players: int,
    games: int,
    seed: bytes,
    jobs: int = 1,
    on_progress: Callable[[int], None] = lambda _done: None,
) -> Simulation:
    """Play games of random moves and return their summaries.

    `on_progress` is told now and then how many more games are done.

    >>> from goldenspike.editions import load_edition
    >>> from goldenspike.seeds import read_seed
    >>> run = simulate(load_edition("new-york"), 2, 500, read_seed(1))
    >>> run.totals.shape, run.endings
    ((500, 2), {'last round played': 500})
    """
    players = edition.require_players(players)
    tables, base = build_tables(edition), key_words(seed)
    summaries = np.zeros(games, SUMMARY)

    def play_chunk(first: int) -> int:
        chunk = summaries[first : first + _CHUNK]
        play_games(tables, players, base, first, chunk)
        return len(chunk)

    pool = ThreadPoolExecutor(jobs)
    try:
        for done in pool.map(play_chunk, range(0, games, _CHUNK)):
            on_progress(done)
    finally:
        pool.shutdown(cancel_futures=True)
    return Simulation(edition, players, summaries)


def series_seed(seed: bytes, index: int) -> bytes:
    """Return the seed of one game of a series."""
    key = np.empty(8, np.uint32)
    game_key(key_words(seed), index, key)
    return key.astype("<u4").tobytes()


def random_games(edition: Edition, players: int, games: int, seed: bytes) -> Iterator[Game]:
    """Yield the very games that :func:`simulate` plays, each with all its actions and events."""
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
    doors.open_players(chances, key_words(seed))
    while not game.is_over:
        seat = game.to_move[0]
        game.play(doors.random_move(game.states, game.tables, chances, seat), seat)
    return game
