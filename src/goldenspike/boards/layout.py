"""Layouts: positions of everything on a drawn board, as a JSON file next to the board file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from goldenspike.datafiles.source import digest_of

if TYPE_CHECKING:
    from goldenspike.boards.model import Board

LAYOUT_FORMAT = 1
LAYOUT_SUFFIX = ".layout.json"
_FOLDER = Path(__file__).parent
_AGAIN = "compute it again from the board file with: goldenspike board layout FILE"

Anchor = Literal["start", "middle", "end"]
Kind = Literal[
    "abroad", "water", "land", "park", "river", "border", "lane", "street", "pier", "bridge", "relief"
]
Space = tuple[float, float, float]
"""The centre of a space, and its angle: degrees clockwise from horizontal, from -90 to 90."""


class LayoutError(ValueError):
    """A layout that cannot be used; the message says why and what to do."""


class CityLabel(msgspec.Struct, frozen=True, kw_only=True):
    """A city's label: its lines, the baseline point of the first line, and the text anchor at that point.

    `width` is the width of the longest line at the layout's text size.
    """

    x: float
    y: float
    anchor: Anchor
    lines: tuple[str, ...]
    width: float


class CityPlace(msgspec.Struct, frozen=True, kw_only=True):
    """The position of a city and of its label."""

    x: float
    y: float
    label: CityLabel


class Land(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of the background: its kind and its outline as an SVG path. Later pieces cover earlier ones."""

    kind: Kind
    d: str


class BoardLayout(msgspec.Struct, frozen=True, kw_only=True):
    """The positions of everything on a drawn board, in its own units from the top left corner.

    `digest` identifies what it was made from: names, places and routes. `car` is the length and width of a
    space, `dot` the radius of a city, `text` the text size of labels, `leading` the distance between lines of
    a label. Cities are keyed by code and routes by name. A route's spaces go from its first city to its
    second.
    """

    format: int
    board: str
    digest: str
    size: tuple[int, int]
    car: tuple[float, float]
    dot: float
    text: float
    leading: float
    cities: dict[str, CityPlace]
    routes: dict[str, list[Space]]
    land: list[Land]
    credits: list[str]


def drawing_digest(board: Board) -> str:
    """Return the digest of what a layout is made from: cities with names and places, and routes.

    It changes with anything that affects the drawing; the board's own digest covers only the rules.

    >>> from goldenspike.boards import load_board
    >>> drawing_digest(load_board("usa")) == drawing_digest(load_board("first-journey"))
    False
    """
    is_in_world = all(city.lon is not None and city.lat is not None for city in board.cities)
    places = [(city.lon, city.lat) if is_in_world else (city.x, city.y) for city in board.cities]
    return digest_of(
        {
            "cities": [[c.code, c.name, *place] for c, place in zip(board.cities, places, strict=True)],
            "routes": [[route.name, route.a, route.b, route.length] for route in board.routes],
        }
    )


def check_layout(layout: BoardLayout, board: Board, name: str = "the layout") -> None:
    """Raise `LayoutError` unless a layout was made from this version of the board and is complete.

    >>> from goldenspike.boards import load_board
    >>> check_layout(shipped_layout(load_board("usa")), load_board("new-york"))
    Traceback (most recent call last):
    goldenspike.boards.layout.LayoutError: the layout: it was not made from this board as it is now; ...
    """
    if layout.format != LAYOUT_FORMAT:
        raise LayoutError(f"{name}: format {layout.format} is not one this version reads; {_AGAIN}")
    if layout.digest != drawing_digest(board):
        raise LayoutError(f"{name}: it was not made from this board as it is now; {_AGAIN}")
    wrong = [city.code for city in board.cities if city.code not in layout.cities]
    wrong += [r.name for r in board.routes if len(layout.routes.get(r.name, ())) != r.length]
    if wrong:
        raise LayoutError(f"{name}: {wrong[0]} is missing, or has not as many spaces as it should; {_AGAIN}")


def load_layout(path: Path, board: Board) -> BoardLayout:
    """Return the layout in a file; raise `LayoutError` if it is not a layout or does not fit the board."""
    try:
        layout = msgspec.json.decode(path.read_bytes(), type=BoardLayout)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise LayoutError(f"{path}: this is not a layout ({error}); {_AGAIN}") from None
    check_layout(layout, board, str(path))
    return layout


def shipped_layout(board: Board) -> BoardLayout | None:
    """Return the layout that the package has for a board, or None.

    >>> from goldenspike.boards import load_board
    >>> shipped_layout(load_board("new-york")).car
    (42.0, 14.0)
    """
    try:
        return find_layout(board, _FOLDER)
    except LayoutError:  # a custom board with the id of a packaged one
        return None


def find_layout(board: Board, folder: Path) -> BoardLayout | None:
    """Return the layout in a folder that has the board's id, or None.

    Raise `LayoutError` if it does not fit the board.
    """
    path = folder / f"{board.id}{LAYOUT_SUFFIX}"
    return load_layout(path, board) if path.is_file() else None


def format_layout(layout: BoardLayout) -> str:
    """Return a layout as the text of its file: one line for each city, route and background piece."""
    fields = msgspec.json.decode(msgspec.json.encode(layout), type=dict[str, msgspec.Raw])
    return _lines("{", [f'"{key}":{_field(key, value)}' for key, value in fields.items()], "}") + "\n"


def _field(key: str, value: msgspec.Raw) -> str:
    if key in {"cities", "routes"}:
        table = msgspec.json.decode(value, type=dict[str, msgspec.Raw])
        return _lines("{", [f'"{name}":{bytes(row).decode()}' for name, row in table.items()], "}")
    if key == "land":
        return _lines(
            "[", [bytes(row).decode() for row in msgspec.json.decode(value, type=list[msgspec.Raw])], "]"
        )
    return bytes(value).decode()


def _lines(start: str, rows: list[str], end: str) -> str:
    return "\n".join([start, ",\n".join(rows), end]) if rows else start + end
