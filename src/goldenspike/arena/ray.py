"""Playing a plan on a Ray cluster: the same games, on other machines."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from goldenspike.arena.plan import MatchPlan
from goldenspike.arena.processes import play_chunk, split_games
from goldenspike.arena.rows import GameRows
from goldenspike.device import Device
from goldenspike.extras import need

LOCAL = "local"
"""The address that starts a cluster on this machine alone."""
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_PATIENCE = 10.0
_RETRIES = 5
"""How often a chunk is retried when its worker or machine is lost."""


def play_on_cluster(
    plan: MatchPlan, games: Iterable[int], address: str, device: Device = "cpu"
) -> Iterator[GameRows]:
    """Play games of a plan on a Ray cluster and yield batches as they finish.

    On GPUs, each worker has one to itself. The games of a lost worker are played again by another. The result
    is the same, because games depend only on their seeds.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if address == LOCAL or _host(address) in _LOOPBACK:
        # Otherwise Ray replaces a loopback address by the machine's external one, where nothing may be
        # listening.
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    ray = need("ray", "cluster")
    joined = not ray.is_initialized()
    if joined:
        _join(ray, address)
    try:
        yield from _play(ray, plan, games, device)
    finally:
        if joined:
            ray.shutdown()


def _join(ray: Any, address: str) -> None:
    settings: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address == LOCAL:
        settings |= {"include_dashboard": False, "_node_ip_address": "127.0.0.1"}
    try:
        _knock(address)
        ray.init(address, **settings)
    except (OSError, RuntimeError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise ConnectionError(
            f"There is no Ray cluster to join at {address} ({reason}). Start one with "
            f"'ray start --head --disable-usage-stats', or play with --cluster {LOCAL}."
        ) from None


def _knock(address: str) -> None:
    """Check that a server answers, because Ray itself would wait for minutes and ignore Ctrl-C."""
    port = address.rpartition(":")[2]
    if _host(address) and port.isdecimal():
        socket.create_connection((_host(address), int(port)), timeout=_PATIENCE).close()


def _host(address: str) -> str:
    return address.rpartition("://")[2].rpartition(":")[0].strip("[]")


def _cause(error: Exception) -> str:
    """Return the last line of Ray's message: the error itself, without the workers' tracebacks."""
    return str(error).strip().splitlines()[-1]


def _play(ray: Any, plan: MatchPlan, games: Iterable[int], device: Device) -> Iterator[GameRows]:
    gpus = 1 if device == "cuda" else 0
    play: Any = ray.remote(max_retries=_RETRIES, num_gpus=gpus)(play_chunk)
    shared = ray.put(plan)
    quick, slow = split_games(plan, games, device)
    waiting = iter(quick + slow)
    at_once = 2 * max(1, int(ray.cluster_resources().get("GPU" if gpus else "CPU", 1)))
    running: list[Any] = [play.remote(shared, chunk, device) for chunk in islice(waiting, at_once)]
    try:
        while running:
            done, running = ray.wait(running)
            running += [play.remote(shared, chunk, device) for chunk in islice(waiting, len(done))]
            for reference in done:
                try:
                    yield ray.get(reference)
                except ray.exceptions.RayError as error:
                    raise ChildProcessError(
                        f"The cluster could not play some games: {_cause(error)}"
                    ) from None
    finally:
        for reference in running:
            ray.cancel(reference, force=True)
