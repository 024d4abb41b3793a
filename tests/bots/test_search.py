"""The search: it can be stopped at any time, tells merit from luck, and is stronger than its adviser."""

from __future__ import annotations

from collections.abc import Iterator

import numba
import numpy as np
import pytest

from goldenspike import Game
from goldenspike.arena import make_plan, play_match, sum_up
from goldenspike.bots import Budget, Choice, Dice, make_bot, search
from goldenspike.bots.node import NODE, NONE
from goldenspike.bots.worlds import WORLD, WORLDS, weigh_merits
from tests.game.games import FEW_TABLES, every_moment


def decisions(table: tuple[str, int]) -> Iterator[tuple[Game, int]]:
    """Play odd games; at some moments at which there is something to choose, say whose turn it is."""
    for number, game in enumerate(every_moment(table, 2, 0.3)):
        if number % 7 == 0 and not game.is_over and len(game.legal_moves(game.to_move[0])) > 1:
            yield game, game.to_move[0]


def choose(game: Game, seat: int, budget: Budget) -> Choice:
    return make_bot("search").choose(game.view(seat), Dice.of("search", seat), budget)


@pytest.mark.parametrize("table", FEW_TABLES)
def test_with_two_playouts_it_plays_as_the_planner_does(table: tuple[str, int]):
    planner = make_bot("planner")
    for game, seat in decisions(table):
        expected = planner.choose(game.view(seat), Dice.of("planner", seat), Budget()).move
        assert choose(game, seat, Budget(playouts=2)).move == expected


@pytest.mark.parametrize("budget", [Budget(seconds=0.0), Budget(playouts=1), Budget(playouts=40, threads=2)])
def test_whenever_it_is_stopped_it_has_a_legal_move(budget: Budget):
    for game, seat in decisions(("usa-classic", 3)):
        choice = choose(game, seat, budget)
        assert choice.move in game.legal_moves(seat).numbers
        assert choice.win_chance is not None
        assert 0.0 <= choice.win_chance <= 1.0


def test_a_full_tree_goes_on_with_the_moves_it_has(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(search, "_NODES", 12)
    for game, seat in decisions(("usa-classic", 2)):
        tree = search.Tree(game.view(seat), seat, Dice.of("full", seat))
        tree.grow(Budget(playouts=50))
        assert sum(int(node["visits"]) for node in tree.children()) == 50


@numba.njit
def weigh(worlds, nodes, steps):  # type: ignore[no-untyped-def]
    for _ in range(steps):
        weigh_merits(worlds, nodes)


@pytest.mark.parametrize("tries", [(40, 12, 3), (1, 1, 40), (WORLDS + 7, 90, WORLDS)])
def test_a_move_is_not_blamed_for_the_worlds_it_met(tries: tuple[int, ...]):
    merits = [0.5, 0.52, 0.47]
    luck = np.random.default_rng(3).normal(0.0, 0.3, WORLDS)
    luck[:12] -= 0.4  # who was tried seldom, met cruel worlds only
    worlds, nodes = np.zeros(WORLDS, WORLD), np.zeros(1 + len(tries), NODE)
    nodes["sibling"] = nodes["child"] = NONE
    for number, (merit, visits) in enumerate(zip(merits, tries, strict=True), start=1):
        nodes["sibling"][number], nodes["child"][0] = nodes["child"][0], number
        nodes["visits"][number] = visits
        for world in np.arange(visits) % WORLDS:
            nodes["total"][number] += merit + luck[world]
            worlds["total"][world] += merit + luck[world]
            worlds["tries"][world] += 1
    weigh(worlds, nodes, 400)
    found = nodes["merit"][1:]
    assert found - found[0] == pytest.approx(np.array(merits) - merits[0], abs=1e-6)


@pytest.mark.slow
def test_it_wins_against_the_planner_with_little_time():
    plan = make_plan("new-york", ["search", "planner"], 80, budget=Budget(playouts=100))
    summary = sum_up(plan.bots, plan.seatings, play_match(plan, jobs=1))
    assert summary.bots[0].win_share.mean > 0.55
