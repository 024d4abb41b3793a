"""Convert a finished sketch into a layout."""

from __future__ import annotations

import msgspec
import numpy as np

from goldenspike.boards import Board
from goldenspike.boards.layout import (
    LAYOUT_FORMAT,
    Anchor,
    BoardLayout,
    CityLabel,
    CityPlace,
    Space,
    drawing_digest,
)
from goldenspike.boards.projection import find_projection
from goldenspike.mapmaking.boxes import Boxes, Floats
from goldenspike.mapmaking.faults import layout_boxes
from goldenspike.mapmaking.land import draw_ground, find_ground
from goldenspike.mapmaking.plan import DrawingPlan
from goldenspike.mapmaking.sketch import Roster, Sketch, build_roster, place_boxes, place_slots
from goldenspike.mapmaking.text import RISE
from goldenspike.mapmaking.warp import Warp, find_even_warp

_HILL = 0.85
"""Half the width of a hill, in sizes of the text."""


def compose(board: Board, plan: DrawingPlan, sketch: Sketch) -> BoardLayout:
    """Return the layout of a sketch, without the background, framed with a margin."""
    roster = build_roster(plan)
    boxes = place_boxes(plan, roster, sketch, place_slots(plan, sketch))
    corner, size = frame(plan, boxes)
    boxes.centres -= corner
    style = plan.style
    return BoardLayout(
        format=LAYOUT_FORMAT,
        board=board.id,
        digest=drawing_digest(board),
        size=size,
        car=style.car,
        dot=style.dot,
        text=style.text,
        leading=style.leading,
        cities=_spots(board, plan, sketch, boxes, roster),
        routes=_spaces(board, plan, boxes, roster),
        land=[],
        credits=[],
    )


def frame(plan: DrawingPlan, boxes: Boxes) -> tuple[Floats, tuple[int, int]]:
    """Return the top left corner of a drawing, and its width and height."""
    corners = boxes.corners().reshape(-1, 2)
    low, high = corners.min(axis=0) - plan.style.margin, corners.max(axis=0) + plan.style.margin
    width, height = np.ceil(high - low).astype(np.int64)
    return low, (int(width), int(height))


def _spots(
    board: Board, plan: DrawingPlan, sketch: Sketch, boxes: Boxes, roster: Roster
) -> dict[str, CityPlace]:
    style = plan.style
    spots: dict[str, CityPlace] = {}
    for index, city in enumerate(board.cities):
        x, y = boxes.centres[roster.dots + index]
        (middle_x, middle_y), (half, rise) = boxes.centres[roster.labels + index], sketch.halves[index]
        aside = sketch.labels[index][0]
        # A label beside a dot is anchored at the dot, so that it stays there in a font of another width.
        anchor: Anchor = "start" if aside > 0.6 * half else "end" if aside < -0.6 * half else "middle"
        foot = {"start": middle_x - half, "middle": middle_x, "end": middle_x + half}[anchor]
        label = CityLabel(
            x=_tenth(foot),
            y=_tenth(middle_y - rise + RISE * style.text),
            anchor=anchor,
            lines=sketch.texts[index],
            width=_tenth(2 * half),
        )
        spots[city.code] = CityPlace(x=_tenth(x), y=_tenth(y), label=label)
    return spots


def _spaces(board: Board, plan: DrawingPlan, boxes: Boxes, roster: Roster) -> dict[str, list[Space]]:
    found: dict[int, list[Space]] = {route.index: [] for route in board.routes}
    for box in range(roster.dots):
        (x, y), (east, south) = boxes.centres[box], boxes.along[box]
        angle = (float(np.degrees(np.arctan2(south, east))) + 90) % 180 - 90
        route = plan.routes[int(roster.pair[box])][int(roster.lane[box])]
        found[route].append((_tenth(x), _tenth(y), _tenth(angle)))
    for route in board.routes:
        if route.a > route.b:  # a pair goes from the lower city index to the higher one
            found[route.index].reverse()
    return {route.name: found[route.index] for route in board.routes}


def lay_ground(board: Board, plan: DrawingPlan, layout: BoardLayout) -> BoardLayout:
    """Return a layout with its background and credits; nothing else is moved.

    A board without real positions has no background.
    """
    lon = np.array([city.lon for city in board.cities if city.lon is not None])
    lat = np.array([city.lat for city in board.cities if city.lat is not None])
    ground = find_ground(lon, lat) if plan.is_in_world else None
    if ground is None:
        return msgspec.structs.replace(layout, land=[], credits=[])
    drawn = np.array([(place.x, place.y) for place in layout.cities.values()])
    projection = find_projection(list(lon), list(lat))
    warp: Warp = find_even_warp(plan.places, drawn, np.zeros(2), layout.size)

    def place(points: Floats) -> Floats:
        return warp(projection(points[:, 0], points[:, 1]) * plan.scale)

    taken, _, _ = layout_boxes(layout)
    land = draw_ground(ground, place, layout.size, _HILL * layout.text, taken)
    return msgspec.structs.replace(layout, land=land, credits=list(ground.credits))


def _tenth(number: float) -> float:
    return round(float(number), 1) + 0.0  # avoids -0.0
