"""The map projection: Albers' equal-area conic projection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_FLATTEST = 0.02
"""Below this, the cone is nearly a cylinder, and its formulas lose precision."""


@dataclass(frozen=True, slots=True)
class Projection:
    """A projection of a part of the world: x to the east, y to the south, in earth radii.

    `middle` is the central meridian, `cone` the cone constant; `size` and `base` position the parallels.
    """

    middle: float
    cone: float
    size: float
    base: float

    def __call__(self, lon: Floats, lat: Floats) -> Floats:
        """Return the projected points."""
        east = np.radians((lon - self.middle + 180.0) % 360.0 - 180.0)
        if self.cone == 0.0:  # near the equator a cylinder is enough
            return np.stack([east * self.size, self.base - np.sin(np.radians(lat)) / self.size], axis=-1)
        radius = np.sqrt(np.maximum(self.size - 2 * self.cone * np.sin(np.radians(lat)), 0.0)) / self.cone
        angle = self.cone * east
        return np.stack([radius * np.sin(angle), radius * np.cos(angle) - self.base], axis=-1)


def find_projection(lon: Sequence[float], lat: Sequence[float]) -> Projection:
    """Return the projection for some places; its standard parallels are a sixth from their range's ends.

    >>> usa = find_projection([-123.1, -71.1], [25.8, 51.0])
    >>> np.round(usa(np.array([-71.1]), np.array([38.4])), 3).tolist()
    [[0.347, -0.049]]
    """
    middle = _middle_longitude(np.asarray(lon, dtype=np.float64))
    south, north = np.radians(min(lat)), np.radians(max(lat))
    one, two = south + (north - south) / 6, north - (north - south) / 6
    cone = float((np.sin(one) + np.sin(two)) / 2)
    if abs(cone) < _FLATTEST:
        return Projection(middle, 0.0, float(np.cos((one + two) / 2)), 0.0)
    size = float(np.cos(one) ** 2 + 2 * cone * np.sin(one))
    base = float(np.sqrt(size - 2 * cone * np.sin((south + north) / 2)) / cone)
    return Projection(middle, cone, size, base)


def _middle_longitude(lon: Floats) -> float:
    """Return the middle of the shortest range of all longitudes, which may cross the date line."""
    around = np.sort(lon % 360.0)
    gaps = np.diff(np.append(around, around[0] + 360.0))
    widest = int(np.argmax(gaps))
    start = around[(widest + 1) % len(around)]
    return float((start + (360.0 - gaps[widest]) / 2 + 180.0) % 360.0 - 180.0)
