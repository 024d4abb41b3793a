"""Figures of a benchmark: the best and the median of several runs."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple


class Figure(NamedTuple):
    """One figure: the best and the median of several runs, and its goal."""

    name: str
    best: float
    median: float
    unit: str
    goal: str = ""

    @staticmethod
    def show(value: float) -> str:
        """Return a figure with its significant digits."""
        return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


Measures = Callable[[int, float], list[Callable[[], list[Figure]]]]
"""A subject: given the number of runs and the share of the work, its measurements; each returns figures."""


def rates(count: float, repeat: int, act: Callable[[], object]) -> tuple[float, float]:
    """Return the best and the median number of repetitions per second."""
    rates: list[float] = []
    for _ in range(repeat):
        start = time.perf_counter()
        act()
        rates.append(count / (time.perf_counter() - start))
    return max(rates), statistics.median(rates)


def times(repeat: int, act: Callable[[], object]) -> tuple[float, float]:
    """Return the shortest and the median time, in seconds."""
    best, median = rates(1, repeat, act)
    return 1 / best, 1 / median


def run_python(code: str, **environment: str) -> str:
    """Run code in a new Python process and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | environment, check=True, capture_output=True, text=True
    )
    return done.stdout


def print_markdown(headings: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Print a Markdown table and an empty line.

    >>> print_markdown(("engine", "best"), [("copy of a state", 29)])
    | engine | best |
    |---|---|
    | copy of a state | 29 |
    <BLANKLINE>
    """
    headings = list(headings)
    print(_markdown_row(headings), "|" + "---|" * len(headings), *map(_markdown_row, rows), "", sep="\n")


def _markdown_row(cells: Iterable[object]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"
