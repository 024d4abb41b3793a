"""Warp the land to match the drawn cities: the smoothest map from true to drawn places."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from goldenspike.mapmaking.boxes import Floats

_LEAST = 0.1
"""Land may shrink to no less than a tenth."""


@dataclass(frozen=True, slots=True)
class Warp:
    """A thin-plate spline from true places to drawn ones."""

    knots: Floats
    pulls: Floats
    frame: Floats

    def __call__(self, points: Floats) -> Floats:
        """Return the positions of points on the drawing."""
        ones = np.concatenate([np.ones((len(points), 1)), points], axis=1)
        return ones @ self.frame + _bend(points, self.knots) @ self.pulls

    def stretches(self, points: Floats) -> Floats:
        """Return the local area factor at each point; below zero the land is folded."""
        step = 1e-3 * float(np.ptp(self.knots))
        east, south = step * np.eye(2)
        by_x = self(points + east) - self(points - east)
        by_y = self(points + south) - self(points - south)
        return (by_x[:, 0] * by_y[:, 1] - by_x[:, 1] * by_y[:, 0]) / (2 * step) ** 2


def find_warp(true: Floats, drawn: Floats, stiffness: float = 0.0) -> Warp:
    """Return the warp from true to drawn places; higher stiffness makes it smoother but less exact.

    >>> square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> np.round(find_warp(square, square * 2)(np.array([[0.5, 0.5]])), 6).tolist()
    [[1.0, 1.0]]
    """
    n = len(true)
    scale = float(np.ptp(true)) ** 2
    table = np.zeros((n + 3, n + 3))
    table[:n, :n] = _bend(true, true) + stiffness * scale * np.eye(n)
    table[:n, n] = table[n, :n] = 1.0
    table[:n, n + 1 :] = true
    table[n + 1 :, :n] = true.T
    right = np.concatenate([drawn, np.zeros((3, 2))])
    solved = np.asarray(np.linalg.lstsq(table, right, rcond=None)[0], dtype=np.float64)
    return Warp(true, solved[:n], solved[n:])


def _bend(points: Floats, knots: Floats) -> Floats:
    squares = np.sum((points[:, None] - knots[None]) ** 2, axis=2)
    return squares * np.log(np.maximum(squares, 1e-12))


def find_even_warp(true: Floats, drawn: Floats, corner: Floats, size: tuple[int, int]) -> Warp:
    """Return the most exact warp that does not fold the land anywhere in a frame."""
    steps = np.stack(np.meshgrid(np.linspace(0, 1, 50), np.linspace(0, 1, 40)), axis=-1).reshape(-1, 2)
    grid = corner + steps * np.array(size)
    back = find_warp(drawn, true)(grid)
    for stiffness in (0.0, 1e-4, 1e-3, 1e-2, 1e-1):
        warp = find_warp(true, drawn, stiffness)
        if float(warp.stretches(back).min()) > _LEAST:
            return warp
    return find_warp(true, drawn, 1e3)  # practically linear
