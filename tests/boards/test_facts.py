"""The packaged boards agree with published facts about them."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import goldenspike.boards
from goldenspike.boards import Board, board_ids, load_board, summarise
from goldenspike.boards.limits import CITIES, COLOURS, LENGTH, PALETTE, ROUTES, TICKETS
from goldenspike.datafiles.words import fold

FOLDER = Path(goldenspike.boards.__file__).parent


def names(board: Board, mark: str) -> set[str]:
    return {board.cities[city].name for city in board.marked(mark)}


def test_every_board_file_has_its_id() -> None:
    assert {path.stem for path in FOLDER.glob("*.toml")} == set(board_ids())
    assert [load_board(board_id).id for board_id in board_ids()] == list(board_ids())


@pytest.mark.parametrize(
    ("board_id", "cities", "routes", "spaces", "doubles"),
    [("usa", 36, 100, 309, 22), ("new-york", 15, 41, 84, 11), ("first-journey", 19, 64, 133, 25)],
)
def test_counts(board_id: str, cities: int, routes: int, spaces: int, doubles: int) -> None:
    summary = summarise(load_board(board_id))
    assert (summary.cities, summary.routes, summary.spaces, summary.doubles) == (
        cities,
        routes,
        spaces,
        doubles,
    )


def test_usa_colours_balance_exactly() -> None:
    spaces = summarise(load_board("usa")).spaces_per_colour
    eight = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
    assert spaces == {**dict.fromkeys(eight, 27), "grey": 93}


def test_card_colours() -> None:
    """S-1, J-1: the colours of each board, in the order of their card indices."""
    assert " ".join(load_board("usa").colours) == "purple blue orange white green yellow black red"
    assert " ".join(load_board("new-york").colours) == "blue green black pink red orange"
    assert " ".join(load_board("first-journey").colours) == "yellow green white black blue red"


def test_first_journey_has_no_grey_route() -> None:
    """J-3: every route has a colour, and no ticket has points."""
    board = load_board("first-journey")
    assert summarise(board).spaces_per_colour["grey"] == 0
    assert {ticket.points for ticket in board.ticket_sets["standard"]} == {0}


def test_marks() -> None:
    """V-4, F-5, J-5: big cities, attractions, coasts."""
    usa, first = load_board("usa"), load_board("first-journey")
    big = {"Chicago", "Dallas", "Houston", "Los Angeles", "Miami", "New York", "Seattle"}
    assert names(usa, "big") == big
    assert len(load_board("new-york").marked("attraction")) == 9
    assert names(first, "west") == {"Seattle", "San Francisco", "Los Angeles"}
    assert names(first, "east") == {"New York", "Washington", "Miami"}


def test_ticket_sets() -> None:
    def sizes(board_id: str) -> dict[str, int]:
        return {key: len(entries) for key, entries in load_board(board_id).ticket_sets.items()}

    assert sizes("usa") == {"classic": 30, "usa-1910": 35, "mystery-train": 4}
    assert sizes("new-york") == {"standard": 18}
    assert sizes("first-journey") == {"standard": 32}


def test_ticket_values_against_shortest_paths() -> None:
    sets = summarise(load_board("usa")).ticket_sets
    odd = {
        key: {ticket.name: (ticket.points, length) for ticket, length in each.exceptions}
        for key, each in sets.items()
    }
    assert odd == {
        "classic": {
            "LAX-CHI": (16, 15),
            "LAX-MIA": (20, 19),
            "LAX-NYC": (21, 20),
            "SSM-OKC": (9, 8),
            "SEA-NYC": (22, 20),
        },
        "usa-1910": {"LAS-MIA": (21, 20)},
        "mystery-train": {},
    }
    assert summarise(load_board("new-york")).ticket_sets["standard"].equal == 18


def test_reprinted_values() -> None:
    """V-3: four classic tickets were printed lower in 1910."""
    classic = load_board("usa").ticket_sets["classic"]
    reprinted = {entry.name: (entry.points, entry.printings["1910"]) for entry in classic if entry.printings}
    assert reprinted == {"LAX-MIA": (20, 19), "LAX-NYC": (21, 20), "SSM-OKC": (9, 8), "SEA-NYC": (22, 20)}


@pytest.mark.parametrize("board_id", board_ids())
def test_files_are_in_order(board_id: str) -> None:
    """Cities and routes are sorted by name."""
    board = load_board(board_id)
    assert [city.name for city in board.cities] == sorted((city.name for city in board.cities), key=fold)
    ends = [(route.a, route.b) for route in board.routes]
    assert ends == sorted(ends)
    assert all(a < b for a, b in ends)


@pytest.mark.parametrize("board_id", board_ids())
def test_boards_are_within_the_limits(board_id: str) -> None:
    board = load_board(board_id)
    assert len(board.cities) <= CITIES
    assert len(board.routes) <= ROUTES
    assert len(board.colours) <= COLOURS <= len(PALETTE)
    assert max(route.length for route in board.routes) <= LENGTH
    assert sum(len(entries) for entries in board.ticket_sets.values()) <= TICKETS


@pytest.mark.parametrize("board_id", board_ids())
def test_cities_are_drawn_apart_and_where_they_are(board_id: str) -> None:
    board = load_board(board_id)
    for city in board.cities:
        assert city.lon is not None
        assert city.lat is not None
        assert min(city.x, city.y, board.size[0] - city.x, board.size[1] - city.y) >= 40
    gaps = [
        abs(one.x - other.x) + abs(one.y - other.y)
        for index, one in enumerate(board.cities)
        for other in board.cities[:index]
    ]
    assert min(gaps) > 20


@pytest.mark.parametrize("board_id", board_ids())
def test_files_name_the_owner_of_the_trademark(board_id: str) -> None:
    text = " ".join(tomllib.loads((FOLDER / f"{board_id}.toml").read_text("utf-8"))["credits"])
    assert "trademark of Days of Wonder" in text
    assert "not affiliated" in text
