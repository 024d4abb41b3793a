"""The command ``goldenspike bench``, which measures the figures of docs/reference/benchmarks.md."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from typing import Any

import msgspec

from goldenspike.bench.attacks.catalogue import ATTACKS
from goldenspike.bench.bots import measure_bots
from goldenspike.bench.engine import measure_engine
from goldenspike.bench.env import measure_env
from goldenspike.bench.figures import Figure, Measures, print_markdown
from goldenspike.bench.start import measure_start
from goldenspike.device import choose_device
from goldenspike.exit_codes import FAILED, OK
from goldenspike.output import TASK, print_table, progress_bar

_LOCAL: dict[str, Measures] = {
    "engine": measure_engine,
    "bots": measure_bots,
    "env": measure_env,
    "start": measure_start,
}
"""Subjects measured in this process; they are also the default."""
SUBJECTS = (*_LOCAL, "server", "page", "gpu", "attack")
_ALL = tuple(name for name in SUBJECTS if name not in {"gpu", "attack"})
"""What --all measures. A GPU is left out, because few machines have one, and attacks, because they measure
safety, not speed."""
_SECONDS = {"server": 30.0, "attack": 15.0}
"""The default seconds of a run."""

_SERVER_OPTIONS: tuple[tuple[str, float | None, str], ...] = (
    ("games", 500, "live games"),
    ("seats", 4, "seats of each game, a socket each"),
    ("watchers", 10_000, "who only watch, 0 for none"),
    ("database", None, "PostgreSQL for the part with several processes; the games stay in it"),
    ("redis", None, "Redis for the part with several processes"),
    ("workers", 2, "processes in that part"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument(
        "subjects",
        nargs="*",
        metavar="SUBJECT",
        help=f"what to measure: {', '.join(SUBJECTS)} ({', '.join(_LOCAL)})",
    )
    parser.add_argument(
        "--all", action="store_true", help="measure everything but a GPU and attacks, a quarter of an hour"
    )
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="runs of each measurement (5)")
    parser.add_argument("--quick", action="store_true", help="a tenth of the work, for a first look")
    style = parser.add_mutually_exclusive_group()
    style.add_argument("--json", action="store_true", help="print the figures as JSON")
    style.add_argument("--markdown", action="store_true", help="print the tables in Markdown")
    group = parser.add_argument_group("of a server")
    for name, default, about in _SERVER_OPTIONS:
        text = about if default is None else f"{about} ({default:,})"
        kind = str if default is None else type(default)
        group.add_argument(f"--{name}", type=kind, default=default, metavar="X", help=text)
    group.add_argument(
        "--rate",
        type=float,
        nargs="*",
        default=[1500.0],
        metavar="X",
        help="moves a second to offer, a run for each (1,500); the last run has no pause",
    )
    group.add_argument(
        "--seconds", type=float, metavar="X", help="seconds of each run (30, and 15 for each attack)"
    )
    group = parser.add_argument_group("of attacks on a server")
    group.add_argument(
        "--attack", nargs="+", metavar="NAME", help=f"the attacks to run: {', '.join(ATTACKS)} (all)"
    )
    group.add_argument(
        "--program",
        metavar="COMMAND",
        help="the program whose server is attacked, to compare versions (this one)",
    )
    parser.epilog = (
        "example: goldenspike bench engine --repeat 9\n"
        "         goldenspike bench server --seconds 10 --watchers 1000\n"
        "         goldenspike bench attack --attack pings fragments\n"
        "         goldenspike bench --all\n\n"
        "Machines are noisy: compare figures of one run, and look at the best and the median."
    )


def run(options: argparse.Namespace) -> int:
    """Run the chosen measurements and print the figures."""
    if unknown := [name for name in options.subjects if name not in SUBJECTS]:
        raise ValueError(f"There is nothing to measure called {unknown[0]!r}: it is {', '.join(SUBJECTS)}.")
    if options.repeat < 1:
        raise ValueError("Repeat each measurement at least once.")
    chosen = _ALL if options.all else options.subjects or tuple(_LOCAL)
    counts = (options.games, options.seats, options.workers, options.seconds or 1.0)
    if min(counts) <= 0 or options.watchers < 0 or options.seconds == 0:
        raise ValueError("Games, seats, seconds and workers are at least 1 each.")
    found: dict[str, Any] = {}
    for subject in chosen:
        try:
            found[subject] = _measure(subject, options)
        except OSError as error:
            if not options.all:
                raise
            print(f"{subject} is left out: {error}", file=sys.stderr)
    if options.json:
        print(json.dumps(found, indent=1))
    return OK if found.keys() == set(chosen) else FAILED


def _measure(subject: str, options: argparse.Namespace) -> Any:
    """Measure a subject, show its figures, and return them for JSON."""
    if subject in _SECONDS:
        return _measure_server(subject, options)
    if subject == "gpu":
        return _measure_gpu(options)
    if subject == "page":
        return _measure_page(options)
    return _measure_local(subject, _LOCAL[subject], options)


def _measure_gpu(options: argparse.Namespace) -> Any:
    choose_device("cuda")  # says what is missing
    from goldenspike.bench.gpu import kernel_sizes, measure_gpu  # noqa: PLC0415  # needs the extra

    figures = _measure_local("gpu", measure_gpu, options)
    _show_table(("kernel", "registers", "bytes of local memory"), kernel_sizes(), options)
    return figures


def _measure_local(subject: str, measures: Measures, options: argparse.Namespace) -> Any:
    figures: list[Figure] = []
    steps = measures(options.repeat, 0.1 if options.quick else 1.0)
    with progress_bar(f"measuring: {subject}", len(steps)) as progress:
        for measure in steps:
            figures += measure()
            progress.advance(TASK)
    return _show_figures(subject, figures, options)


def _measure_page(options: argparse.Namespace) -> Any:
    # Driving a browser needs Playwright, which only developers have.
    from goldenspike.bench.page import GAMES, measure_page  # noqa: PLC0415

    figures = measure_page(options.repeat, GAMES // 10 if options.quick else GAMES)
    return _show_figures("page", figures, options)


def _measure_server(subject: str, options: argparse.Namespace) -> Any:
    if sys.platform != "linux":
        raise OSError("A server is measured by what Linux says of its processes: run this on Linux.")
    options = argparse.Namespace(**{**vars(options), "seconds": options.seconds or _SECONDS[subject]})
    # These import a module that only Unix has; everything else can be measured without it.
    if subject == "attack":
        from goldenspike.bench.attack import measure_attacks, tabulate_attacks  # noqa: PLC0415

        results = measure_attacks(options)
        tables = tabulate_attacks(results)
    else:
        from goldenspike.bench.server import measure_server, tabulate  # noqa: PLC0415

        results = measure_server(options)
        tables = tabulate(results)
    for headings, rows in tables:
        _show_table(headings, rows, options)
    return msgspec.to_builtins(results)


def _show_figures(subject: str, figures: list[Figure], options: argparse.Namespace) -> Any:
    rows = [(f.name, f.show(f.best), f.show(f.median), f.unit, f.goal) for f in figures]
    _show_table((subject, "best", "median", "unit", "goal"), rows, options)
    return [figure._asdict() for figure in figures]


def _show_table(
    headings: Iterable[str], rows: Iterable[Iterable[object]], options: argparse.Namespace
) -> None:
    """Print a table, unless the output is JSON."""
    if options.markdown:
        print_markdown(headings, rows)
    elif not options.json:
        print_table(headings, rows)
