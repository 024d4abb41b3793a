"""A view updated from redacted events equals a fresh view, byte for byte."""

from __future__ import annotations

import random

import pytest

from goldenspike import Game, View
from goldenspike.engine.state import STATE, States, new_states
from goldenspike.game.events import redact
from goldenspike.game.fold import begin_view, follow, follow_openly
from tests.game.games import TABLES, GameSetup, every_moment, give, lay_row, started, touch

UNTOLD = {"chance", "deck", "ticket_deck", "ticket_top"}
"""Fields that no event contains."""


def differing(followed: States, fresh: States) -> set[str]:
    """Return the names of the fields in which two structs differ."""
    return {name for name in STATE.names or () if followed[name].tobytes() != fresh[name].tobytes()}


def check_follow(table: GameSetup, seed: int, rng: random.Random | None = None) -> None:
    """Follow a whole game for all watchers, action by action or, with `rng`, several actions at a time."""
    views: list[View] = []
    told = 0
    for game in every_moment(table, seed):
        views = views or [begin_view(game.edition, watcher) for watcher in (None, *range(game.players))]
        if rng is not None and rng.random() < 0.7 and not game.is_over:
            continue
        news = game.rows(told)
        told = len(game.played) + 1
        for view in views:
            follow(view, redact(news, view.seat))
            assert view == game.view(view.seat), (
                view.seat,
                differing(view.array, game.view(view.seat).array),
            )


def test_a_folded_view_equals_a_fresh_view_after_every_action(table: GameSetup) -> None:
    check_follow(table, 21)


def test_folding_unredacted_events_gives_the_state_after_every_action(table: GameSetup) -> None:
    states = new_states(1)
    for game in every_moment(table, 24):
        follow_openly(game.edition, states, game.history[-1])
        assert differing(states, game.states) <= UNTOLD


@pytest.mark.parametrize("edition", ["usa-classic", "usa-mega", "new-york", "first-journey"])
def test_several_actions_can_be_folded_at_once(edition: str) -> None:
    check_follow((edition, 3), 22, random.Random(22))


def test_a_whole_game_can_be_folded_at_once() -> None:
    *_, game = every_moment(("usa-classic", 4), 23)
    for watcher in (None, 0, 1, 2, 3):
        view = begin_view(game.edition, watcher)
        follow(view, redact(game.rows(), watcher))
        assert view == game.view(watcher)


def test_folding_no_events_changes_nothing() -> None:
    game = Game.new("usa-classic", 2, seed=1)
    view = game.view(0)
    follow(view, redact(game.rows(1), 0))
    assert view == game.view(0)


@pytest.mark.parametrize("move", ["draw deck", "take red", "draw tickets", "claim DAL-HOU/1 with 1 red"])
def test_an_action_resets_the_count_of_passes(move: str) -> None:
    """R-13: only consecutive passes count."""
    game = started()
    give(game, 0, red=4)
    lay_row(game, "red", "blue", "white", "green", "black")
    touch(game).passes = 1
    views = [game.view(watcher) for watcher in (None, 0, 1)]
    assert {int(view.struct.passes) for view in views} == {1}
    game.play(move)
    for view in views:
        follow(view, redact(game.played[-1].rows, view.seat))
        assert view == game.view(view.seat)


def test_event_rows_start_at_the_requested_index() -> None:
    game = Game.new("usa-classic", 2, seed=1)
    game.play("keep all", 0)
    game.play("keep all", 1)
    assert game.rows(0).tobytes() == game.rows().tobytes()
    assert game.rows(1).tolist() == [row for played in game.played for row in played.rows.tolist()]
    assert game.rows(2).tolist() == game.played[1].rows.tolist()
    assert game.rows(3).shape == (0, 6)
    assert game.rows(99).shape == (0, 6)
    assert [rows.tolist() for rows in game.history[1:]] == [played.rows.tolist() for played in game.played]
    assert sum(map(len, game.history)) == len(game.rows())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_folded_views_equal_fresh_views_in_many_games(table: GameSetup, seed: int) -> None:
    check_follow(table, seed)
    check_follow(table, seed + 50, random.Random(seed))
