"""The board as a drawing (cities as codes, routes as labelled lines) or as a list, for screen readers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache

from rich.text import Text

from goldenspike.boards import Board
from goldenspike.boards.limits import GREY
from goldenspike.boards.model import Route
from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.canvas import DOTS_ACROSS, DOTS_DOWN, Canvas
from goldenspike.cli.terminal.palette import FAINT, GROUND, INK, LIT, PAINTS, TOKENS, Look

CODE = 3
"""Letters of a city's code."""

CLOSED = "×"  # noqa: RUF001  # not a letter: X could be a colour
"""The sign of a lane that no seat can claim any more (C-6)."""

_ROOMY = (96, 30)
"""From this many columns and rows on, the lanes of a double are drawn separately."""

_EVEN_OUT = 0.5
"""How far a small canvas trades true positions for even spacing, because the east of the USA is crowded."""

_TIGHT = 2.0
"""The penalty of a label position that touches another text."""

Cell = tuple[int, int]
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class BoardScene:
    """What to draw: owners of routes, closed lanes, routes that can be claimed now, cities to ring.

    The routes of `path` are highlighted.
    """

    board: Board
    owners: Mapping[int, int] = field(default_factory=dict[int, int])
    closed: Set[int] = frozenset()
    lit: Set[int] = frozenset()
    rings: Set[int] = frozenset()
    path: Set[int] = frozenset()


def draw_board(scene: BoardScene, look: Look, width: int, height: int) -> list[Text]:
    """Return a drawing of the board as lines of text, at most `width` wide and `height` high.

    An open lane shows its length and its colour's letter, highlighted if it can be claimed now; an owned one
    the shape of its seat, a closed one a cross. On a small canvas the lanes of a double share a line.

    >>> from goldenspike.boards import load_board
    >>> lines = draw_board(BoardScene(load_board("usa")), Look(True, True), 80, 20)
    >>> len(lines), any("CHI" in line.plain for line in lines)
    (20, True)
    """
    canvas = Canvas(width, height, GROUND)
    cities = place_cities(scene.board, width, height)
    for index, (column, row) in enumerate(cities):
        canvas.write(column - 1, row, scene.board.cities[index].code, _city_style(scene, index))
    bundles = list(_bundles(scene.board, _is_roomy(width, height)))
    lanes = [_Line(cities, bundle, offset) for bundle, offset in bundles]
    for line in sorted(lanes, key=lambda line: line.rank(scene)):
        line.draw(canvas, scene)
    # Highlighted routes first, which must be readable; then short lines, which have the fewest places for a
    # label.
    for line in sorted(lanes, key=lambda line: (not line.is_lit(scene), line.size)):
        line.label(canvas, scene, look)
    return canvas.lines()


def _city_style(scene: BoardScene, city: int) -> str:
    return "bold #101010 on #f2d16b" if city in scene.rings else f"bold {INK}"


@lru_cache(maxsize=64)
def place_cities(board: Board, width: int, height: int) -> tuple[Cell, ...]:
    """Return the middle cells of the cities' codes: the board scaled to the canvas, without overlaps.

    >>> from goldenspike.boards import load_board
    >>> usa = load_board("usa")
    >>> min(place_cities(usa, 80, 15)), max(place_cities(usa, 80, 15))
    ((2, 6), (77, 4))
    """
    crowding = 0.0 if _is_roomy(width, height) else _EVEN_OUT
    across = _spread([city.x for city in board.cities], crowding)
    down = _spread([city.y for city in board.cities], crowding)
    taken: list[Cell] = []
    for x, y in zip(across, down, strict=True):
        taken.append(_nearest_free((2 + x * (width - 5), y * (height - 1)), taken, width, height))
    return tuple(taken)


def _spread(places: list[float], crowding: float) -> list[float]:
    """Return coordinates from 0 to 1; the more crowding, the more evenly they are spaced.

    >>> _spread([0, 1, 10], 0.0), _spread([0, 1, 10], 1.0)
    ([0.0, 0.1, 1.0], [0.0, 0.5, 1.0])
    """
    low, high = min(places), max(places)
    order = sorted(set(places))
    last = max(len(order) - 1, 1)
    return [
        (1 - crowding) * (place - low) / ((high - low) or 1) + crowding * order.index(place) / last
        for place in places
    ]


