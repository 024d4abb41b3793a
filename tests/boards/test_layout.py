"""The packaged layouts: all parts are present, in the frame, and do not overlap."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np
import pytest

import goldenspike.boards
from goldenspike.boards import Board, board_ids, load_board
from goldenspike.boards.layout import (
    BoardLayout,
    LayoutError,
    check_layout,
    drawing_digest,
    find_layout,
    format_layout,
    load_layout,
    shipped_layout,
)
from goldenspike.boards.places import world_places
from goldenspike.mapmaking import find_faults, renew_land, spacings
from goldenspike.mapmaking.faults import layout_boxes
from goldenspike.mapmaking.plan import build_plan, choose_style
from goldenspike.mapmaking.warp import find_even_warp

FOLDER = Path(goldenspike.boards.__file__).parent


@pytest.fixture(params=board_ids())
def board(request: pytest.FixtureRequest) -> Board:
    return load_board(request.param)


@pytest.fixture
def layout(board: Board) -> BoardLayout:
    layout = shipped_layout(board)
    assert layout is not None, "the layout is out of date; compute it again"
    return layout


def test_it_has_exactly_the_parts_of_the_board(board: Board, layout: BoardLayout) -> None:
    check_layout(layout, board)
    assert layout.board == board.id
    assert list(layout.cities) == [city.code for city in board.cities]
    assert {name: len(spaces) for name, spaces in layout.routes.items()} == {
        route.name: route.length for route in board.routes
    }
    names = {city.code: " ".join(layout.cities[city.code].label.lines) for city in board.cities}
    assert names == {city.code: city.name for city in board.cities}


def test_nothing_overlaps_and_all_is_in_the_frame(layout: BoardLayout) -> None:
    assert find_faults(layout) == []


def test_unrelated_parts_keep_a_distance(layout: BoardLayout) -> None:
    assert find_faults(layout, clear=1.0) == []


def test_there_is_a_margin(layout: BoardLayout) -> None:
    boxes, _, _ = layout_boxes(layout)
    corners = boxes.corners().reshape(-1, 2)
    assert corners.min() > 30
    assert (np.array(layout.size) - corners).min() > 30


def test_spaces_of_a_route_are_evenly_spaced(layout: BoardLayout) -> None:
    """The distance between spaces is similar everywhere, and equal on one route."""
    found = spacings(layout)
    assert found.min() > 1.0
    assert found.max() < 1.17
    for name, spaces in layout.routes.items():
        if len(spaces) > 2:
            steps = np.hypot(*np.diff(np.array(spaces)[:, :2], axis=0).T)
            assert np.ptp(steps) < 0.03 * layout.car[0], name


def test_routes_are_smooth(layout: BoardLayout) -> None:
    """A space points along its route, and adjacent spaces have similar angles."""
    for name, spaces in layout.routes.items():
        for (ax, ay, one), (bx, by, other) in pairwise(spaces):
            assert _turn(one, other) < 20, name
            way = math.degrees(math.atan2(by - ay, bx - ax))
            assert max(_turn(one, way), _turn(other, way)) < 15, name


def test_routes_lead_from_city_to_city(board: Board, layout: BoardLayout) -> None:
    for route in board.routes:
        spaces = layout.routes[route.name]
        for city, (x, y, _) in ((route.a, spaces[0]), (route.b, spaces[-1])):
            place = layout.cities[board.cities[city].code]
            room = math.dist((place.x, place.y), (x, y)) - layout.car[0] / 2 - layout.dot
            assert 0 < room < 1.3 * layout.car[0], route.name


def test_lanes_of_a_double_are_parallel(board: Board, layout: BoardLayout) -> None:
    length, width = layout.car
    for route in board.routes:
        if route.twin is not None and route.twin > route.index:
            for one, other in zip(
                layout.routes[route.name], layout.routes[board.routes[route.twin].name], strict=True
            ):
                assert _turn(one[2], other[2]) < 0.11
                away = (other[0] - one[0], other[1] - one[1])
                assert math.hypot(*away) == pytest.approx(width + 2, abs=0.2)
                along = math.radians(one[2])
                assert abs(away[0] * math.cos(along) + away[1] * math.sin(along)) < 0.01 * length + 0.1


def test_west_is_west_and_north_is_north(board: Board, layout: BoardLayout) -> None:
    """Cities far apart in the world are in the same direction of each other on the drawing."""
    world = world_places(board.cities)
    assert world is not None
    drawn = np.array([(place.x, place.y) for place in layout.cities.values()])
    far = 0.12 * np.ptp(world, axis=0).max()
    apart = world[:, None] - world[None]
    assert (np.sign(drawn[:, None] - drawn[None]) == np.sign(apart))[np.abs(apart) > far].all()


def test_the_land_is_not_folded(board: Board, layout: BoardLayout) -> None:
    plan = build_plan(board, choose_style(board))
    drawn = np.array([(place.x, place.y) for place in layout.cities.values()])
    warp = find_even_warp(plan.places, drawn, np.zeros(2), layout.size)
    assert np.abs(warp(plan.places) - drawn).max() < 0.1, "cities are where the land has them"
    x, y = np.meshgrid(np.linspace(0, layout.size[0], 80), np.linspace(0, layout.size[1], 60))
    back = find_even_warp(drawn, plan.places, plan.places.min(axis=0), layout.size)
    assert warp.stretches(back(np.stack([x.ravel(), y.ravel()], axis=1))).min() > 0.1


def test_there_is_land_in_the_frame(layout: BoardLayout) -> None:
    assert layout.credits
    kinds = [piece.kind for piece in layout.land]
    assert "land" in kinds
    width, height = layout.size
    for piece in layout.land:
        assert re.fullmatch(r"(M-?[\d.]+[ -][\d.]+l[-\d. ]+z?)+", piece.d)
        for x, y in _starts(piece.d):
            assert -60 < float(x) < width + 60
            assert -60 < float(y) < height + 60


@pytest.mark.parametrize(
    ("board_id", "kinds"),
    [
        ("usa", {"land", "abroad", "water", "river", "border", "relief"}),
        ("first-journey", {"land", "abroad", "water", "river", "border", "relief"}),
        ("new-york", {"land", "abroad", "water", "park", "border", "lane", "street", "pier", "bridge"}),
    ],
)
def test_the_land_has_terrain(board_id: str, kinds: set[str]) -> None:
    layout = shipped_layout(load_board(board_id))
    assert layout is not None
    assert {piece.kind for piece in layout.land} == kinds
    for kind in kinds & {"relief", "river"}:
        assert sum(piece.d.count("M") for piece in layout.land if piece.kind == kind) > 15, kind


def test_drawing_the_land_again_moves_nothing_else(board: Board, layout: BoardLayout) -> None:
    bare = msgspec.structs.replace(layout, land=[], credits=[])
    again = renew_land(board, bare)
    assert msgspec.structs.replace(again, land=[], credits=[]) == bare
    assert [piece.kind for piece in again.land] == [piece.kind for piece in layout.land]


def test_hills_leave_room_for_everything_else(layout: BoardLayout) -> None:
    hills = [
        (float(x), float(y)) for piece in layout.land if piece.kind == "relief" for x, y in _starts(piece.d)
    ]
    boxes, names, _ = layout_boxes(layout)
    for x, y in hills:
        away = np.array([x, y]) - boxes.centres
        along = np.abs(np.sum(away * boxes.along, axis=1))
        across = np.abs(away[:, 1] * boxes.along[:, 0] - away[:, 0] * boxes.along[:, 1])
        is_in = (along < boxes.halves[:, 0]) & (across < boxes.halves[:, 1])
        assert not is_in.any(), names[int(np.argmax(is_in))]


@pytest.mark.parametrize(
    ("board_id", "most"), [("usa", 60_000), ("new-york", 20_000), ("first-journey", 50_000)]
)
def test_it_is_small(board_id: str, most: int) -> None:
    assert (FOLDER / f"{board_id}.layout.json").stat().st_size < most


def test_a_layout_survives_writing_and_reading(board: Board, layout: BoardLayout) -> None:
    text = (FOLDER / f"{board.id}.layout.json").read_text(encoding="utf-8")
    assert format_layout(layout) == text
    assert max(len(line) for line in text.splitlines() if '"d"' not in line) < 400


def test_the_digest_covers_the_drawing() -> None:
    usa = load_board("usa")
    digest = drawing_digest(usa)
    assert drawing_digest(replace(usa, ticket_sets={}, credits=(), name="Elsewhere")) == digest
    renamed = (replace(usa.cities[0], name="Terminus"), *usa.cities[1:])
    moved = (replace(usa.cities[0], lat=30.0), *usa.cities[1:])
    redrawn = (replace(usa.cities[0], x=1.0), *usa.cities[1:])
    longer = (replace(usa.routes[0], length=3), *usa.routes[1:])
    assert drawing_digest(replace(usa, cities=renamed)) != digest
    assert drawing_digest(replace(usa, cities=moved)) != digest
    assert drawing_digest(replace(usa, cities=redrawn)) == digest, "world coordinates come first"
    assert drawing_digest(replace(usa, routes=longer)) != digest


def test_a_stale_layout_is_noticed(tmp_path: Path) -> None:
    usa = load_board("usa")
    changed = replace(usa, cities=(replace(usa.cities[0], name="Terminus"), *usa.cities[1:]))
    assert shipped_layout(changed) is None
    layout = shipped_layout(usa)
    assert layout is not None
    path = tmp_path / "usa.layout.json"
    assert find_layout(usa, tmp_path) is None
    path.write_text(format_layout(layout), encoding="utf-8")
    assert find_layout(usa, tmp_path) == layout
    with pytest.raises(
        LayoutError, match="not made from this board as it is now; compute it again from the board"
    ):
        load_layout(path, changed)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, "format 2 is not one this version reads"),
        ({"cities": {}}, "ATL is missing"),
        ({"routes": {"ATL-CHS": []}}, "ATL-CHS is missing, or has not as many spaces"),
    ],
)
def test_a_broken_layout_is_refused(change: dict[str, object], message: str) -> None:
    usa = load_board("usa")
    layout = shipped_layout(usa)
    assert layout is not None
    with pytest.raises(LayoutError, match=message):
        check_layout(msgspec.structs.replace(layout, **change), usa)


@pytest.mark.parametrize("text", ["", "{}", '{"format": "one"}', "\xff"])
def test_a_file_that_is_not_a_layout_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "usa.layout.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(LayoutError, match=r"usa\.layout\.json: this is not a layout .*; compute it again"):
        load_layout(path, load_board("usa"))


def _starts(path: str) -> list[tuple[str, str]]:
    return re.findall(r"M(-?[\d.]+) ?(-?[\d.]+)", path)


def _turn(one: float, other: float) -> float:
    """Return the angle between two lines, in degrees."""
    return abs((one - other + 90) % 180 - 90)
