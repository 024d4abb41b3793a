"""A layout as a plain SVG picture, to look at."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from goldenspike.boards import Board
from goldenspike.boards.layout import Kind, Layout

_PAINTS = {
    "purple": "#9b6bb0",
    "blue": "#3d7ab5",
    "orange": "#df8a35",
    "white": "#fbf9f3",
    "green": "#5d9a4c",
    "yellow": "#e6c73c",
    "black": "#3b3a3c",
    "red": "#c2463c",
    "pink": "#d884a6",
    "brown": "#8c6645",
    "teal": "#3c9691",
    "grey": "#b3aea4",
}
_LAND, _WATER, _INK, _PAPER = "#f6efdc", "#c6d9dc", "#3a3027", "#fdfaf1"
_SHALLOWS = (("#cfe0e1", 11), ("#d9e7e6", 5))
"""Paler water along the shores, as on a printed map: colour and width of a stroke under the land."""
_SHORE = 'stroke="#8ba7aa" stroke-width=".9"'
_GROUND: dict[Kind, str] = {
    "abroad": f'fill="#e8e2cf" {_SHORE}',
    "water": f'fill="{_WATER}" {_SHORE}',
    "land": f'fill="{_LAND}" {_SHORE}',
    "park": 'fill="#dbe4c0"',
    "border": 'fill="none" stroke="#c9bb9c" stroke-width=".8" stroke-dasharray="3 2"',
    "street": 'fill="none" stroke="#e6dcc3" stroke-width="1.5"',
    "bridge": 'fill="none" stroke="#b5aa93" stroke-width="2"',
}


def draw_svg(board: Board, layout: Layout) -> str:
    """Return a picture of a layout.

    >>> from goldenspike.boards import load_board
    >>> from goldenspike.boards.layout import shipped_layout
    >>> usa = load_board("usa")
    >>> picture = draw_svg(usa, shipped_layout(usa))
    >>> picture.count("<circle"), picture.count('href="#car"')
    (36, 309)
    """
    width, height = layout.size
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" stroke-linejoin="round" stroke-linecap="round">'
    )
    parts = [*_ground(layout), *_spaces(board, layout), *_cities(layout)]
    return "\n".join([head, f"<title>{escape(board.name)}</title>", *parts, "</svg>", ""])


def _ground(layout: Layout) -> Iterator[str]:
    width, height = layout.size
    yield f'<rect width="{width}" height="{height}" fill="{_WATER if layout.land else _LAND}"/>'
    shores = [n for n, piece in enumerate(layout.land) if piece.kind in {"abroad", "land"}]
    yield "<defs>"
    yield from (f'<path id="land{n}" d="{layout.land[n].d}"/>' for n in shores)
    yield "</defs>"
    for colour, stroke in _SHALLOWS:
        yield f'<g fill="none" stroke="{colour}" stroke-width="{stroke}">'
        yield from (f'<use href="#land{n}"/>' for n in shores)
        yield "</g>"
    for n, piece in enumerate(layout.land):
        paint = _GROUND[piece.kind]
        yield f'<use href="#land{n}" {paint}/>' if n in shores else f'<path d="{piece.d}" {paint}/>'


def _spaces(board: Board, layout: Layout) -> Iterator[str]:
    length, width = layout.car
    box = f'x="{-length / 2:g}" y="{-width / 2:g}" width="{length:g}" height="{width:g}"'
    yield f'<defs><rect id="car" {box} rx="2" stroke="#2b2118" stroke-opacity=".5" stroke-width=".9"/></defs>'
    for route in board.routes:
        for x, y, angle in layout.routes[route.name]:
            place = f'transform="translate({x:g} {y:g}) rotate({angle:g})"'
            yield f'<use href="#car" fill="{_PAINTS[route.colour]}" {place}/>'


def _cities(layout: Layout) -> Iterator[str]:
    for place in layout.cities.values():
        dot = f'cx="{place.x:g}" cy="{place.y:g}" r="{layout.dot - 1:g}"'
        yield f'<circle {dot} fill="{_PAPER}" stroke="{_INK}" stroke-width="2"/>'
    font = 'font-family="Helvetica, Arial, Liberation Sans, sans-serif" font-weight="600"'
    halo = f'stroke="{_PAPER}" stroke-opacity=".8" stroke-width="3" paint-order="stroke"'
    yield f'<g {font} font-size="{layout.text:g}" fill="{_INK}" {halo}>'
    for label in (place.label for place in layout.cities.values()):
        for row, line in enumerate(label.lines):
            place = f'x="{label.x:g}" y="{label.y + row * layout.leading:g}" text-anchor="{label.anchor}"'
            yield f"<text {place}>{escape(line)}</text>"
    yield "</g>"