def _is_roomy(width: int, height: int) -> bool:
    return width >= _ROOMY[0] and height >= _ROOMY[1]


def _nearest_free(wanted: Point, taken: list[Cell], width: int, height: int) -> Cell:
    """Return the cell nearest to a point where a code touches no other; a row counts as two columns."""
    cells = ((column, row) for row in range(height) for column in range(2, width - 2))
    free = [cell for cell in cells if all(abs(cell[0] - c) > CODE or abs(cell[1] - r) > 0 for c, r in taken)]
    if not free:
        return min(max(2, round(wanted[0])), width - 3), min(round(wanted[1]), height - 1)
    return min(free, key=lambda cell: math.hypot(cell[0] - wanted[0], 2 * (cell[1] - wanted[1])))


def _bundles(board: Board, is_roomy: bool) -> Iterator[tuple[tuple[Route, ...], float]]:
    """Yield the routes that are drawn as one line, and each line's offset to the side."""
    for route in board.routes:
        if route.twin is None:
            yield (route,), 0
        elif is_roomy:
            yield (route,), -0.5 if route.index < route.twin else 0.5
        elif route.index < route.twin:
            yield (route, board.routes[route.twin]), 0


class _Line:
    """A line on the canvas for one route, or for both lanes of a double."""

    def __init__(self, cities: tuple[Cell, ...], routes: tuple[Route, ...], offset: float) -> None:
        self.routes = routes
        self._length = routes[0].length
        (ax, ay), (bx, by) = cities[routes[0].a], cities[routes[0].b]
        across, down = bx - ax, by - ay
        is_flat = abs(across) >= 2 * abs(down)
        # Lanes are a whole cell apart: above each other if the line is flat, else side by side.
        aside = (0.0, offset * 1.1) if is_flat else (offset * 2.2, 0.0)
        middle = (0.5 + aside[0], 0.5 + aside[1])
        self._from, self._to = (ax + middle[0], ay + middle[1]), (bx + middle[0], by + middle[1])
        self.size = math.hypot(across, 2 * down)
        # The codes cover the ends, so the visible part is in between.
        hidden = min(0.35, (2.0 if is_flat else 0.9) / max(abs(across) if is_flat else abs(down), 1))
        self._start, self._stop = hidden, 1 - hidden

    def _at(self, t: float) -> Point:
        t = self._start + t * (self._stop - self._start)
        (ax, ay), (bx, by) = self._from, self._to
        return ax + t * (bx - ax), ay + t * (by - ay)

    def is_lit(self, scene: BoardScene) -> bool:
        """Tell whether the line is part of the highlighted path."""
        return any(route.index in scene.path for route in self.routes)

    def rank(self, scene: BoardScene) -> int:
        """Return the drawing order where lines cross: highlighted above owned above open."""
        is_owned = any(route.index in scene.owners for route in self.routes)
        return 2 if self.is_lit(scene) else int(is_owned)

    def draw(self, canvas: Canvas, scene: BoardScene) -> None:
        """Draw the line: solid if it is owned or highlighted, else with a dash for each space."""
        owners = {scene.owners.get(r.index) for r in self.routes} - {None}
        owner = min((o for o in owners if o is not None), default=None)
        is_whole = owner is not None or self.is_lit(scene)
        if self.is_lit(scene):
            style = f"bold {LIT}"
        elif owner is not None:
            style = f"bold {TOKENS[owner].colour}"
        else:
            style = FAINT if scene.path else PAINTS[self.routes[0].colour].line
        (ax, ay), (bx, by) = self._at(0), self._at(1)
        steps = 2 * math.ceil(max(abs(bx - ax) * DOTS_ACROSS, abs(by - ay) * DOTS_DOWN, 1))
        for i in range(steps + 1):
            t = i / steps
            if not is_whole and self._is_gap(t, steps / 2):
                continue
            x, y = self._at(t)
            canvas.dot(x * DOTS_ACROSS, y * DOTS_DOWN, style)
            if is_whole:
                canvas.dot(x * DOTS_ACROSS, y * DOTS_DOWN + 1, style)

    def _is_gap(self, t: float, dots: float) -> bool:
        if dots < 5 * self._length:
            return False
        place = t * self._length
        edge = abs(place - round(place)) * dots / self._length
        return edge < 1.0 and 0 < round(place) < self._length

    def label(self, canvas: Canvas, scene: BoardScene, look: Look) -> None:
        """Write the line's label where it fits, as near to its middle as possible."""
        signs = _signs(self.routes, scene, look)
        width = sum(len(text) for text, _ in signs)
        places = [
            (self._distance(column + (width - 1) / 2, row) + (0 if is_clear else _TIGHT), column, row)
            for column, row in self._cells_near(width)
            if canvas.is_free(column, row, width)
            for is_clear in (canvas.is_free(column - 1, row, width + 2),)
        ]
        if not places:
            return
        _, column, row = min(places)
        for text, style in signs:
            canvas.write(column, row, text, style)
            column += len(text)

    def _cells_near(self, width: int) -> Iterator[Cell]:
        (ax, ay), (bx, by) = self._from, self._to
        for row in range(int(min(ay, by)) - 1, int(max(ay, by)) + 2):
            for column in range(int(min(ax, bx)) - width - 1, int(max(ax, bx)) + 3):
                yield column, row

    def _distance(self, column: float, row: float) -> float:
        """Return how unsuitable a cell is for the label: far from the line, or far from its middle."""
        (ax, ay), (bx, by) = self._from, self._to
        across, down = bx - ax, 2 * (by - ay)
        x, y = column + 0.5 - ax, 2 * (row + 0.5 - ay)
        t = min(1.0, max(0.0, (x * across + y * down) / max(across**2 + down**2, 1)))
        return 2 * math.hypot(x - t * across, y - t * down) + 0.8 * abs(t - 0.5) * self.size


