"""A layout as an SVG picture: the empty board, or a game on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from xml.sax.saxutils import escape

from goldenspike.boards import Board
from goldenspike.boards.layout import BoardLayout, Kind

PAINTS = {
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
"""The drawing colours of route colours."""
_LAND, _INK = "#f6efdc", "#3a3027"
WATER, PAPER = "#c6d9dc", "#fdfaf1"
_SHALLOWS = (("#cfe0e1", 11), ("#d9e7e6", 5))
"""Paler water along the shores, as on a printed map: colour and width of a stroke under the land."""
_SHORE = 'stroke="#8ba7aa" stroke-width=".9"'
_GROUND: dict[Kind, str] = {
    "abroad": f'fill="#e8e2cf" {_SHORE}',
    "water": f'fill="{WATER}" {_SHORE}',
    "land": f'fill="{_LAND}" {_SHORE}',
    "park": 'fill="#dbe4c0"',
    "river": 'fill="none" stroke="#9fbdc1" stroke-width="1.3"',
    "border": 'fill="none" stroke="#c9bb9c" stroke-width=".8" stroke-dasharray="3 2"',
    "lane": 'fill="none" stroke="#ece3cd" stroke-width=".8"',
    "street": 'fill="none" stroke="#e6dcc3" stroke-width="1.5"',
    "pier": 'fill="none" stroke="#d8cdb4" stroke-width="2" stroke-linecap="butt"',
    "bridge": 'fill="none" stroke="#b5aa93" stroke-width="2"',
    "relief": f'fill="{_LAND}" stroke="#b9a887" stroke-width=".8"',
}
_SEATS = (
    ("#1f4e9e", "#ffffff", "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z"),
    ("#c0241c", "#ffffff", "M12 3l9 17H3z"),
    ("#1a7d5c", "#ffffff", "M4 4h16v16H4z"),
    ("#e0a800", "#2f2400", "M12 3l9 9-9 9-9-9z"),
    ("#22262a", "#ffffff", "M9 3h6v6h6v6h-6v6H9v-6H3V9h6z"),
)
"""The style of each seat, as in the browser client: colour, ink, and a shape in a box of 24 by 24."""
_LETTER = 0.6
"""Upper estimate of the average width of a letter, for a text size of 1."""
_FONT = 'font-family="Helvetica, Arial, Liberation Sans, sans-serif"'


def draw_svg(
    board: Board,
    layout: BoardLayout,
    *,
    owners: Mapping[str, int] | None = None,
    caption: str = "",
    seats: Sequence[str] = (),
) -> str:
    """Return a picture of a layout.

    `owners` gives the owning seat of routes by name. `caption` is written below the board, followed by a line
    for each of `seats`, with its mark.

    >>> from goldenspike.boards import load_board
    >>> from goldenspike.boards.layout import shipped_layout
    >>> usa = load_board("usa")
    >>> picture = draw_svg(usa, shipped_layout(usa))
    >>> picture.count("<circle"), picture.count('href="#usa-car"')
    (36, 309)
    >>> picture = draw_svg(usa, shipped_layout(usa), owners={"ELP-LAX": 1}, caption="Ben leads")
    >>> picture.count('href="#usa-car"'), picture.count('href="#usa-train1"')
    (303, 6)
    """
    width, height = layout.size
    board_height, line = height, 2 * layout.text
    height += round(line * (len(seats) + 1.6)) if caption else 0
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" style="max-width: 100%; height: auto" '
        'stroke-linejoin="round" stroke-linecap="round">'
    )
    # Ids contain the board's id, because a notebook page may have pictures of several boards.
    parts = [*_ground(layout), *_spaces(board, layout, owners or {}), *_cities(layout)]
    if caption:
        parts += [
            f'<rect y="{board_height}" width="{width}" height="{height - board_height}" fill="{PAPER}"/>'
        ]
        parts += _caption(layout, board_height + line, [caption, *seats])
    return "\n".join([head, f"<title>{escape(board.name)}</title>", *parts, "</svg>", ""])


def _ground(layout: BoardLayout) -> Iterator[str]:
    width, height = layout.size
    yield f'<rect width="{width}" height="{height}" fill="{WATER if layout.land else _LAND}"/>'
    shores = [n for n, piece in enumerate(layout.land) if piece.kind in {"abroad", "land"}]
    yield "<defs>"
    yield from (f'<path id="{layout.board}-land{n}" d="{layout.land[n].d}"/>' for n in shores)
    yield "</defs>"
    for colour, stroke in _SHALLOWS:
        yield f'<g fill="none" stroke="{colour}" stroke-width="{stroke}">'
        yield from (f'<use href="#{layout.board}-land{n}"/>' for n in shores)
        yield "</g>"
    for n, piece in enumerate(layout.land):
        paint = _GROUND[piece.kind]
        shown = f'use href="#{layout.board}-land{n}"' if n in shores else f'path d="{piece.d}"'
        yield f"<{shown} {paint}/>"


def _spaces(board: Board, layout: BoardLayout, owners: Mapping[str, int]) -> Iterator[str]:
    length, width = layout.car
    box = f'x="{-length / 2:g}" y="{-width / 2:g}" width="{length:g}" height="{width:g}"'
    edge = 'rx="2" stroke="#2b2118" stroke-opacity=".5" stroke-width=".9"'
    yield f'<defs><rect id="{board.id}-car" {box} {edge}/>'
    for seat in sorted(set(owners.values())):
        yield _train(f"{board.id}-train{seat}", seat, length, width)
    yield "</defs>"
    # Trains are wider than their spaces, so they are drawn after all spaces.
    for route in sorted(board.routes, key=lambda route: route.name in owners):
        owner = owners.get(route.name)
        what = f'car" fill="{PAINTS[route.colour]}' if owner is None else f"train{owner}"
        for x, y, angle in layout.routes[route.name]:
            place = f'transform="translate({x:g} {y:g}) rotate({angle:g})"'
            yield f'<use href="#{board.id}-{what}" {place}/>'


def _train(name: str, seat: int, length: float, width: float) -> str:
    fill, ink, shape = _SEATS[seat]
    box = f'x="{-0.47 * length:g}" y="{-0.57 * width:g}" width="{0.94 * length:g}" height="{1.14 * width:g}"'
    edge = f'rx="{0.34 * width:g}" fill="{fill}" stroke="{PAPER}" stroke-width="{0.2 * width:g}"'
    mark = f'<path d="{shape}" fill="{ink}" transform="scale({0.86 * width / 24:g}) translate(-12 -12)"/>'
    return f'<g id="{name}"><rect {box} {edge}/>{mark}</g>'


def _caption(layout: BoardLayout, y: float, lines: Sequence[str]) -> Iterator[str]:
    size, left = 1.25 * layout.text, layout.text
    yield f'<g {_FONT} fill="{_INK}">'
    for row, line in enumerate(lines):
        bottom, x = y + 2 * layout.text * row, left
        if row:
            fill, ink, shape = _SEATS[row - 1]
            mark = f'<rect width="24" height="24" rx="6" fill="{fill}"/>'
            mark += f'<path d="{shape}" fill="{ink}" transform="translate(5 5) scale(.583)"/>'
            place = f"translate({left:g} {bottom - size:g}) scale({1.25 * size / 24:g})"
            yield f'<g transform="{place}">{mark}</g>'
            x += 1.8 * size
        weight = "" if row else ' font-weight="600"'
        fitting = min(size, (layout.size[0] - x - left) / (_LETTER * len(line)))
        yield f'<text x="{x:g}" y="{bottom:g}" font-size="{fitting:.3g}"{weight}>{escape(line)}</text>'
    yield "</g>"


def _cities(layout: BoardLayout) -> Iterator[str]:
    for place in layout.cities.values():
        dot = f'cx="{place.x:g}" cy="{place.y:g}" r="{layout.dot - 1:g}"'
        yield f'<circle {dot} fill="{PAPER}" stroke="{_INK}" stroke-width="2"/>'
    font = f'{_FONT} font-weight="600"'
    halo = f'stroke="{PAPER}" stroke-opacity=".8" stroke-width="3" paint-order="stroke"'
    yield f'<g {font} font-size="{layout.text:g}" fill="{_INK}" {halo}>'
    for label in (place.label for place in layout.cities.values()):
        for row, line in enumerate(label.lines):
            place = f'x="{label.x:g}" y="{label.y + row * layout.leading:g}" text-anchor="{label.anchor}"'
            yield f"<text {place}>{escape(line)}</text>"
    yield "</g>"
