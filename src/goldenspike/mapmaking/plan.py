"""The input of a drawing as arrays: its style, its cities, and the pairs of cities that routes join."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from goldenspike.boards import Board
from goldenspike.boards.places import graph_places, world_places
from goldenspike.mapmaking.boxes import Floats, Ints
from goldenspike.mapmaking.text import FALL, RISE, split_lines, text_width

_ROOMY = 1.08
"""Factor by which a drawing starts larger than its routes need, because labels need space too."""


@dataclass(frozen=True, slots=True)
class DrawingStyle:
    """The dimensions of a drawing, in its units.

    `car` is the length and width of a space, `gap` the distance between spaces of a route, `between` that of
    the lanes of a double; `dot` is the radius of a city. `clear` is the minimum distance of unrelated items,
    `air` the preferred one.
    """

    car: tuple[float, float]
    dot: float
    gap: float = 2.5
    between: float = 2.0
    text: float = 13.0
    leading: float = 14.0
    margin: int = 40
    clear: float = 2.0
    air: float = 7.0

    @property
    def pitch(self) -> float:
        """Return the distance from one space of a route to the next."""
        return self.car[0] + self.gap

    @property
    def end(self) -> float:
        """Return the minimum distance of a route's first space from its city."""
        return self.dot + self.clear

    def label_size(self, lines: tuple[str, ...]) -> tuple[float, float]:
        """Return the width and height of a label with these lines."""
        width = max(text_width(line, self.text) for line in lines)
        return width, (RISE + FALL) * self.text + self.leading * (len(lines) - 1)


def choose_style(board: Board) -> DrawingStyle:
    """Return the style for a board: the shorter its routes, the longer each space.

    >>> from goldenspike.boards import load_board
    >>> [choose_style(load_board(board)).car for board in ("usa", "new-york")]
    [(33.0, 11.0), (42.0, 14.0)]
    """
    mean = sum(route.length for route in board.routes) / len(board.routes)
    length = float(round(min(max(58 - 8 * mean, 30), 46)))
    width = float(round(length / 3))
    return DrawingStyle(car=(length, width), dot=float(round(2.6 + 0.4 * width)))


@dataclass(frozen=True, slots=True)
class DrawingPlan:
    """A board in arrays. A *pair* is two cities and the lanes between them, which are drawn as one curve.

    `places` are the positions of the cities by geography alone; `scale` is the number of drawing units per
    unit of these, and `is_in_world` says whether they are real positions. `ties` are pairs of neighbouring
    cities whose bearing is kept. `routes` are the indices of each pair's routes, `labels` the ways to break
    each city's name. A *slot* is a place for a space, one for both lanes of a double: `slot_pair` is its
    pair, `slot_step` its distance from the middle in spaces.
    """

    style: DrawingStyle
    places: Floats
    scale: float
    is_in_world: bool
    a: Ints
    b: Ints
    length: Ints
    lanes: Ints
    routes: tuple[tuple[int, ...], ...]
    ties: Ints
    labels: tuple[tuple[tuple[str, ...], ...], ...]
    slot_pair: Ints
    slot_step: Floats


def build_plan(board: Board, style: DrawingStyle) -> DrawingPlan:
    """Return a board as arrays, scaled so that routes are about as long as their spaces need.

    >>> from goldenspike.boards import load_board
    >>> usa = load_board("usa")
    >>> plan = build_plan(usa, choose_style(usa))
    >>> len(plan.places), len(plan.a), len(plan.slot_pair)
    (36, 78, 256)
    """
    places, is_in_world = start_places(board)
    found: dict[tuple[int, int], list[int]] = {}
    for route in board.routes:
        found.setdefault((min(route.a, route.b), max(route.a, route.b)), []).append(route.index)
    ends = np.array(list(found), dtype=np.int64)
    length = np.array([board.routes[routes[0]].length for routes in found.values()], dtype=np.int64)
    wanted = length * style.pitch + 2 * style.end + 6
    chords = np.hypot(*(places[ends[:, 0]] - places[ends[:, 1]]).T)
    scale = _ROOMY * float(np.sum(wanted * chords) / np.sum(chords**2))
    return DrawingPlan(
        style=style,
        places=places * scale,
        scale=scale,
        is_in_world=is_in_world,
        a=ends[:, 0],
        b=ends[:, 1],
        length=length,
        lanes=np.array([len(routes) for routes in found.values()], dtype=np.int64),
        routes=tuple(tuple(routes) for routes in found.values()),
        ties=find_ties(places),
        labels=tuple(tuple(split_lines(city.name)) for city in board.cities),
        slot_pair=np.repeat(np.arange(len(length)), length),
        slot_step=_steps(length),
    )


def _steps(length: Ints) -> Floats:
    last = np.cumsum(length)
    return np.arange(int(last[-1])) - np.repeat(last - (length + 1) / 2, length)


def start_places(board: Board) -> tuple[Floats, bool]:
    """Return the initial places of cities, and whether these are their real positions.

    Without real positions they are the coordinates in the board file; if two of those coincide, places
    computed from the routes alone.
    """
    world = world_places(board.cities)
    places = np.array([(city.x, city.y) for city in board.cities]) if world is None else world
    if len(np.unique(places, axis=0)) < len(places):
        return graph_places(len(board.cities), board.routes), False
    return places, world is not None


def find_ties(places: Floats) -> Ints:
    """Return the pairs of places with no third one in the circle whose diameter joins them (Gabriel graph).

    >>> find_ties(np.array([[0.0, 0.0], [1.0, 0.1], [2.0, 0.0]])).tolist()
    [[0, 1], [1, 2]]
    """
    squares = np.sum((places[:, None] - places[None]) ** 2, axis=2)
    # That circle contains k if the angle at k is obtuse: |ik|² + |jk|² < |ij|².
    is_blunt = squares[:, None, :] + squares[None, :, :] < squares[:, :, None] * (1 - 1e-9)
    near = np.argwhere(~is_blunt.any(axis=2))
    return near[near[:, 0] < near[:, 1]]
