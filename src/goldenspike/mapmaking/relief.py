"""Hills of a board: small engraved marks along ridges, where nothing else is drawn."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from goldenspike.mapmaking.boxes import Boxes, Floats, gaps

_STEP = 1.5
"""The distance from one hill to the next along a ridge, in sizes of a hill."""
_CLEAR = 0.12
"""The least distance of a hill from spaces, dots and names, in sizes of a hill."""
_OUTLINE = np.array(
    [[-1.0, 0.5], [-0.55, 0.16], [-0.26, -0.3], [0.0, -0.62], [0.22, -0.3], [0.56, 0.12], [1.0, 0.5]]
)
"""A hill of size 1: up its lit side and down its shaded side."""
_SHADING = (((0.06, -0.42), (0.02, 0.1)), ((0.26, -0.16), (0.24, 0.34)), ((0.5, 0.14), (0.52, 0.46)))
"""Strokes on the shaded side, from top to bottom."""


def draw_hills(ridges: Iterable[Floats], size: float, taken: Boxes) -> list[Floats]:
    """Return the strokes of hills along ridges, the northern ones first, so that nearer ones cover them.

    `size` is half the width of an average hill. Hills that would touch anything in `taken`, or each other,
    are left out. The same ridges give the same hills.

    >>> none = Boxes(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0, np.bool_))
    >>> ridge = np.array([[0.0, 0.0], [60.0, 0.0]])
    >>> strokes = draw_hills([ridge], 10.0, none)
    >>> len(strokes) // 4, strokes[0].shape
    (3, (7, 2))
    """
    random = np.random.default_rng(1869)
    placed: list[tuple[float, float, float]] = []
    for ridge in ridges:
        for x, y in _spread(ridge, _STEP * size):
            dx, dy, scale = random.uniform(-0.3, 0.3), random.uniform(-0.35, 0.35), random.uniform(0.8, 1.2)
            hill = (x + dx * size, y + dy * size, scale * size)
            if _is_free(hill, taken) and all(_are_apart(hill, other) for other in placed):
                placed.append(hill)
    strokes: list[Floats] = []
    for x, y, scale in sorted(placed, key=lambda hill: hill[1]):
        outline = _OUTLINE + random.uniform(-0.06, 0.06, _OUTLINE.shape)
        strokes += [np.array(line) * scale + (x, y) for line in (outline, *_SHADING)]
    return strokes


def _spread(line: Floats, step: float) -> Floats:
    """Return points along a line, about a step apart; one in the middle if the line is short."""
    steps = np.hypot(*np.diff(line, axis=0).T)
    reached = np.concatenate([np.zeros(1), np.cumsum(steps)])
    total = float(reached[-1])
    count = round(total / step) + 1
    at = total * (np.arange(count) / (count - 1) if count > 1 else np.full(1, 0.5))
    return np.stack([np.interp(at, reached, line[:, 0]), np.interp(at, reached, line[:, 1])], axis=1)


def _are_apart(one: tuple[float, float, float], other: tuple[float, float, float]) -> bool:
    reach = (one[2] + other[2]) / 2
    return abs(one[0] - other[0]) > 1.35 * reach or abs(one[1] - other[1]) > 0.8 * reach


def _is_free(hill: tuple[float, float, float], taken: Boxes) -> bool:
    x, y, size = hill
    count = len(taken.centres)
    box = Boxes(
        np.concatenate([taken.centres, [[x, y]]]),
        np.concatenate([taken.halves, [[(1 + _CLEAR) * size, (0.56 + _CLEAR) * size]]]),
        np.concatenate([taken.along, [[1.0, 0.0]]]),
        np.concatenate([taken.is_round, [False]]),
    )
    gap, _ = gaps(box, np.arange(count), np.full(count, count))
    return bool((gap > 0).all())
