"""Means with 95 % confidence intervals; the sample is the deal, because its games share their cards."""

from __future__ import annotations

from math import isnan, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_Z = 1.959964
_SMALL = {1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764, 5: 2.5706, 6: 2.4469}
"""Student's t for small samples, where the expansion below is inexact."""


class Estimate(NamedTuple):
    """A mean and half the width of its 95 % confidence interval; NaN without data."""

    mean: float
    half: float

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.mean - self.half

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.mean + self.half

    def excludes(self, value: float) -> bool:
        """Tell whether a value is outside the interval."""
        return not isnan(self.half) and abs(self.mean - value) > self.half

    def show(self, digits: int = 1, scale: float = 1.0, unit: str = "", plus: bool = False) -> str:
        """Return it as text.

        >>> Estimate(0.5312, 0.0123).show(1, 100, "%")
        '53.1% ± 1.2'
        """
        if isnan(self.mean):
            return "-"
        sign = "+" if plus else ""
        half = "" if isnan(self.half) else f" ± {self.half * scale:.{digits}f}"
        return f"{self.mean * scale:{sign}.{digits}f}{unit}{half}"


NOTHING = Estimate(nan, nan)


def student_t(freedom: int) -> float:
    """Return the two-sided 95 % quantile of Student's distribution (Cornish-Fisher expansion).

    >>> [round(student_t(n), 3) for n in (1, 5, 30, 100000)]
    [12.706, 2.571, 2.042, 1.96]
    """
    if freedom in _SMALL:
        return _SMALL[freedom]
    z, n = _Z, freedom
    first = (z**3 + z) / (4 * n)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    return z + first + second + third


def estimate(values: Any, deals: Any) -> Estimate:
    """Return the mean of values, each belonging to a deal.

    Deals are the samples; NaN values are ignored. Deals may have different numbers of values (a ratio
    estimator, its variance by linearisation).

    >>> estimate([1, 1, 3, 3, 5, 5], [0, 0, 1, 1, 2, 2]).show()
    '3.0 ± 5.0'
    """
    values, deals = np.asarray(values, float), np.asarray(deals)
    seen = ~np.isnan(values)
    if not seen.any():
        return NOTHING
    mean, pulls = _pull(values, seen, deals)
    return _interval(mean, pulls, len(np.unique(deals[seen])))


def estimate_share(values: Any, deals: Any) -> Estimate:
    """Return the mean of values between 0 and 1.

    If all are 0 or all are 1, the variance is 0, and the interval is that of the rule of three.

    >>> estimate_share([1.0] * 300, range(300)).show(1, 100, "%")
    '100.0% ± 1.0'
    """
    result = estimate(values, deals)
    if result.mean in {0.0, 1.0} and not isnan(result.half):
        return Estimate(result.mean, min(1.0, 3 / len(np.unique(np.asarray(deals)))))
    return result


def difference(values: Any, chosen: Any, deals: Any) -> Estimate:
    """Return how much higher the mean of the chosen values is than that of the others.

    >>> difference([5, 1, 6, 1, 4, 1], [True, False] * 3, [0, 0, 1, 1, 2, 2]).show()
    '4.0 ± 2.5'
    """
    values, chosen, deals = np.asarray(values, float), np.asarray(chosen, bool), np.asarray(deals)
    seen = ~np.isnan(values)
    if not (seen & chosen).any() or not (seen & ~chosen).any():
        return NOTHING
    mean, pulls = _pull(values, seen & chosen, deals)
    other, other_pulls = _pull(values, seen & ~chosen, deals)
    return _interval(mean - other, pulls - other_pulls, len(np.unique(deals[seen & chosen])))


def _pull(values: Floats, which: NDArray[np.bool_], deals: NDArray[np.int64]) -> tuple[float, Floats]:
    """Return the mean of some values, and each deal's deviation from it (its influence)."""
    places, size = deals[which], int(deals.max()) + 1
    counts = np.bincount(places, minlength=size)
    mean = float(values[which].mean())
    return mean, (np.bincount(places, values[which], size) - mean * counts) / counts.sum()


def _interval(mean: float, pulls: Floats, samples: int) -> Estimate:
    if samples < 2:
        return Estimate(mean, nan)
    variance = float(pulls @ pulls) * samples / (samples - 1)
    return Estimate(mean, student_t(samples - 1) * sqrt(variance))