def _signs(routes: tuple[Route, ...], scene: BoardScene, look: Look) -> list[tuple[str, str]]:
    signs: list[tuple[str, str]] = []
    is_open = any(r.index not in scene.owners and r.index not in scene.closed for r in routes)
    if is_open:
        lit = [r for r in routes if r.index in (scene.path or scene.lit)]
        first = lit[0] if lit else routes[0]
        signs.append((str(first.length), _open_style(first, scene)))
    for route in routes:
        owner = scene.owners.get(route.index)
        if owner is not None:
            count = route.length if len(routes) == 1 else 1
            signs.append((look.token(owner) * min(count, 3), f"bold {TOKENS[owner].colour}"))
        elif route.index in scene.closed:
            signs.append((CLOSED if look.has_signs else "x", "#808080"))
        else:
            signs.append((PAINTS[route.colour].letter, _open_style(route, scene)))
    return signs


def _open_style(route: Route, scene: BoardScene) -> str:
    paint = PAINTS[route.colour]
    if route.index in scene.path:
        return f"bold {paint.chip}"
    if route.index not in scene.lit or scene.path:  # while a path is highlighted, nothing else is
        return paint.line
    # There are many grey routes, and most hands can pay for some: a chip on each would hide the others.
    return f"bold underline {paint.line}" if route.colour == GREY else f"bold {paint.chip}"


def list_board(scene: BoardScene, names: Sequence[str]) -> list[str]:
    """Return the board city by city, in alphabetical order.

    >>> from goldenspike.boards import load_board
    >>> list_board(BoardScene(load_board("usa"), owners={2: 1}), ["Ann", "Ben"])[1]
    'ATL Atlanta: CHS 2 any, MIA 5 blue, NAS 1 Ben, NOL 4 orange, NOL 4 yellow, RAL 2 any, RAL 2 any'
    """
    board = scene.board
    lines = [texts.LIST_KEY]
    for index, city in sorted(enumerate(board.cities), key=lambda each: each[1].name):
        routes = [
            _describe_route(route, index, scene, names)
            for route in board.routes
            if index in {route.a, route.b}
        ]
        lines.append(texts.CITY_LINE.format(code=city.code, city=city.name, routes=", ".join(sorted(routes))))
    return lines


def _describe_route(route: Route, city: int, scene: BoardScene, names: Sequence[str]) -> str:
    code = scene.board.cities[route.b if route.a == city else route.a].code
    owner = scene.owners.get(route.index)
    if owner is not None:
        return texts.ROUTE_OWNED.format(code=code, length=route.length, name=names[owner])
    if route.index in scene.closed:
        return texts.ROUTE_CLOSED.format(code=code, length=route.length)
    colour = texts.ANY_COLOUR if route.colour == GREY else route.colour
    return texts.ROUTE_OPEN.format(code=code, length=route.length, colour=colour)
