"""The drawing contains every city and every route, at any size, without overlaps."""

from __future__ import annotations

import pytest

from goldenspike.boards import board_ids, load_board
from goldenspike.cli.terminal.drawing import BoardScene, draw_board, list_board, place_cities
from goldenspike.cli.terminal.palette import PAINTS, TOKENS, Look

LOOK = Look(is_drawn=True, has_signs=True)
SIZES = [(80, 12), (80, 15), (80, 24), (100, 40), (150, 46), (200, 60)]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("board_id", board_ids())
def test_every_city_and_route_has_its_place(board_id: str, size: tuple[int, int]) -> None:
    board = load_board(board_id)
    lines = [line.plain for line in draw_board(BoardScene(board), LOOK, *size)]
    assert len(lines) == size[1]
    assert all(len(line) == size[0] for line in lines)
    drawn = "\n".join(lines)
    assert all(city.code in drawn for city in board.cities)
    letters = sum(drawn.count(digit) for digit in "123456789")
    lanes = len(board.routes)
    pairs = lanes - sum(route.twin is not None for route in board.routes) // 2
    assert pairs <= letters <= lanes  # a length for each line, whether doubles share one or not


@pytest.mark.parametrize("board_id", board_ids())
def test_no_two_codes_touch(board_id: str) -> None:
    board = load_board(board_id)
    for width, height in SIZES:
        cells = place_cities(board, width, height)
        assert len({(column + i, row) for column, row in cells for i in range(-1, 3)}) == 4 * len(cells)


def test_owned_closed_and_open_lanes_look_different_without_colours() -> None:
    board = load_board("usa")
    lane = {route.name: route.index for route in board.routes}
    scene = BoardScene(
        board,
        owners={lane["CHI-PIT/black"]: 1, lane["HEL-SEA"]: 0},
        closed={lane["CHI-PIT/orange"]},
        lit={lane["DEN-OMA"]},
        rings={board.city("LAX")},
    )
    small = "\n".join(line.plain for line in draw_board(scene, LOOK, 80, 20))
    assert "■×" in small  # noqa: RUF001  # the sign of a closed lane
    assert "●●●" in small
    ascii_only = "\n".join(line.plain for line in draw_board(scene, Look(True, False), 80, 20))
    assert "bx" in ascii_only
    listed = "\n".join(list_board(scene, ["Ann", "Ben"]))
    assert "PIT 3 Ben, PIT 3 closed" in listed
    assert "SEA 6 Ann" in listed


def test_every_symbol_is_different() -> None:
    letters = [paint.letter for paint in PAINTS.values()]
    assert len(set(letters)) == len(letters)
    assert len({token.shape for token in TOKENS} | {token.letter for token in TOKENS}) == 2 * len(TOKENS)
