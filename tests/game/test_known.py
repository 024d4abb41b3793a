"""Publicly known cards: taken from the row and not played since (R-12)."""

from __future__ import annotations

from goldenspike import Game
from tests.game.games import give, lay_row, started


def knows(game: Game, seat: int) -> dict[str, int]:
    """Return the known cards of a seat, which must be the same in every view."""
    seen = [game.view(watcher).known[seat] for watcher in (None, *range(game.players))]
    assert all(known == seen[0] for known in seen)
    return seen[0]


def test_nothing_is_known_of_the_cards_dealt() -> None:
    game = started(players=3)
    assert [knows(game, seat) for seat in range(3)] == [{}, {}, {}]


def test_a_card_from_the_row_is_known_and_one_from_the_deck_is_not() -> None:
    game = started()
    lay_row(game, "red", "red", "blue", "white", "green")
    game.play("take red")
    assert knows(game, 0) == {"red": 1}
    game.play("draw deck")
    assert knows(game, 0) == {"red": 1}
    assert knows(game, 1) == {}


def test_a_locomotive_from_the_row_is_known() -> None:
    game = started()
    lay_row(game, "loco", "red", "blue", "white", "green")
    game.play("take loco")
    assert knows(game, 0) == {"loco": 1}


def test_known_cards_count_as_played_first() -> None:
    game = started()
    give(game, 0, red=3, loco=1)
    lay_row(game, "red", "red", "blue", "white", "green")
    game.play("take red")
    game.play("take red")
    game.play("draw deck")
    game.play("draw deck")
    assert knows(game, 0) == {"red": 2}
    game.play("claim DAL-HOU/1 with 1 red")
    assert knows(game, 0) == {"red": 1}
    assert game.view(0).hand["red"] == 4


def test_known_counts_are_never_negative() -> None:
    game = started()
    give(game, 0, red=4)
    lay_row(game, "red", "blue", "blue", "white", "green")
    game.play("take red")
    game.play("draw deck")
    game.play("draw deck")
    game.play("draw deck")
    game.play("claim ATL-CHS with 2 red")
    assert knows(game, 0) == {}
    assert (game.state.known >= 0).all()


def test_a_mixed_payment_takes_from_both_kinds() -> None:
    game = started()
    give(game, 0, loco=1)
    lay_row(game, "loco", "green", "blue", "white", "green")
    game.play("take loco")
    game.play("draw deck")
    game.play("draw deck")
    lay_row(game, "green", "green", "blue", "white", "red")
    game.play("take green")
    game.play("take green")
    game.play("draw deck")
    game.play("draw deck")
    assert knows(game, 0) == {"green": 2, "loco": 1}
    give(game, 0, green=2, loco=2)
    game.play("claim DAL-HOU/1 with 1 green")
    assert knows(game, 0) == {"green": 1, "loco": 1}
    game.play("draw deck")
    game.play("draw deck")
    game.play("claim ATL-CHS with 1 green, 1 loco")
    assert knows(game, 0) == {}


def test_a_card_taken_again_is_known_again() -> None:
    game = started()
    give(game, 0, blue=1)
    for route in ("DAL-HOU/1", "KAN-OMA/1"):
        lay_row(game, "blue", "white", "white", "green", "green")
        game.play("take blue")
        game.play("draw deck")
        assert knows(game, 0) == {"blue": 1}
        game.play("draw deck")
        game.play("draw deck")
        game.play(f"claim {route} with 1 blue")
        assert knows(game, 0) == {}
        game.play("draw deck")
        game.play("draw deck")
