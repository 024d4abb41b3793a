"""Benchmarks of ``goldenspike bench bots``: the planner's games and the search's playouts."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from goldenspike.bench.figures import Figure, rates
from goldenspike.bots import Budget, Dice, make_bot
from goldenspike.bots.graph import build_graph
from goldenspike.bots.policies import PLANNER, play_tables
from goldenspike.bots.search.bot import SearchBot
from goldenspike.bots.workspace import new_workspaces
from goldenspike.editions import load_edition
from goldenspike.engine.chance import CHANCE
from goldenspike.engine.deal import ANY_SEAT
from goldenspike.engine.events import LOG
from goldenspike.engine.state import new_states
from goldenspike.engine.tables import build_tables
from goldenspike.game.game import Game
from goldenspike.game.seeds import key_words, read_seed
from goldenspike.simulation import series_seed

_SEED = read_seed("bench")


def measure_bots(repeat: int, scale: float) -> list[Callable[[], list[Figure]]]:
    """Return the measurements; each returns its figures when called."""
    return [
        partial(_planner_games, "usa-classic", 2, max(1, int(2_000 * scale)), repeat, "300"),
        partial(_planner_games, "usa-classic", 4, max(1, int(1_000 * scale)), repeat, ""),
        partial(_search_playouts, 2, repeat),
        partial(_search_playouts, 4, repeat),
    ]


def _planner_games(edition_id: str, players: int, games: int, repeat: int, goal: str) -> list[Figure]:
    """Measure games of the planner against itself on one core."""
    edition = load_edition(edition_id)
    keys = np.array([key_words(series_seed(_SEED, i)) for i in range(games)], np.uint32)
    policies = np.full((games, players), PLANNER, np.int16)
    firsts = np.full(games, ANY_SEAT, np.int16)

    def play(count: int) -> None:
        play_tables(
            build_tables(edition),
            build_graph(edition),
            policies[:count],
            firsts[:count],
            keys[:count],
            new_states(count),
            np.zeros(count, np.int64),
            new_workspaces(players),
            np.zeros(players, CHANCE),
            np.zeros(1, LOG),
        )

    play(1)
    best, median = rates(games, repeat, lambda: play(games))
    return [Figure(f"planner, {edition_id}, {players} players", best, median, "games/s", goal)]


def _search_playouts(players: int, repeat: int) -> list[Figure]:
    """Measure playouts of the search at moments throughout a game, on one core."""
    game = Game.new("usa-classic", players, _SEED)
    planner, search, dice = make_bot("planner"), SearchBot(), Dice.of(_SEED)
    figures: list[float] = []
    number, playouts = 0, 100
    while not game.is_over:
        seat = game.to_move[0]
        if number % 12 == 0:
            view = game.view(seat)
            search.choose(view, dice, Budget(playouts=2))
            for _ in range(repeat):
                start = time.perf_counter()
                search.choose(view, dice, Budget(playouts=playouts))
                figures.append(playouts / (time.perf_counter() - start))
        game.play(planner.ask(game.view(seat), dice, Budget()).move, seat)
        number += 1
    figures = [figure for figure in figures if figure < 1e6]  # a forced move runs no playouts
    name = f"search, usa-classic, {players} players"
    return [Figure(name, max(figures), statistics.median(figures), "playouts/s")]
