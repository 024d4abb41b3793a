"""Benchmarks of ``goldenspike bench server``: a real server under load."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from goldenspike.bench.load.deals import write_games
from goldenspike.bench.load.meters import raise_open_files
from goldenspike.bench.load.play import PlayOrder, PlayResult
from goldenspike.bench.load.processes import LoadServer, migrate, run_load, start_server
from goldenspike.bench.load.report import Row, crowd_rows, game_rows, run_rows
from goldenspike.bench.load.watchers import CrowdOrder, CrowdResult

_EDITION = "usa-classic"
_SPARE_FILES = 500
"""Files open besides the sockets, with a reserve for games that are being replaced."""
_CROWD_MOVES = 20
_SKIPPED = (
    "Several processes are not measured: that takes --database postgresql://... and --redis redis://..."
)


class Results(msgspec.Struct, omit_defaults=True):
    """Everything that was measured."""

    play: PlayResult | None = None
    crowd: CrowdResult | None = None
    one_process: PlayResult | None = None
    processes: PlayResult | None = None
    workers: int = 1
    """Number of processes in `processes`."""


def measure_server(options: argparse.Namespace) -> Results:
    """Measure all parts that the options name, and report progress on stderr."""
    sockets = max(options.games * options.seats, options.watchers)
    raise_open_files(sockets + _SPARE_FILES)
    bench = _ServerBench(options, sockets + _SPARE_FILES)
    results = Results(bench.play("one process, SQLite", None, [*filter(None, options.rate), 0.0]))
    if options.watchers:
        results.crowd = bench.watch()
    if options.database and options.redis:
        migrate(options.database)
        results.workers = options.workers
        results.one_process = bench.play("one process, PostgreSQL", options.database, [0.0])
        results.processes = bench.play(
            f"{options.workers} processes, PostgreSQL and Redis",
            options.database,
            [0.0],
            options.workers,
            options.redis,
        )
    else:
        _say(_SKIPPED)
    return results


class _ServerBench:
    """Settings shared by all parts."""

    def __init__(self, options: argparse.Namespace, connections: int) -> None:
        self._options = options
        self._connections = str(connections)

    def play(
        self,
        part: str,
        database: str | None,
        rates: Sequence[float],
        workers: int = 1,
        redis: str | None = None,
    ) -> PlayResult:
        """Play games on a new server; without a database, on a file that is removed afterwards."""
        options, say = self._options, _teller(part)
        with tempfile.TemporaryDirectory(prefix="goldenspike-bench-") as folder:
            url = database or f"sqlite:///{Path(folder) / 'games.db'}"
            with start_server(url, workers, redis=redis, connections=self._connections) as server:
                say(f"writing {options.games:,} games, each at another moment of its course")
                links = list(write_games(url, _EDITION, options.seats, options.games))
                order = PlayOrder(
                    server.address, server.metrics, server.pids, _EDITION, links, list(rates), options.seconds
                )
                return run_load({"play": order}, PlayResult, say)

    def watch(self) -> CrowdResult:
        """Fill one game with watchers."""
        say = _teller("watchers")
        with tempfile.TemporaryDirectory(prefix="goldenspike-bench-") as folder:
            url = f"sqlite:///{Path(folder) / 'games.db'}"
            with start_server(url, connections=self._connections) as server:
                return run_load({"watch": self._crowd_order(server)}, CrowdResult, say)

    def _crowd_order(self, server: LoadServer) -> CrowdOrder:
        options = self._options
        return CrowdOrder(
            server.address, server.pids, _EDITION, options.seats, options.watchers, _CROWD_MOVES
        )


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _teller(part: str) -> Callable[[str], None]:
    return lambda text: _say(f"{part}: {text} ...")


def tabulate(results: Results) -> Iterator[tuple[Row, Iterable[Row]]]:
    """Yield the results as tables: their headings and their rows."""
    if results.play is not None:
        paces = [f"{run.offered:,.0f} moves/s" if run.offered else "no pause" for run in results.play.runs]
        headings = ("one process, SQLite", *paces, "unit", "goal")
        yield headings, [*run_rows(results.play.runs), *game_rows(results.play)]
    if results.crowd is not None:
        yield (f"{results.crowd.watchers:,} watchers", "", "unit"), crowd_rows(results.crowd)
    if results.one_process is not None and results.processes is not None:
        runs = [*results.one_process.runs, *results.processes.runs]
        rates = [run.moves / run.seconds for run in runs]
        costs = [run.server_seconds / run.moves for run in runs]
        rows = [
            *run_rows(runs),
            ("against one process", "1", f"{rates[1] / rates[0]:.2f}", "times", ""),
            ("with a core for each", "1", f"{results.workers * costs[0] / costs[1]:.2f}", "times", "1.6"),
        ]
        many = f"{results.workers} and Redis"
        yield ("PostgreSQL", "one process", many, "unit", "goal"), rows
