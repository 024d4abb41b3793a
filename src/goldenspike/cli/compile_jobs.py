"""The jobs of ``goldenspike compile``.

A job compiles one function, with everything it calls. The jobs are ordered so that what one job needs of
another is usually cached when it begins, on two cores or more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numba  # pyright: ignore[reportMissingTypeStubs]
import numpy as np

from goldenspike.bots.dice import Dice
from goldenspike.bots.graph import build_graph
from goldenspike.bots.papers.agents import choose_hungry, choose_long_route, choose_one_step, choose_path
from goldenspike.bots.planner.policy import choose_planner
from goldenspike.bots.policies import choose_once, play_tables
from goldenspike.bots.search.tree import NODE, SCRATCH, grow_tree
from goldenspike.bots.workspace import new_workspaces
from goldenspike.editions import load_edition
from goldenspike.engine import api, playout
from goldenspike.engine.chance import CHANCE
from goldenspike.engine.events import LOG
from goldenspike.engine.playout import PLAYOUT_MEMORY, SUMMARY
from goldenspike.engine.state import new_states
from goldenspike.engine.tables import build_tables
from goldenspike.env import VectorEnv
from goldenspike.game.seeds import key_words
from goldenspike.server.views.json_writer.encoded_names import encoded_names_of
from goldenspike.server.views.json_writer.write import write_views

_numba: Any = numba


class Job(NamedTuple):
    """A unit of compilation work."""

    part: str
    seconds: float
    """Its duration, measured once, for the estimate of the time left."""
    functions: int
    """How many functions it compiles."""
    run: Callable[[], None]


def _compile(*calls: tuple[Any, ...]) -> Callable[[], None]:
    """Return a function that compiles each function for the arguments that follow it, without calling it."""

    def run() -> None:
        for function, *arguments in calls:
            function.compile(tuple(_numba.typeof(argument) for argument in arguments))

    return run


@cache
def list_jobs() -> list[Job]:
    """Return all jobs, in the order in which to start them."""
    edition = load_edition("usa-classic")
    tables, states, logs, key = build_tables(edition), new_states(1), np.zeros(1, LOG), key_words(bytes(32))
    graph, workspaces, chances, words = (
        build_graph(edition),
        new_workspaces(2),
        np.zeros(1, CHANCE),
        encoded_names_of(edition),
    )
    seat = move = first = policy = 0
    few, set_, page = np.zeros(1, np.int16), np.uint64(0), np.zeros(1, np.uint8)
    table = states, tables, seat
    tree = workspaces, chances, np.zeros(1, SCRATCH), np.zeros(1, NODE)
    many = np.zeros((1, 1), np.int16), few, np.zeros((1, 1), np.uint32), states, np.zeros(1, np.int64)
    many_terms = np.zeros((1, 1, 1), np.int16)
    view, workspace, edition_tables = states[0], workspaces[0], (tables[0], graph[0])
    papers = view, *edition_tables, workspace, seat
    planner = view, *edition_tables, workspace, workspace["weights"][0, 0], seat
    written = words.text, words.begins, 0, page, words.begins
    return [
        Job("rules", 2.7, 32, _compile((api.longest_trail, tables, set_, set_, logs))),
        Job("rules", 1.6, 7, _compile((api.list_moves, *table, few), (api.verify_move, *table, move))),
        Job("rules", 1.9, 11, _compile((api.deal, *table, key, first, logs))),
        Job("rules", 1.6, 8, _compile((api.finish, states, tables, logs))),
        Job("rules", 0.5, 3, _compile((api.observe, *table, states), (api.joined_cities, *table, 0))),
        Job("rules", 3.2, 6, _compile((api.step, *table, move, logs))),
        Job("server", 2.8, 10, _compile((write_views, states, tables, states, *written))),
        Job("rules", 0.9, 3, _compile((api.score_terms, states, tables, np.zeros((1, 1), np.int16), logs))),
        Job("matches", 0.9, 1, _compile((api.score_games, states, tables, many_terms, logs))),
        Job("bots", 6.6, 17, _compile((choose_planner, *planner))),
        Job("bots", 3.0, 20, _compile((choose_one_step, *papers), (choose_long_route, *papers))),
        Job("bots", 1.0, 5, _compile((choose_hungry, *papers), (choose_path, *papers))),
        Job("simulation", 2.5, 17, _compile(*_simulation(tables, states, chances, key))),
        Job(
            "bots", 2.3, 4, _compile((choose_once, policy, states, tables, graph, workspaces, chances, seat))
        ),
        Job("bots", 0.2, 2, _throw_dice),
        Job("bots", 5.5, 8, _compile((grow_tree, states, tables, graph, *tree, seat, 1))),
        Job("environments", 13.0, 21, _step_environments),
        Job("matches", 4.2, 3, _compile((play_tables, tables, graph, *many, workspaces, chances, logs))),
    ]


def _simulation(tables: Any, states: Any, chances: Any, key: Any) -> list[tuple[Any, ...]]:
    return [
        (playout.play_games, tables, 2, key, 0, np.zeros(1, SUMMARY), np.zeros(1, PLAYOUT_MEMORY)),
        (playout.game_key, key, 0, key),
        (playout.game_keys, key, np.zeros(1, np.int64), np.zeros((1, 8), np.uint32)),
        (api.open_players, chances, key),
        (api.random_move, states, tables, chances, 0),
    ]


def _step_environments() -> None:
    for has_graph in (False, True):
        with VectorEnv("new-york", players=2, games=2, seed=1, graph=has_graph) as env:
            env.step(env.random_moves())
    with VectorEnv("new-york", players=2, games=2, seed=1, opponents=["greedy"]) as env:
        env.step(env.random_moves())


def _throw_dice() -> None:
    Dice.of(0).below(2)
