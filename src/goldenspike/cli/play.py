"""``goldenspike play``."""

from __future__ import annotations

import argparse
from pathlib import Path

LATEST = Path()
"""Stands for the last game that was left, where no file is given."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("--edition", metavar="E", help="an edition's id, or the path of its file")
    parser.add_argument(
        "--seats",
        metavar="WHO",
        help="people by name and bots by level or name, as in me,easy,hard or Ann,Ben,mine.py:MyBot",
    )
    parser.add_argument("--first", metavar="NAME", help="who begins (the seed decides)")
    parser.add_argument("--seed", metavar="S", help="the same seed deals the same cards (a fresh one)")
    parser.add_argument(
        "--think", type=float, default=1.0, metavar="SECONDS", help="how long a bot may think (1)"
    )
    parser.add_argument(
        "--resume",
        nargs="?",
        const=LATEST,
        type=Path,
        metavar="FILE",
        help="go on with a saved game; without a file, with the last one that was left",
    )
    parser.add_argument("--plain", action="store_true", help="text only: no drawing, no colours")
    parser.add_argument("--terminal", action="store_true", help="play in the terminal (the only way so far)")
    parser.epilog = "example: goldenspike play --edition usa-classic --seats me,easy,easy"


def run(options: argparse.Namespace) -> int:
    """Play in the terminal."""
    from goldenspike.cli.terminal.start import start  # noqa: PLC0415  # help does not wait for Numba

    return start(options)
