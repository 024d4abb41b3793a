"""Prometheus metrics of the running server."""

from __future__ import annotations

import logging
import os
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache

from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    multiprocess,
    start_http_server,
)

_LOGGER = logging.getLogger(__name__)

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
WAITING_QUESTIONS = Gauge(
    "goldenspike_waiting_questions",
    "Questions to bots that wait for a free process.",
    ["lane"],
    multiprocess_mode="livesum",
)


@cache
def _entries(kind: str) -> Counter:
    return ENTRIES.labels(kind)


def count_entry(kind: str) -> None:
    """Count an entry that was written."""
    _entries(kind).inc()


@contextmanager
def serving_metrics(address: tuple[str, int] | None) -> Generator[None]:
    """Serve the metrics of all workers on a separate address while the block runs.

    They are not served to players, because they show how busy the server is.
    """
    if address is None:
        yield
        return
    host, port = address
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)  # pyright: ignore[reportUnknownMemberType]
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        raise OSError(
            f"Figures cannot be served at {host}:{port} ({error.strerror}); choose another --metrics."
        ) from None
    _LOGGER.info("metrics are served", extra={"port": server.server_port})
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
