"""LegalMoves as a sequence, and its agreement with the refusals about every move."""

from __future__ import annotations

import pytest

from goldenspike import Game
from goldenspike.engine import moves as numbers
from goldenspike.errors import IllegalMoveError, MalformedMoveError, MoveError
from goldenspike.game.moves import KINDS, ClaimRoute, DrawCard, KeepTickets, Pass, TakeCard
from goldenspike.game.notation import notation_of
from tests.game.games import (
    FEW_TABLES,
    TABLES,
    GameSetup,
    every_moment,
    fingerprint,
    give,
    lay_row,
    moments,
    started,
)


def test_it_iterates_counts_and_indexes() -> None:
    game = started()
    moves = game.legal_moves()
    assert len(moves) == len(list(moves)) == len(moves.numbers) > 5
    assert next(iter(moves)) == moves[0] == DrawCard()
    assert list(moves)[-1] == moves[-1]
    assert list(moves.numbers) == sorted(set(moves.numbers))
    with pytest.raises(IndexError):
        moves[len(moves)]


def test_it_contains_a_move_as_value_number_and_text() -> None:
    game = started()
    give(game, 0, black=2, loco=1)
    lay_row(game, "red", "blue", "white", "green", "black")
    moves = game.legal_moves()
    claim = ClaimRoute("CHI-PIT/black", "black", 2, 1)
    for move in (DrawCard(), TakeCard("red"), claim):
        number = notation_of(game.edition).number(move)
        assert move in moves
        assert number in moves
        assert str(move) in moves
        assert str(move).upper() in moves
    for absent in (
        Pass(),
        TakeCard(None),
        ClaimRoute("CHI-PIT/black", "black", 3, 0),
        KeepTickets(("LAX-NYC",)),
    ):
        assert absent not in moves
        assert str(absent) not in moves
    for absent in (-1, 0, 10**9, "", "hello", "take mauve", None, 1.0, True, object(), [1]):
        assert absent not in moves


def test_a_text_with_a_legal_meaning_is_contained() -> None:
    game = started()
    give(game, 0, black=3, orange=3)
    assert "claim Chicago-Pittsburgh" in game.legal_moves()
    assert "claim Dallas-Houston with 1 red" not in game.legal_moves()


def test_every_move_has_exactly_one_kind() -> None:
    for game in moments(("usa-classic", 3), 3, 12):
        for seat in game.to_move:
            moves = game.legal_moves(seat)
            parts = [moves.of_kind(kind) for kind in KINDS]
            assert sorted(n for part in parts for n in part.numbers) == list(moves.numbers)
            assert all(move.kind == kind for kind, part in zip(KINDS, parts, strict=True) for move in part)


def test_it_prints_readably() -> None:
    game = Game.new("usa-classic", 2, seed=1, first=0)
    assert repr(game.legal_moves(0)).startswith("LegalMoves(keep ")
    assert repr(game.legal_moves(0).of_kind("draw")) == "LegalMoves()"
    game = started()
    lay_row(game, "red", "blue", "white", "green", "black")
    give(game, 0, red=4)
    shown = repr(game.legal_moves())
    assert shown == "LegalMoves(draw deck, draw tickets, take blue, take white, take green, ...)"


def test_only_seats_to_move_have_moves() -> None:
    game = started(players=3)
    assert [len(game.legal_moves(seat)) > 0 for seat in range(3)] == [True, False, False]
    assert game.legal_moves().numbers == game.legal_moves(0).numbers
    *_, over = every_moment(("new-york", 2), 1)
    assert [len(over.legal_moves(seat)) for seat in (None, 0, 1)] == [0, 0, 0]


@pytest.mark.parametrize("table", FEW_TABLES, ids=str)
def test_it_lists_exactly_the_moves_that_the_engine_accepts(table: GameSetup) -> None:
    for game in moments(table, 8, 2):
        check_all_moves(game)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_it_lists_exactly_the_moves_that_the_engine_accepts_in_many_games(table: GameSetup) -> None:
    for game in moments(table, 9, 12):
        check_all_moves(game)


def check_all_moves(game: Game) -> None:
    """Play every number for every seat on a copy: listed moves work, all others change nothing."""
    before = fingerprint(game)
    colours = len(game.edition.board.colours)
    holes = set(range(numbers.TAKE + colours, numbers.TAKE + 8))
    copy = game.copy()
    for seat in range(game.players):
        legal = set(game.legal_moves(seat).numbers)
        for number in range(notation_of(game.edition).count):
            if number in legal:
                copy = game.copy()
                copy.play(number, seat)
                assert copy.played[-1].number == number
                copy = game.copy()
            elif number in holes:
                with pytest.raises(MoveError):
                    copy.play(number, seat)
            else:
                with pytest.raises(IllegalMoveError) as caught:
                    copy.play(number, seat)
                assert caught.value.rule
                assert caught.value.sentence.endswith(".")
                assert str(caught.value) == f"{caught.value.sentence} ({caught.value.rule})"
        assert fingerprint(copy) == before, "refused moves leave no trace"
    assert fingerprint(game) == before


def test_a_colour_that_is_not_on_the_board_has_no_move() -> None:
    game = started("new-york")
    with pytest.raises(MalformedMoveError, match="colour that is not on this board"):
        game.play(numbers.TAKE + 7)


def test_a_slice_is_legal_moves_too():
    moves = Game.new("usa-classic", 2, seed=3, first=0).legal_moves(0)
    assert list(moves[1:3]) == list(moves)[1:3]
    assert moves[1:3].numbers == moves.numbers[1:3]


def test_an_unknown_kind_error_lists_the_known_kinds():
    with pytest.raises(ValueError, match="'clam' is no kind of move; the kinds are pass, draw"):
        Game.new("usa-classic", 2, seed=3).legal_moves(0).of_kind("clam")
