"""Undo: actions that revealed nothing can be undone, others cannot."""

from __future__ import annotations

import random

import pytest

from goldenspike import Game
from goldenspike.engine import api
from goldenspike.engine.tables import build_tables
from goldenspike.errors import UndoError
from tests.game.games import (
    TABLES,
    GameSetup,
    empty_deck,
    every_moment,
    fingerprint,
    give,
    lay_row,
    play_on,
    started,
    touch,
)


def check_undo(game: Game, *moves: str) -> None:
    """Play moves, undo them, play them again: the game must be the same each time."""
    before = fingerprint(game)
    for move in moves:
        game.play(move)
    after = fingerprint(game)
    game.undo(len(moves))
    assert fingerprint(game) == before
    for move in moves:
        game.play(move)
    assert fingerprint(game) == after


def check_no_undo(game: Game, move: str) -> None:
    game.play(move)
    before = fingerprint(game)
    assert game.undoable == 0
    with pytest.raises(UndoError, match="because earlier ones revealed hidden information"):
        game.undo()
    assert fingerprint(game) == before


def test_the_deal_cannot_be_undone() -> None:
    with pytest.raises(UndoError):
        Game.new("usa-classic", 2, seed=1).undo()


def test_a_claim_can_be_undone_after_the_turn_has_passed() -> None:
    game = started()
    give(game, 0, red=4)
    give(game, 1, red=4)
    before = fingerprint(game)
    check_undo(game, "claim DAL-HOU/1 with 1 red")
    assert game.to_move == [1]
    check_undo(game, "claim CHI-DUL with 3 red")
    assert game.undoable == 2
    game.undo(2)
    assert game.to_move == [0]
    assert game.undoable == 0
    assert fingerprint(game) == before


@pytest.mark.parametrize("count", [0, -1, 3])
def test_no_more_actions_than_were_played_can_be_undone(count: int) -> None:
    game = started()
    give(game, 0, red=4)
    give(game, 1, red=4)
    game.play("claim DAL-HOU/1 with 1 red")
    game.play("claim CHI-DUL with 3 red")
    before = fingerprint(game)
    with pytest.raises(UndoError, match=f"^Only 2 actions can be undone, not {count}, because"):
        game.undo(count)
    assert fingerprint(game) == before


@pytest.mark.parametrize("move", ["draw deck", "take red", "draw tickets"])
def test_an_action_that_revealed_a_card_cannot_be_undone(move: str) -> None:
    game = started()
    lay_row(game, "red", "blue", "white", "green", "black")
    check_no_undo(game, move)


def test_actions_before_a_revealed_card_cannot_be_undone() -> None:
    game = started()
    give(game, 0, red=4)
    game.play("claim DAL-HOU/1 with 1 red")
    check_no_undo(game, "draw deck")


def test_keeping_tickets_can_be_undone() -> None:
    game = started()
    game.play("draw tickets")
    assert game.undoable == 0
    check_undo(game, "keep all")
    assert game.undoable == 1


def test_a_choice_at_setup_can_be_undone_until_all_have_chosen() -> None:
    game = Game.new("usa-classic", 3, seed=1)
    game.play("keep all", 2)
    game.play("keep all", 0)
    game.undo(2)
    assert game.to_move == [0, 1, 2]
    for seat in (2, 0):
        game.play(game.legal_moves(seat)[0], seat)
    assert game.undoable == 2
    game.play("keep all", 1)
    assert game.undoable == 0
    with pytest.raises(UndoError):
        game.undo()


def test_a_claim_that_refills_the_row_cannot_be_undone() -> None:
    """D-8: the discards of the claim become the deck, and one of its cards is turned face up."""
    game = started()
    give(game, 0, red=4)
    lay_row(game, None, "blue", "white", "green", "black")
    empty_deck(game)
    check_no_undo(game, "claim CHI-DUL with 3 red")
    assert "turned up" in {event.kind for event in game.events[-9:]}


def test_a_claim_with_an_empty_deck_and_a_full_row_can_be_undone() -> None:
    game = started()
    give(game, 0, red=4)
    lay_row(game, "red", "blue", "white", "green", "black")
    empty_deck(game)
    check_undo(game, "claim CHI-DUL with 3 red")


def test_taking_a_card_that_was_not_replaced_can_be_undone() -> None:
    game = started()
    lay_row(game, "red", "blue", "white", "green", "black")
    empty_deck(game)
    check_undo(game, "take red")


def test_the_last_claim_of_a_game_cannot_be_undone() -> None:
    game = started()
    give(game, 0, red=4)
    touch(game).turns_left = 1
    check_no_undo(game, "claim DAL-HOU/1 with 1 red")
    assert game.is_over


def test_placing_the_last_piece_cannot_be_undone() -> None:
    """J-7: nothing is revealed at the end, but the end of a game is final."""
    game = Game.new("first-journey", 2, seed=1, first=0)
    give(game, 0, red=4)
    touch(game).pieces[0] = 1
    check_no_undo(game, "claim ABQ-DEN with 1 red")
    assert game.is_over


def test_a_swap_cannot_be_undone() -> None:
    """J-2: the new tickets were seen."""
    check_no_undo(started("first-journey"), "swap tickets")


@pytest.mark.parametrize("completed", [0, 5])
def test_a_claim_that_shows_a_completed_ticket_cannot_be_undone(completed: int) -> None:
    """J-4, J-6: it is shown to all, even if it wins or there is none left to replace it."""
    game = Game.new("first-journey", 2, seed=1, first=0)
    ticket = game.edition.tickets[int(game.state.offer[0, 0])]
    route = next(r for r in game.edition.board.routes if ticket.a in {r.a, r.b})
    tables, state = build_tables(game.edition), touch(game)
    for other in game.edition.board.routes:  # the rest of the path is built already
        if ticket.a not in {other.a, other.b}:
            api.take_route(game.states, tables, 0, other.index)
    state.pieces[0], state.completed_count[0], state.coast_to_coast[0] = 20, completed, 1
    state.ticket_deck_size = 0
    give(game, 0, loco=route.length)
    check_no_undo(game, f"claim {route.name} with {route.length} loco")
    assert "completed" in {event.kind for event in game.events}
    assert game.is_over == (completed == 5)


@pytest.mark.parametrize("table", [("new-york", 2), ("first-journey", 2)], ids=str)
def test_undoing_and_replaying_gives_the_same_game(table: GameSetup) -> None:
    check_all_undo(table, 41)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_undoing_and_replaying_gives_the_same_game_in_many_games(table: GameSetup) -> None:
    check_all_undo(table, 42)


def check_all_undo(table: GameSetup, seed: int) -> None:
    rng = random.Random(seed)
    for game in every_moment(table, seed, claims=0.9):
        if game.is_over:
            continue
        copy, before = game.copy(), fingerprint(game)
        play_on(copy, rng, claims=0.9)
        if copy.undoable:
            played, after = copy.played[-1], fingerprint(copy)
            copy.undo()
            assert fingerprint(copy) == before
            copy.play(played.text, played.seat)
            assert fingerprint(copy) == after
