"""The results of a server benchmark as rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from goldenspike.bench.figures import Figure
from goldenspike.bench.load.meters import Spread
from goldenspike.bench.load.play import PlayResult, PlayRun
from goldenspike.bench.load.watchers import CrowdResult

_MILLI, _MICRO, _KILO = 1e3, 1e6, 1e-3
Row = tuple[str, ...]

_RUN_FIGURES: tuple[tuple[str, Callable[[PlayRun], float], str, str], ...] = (
    ("moves acknowledged", lambda run: run.moves / run.seconds, "/s", "1,500"),
    ("from a move to its acknowledgement, median", lambda run: run.acknowledged.half * _MILLI, "ms", ""),
    ("99th percentile", lambda run: run.acknowledged.most * _MILLI, "ms", "50"),
    ("slowest", lambda run: run.acknowledged.worst * _MILLI, "ms", ""),
    ("from a move to the other seats, median", lambda run: run.told.half * _MILLI, "ms", ""),
    ("99th percentile", lambda run: run.told.most * _MILLI, "ms", ""),
    ("slowest", lambda run: run.told.worst * _MILLI, "ms", ""),
    ("CPU time of the server", lambda run: run.server_seconds / run.moves * _MICRO, "µs/move", ""),
    ("its share of a core", lambda run: run.server_seconds / run.seconds * 100, "%", ""),
    ("CPU time of the load", lambda run: run.load_seconds / run.moves * _MICRO, "µs/move", ""),
    ("its share of a core", lambda run: run.load_seconds / run.seconds * 100, "%", ""),
    ("sent to all seats", lambda run: run.bytes_down / run.moves, "bytes/move", ""),
    ("received", lambda run: run.bytes_up / run.moves, "bytes/move", ""),
    ("commits", lambda run: run.commits / run.seconds, "/s", ""),
    ("entries in a commit", lambda run: run.entries / run.commits, "", ""),
    ("time of a commit", lambda run: run.commit_seconds / run.commits * _MILLI, "ms", ""),
    ("games that ended and were replaced", lambda run: run.ended, "", ""),
)


def run_rows(runs: Sequence[PlayRun]) -> Iterator[Row]:
    """Yield the figures of runs, with a column for each run."""
    for name, figure, unit, goal in _RUN_FIGURES:
        yield (name, *(Figure.show(figure(run)) for run in runs), unit, goal)


def game_rows(result: PlayResult) -> Iterator[Row]:
    """Yield the memory per game in the first column; a table may have more."""
    blank = [""] * (len(result.runs) - 1)
    for name, value, unit, goal in (
        ("memory of a live game with its sockets", result.game_bytes * _KILO, "kB", "100"),
        ("after play, games just ended included", result.played_game_bytes * _KILO, "kB", ""),
        ("games connected", result.games / result.connect_seconds, "/s", ""),
        ("moves refused", sum(result.refused.values()), "", "0"),
        ("connections lost", result.lost, "", "0"),
    ):
        yield (name, Figure.show(value), *blank, unit, goal)


def crowd_rows(result: CrowdResult) -> Iterator[Row]:
    """Yield the memory per watcher and how soon watchers see a move."""
    each = (result.memory_after - result.memory_before) / result.watchers
    yield ("connected", Figure.show(result.watchers / result.connect_seconds), "/s")
    yield ("memory of a watcher", Figure.show(each * _KILO), "kB")
    share = result.reached / (result.watchers * result.moves)
    yield (f"updates that arrived, of {result.moves} moves", f"{share:.2%}", "")
    yield ("CPU time of the server", Figure.show(result.server_seconds / result.moves * _MILLI), "ms/move")
    for name, spread in (
        ("from a move to its acknowledgement", result.acknowledged),
        ("from a move to a watcher", result.told),
        ("from a move to the last watcher", result.last),
    ):
        yield from _spread_rows(name, spread)


def _spread_rows(name: str, spread: Spread) -> Iterator[Row]:
    yield (f"{name}, median", Figure.show(spread.half * _MILLI), "ms")
    yield ("99th percentile", Figure.show(spread.most * _MILLI), "ms")
    yield ("slowest", Figure.show(spread.worst * _MILLI), "ms")
