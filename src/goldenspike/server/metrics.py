"""Figures about the running server, for Prometheus."""

from __future__ import annotations

from functools import cache

from prometheus_client import Counter, Gauge, Histogram

_FAST = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

LIVE_GAMES = Gauge("goldenspike_live_games", "Games in memory.", multiprocess_mode="livesum")
CONNECTIONS = Gauge("goldenspike_connections", "Open sockets.", multiprocess_mode="livesum")
ENTRIES = Counter("goldenspike_entries", "Entries written to logs.", ["kind"])
REFUSALS = Counter("goldenspike_refusals", "Things refused.", ["code"])
COMMAND_SECONDS = Histogram(
    "goldenspike_command_seconds", "From a command's arrival to its acknowledgement.", buckets=_FAST
)
BATCH_SECONDS = Histogram("goldenspike_batch_seconds", "For one transaction of entries.", buckets=_FAST)
BATCH_SIZE = Histogram(
    "goldenspike_batch_size", "Entries in one transaction.", buckets=(1, 2, 5, 10, 20, 50, 100, 200, 500)
)
THINKING_SECONDS = Histogram(
    "goldenspike_thinking_seconds",
    "A bot's time for a move, waiting included.",
    ["level"],
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0),
)


@cache
def _entries(kind: str) -> Counter:
    return ENTRIES.labels(kind)


def count_entry(kind: str) -> None:
    """Count an entry that was written."""
    _entries(kind).inc()
