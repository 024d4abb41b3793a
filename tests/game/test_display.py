"""Display of a game: as one line, as a text table, as a picture."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import goldenspike
from goldenspike import Game, edition_ids
from goldenspike.boards import parse_board
from goldenspike.editions import load_edition, parse_edition
from tests.boards.conftest import BOARD, EDITION
from tests.game.games import moments, random_game

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Ann", "Ben", "Cleo <3")


def texts_of(picture: str) -> list[str]:
    return [text.text or "" for text in ET.fromstring(picture).iter(f"{SVG}text")]


def trains_in(picture: str, seat: int) -> int:
    uses = ET.fromstring(picture).iter(f"{SVG}use")
    return sum(use.get("href", "").endswith(f"-train{seat}") for use in uses)


@pytest.mark.parametrize("edition", edition_ids())
def test_a_game_is_shown_at_any_moment(edition: str) -> None:
    for game in moments((edition, 3), 31, 3):
        game.names = NAMES
        head, columns, *lines = str(game).splitlines()
        assert head.startswith(f"{game.edition.name} ({edition})")
        assert columns.split()[-2:] == ["tickets", "cards"]
        for seat, name in enumerate(NAMES):
            mark, told = lines[seat][0], lines[seat][2:].removeprefix(name)
            assert (mark == ">") == (seat in game.to_move)
            points = game.scores().totals if game.is_over else game.state.points
            if edition != "first-journey":
                assert told.split()[0] == str(int(points[seat]))
            assert told.split()[1] == str(int(game.state.pieces[seat]))
            cards = sum(int(word) for word in told.replace(",", "").split()[3::2] if word != "none")
            assert cards == int(game.state.hand_size[seat])
        who = [name for seat, name in enumerate(NAMES) if seat in game.to_move]
        assert all(name in head and name in repr(game) for name in who)
        if game.played:
            last = game.played[-1]
            assert lines[-1] == f"last move: {NAMES[last.seat]}: {last.text}"


def test_repr_names_the_seats_to_move() -> None:
    game = Game.new("usa-classic", 2, seed=1, first=1)
    assert (
        repr(game) == "<Game: USA (usa-classic), 2 players, 0 actions, Seat 1 and Seat 2 to choose tickets>"
    )
    game.play("keep all", 0)
    game.play("keep all", 1)
    assert repr(game) == "<Game: USA (usa-classic), 2 players, 2 actions, Seat 2 to move>"
    game.play("draw deck")
    assert repr(game).endswith("3 actions, Seat 2 to take a second card>")
    over = random_game(("new-york", 2), 4)
    assert over.result is not None
    assert repr(over).endswith(f"{over.result} (last round played)>")
    assert "turn" not in str(over).splitlines()[0]


def test_the_last_round_is_shown() -> None:
    games = (random_game(("new-york", 2), 4, actions) for actions in range(200))
    game = next(game for game in games if game.view(None).turns_left is not None)
    assert "last round (2 turns left)" in str(game).splitlines()[0]


@pytest.mark.parametrize("edition", ["usa-classic", "new-york", "first-journey"])
def test_a_picture_shows_whose_trains_are_where_and_the_scores(edition: str) -> None:
    game = random_game((edition, 3), 8)
    game.names = NAMES
    picture = game._repr_svg_()
    owners = game.view(None).owners
    lengths = {route.name: route.length for route in game.edition.board.routes}
    for seat in range(3):
        assert trains_in(picture, seat) == sum(
            lengths[name] for name, owner in owners.items() if owner == seat
        )
        assert trains_in(picture, seat) > 0
    head, *seats = texts_of(picture)[-4:]
    assert game.result is not None
    assert str(game.result) in head
    for name, line, total in zip(NAMES, seats, game.result.totals, strict=True):
        assert line.startswith(f"{name}: {total} ")


def test_a_picture_before_the_first_move() -> None:
    picture = Game.new("new-york", 2, seed=4)._repr_svg_()
    assert trains_in(picture, 0) == 0
    assert texts_of(picture)[-3] == "New York: Seat 1 and Seat 2 to choose tickets"
    assert texts_of(picture)[-1] == "Seat 2: 0 points, 15 taxis, 2 cards, 0 tickets"


def test_long_names_stay_in_the_picture() -> None:
    game = Game.new("new-york", 2, seed=4, names=["W" * 40, "Ben"])
    root = ET.fromstring(game._repr_svg_())
    width = float(root.get("width", "0"))
    for text in list(root.iter(f"{SVG}text"))[-3:]:
        size, x = float(text.get("font-size", "0")), float(text.get("x", "0"))
        assert x + 0.6 * size * len(text.text or "") <= width


def test_a_picture_of_a_home_made_board() -> None:
    edition = parse_edition(EDITION, "quick.toml", parse_board(BOARD))
    assert texts_of(Game.new(edition, 2, seed=1)._repr_svg_())[-2].startswith("Seat 1: 0 points")


def test_dir_of_the_package_lists_the_public_names() -> None:
    assert set(dir(goldenspike)) == {*goldenspike.__all__, "__version__"}
    assert all(hasattr(goldenspike, name) for name in dir(goldenspike))
    assert goldenspike.load_edition is load_edition
