"""``goldenspike bench``."""

from __future__ import annotations

import argparse
import json

from goldenspike.cli import OK
from goldenspike.cli.figures import Figure
from goldenspike.cli.measure import measure_all
from goldenspike.cli.output import TASK, print_table, progress_bar


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="runs of each measurement (5)")
    parser.add_argument("--quick", action="store_true", help="a tenth of the work, for a first look")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.epilog = (
        "example: goldenspike bench --repeat 9\n\n"
        "Machines are noisy: compare figures of one run, and look at the best and the median."
    )


def run(options: argparse.Namespace) -> int:
    """Measure everything and print the figures."""
    if options.repeat < 1:
        raise ValueError("Repeat each measurement at least once.")
    figures: list[Figure] = []
    steps = measure_all(options.repeat, 0.1 if options.quick else 1.0)
    with progress_bar("measuring", len(steps)) as progress:
        for measure in steps:
            figures += measure()
            progress.advance(TASK)
    if options.json:
        print(json.dumps([figure._asdict() for figure in figures], indent=1))
    else:
        rows = [(f.name, f.show(f.best), f.show(f.median), f.unit, f.goal) for f in figures]
        print_table(("measured", "best", "median", "unit", "goal"), rows)
    return OK
