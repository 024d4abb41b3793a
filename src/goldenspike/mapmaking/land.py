"""The background of a board: coasts, rivers, hills and borders, warped to match the drawn cities."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from goldenspike.boards.layout import Kind, Land
from goldenspike.mapmaking.boxes import Boxes, Floats
from goldenspike.mapmaking.paths import cut_line, cut_ring, format_path, round_corners, thin, thin_ring
from goldenspike.mapmaking.relief import draw_hills

_FOLDER = Path(__file__).parent / "land"
_SETS = (
    ("new-york.toml",),
    ("north-america.json", "lakes.toml", "america-terrain.toml"),
    ("world.json", "world-terrain.toml"),
)
"""Sets of files, the most detailed first. A set is used if all cities are in the window of its first file."""
_LAYERS = (
    *("abroad", "water", "land", "lake", "park", "river", "border"),
    *("lane", "street", "pier", "bridge", "relief"),
)
"""Layers in drawing order. `water` is below the land and visible where there is none; `lake` is above it."""
_LINES = {"river", "border", "lane", "street", "pier", "bridge", "relief"}
_OVERHANG = 6.0
"""How far the background extends beyond the frame, so that its edge is not visible."""
_TOLERANCE = 0.3
"""Maximum distance of a simplified outline from the exact one, in drawing units."""
_DENSE = 0.005
"""Maximum distance between points of an outline, as a fraction of the window, so that it follows the warp."""


GroundKind = Kind | Literal["lake"]


class _Piece(msgspec.Struct):
    kind: GroundKind
    lines: list[list[float]]


class _File(msgspec.Struct):
    window: tuple[float, float, float, float]
    credits: list[str]
    shapes: list[_Piece]
    rounding: float = 0.0


@dataclass(frozen=True, slots=True)
class Ground:
    """Pieces of the world, each with its layer and its lines in longitudes and latitudes; and the credits."""

    pieces: tuple[tuple[GroundKind, tuple[Floats, ...]], ...]
    credits: tuple[str, ...]


def find_ground(lon: Floats, lat: Floats) -> Ground | None:
    """Return the most detailed background for some positions, or None if they are NaN.

    >>> find_ground(np.array([-74.0]), np.array([40.7])).credits
    ('Shores, parks and streets of New York drawn by hand for Golden Spike.',)
    """
    for names in _SETS:
        west, south, east, north = _read(names[0]).window
        if ((lon >= west) & (lon <= east) & (lat >= south) & (lat <= north)).all():
            return _ground(names)
    return None


@cache
def _read(name: str) -> _File:
    data = (_FOLDER / name).read_bytes()
    if name.endswith(".json"):
        return msgspec.json.decode(data, type=_File)
    return msgspec.convert(tomllib.loads(data.decode()), type=_File)


@cache
def _ground(names: tuple[str, ...]) -> Ground:
    pieces: list[tuple[GroundKind, tuple[Floats, ...]]] = []
    for file in map(_read, names):
        west, _, east, _ = file.window
        for piece in file.shapes:
            is_ring = piece.kind not in _LINES
            lines = [np.array(line, dtype=np.float64).reshape(-1, 2) for line in piece.lines]
            rounded = [round_corners(line, file.rounding, is_ring) for line in lines]
            pieces.append(
                (piece.kind, tuple(_dense(line, _DENSE * (east - west), is_ring) for line in rounded))
            )
    pieces.sort(key=lambda piece: _LAYERS.index(piece[0]))
    return Ground(tuple(pieces), tuple(credit for name in names for credit in _read(name).credits))


def _dense(line: Floats, step: float, is_ring: bool) -> Floats:
    """Return a line with points added, so that none is farther than a step from the next."""
    ends = np.roll(line, -1, axis=0)
    parts: list[Floats] = []
    for p, q in zip(line, ends, strict=True):
        count = max(1, int(np.ceil(float(np.hypot(*(q - p))) / step)))
        parts.append(p + (q - p) * (np.arange(count) / count)[:, None])
    if not is_ring:
        parts[-1] = line[-1:]
    return np.concatenate(parts)


def draw_ground(
    ground: Ground, place: Callable[[Floats], Floats], size: tuple[int, int], hill: float, taken: Boxes
) -> list[Land]:
    """Return the background as pieces of a drawing; `place` maps longitudes and latitudes to it.

    `hill` is the size of a hill; no hill touches anything in `taken`.
    """
    low, high = np.full(2, -_OVERHANG), np.array(size) + _OVERHANG
    drawn: list[Land] = []
    for name, lines in ground.pieces:
        placed = [place(line) for line in lines]
        kind: Kind = "water" if name == "lake" else name
        if name in _LINES:
            parts = [part for line in placed for part in cut_line(line, low, high)]
            parts = (
                draw_hills(parts, hill, taken) if name == "relief" else [thin(p, _TOLERANCE) for p in parts]
            )
        else:
            parts = [thin_ring(cut_ring(line, low, high), _TOLERANCE) for line in placed]
        path = format_path(parts, is_closed=name not in _LINES)
        if path and drawn and drawn[-1].kind == kind:
            drawn[-1] = Land(kind=kind, d=drawn[-1].d + path)
        elif path:
            drawn.append(Land(kind=kind, d=path))
    return drawn
