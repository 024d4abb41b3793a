"""Outlines of a drawing: clip to the frame, simplify, and format as SVG paths."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from goldenspike.mapmaking.boxes import Floats

_SMALLEST = 2.0
"""Minimum area of a piece of land, in square units; smaller ones are dropped."""


def cut_ring(ring: Floats, low: Floats, high: Floats) -> Floats:
    """Return the part of a ring inside a frame (Sutherland-Hodgman clipping).

    >>> ring = np.array([[-1.0, 0.0], [1.0, 0.0], [1.0, 2.0], [-1.0, 2.0]])
    >>> cut_ring(ring, np.array([0.0, 0.0]), np.array([5.0, 5.0])).tolist()
    [[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [0.0, 2.0]]
    """
    for axis, limit, sign in ((0, low[0], 1), (0, high[0], -1), (1, low[1], 1), (1, high[1], -1)):
        depth = sign * (ring[:, axis] - limit)
        before, last = np.roll(ring, 1, axis=0), np.roll(depth, 1)
        kept: list[Floats] = []
        for p, q, dp, dq in zip(before, ring, last, depth, strict=True):
            if (dp >= 0) != (dq >= 0):
                kept.append(p + (q - p) * (dp / (dp - dq)))
            if dq >= 0:
                kept.append(q)
        ring = np.array(kept).reshape(-1, 2)
        if not len(ring):
            break
    return ring


def cut_line(line: Floats, low: Floats, high: Floats) -> list[Floats]:
    """Return the parts of a line inside a frame, each with one point beyond it.

    >>> line = np.array([[1.0, 1.0], [9.0, 1.0], [9.0, 2.0], [1.0, 2.0]])
    >>> [part.tolist() for part in cut_line(line, np.array([0.0, 0.0]), np.array([5.0, 5.0]))]
    [[[1.0, 1.0], [9.0, 1.0]], [[9.0, 2.0], [1.0, 2.0]]]
    """
    is_in = np.all((line >= low) & (line <= high), axis=1).astype(np.int64)
    kept = np.maximum(is_in[:-1], is_in[1:])
    edges = np.flatnonzero(np.diff(np.pad(kept, 1)))
    return [line[start : end + 1] for start, end in zip(edges[::2], edges[1::2], strict=True)]


def round_corners(line: Floats, most: float, is_ring: bool, rounds: int = 2) -> Floats:
    """Return a line with its corners cut, by a quarter of each side or `most`, in several rounds (Chaikin).

    >>> square = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]])
    >>> round_corners(square, 1.0, True, rounds=1).tolist()[:3]
    [[1.0, 0.0], [3.0, 0.0], [4.0, 1.0]]
    """
    if not most or len(line) < 3:
        return line
    for _ in range(rounds):
        step = np.roll(line, -1, axis=0) - line
        size = np.hypot(step[:, 0], step[:, 1])[:, None]
        cut = step * np.minimum(0.25, most / np.maximum(size, 1e-12))
        ends = np.roll(line, -1, axis=0)
        cuts = np.stack([line + cut, ends - cut], axis=1).reshape(-1, 2)
        line = cuts if is_ring else np.concatenate([line[:1], cuts[1:-3], line[-1:]])
        most /= 2
    return line


def thin(line: Floats, tolerance: float) -> Floats:
    """Return a line without the points that are within a tolerance of it (Douglas-Peucker).

    >>> thin(np.array([[0.0, 0.0], [1.0, 0.01], [2.0, 0.0], [2.0, 5.0]]), 0.1).tolist()
    [[0.0, 0.0], [2.0, 0.0], [2.0, 5.0]]
    """
    keep = np.zeros(len(line), dtype=np.bool_)
    keep[[0, -1]] = True
    waiting = [(0, len(line) - 1)]
    while waiting:
        first, last = waiting.pop()
        if last - first < 2:
            continue
        chord = line[last] - line[first]
        away = line[first + 1 : last] - line[first]
        size = float(np.hypot(chord[0], chord[1]))
        off = np.abs(chord[0] * away[:, 1] - chord[1] * away[:, 0]) / size if size else np.hypot(*away.T)
        far = int(np.argmax(off))
        if off[far] > tolerance:
            middle = first + 1 + far
            keep[middle] = True
            waiting += [(first, middle), (middle, last)]
    return line[keep]


def thin_ring(ring: Floats, tolerance: float) -> Floats:
    """Return a simplified ring; empty if it is tiny."""
    if len(ring) < 3 or _area(ring) < _SMALLEST:
        return ring[:0]
    start = int(np.argmin(ring[:, 0] + ring[:, 1]))  # a corner, which is kept
    round_trip = np.concatenate([np.roll(ring, -start, axis=0), ring[start][None]])
    return thin(round_trip, tolerance)[:-1]


def _area(ring: Floats) -> float:
    x, y = ring.T
    return abs(float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))) / 2


def format_path(lines: Iterable[Floats], is_closed: bool) -> str:
    """Return lines as an SVG path with one decimal and relative points.

    >>> format_path([np.array([[1.0, 2.0], [3.25, 1.5], [3.0, 1.0]])], True)
    'M1 2l2.2-.5-.2-.5z'
    """
    parts: list[str] = []
    for line in lines:
        tenths = np.rint(line * 10).astype(np.int64)
        if len(tenths) < 2:
            continue
        (x, y), steps = tenths[0], np.diff(tenths, axis=0)
        numbers = [_number(int(step)) for pair in steps if pair.any() for step in pair]
        if numbers:
            start = f"M{_number(int(x))}{_number(int(y), ' ')}l"
            parts.append(
                start + numbers[0] + "".join(_joined(n) for n in numbers[1:]) + ("z" if is_closed else "")
            )
    return "".join(parts)


def _number(tenths: int, gap: str = "") -> str:
    whole, part = divmod(abs(tenths), 10)
    text = f"{whole or ''}.{part}" if part else str(whole)
    return f"-{text}" if tenths < 0 else gap + text


def _joined(number: str) -> str:
    return number if number.startswith("-") else f" {number}"
