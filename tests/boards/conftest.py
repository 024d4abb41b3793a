"""A small valid board and edition, for tests to break."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from goldenspike.boards import BoardError, FileProblem, parse_board

BOARD = """\
format = 1
id = "lakes"
name = "Four Lakes"
colours = ["red", "blue"]
size = [400, 300]

routes = [
  { a = "ASH", b = "BAY", length = 2, colour = "red"  },
  { a = "ASH", b = "BAY", length = 2, colour = "blue" },
  { a = "BAY", b = "COL", length = 3, colour = "grey" },
  { a = "COL", b = "DUN", length = 1, colour = "blue" },
]

[cities]
ASH = { name = "Ashford",  at = [ 50.0,  50.0], marks = ["old"] }
BAY = { name = "Bayview",  at = [350.0,  50.0], lon = 1.5, lat = -2.5 }
COL = { name = "Colhaven", at = [350.0, 250.0] }
DUN = { name = "Dunmore",  at = [ 50.0, 250.0], marks = ["old", "port"] }

[tickets]
main = [
  { a = "ASH", b = "COL", points = 5 },
  { a = "ASH", b = "DUN", points = 6, printings = { late = 7 } },
  { a = "BAY", b = "DUN", points = 4 },
  { a = "COL", b = "DUN", points = 1 },
]
"""

EDITION = """\
format = 1
id = "lakes-quick"
name = "Quick Lakes"
board = "lakes.toml"
minutes = [5, 10]
players = [2, 2]
pieces = 8
opening_hand = 2
face_up = 3
deck = { colour = 6, locomotive = 3 }
route_points = [1, 2, 4]
doubles_close_up_to = 2
tie_breaks = ["completed-tickets"]

[tickets]
flow = "offer"
sets = ["main"]
deal = 2
deal_keep = 1
draw = 2
draw_keep = 1

[end]
when = "few-pieces"
pieces = 1

[bonuses]
globetrotter = 3
"""

Break = Callable[[str, str], list[FileProblem]]


def changed(text: str, old: str, new: str) -> str:
    assert text.count(old) == 1, f"{old!r} must occur exactly once in the text"
    return text.replace(old, new)


@pytest.fixture
def board_text() -> str:
    return BOARD


@pytest.fixture
def edition_text() -> str:
    return EDITION


@pytest.fixture
def break_board() -> Break:
    """Change part of the small board and return the resulting problems."""

    def break_it(old: str, new: str) -> list[FileProblem]:
        with pytest.raises(BoardError) as caught:
            parse_board(changed(BOARD, old, new), "lakes.toml")
        return list(caught.value.problems)

    return break_it
