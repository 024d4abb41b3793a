"""Queries of a board."""

from __future__ import annotations

import itertools
import pickle
from collections import defaultdict

import pytest

from goldenspike.boards import Board, board_ids, load_board, parse_board


@pytest.fixture(params=board_ids())
def board(request: pytest.FixtureRequest) -> Board:
    return load_board(request.param)


def test_loading_twice_gives_the_same_board() -> None:
    assert load_board("usa") is load_board("usa")


def test_route_names() -> None:
    """C-6: the lanes of a double route are named by colour, or by number if the colours are equal."""
    usa = load_board("usa")
    by_name = {route.name: route for route in usa.routes}
    assert len(by_name) == len(usa.routes)
    assert by_name["ATL-CHS"].lane == ""
    assert by_name["ATL-CHS"].twin is None
    black, orange = by_name["CHI-PIT/black"], by_name["CHI-PIT/orange"]
    assert (black.twin, orange.twin) == (orange.index, black.index)
    one, two = by_name["DAL-HOU/1"], by_name["DAL-HOU/2"]
    assert (one.twin, two.twin, one.lane, two.lane) == (two.index, one.index, "1", "2")


def test_two_lanes_of_one_colour(board_text: str) -> None:
    routes = parse_board(board_text.replace('"blue" },\n  { a = "BAY"', '"red" },\n  { a = "BAY"')).routes
    assert [route.name for route in routes[:2]] == ["ASH-BAY/1", "ASH-BAY/2"]


def test_a_double_may_be_written_in_both_directions(board_text: str) -> None:
    text = board_text.replace(
        'a = "ASH", b = "BAY", length = 2, colour = "blue"',
        'a = "BAY", b = "ASH", length = 2, colour = "blue"',
    )
    routes = parse_board(text).routes
    assert [(route.name, route.twin) for route in routes[:2]] == [("ASH-BAY/red", 1), ("BAY-ASH/blue", 0)]


def test_indices_and_twins_agree(board: Board) -> None:
    pairs: dict[frozenset[int], list[int]] = defaultdict(list)
    for index, route in enumerate(board.routes):
        assert route.index == index
        pairs[frozenset((route.a, route.b))].append(index)
    for lanes in pairs.values():
        twins = [board.routes[lane].twin for lane in lanes]
        assert twins == ([None] if len(lanes) == 1 else lanes[::-1])


@pytest.mark.parametrize("text", ["MON", "mon", "Montréal", "montreal", "MONTRÉAL", " Montréal "])
def test_city_by_code_or_name(text: str) -> None:
    usa = load_board("usa")
    assert usa.cities[usa.city(text)].code == "MON"


def test_city_names_ignore_punctuation() -> None:
    usa = load_board("usa")
    assert usa.city("sault ste marie") == usa.city("SSM")
    assert usa.city("NewYork") == usa.city("NYC")


def test_every_city_is_found_by_its_own_names(board: Board) -> None:
    for index, city in enumerate(board.cities):
        assert board.city(city.code) == board.city(city.name) == index


def test_unknown_city_suggests_the_nearest() -> None:
    with pytest.raises(LookupError, match='has no city "Chicgo"; did you mean "Chicago"'):
        load_board("usa").city("Chicgo")
    with pytest.raises(LookupError, match="the cities are Atlanta, Boston, "):
        load_board("usa").city("?")


def test_distances(board: Board) -> None:
    distances = board.distances()
    for a, b in itertools.product(range(len(board.cities)), repeat=2):
        assert distances[a][b] == distances[b][a] == board.shortest(a, b)
        assert (distances[a][b] == 0) == (a == b)
        for route in board.routes:
            assert distances[a][route.b] <= distances[a][route.a] + route.length


def test_the_digest_covers_only_the_rules(board_text: str) -> None:
    digest = parse_board(board_text).digest
    assert len(digest) == 64
    for old, new in [
        ("Ashford", "Ashburn"),
        ("[ 50.0,  50.0]", "[60, 60]"),
        ("Four", "Five"),
    ]:
        assert parse_board(board_text.replace(old, new)).digest == digest
    for old, new in [
        ("points = 4", "points = 3"),
        ("length = 3", "length = 4"),
        ('marks = ["old"]', 'marks = ["new"]'),
        ('["red", "blue"]', '["blue", "red"]'),
        ("late = 7", "late = 8"),
    ]:
        assert parse_board(board_text.replace(old, new)).digest != digest


def test_digests_of_packaged_data_do_not_change() -> None:
    """Saved games contain these digests; if one changes, they no longer match their board."""
    assert {board_id: load_board(board_id).digest[:12] for board_id in board_ids()} == {
        "usa": "29a9ae51d3b3",
        "new-york": "524cc560ab7b",
        "first-journey": "eec651ef3353",
    }


def test_a_board_can_be_pickled(board: Board) -> None:
    copy = pickle.loads(pickle.dumps(board))
    assert copy == board
    assert hash(copy) == hash(board)
    assert copy.distances() == board.distances()
