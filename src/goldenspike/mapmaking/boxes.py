"""Boxes: rectangles at any angle and circles, and the gaps between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(slots=True)
class Boxes:
    """Rectangles: their centres, half lengths and widths, and unit vectors along their lengths.

    A round one is a circle with half its length as radius.
    """

    centres: Floats
    halves: Floats
    along: Floats
    is_round: Flags

    def corners(self) -> Floats:
        """Return the corners of each box, in order round it.

        >>> one = Boxes(np.zeros((1, 2)), np.array([[2.0, 1.0]]), np.array([[1.0, 0.0]]), np.array([False]))
        >>> one.corners().tolist()
        [[[2.0, 1.0], [-2.0, 1.0], [-2.0, -1.0], [2.0, -1.0]]]
        """
        length = self.along * self.halves[:, :1]
        width = turned(self.along) * self.halves[:, 1:]
        sides = [length + width, width - length, -length - width, length - width]
        return self.centres[:, None] + np.stack(sides, axis=1)


def turned(vectors: Floats) -> Floats:
    """Return vectors rotated by 90 degrees.

    >>> turned(np.array([[1.0, 0.0]])).tolist()
    [[-0.0, 1.0]]
    """
    return np.stack([-vectors[..., 1], vectors[..., 0]], axis=-1)


def all_pairs(count: int) -> tuple[Ints, Ints]:
    """Return all pairs of `count` boxes.

    >>> [numbers.tolist() for numbers in all_pairs(3)]
    [[0, 0, 1], [1, 2, 2]]
    """
    i, j = np.triu_indices(count, 1)
    return np.asarray(i, dtype=np.int64), np.asarray(j, dtype=np.int64)


def gaps(boxes: Boxes, i: Ints, j: Ints) -> tuple[Floats, Floats]:
    """Return the gaps between pairs of boxes, and the unit vectors of their directions, from i to j.

    A negative gap is the depth of an overlap. If two corners are nearest, the gap is a little less than the
    distance.

    >>> two = Boxes(np.array([[0.0, 0.0], [5.0, 0.0]]), np.ones((2, 2)), np.eye(2), np.array([False, False]))
    >>> gap, axis = gaps(two, np.array([0]), np.array([1]))
    >>> gap.tolist(), axis.tolist()
    ([3.0], [[1.0, 0.0]])
    """
    gap, axis = _box_gaps(boxes, i, j)
    rounds = np.flatnonzero(boxes.is_round[i] | boxes.is_round[j])
    gap[rounds], axis[rounds] = _round_gaps(boxes, i[rounds], j[rounds])
    return gap, axis


def _box_gaps(boxes: Boxes, i: Ints, j: Ints) -> tuple[Floats, Floats]:
    """Measure by the separating-axis test: two boxes are apart if they are along a side of one of them."""
    one, other = boxes.along[i], boxes.along[j]
    ax, ay, bx, by = one[:, 0], one[:, 1], other[:, 0], other[:, 1]
    # With c and s the cosine and sine between two boxes, a box of halves (l, w) reaches l c + w s along the
    # length of the other and l s + w c across it.
    c, s = np.abs(ax * bx + ay * by), np.abs(ax * by - ay * bx)
    al, aw = boxes.halves[i, 0], boxes.halves[i, 1]
    bl, bw = boxes.halves[j, 0], boxes.halves[j, 1]
    x = boxes.centres[j, 0] - boxes.centres[i, 0]
    y = boxes.centres[j, 1] - boxes.centres[i, 1]
    away = np.stack([x * ax + y * ay, y * ax - x * ay, x * bx + y * by, y * bx - x * by])
    reach = np.stack([al + bl * c + bw * s, aw + bl * s + bw * c, bl + al * c + aw * s, bw + al * s + aw * c])
    apart = np.abs(away) - reach
    best = np.argmax(apart, axis=0)
    columns = np.arange(len(best))
    sign = np.where(away[best, columns] < 0, -1.0, 1.0)
    ux, uy = np.where(best < 2, ax, bx) * sign, np.where(best < 2, ay, by) * sign
    is_across = best % 2 == 1
    axis = np.stack([np.where(is_across, -uy, ux), np.where(is_across, ux, uy)], axis=1)
    return apart[best, columns], axis


def _round_gaps(boxes: Boxes, i: Ints, j: Ints) -> tuple[Floats, Floats]:
    """Measure from the centre of a circle to a box; for a second circle the box is a point."""
    is_first = boxes.is_round[i]
    circle, box = np.where(is_first, i, j), np.where(is_first, j, i)
    is_point = boxes.is_round[box]
    halves = boxes.halves[box] * ~is_point[:, None]
    radius = boxes.halves[circle, 0] + boxes.halves[box, 0] * is_point
    away, along = boxes.centres[circle] - boxes.centres[box], boxes.along[box]
    local = np.stack([np.sum(away * along, axis=1), np.sum(away * turned(along), axis=1)], axis=1)
    out = np.abs(local) - halves
    deepest = out.max(axis=1)
    # Inside the box the direction is across the nearest side; outside it is from the nearest point.
    way = np.where((deepest > 0)[:, None], np.maximum(out, 0), out == deepest[:, None]) * np.where(
        local < 0, -1, 1
    )
    size = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)
    gap = np.where(deepest > 0, size, deepest) - radius
    way /= np.where(is_first, -size, size)[:, None]
    return gap, along * way[:, :1] + turned(along) * way[:, 1:]
