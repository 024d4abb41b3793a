"""``goldenspike bench``."""

from __future__ import annotations

import argparse
import json
import sys

import msgspec

from goldenspike.cli import OK
from goldenspike.cli.figures import Figure
from goldenspike.cli.measure import measure_all
from goldenspike.cli.output import TASK, print_table, progress_bar

_SERVER_OPTIONS: tuple[tuple[str, float | None, str], ...] = (
    ("games", 500, "live games"),
    ("seats", 4, "seats of each game, a socket each"),
    ("seconds", 30.0, "of each run"),
    ("rate", 1500.0, "moves a second to offer in a first run, 0 for none; the second has no pause"),
    ("watchers", 10_000, "who only watch, 0 for none"),
    ("database", None, "PostgreSQL for the part with several processes; the games stay in it"),
    ("redis", None, "Redis for the part with several processes"),
    ("workers", 2, "processes in that part"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument(
        "what",
        nargs="?",
        choices=["server", "page"],
        help="measure a server under load, or the page in a browser, instead",
    )
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="runs of each measurement (5)")
    parser.add_argument("--quick", action="store_true", help="a tenth of the work, for a first look")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    group = parser.add_argument_group("of a server")
    for name, default, about in _SERVER_OPTIONS:
        text = about if default is None else f"{about} ({default:,})"
        kind = str if default is None else type(default)
        group.add_argument(f"--{name}", type=kind, default=default, metavar="X", help=text)
    parser.epilog = (
        "example: goldenspike bench --repeat 9\n"
        "         goldenspike bench server --seconds 10 --watchers 1000\n"
        "         goldenspike bench page --repeat 3\n\n"
        "Machines are noisy: compare figures of one run, and look at the best and the median."
    )


def run(options: argparse.Namespace) -> int:
    """Measure everything and print the figures."""
    if options.what == "server":
        return _run_server(options)
    return _run_page(options) if options.what == "page" else _run_engine(options)


def _run_server(options: argparse.Namespace) -> int:
    if sys.platform != "linux":
        raise OSError("A server is measured by what Linux says of its processes: run this on Linux.")
    if min(options.games, options.seats, options.seconds, options.workers) <= 0 or options.watchers < 0:
        raise ValueError("Games, seats, seconds and workers are at least 1 each.")
    # What it needs comes with the server's extra; without it everything else can be measured.
    from goldenspike.cli.bench_server import measure_server, print_results  # noqa: PLC0415

    results = measure_server(options)
    if options.json:
        print(json.dumps(msgspec.to_builtins(results), indent=1))
    else:
        print_results(results)
    return OK


def _run_page(options: argparse.Namespace) -> int:
    if options.repeat < 1:
        raise ValueError("Repeat each measurement at least once.")
    # A browser is driven with what only developers have.
    from goldenspike.cli.bench_page import GAMES, measure_page  # noqa: PLC0415

    _print_figures(measure_page(options.repeat, GAMES // 10 if options.quick else GAMES), options)
    return OK


def _run_engine(options: argparse.Namespace) -> int:
    if options.repeat < 1:
        raise ValueError("Repeat each measurement at least once.")
    figures: list[Figure] = []
    steps = measure_all(options.repeat, 0.1 if options.quick else 1.0)
    with progress_bar("measuring", len(steps)) as progress:
        for measure in steps:
            figures += measure()
            progress.advance(TASK)
    _print_figures(figures, options)
    return OK


def _print_figures(figures: list[Figure], options: argparse.Namespace) -> None:
    if options.json:
        print(json.dumps([figure._asdict() for figure in figures], indent=1))
    else:
        rows = [(f.name, f.show(f.best), f.show(f.median), f.unit, f.goal) for f in figures]
        print_table(("measured", "best", "median", "unit", "goal"), rows)
