"""The search: it can be stopped at any time, and is stronger than its adviser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from goldenspike import Game
from goldenspike.arena import make_plan, play_match, sum_up
from goldenspike.bots import Budget, Choice, Dice, make_bot, search
from tests.game.games import FEW_TABLES, every_moment


def decisions(table: tuple[str, int]) -> Iterator[tuple[Game, int]]:
    """Play odd games; at some moments at which there is something to choose, say whose turn it is."""
    for number, game in enumerate(every_moment(table, 2, 0.3)):
        if number % 20 == 0 and not game.is_over and len(game.legal_moves(game.to_move[0])) > 1:
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
        assert tree.nodes["visits"][0] == 50
        assert all(int(node["move"]) in game.legal_moves(seat).numbers for node in tree.children())


@pytest.mark.slow
def test_it_wins_against_the_planner_with_little_time():
    plan = make_plan("new-york", ["search", "planner"], 80, budget=Budget(playouts=200))
    summary = sum_up(plan.bots, plan.seatings, play_match(plan, jobs=1))
    assert summary.bots[0].win_share.mean > 0.55
