"""The search: it can be stopped at any time, and is stronger than the planner that guides it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from goldenspike import Game
from goldenspike.arena import make_plan, play_match, sum_up
from goldenspike.bots import Budget, Choice, Dice, make_bot
from goldenspike.bots.search import bot
from goldenspike.bots.search.bot import Trial, explain, rank
from tests.game.games import FEW_TABLES, every_moment


def decisions(table: tuple[str, int]) -> Iterator[tuple[Game, int]]:
    """Play unusual games; yield some of the moments with a choice, and the seat to move."""
    for number, game in enumerate(every_moment(table, 2, 0.3)):
        if number % 20 == 0 and not game.is_over and len(game.legal_moves(game.to_move[0])) > 1:
            yield game, game.to_move[0]


def choose(game: Game, seat: int, budget: Budget) -> Choice:
    return make_bot("search").ask(game.view(seat), Dice.of("search", seat), budget)


@pytest.mark.parametrize("table", FEW_TABLES)
def test_with_two_playouts_it_plays_the_planners_move(table: tuple[str, int]):
    planner = make_bot("planner")
    for game, seat in decisions(table):
        expected = planner.ask(game.view(seat), Dice.of("planner", seat), Budget()).move
        assert choose(game, seat, Budget(playouts=2)).move == expected


@pytest.mark.parametrize("budget", [Budget(seconds=0.0), Budget(playouts=1), Budget(playouts=40, threads=2)])
def test_it_returns_a_legal_move_whenever_it_is_stopped(budget: Budget):
    for game, seat in decisions(("usa-classic", 3)):
        choice = choose(game, seat, budget)
        assert choice.move in game.legal_moves(seat).numbers


def test_a_full_tree_continues_with_its_existing_moves(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(bot, "_NODES", 12)
    for game, seat in decisions(("usa-classic", 2)):
        tree = bot.Tree(game.view(seat), seat, Dice.of("full", seat))
        tree.grow(Budget(playouts=50))
        assert tree.nodes["visits"][0] == 50
        assert all(int(node["move"]) in game.legal_moves(seat).numbers for node in tree.children())


GUESS = r"This is a guess: there was little time, and \d+ simulated games? are too few to compare moves\."


def test_reasons_never_state_a_better_chance_for_another_move():
    compared = 0
    for table in (("new-york", 2), ("new-york", 3), ("first-journey", 3)):
        for playouts in (60, 300):
            for game, seat in decisions(table):
                choice = choose(game, seat, Budget(playouts=playouts))
                stated = [int(share) for reason in choice.reasons for share in re.findall(r"(\d+)%", reason)]
                if stated:
                    assert f"{stated[0]}%" == f"{choice.win_chance:.0%}"
                    assert all(other < stated[0] for other in stated[1:]), choice.reasons
                    compared += len(choice.reasons) - 1
                else:
                    assert re.fullmatch(GUESS, choice.reasons[0])
    assert compared > 10


def test_with_too_little_time_the_reason_says_that_it_is_a_guess():
    for game, seat in decisions(("usa-classic", 2)):
        choice = choose(game, seat, Budget(playouts=40))
        (reason,) = choice.reasons
        assert re.fullmatch(GUESS, reason)
        assert choice.win_chance is None


def test_moves_are_compared_only_after_enough_playouts():
    view = Game.new("usa-classic", 2, seed=1, first=0).view(0)
    moves = view.legal_moves().numbers
    most, other, third, seldom = (
        Trial(move, playouts, wins)
        for move, playouts, wins in zip(moves, (278, 90, 63, 29), (17, 0, 7, 0), strict=True)
    )
    won, worse, close = explain(view, [most, other, third, seldom])
    assert won == "It wins 6% of 278 simulated games."
    assert worse.startswith("Worse: keep ")
    assert worse.endswith(", which wins 0% of 90.")
    assert close.startswith("About as good: keep ")
    assert len(explain(view, [most, seldom])) == 1


def test_a_move_that_clearly_won_more_often_is_played():
    most, better, lucky = Trial(1, 300, 60), Trial(2, 120, 60), Trial(3, 20, 20)
    assert [trial.move for trial in rank([lucky, most, better])] == [2, 1, 3]
    assert rank([Trial(4, 300, 60), Trial(5, 120, 26)])[0].move == 4


def test_the_reason_says_that_there_is_only_one_legal_move():
    game = Game.new("usa-classic", 2, seed=1, first=0)
    while len(game.legal_moves(game.to_move[0])) > 1:
        game.play(game.legal_moves(game.to_move[0]).numbers[0])
    assert choose(game, game.to_move[0], Budget(playouts=2)).reasons == ("It is the only legal move.",)


@pytest.mark.slow
def test_it_wins_against_the_planner_with_little_time():
    plan = make_plan("new-york", ["search", "planner"], 80, budget=Budget(playouts=200))
    summary = sum_up(plan.bots, plan.seatings, play_match(plan, jobs=1))
    assert summary.bots[0].win_share.mean > 0.55
