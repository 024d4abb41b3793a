"""Figures of a benchmark: the best and the median of several runs."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import NamedTuple


class Figure(NamedTuple):
    """One figure: the best and the median of several runs, and what it should be."""

    name: str
    best: float
    median: float
    unit: str
    goal: str = ""

    @staticmethod
    def show(value: float) -> str:
        """Return a figure with as many digits as can be trusted."""
        return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def rates(count: float, repeat: int, act: Callable[[], object]) -> tuple[float, float]:
    """Return the best and the median number of things done in a second."""
    rates: list[float] = []
    for _ in range(repeat):
        start = time.perf_counter()
        act()
        rates.append(count / (time.perf_counter() - start))
    return max(rates), statistics.median(rates)


def times(repeat: int, act: Callable[[], object]) -> tuple[float, float]:
    """Return the shortest and the median time it takes, in seconds."""
    best, median = rates(1, repeat, act)
    return 1 / best, 1 / median
