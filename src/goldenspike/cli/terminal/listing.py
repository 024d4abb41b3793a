"""The board as a list, for terminals that show no picture and for ears: every city with its routes."""

from __future__ import annotations

from collections.abc import Sequence

from goldenspike.boards.limits import GREY
from goldenspike.boards.model import Route
from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.drawing import Scene


def list_board(scene: Scene, names: Sequence[str]) -> list[str]:
    """Return the board city by city, in alphabetical order.

    >>> from goldenspike.boards import load_board
    >>> list_board(Scene(load_board("usa"), owners={2: 1}), ["Ann", "Ben"])[1]
    'ATL Atlanta: CHS 2 any, MIA 5 blue, NAS 1 Ben, NOL 4 orange, NOL 4 yellow, RAL 2 any, RAL 2 any'
    """
    board = scene.board
    lines = [texts.LIST_KEY]
    for index, city in sorted(enumerate(board.cities), key=lambda each: each[1].name):
        routes = [
            _describe(route, index, scene, names) for route in board.routes if index in {route.a, route.b}
        ]
        lines.append(texts.CITY_LINE.format(code=city.code, city=city.name, routes=", ".join(sorted(routes))))
    return lines


def _describe(route: Route, city: int, scene: Scene, names: Sequence[str]) -> str:
    code = scene.board.cities[route.b if route.a == city else route.a].code
    owner = scene.owners.get(route.index)
    if owner is not None:
        return texts.ROUTE_OWNED.format(code=code, length=route.length, name=names[owner])
    if route.index in scene.closed:
        return texts.ROUTE_CLOSED.format(code=code, length=route.length)
    colour = texts.ANY_COLOUR if route.colour == GREY else route.colour
    return texts.ROUTE_OPEN.format(code=code, length=route.length, colour=colour)
