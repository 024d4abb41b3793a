"""Processor time and memory of processes, from the operating system. Linux only."""

from __future__ import annotations

import math
import os
import resource
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

_PROC = Path("/proc")


def processor_seconds(pids: Iterable[int]) -> float:
    """Return the processor time of processes, in user and system mode."""
    ticks = 0
    for pid in pids:
        fields = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def memory_bytes(pids: Iterable[int]) -> int:
    """Return the resident memory of processes."""
    pages = sum(int((_PROC / str(pid) / "statm").read_text().split()[1]) for pid in pids)
    return pages * os.sysconf("SC_PAGE_SIZE")


def children(pid: int) -> list[int]:
    """Return the child processes of a process."""
    found: list[int] = []
    for folder in _PROC.glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:  # it has just ended
            continue
        if parent == pid:
            found.append(int(folder.name))
    return found


def raise_open_files(needed: int) -> None:
    """Let this process and its children open `needed` files and sockets; raise an error if it may not."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < needed:
        raise OSError(
            f"This takes {needed:,} open sockets, and the system allows {hard:,}: raise the limit "
            "(ulimit -Hn) or ask for fewer with --watchers and --games."
        )
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))


class Spread(NamedTuple):
    """The median, the 99th percentile and the maximum of some times, in seconds."""

    half: float
    most: float
    worst: float

    @classmethod
    def of(cls, values: array[float] | list[float]) -> Spread:
        """Return the spread of some times.

        >>> Spread.of([0.004, 0.001, 0.002, 0.003])
        Spread(half=0.002, most=0.004, worst=0.004)
        """
        if not values:
            return cls(math.nan, math.nan, math.nan)
        ordered = sorted(values)
        return cls(_rank(ordered, 0.5), _rank(ordered, 0.99), ordered[-1])


def _rank(ordered: list[float], share: float) -> float:
    return ordered[max(0, math.ceil(len(ordered) * share) - 1)]
