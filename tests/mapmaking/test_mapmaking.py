"""Layouts can be computed for any board, are reproducible, and avoid overlaps where possible."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import numpy as np
import pytest

from goldenspike.boards import Board, BoardError, load_board, parse_board
from goldenspike.boards.layout import BoardLayout, check_layout, drawing_digest, format_layout, shipped_layout
from goldenspike.boards.places import crossings
from goldenspike.boards.projection import find_projection
from goldenspike.mapmaking import draw_svg, find_faults, layout_of, make_layout, spacings
from goldenspike.mapmaking.boxes import Boxes, all_pairs, gaps
from goldenspike.mapmaking.text import text_width
from goldenspike.mapmaking.warp import find_even_warp, find_warp
from tests.mapmaking.planar import planar_board

TRIANGLE = """\
format = 1
id = "triangle"
name = "Triangle"
colours = ["red"]
routes = [
  { a = "ONE", b = "TWO", length = 2, colour = "red" },
  { a = "TWO", b = "SIX", length = 3, colour = "red" },
  { a = "SIX", b = "ONE", length = 4, colour = "red" },
]
[cities]
ONE = { name = "One"%s }
TWO = { name = "Two"%s }
SIX = { name = "Six"%s }
"""


def triangle(*places: str) -> Board:
    return parse_board(TRIANGLE % (places or ("", "", "")))


def usa_layout() -> BoardLayout:
    layout = shipped_layout(load_board("usa"))
    assert layout is not None
    return layout


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "cities", "is_placed"), [(1, 12, True), (2, 25, True), (3, 25, False)])
def test_a_home_made_board_gets_a_valid_quick_layout(seed: int, cities: int, is_placed: bool) -> None:
    board = planar_board(seed, cities, is_placed=is_placed)
    layout = layout_of(board)
    check_layout(layout, board)
    assert find_faults(layout) == []
    assert spacings(layout).min() > 1.0
    assert spacings(layout).max() < 1.17
    assert layout.land == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "places",
    [
        ("", "", ""),
        (", at = [10, 10]", ", at = [900, 10]", ", at = [500, 600]"),
        (", at = [10, 10]", ", at = [10, 10]", ", at = [10, 10]"),
        (", at = [10, 10]", ", at = [500, 10]", ", at = [900, 10]"),
        (", lon = 178.0, lat = -18.0", ", lon = -172.0, lat = -14.0", ", lon = 175.0, lat = -37.0"),
        (", lon = 36.8, lat = -1.3", ", lon = 32.6, lat = 0.3", ", lon = 30.1, lat = 1.9"),
        (", lon = 2.0, lat = 50.0", ", lon = 2.0, lat = 50.0", ", lon = 2.0, lat = 50.0"),
    ],
    ids=["none", "canvas", "one place", "one line", "date line", "equator", "one place in the world"],
)
def test_any_city_positions_give_a_valid_layout(places: tuple[str, str, str]) -> None:
    board = triangle(*places)
    layout = layout_of(board)
    check_layout(layout, board)
    assert find_faults(layout) == []


@pytest.mark.slow
def test_a_board_with_world_coordinates_gets_land() -> None:
    board = triangle(", lon = 2.35, lat = 48.85", ", lon = 13.4, lat = 52.5", ", lon = 12.5, lat = 41.9")
    layout = layout_of(board)
    assert {piece.kind for piece in layout.land} == {"land", "border", "river", "relief"}
    assert layout.credits == [
        "Coasts and borders from Natural Earth (public domain), by way of world-atlas 2.",
        "Rivers and hills drawn by hand for Golden Spike.",
    ]


def test_cities_without_places_are_placed_by_their_routes() -> None:
    board = planar_board(7, 20, is_placed=False)
    places = np.array([(city.x, city.y) for city in board.cities])
    assert (places >= 0).all()
    assert (places <= board.size).all()
    pairs = np.array(sorted({(min(r.a, r.b), max(r.a, r.b)) for r in board.routes}))
    assert crossings(places, pairs).sum() == 0


def test_either_all_cities_have_places_or_none() -> None:
    one_lacks = r"cities: Two \(TWO\) has no place \(at\), but the other 2 have one; add it there, or remove"
    with pytest.raises(BoardError, match=one_lacks):
        triangle(", at = [10, 10]", "", ", at = [500, 600]")
    one_has = (
        r"only Two \(TWO\) has a place \(at\), the other 2 have none; remove it there, or give every city"
    )
    with pytest.raises(BoardError, match=one_has) as caught:
        triangle("", ", at = [10, 10]", "")
    assert len(caught.value.problems) == 1


def test_without_places_all_cities_are_in_the_world_or_none() -> None:
    with pytest.raises(BoardError, match=r"Two \(TWO\) has no position \(lon and lat\)") as caught:
        triangle(", lon = 0.0, lat = 50.0", "", ", lon = 5.0, lat = 45.0")
    assert len(caught.value.problems) == 1
    places = [", at = [10, 10]", ", at = [500, 10]", ", at = [300, 300]"]
    assert triangle(places[0] + ", lon = 0.0, lat = 50.0", *places[1:]).cities[0].lon == 0.0


def test_cities_in_the_world_need_no_place_on_the_canvas() -> None:
    board = triangle(", lon = 0.0, lat = 50.0", ", lon = 10.0, lat = 50.0", ", lon = 5.0, lat = 45.0")
    one, two, six = board.cities
    assert one.x < six.x < two.x
    assert one.y == pytest.approx(two.y, abs=0.2)
    assert six.y > one.y


@pytest.mark.slow
def test_the_same_seed_makes_the_same_layout() -> None:
    board = planar_board(4, 10)
    one, again = (make_layout(board, 5, steps=80, tries=2) for _ in range(2))
    assert format_layout(one) == format_layout(again)
    assert format_layout(make_layout(board, 6, steps=80, tries=2)) != format_layout(one)


def test_every_step_reports_progress() -> None:
    ticks: list[None] = []
    make_layout(triangle(), steps=40, tries=2, tick=lambda: ticks.append(None))
    assert len(ticks) == 80


@pytest.mark.slow
def test_a_double_written_in_both_directions() -> None:
    board = parse_board(
        TRIANGLE.replace("%s", "").replace(
            "routes = [", 'routes = [\n  { a = "TWO", b = "ONE", length = 2, colour = "grey" },'
        )
    )
    layout = layout_of(board)
    there, back = layout.routes["ONE-TWO/red"], layout.routes["TWO-ONE/grey"]
    assert np.hypot(there[0][0] - back[1][0], there[0][1] - back[1][1]) == pytest.approx(
        layout.car[1] + 2, abs=0.3
    )


def test_the_layout_that_comes_with_a_board_is_used(tmp_path: Path) -> None:
    assert layout_of(load_board("usa")) == usa_layout()
    board = triangle()
    mine = make_layout(board, 3, steps=60, tries=1)
    assert layout_of(board, tmp_path) != mine
    (tmp_path / "triangle.layout.json").write_text(format_layout(mine), encoding="utf-8")
    assert layout_of(board, tmp_path) == mine


@pytest.mark.slow
def test_an_outdated_layout_is_replaced_and_reported(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    board = triangle()
    mine = make_layout(board, steps=60, tries=1)
    (tmp_path / "triangle.layout.json").write_text(format_layout(mine), encoding="utf-8")
    changed = replace(board, cities=(replace(board.cities[0], name="Uno"), *board.cities[1:]))
    with caplog.at_level(logging.WARNING):
        assert layout_of(changed, tmp_path).digest == drawing_digest(changed)
    assert "it was not made from this board as it is now" in caplog.text


def test_faults_are_found() -> None:
    layout = usa_layout()
    boston = layout.cities["BOS"]
    label = msgspec.structs.replace(boston.label, x=layout.cities["DEN"].x, y=layout.cities["DEN"].y)
    moved = {**layout.cities, "BOS": msgspec.structs.replace(boston, label=label)}
    worst = find_faults(msgspec.structs.replace(layout, cities=moved))[0]
    assert "the name of BOS" in str(worst)
    x, y, angle = layout.routes["BOS-NYC/red"][0]
    out = {**layout.routes, "BOS-NYC/red": [(x + 5000, y, angle), layout.routes["BOS-NYC/red"][1]]}
    (fault,) = find_faults(msgspec.structs.replace(layout, routes=out))
    assert str(fault).startswith("space 1 of BOS-NYC/red and the edge of the frame overlap by")


def test_gaps_are_those_of_the_boxes() -> None:
    """Compare with a fine grid of points: two boxes overlap if some point is in both."""
    random = np.random.default_rng(8)
    count = 60
    turn = random.uniform(0, np.pi, count)
    boxes = Boxes(
        random.uniform(0, 40, (count, 2)),
        random.uniform(2, 9, (count, 2)),
        np.stack([np.cos(turn), np.sin(turn)], axis=1),
        np.zeros(count, dtype=np.bool_),
    )
    i, j = all_pairs(count)
    gap, axis = gaps(boxes, i, j)
    step = np.stack(np.meshgrid(np.linspace(-1, 1, 60), np.linspace(-1, 1, 60)), axis=-1).reshape(-1, 2)
    across = np.stack([-boxes.along[:, 1], boxes.along[:, 0]], axis=1)
    for one, other, measured in zip(i, j, gap, strict=True):
        reach = step * boxes.halves[one]
        points = boxes.centres[one] + reach[:, :1] * boxes.along[one] + reach[:, 1:] * across[one]
        away = points - boxes.centres[other]
        inside = (
            np.abs(np.stack([away @ boxes.along[other], away @ across[other]], axis=1)) <= boxes.halves[other]
        )
        if abs(measured) > 0.4:
            assert inside.all(axis=1).any() == (measured < 0)
    assert np.hypot(axis[:, 0], axis[:, 1]) == pytest.approx(1)


def test_gaps_of_circles() -> None:
    boxes = Boxes(
        np.array([[0.0, 0.0], [10.0, 0.0], [7.0, 6.0], [0.0, 2.0]]),
        np.array([[2.0, 2.0], [3.0, 3.0], [4.0, 2.0], [5.0, 9.0]]),
        np.tile([1.0, 0.0], (4, 1)),
        np.array([True, True, False, False]),
    )
    gap, axis = gaps(boxes, np.array([0, 0, 2, 0]), np.array([1, 2, 0, 3]))
    assert gap == pytest.approx([5, 3, 3, -7]), "two circles; a corner, from both sides; well inside"
    assert axis.ravel() == pytest.approx([1, 0, 0.6, 0.8, -0.6, -0.8, -1, 0], abs=1e-9)


# Widths that a browser measured in 13-unit Liberation Sans Bold, which has the metrics of Arial.
WIDTHS = {
    "Washington": 73.9,
    "Sault Ste. Marie": 96.8,
    "Salt Lake City": 85.3,
    "Empire State Building": 135.1,
    "Kansas City": 74.4,
    "Los Angeles": 77.3,
    "Pittsburgh": 65.0,
    "Lower East Side": 100.4,
    "Raleigh": 47.0,
    "WINNIPEG": 65.7,
}


@pytest.mark.parametrize("name", WIDTHS)
def test_estimated_name_widths_are_close(name: str) -> None:
    assert text_width(name, 13) == pytest.approx(WIDTHS[name], rel=0.04)


def test_accents_add_no_width() -> None:
    assert text_width("Montréal", 13) == text_width("Montreal", 13)
    assert text_width("東京", 10) == 20


def test_a_warp_that_would_fold_is_made_stiffer() -> None:
    true = np.array([[0.0, 0.0], [100.0, 0.0], [100.0, 100.0], [0.0, 100.0], [40.0, 50.0], [60.0, 50.0]])
    drawn = true.copy()
    drawn[[4, 5]] = drawn[[5, 4]]
    x, y = np.meshgrid(np.linspace(0, 100, 30), np.linspace(0, 100, 30))
    grid = np.stack([x.ravel(), y.ravel()], axis=1)
    assert find_warp(true, drawn).stretches(grid).min() < 0
    assert find_even_warp(true, drawn, np.zeros(2), (100, 100)).stretches(grid).min() > 0


@pytest.mark.parametrize(
    ("lon", "lat"),
    [([-123.0, -71.0], [26.0, 51.0]), ([30.0, 40.0], [-2.0, 2.0]), ([170.0, -170.0], [-40.0, -10.0])],
)
def test_projections_keep_east_right_north_up_and_areas_true(lon: list[float], lat: list[float]) -> None:
    projection = find_projection(lon, lat)
    span = (lon[1] - lon[0]) % 360
    west, south = np.meshgrid(lon[0] + np.linspace(0, span, 9), np.linspace(lat[0], lat[1], 7))
    here = projection(west, south)
    east, north = projection(west + 0.01, south), projection(west, south + 0.01)
    assert (east[..., 0] > here[..., 0]).all()
    assert (north[..., 1] < here[..., 1]).all()
    by_east, by_north = east - here, north - here
    area = by_east[..., 1] * by_north[..., 0] - by_east[..., 0] * by_north[..., 1]
    assert area == pytest.approx(np.radians(0.01) ** 2 * np.cos(np.radians(south)), rel=0.01)


def test_a_picture_is_a_complete_svg() -> None:
    usa = load_board("usa")
    root = ET.fromstring(draw_svg(usa, usa_layout()))
    space = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{space}circle")) == 36
    assert {text.text for text in root.iter(f"{space}text")} >= {"Boston", "Montréal", "Miami"}
