"""``goldenspike play``."""

from __future__ import annotations

import argparse
from pathlib import Path

from goldenspike.cli import ending_on_ctrl_c

LATEST = Path()
"""Means the last game that was left, if no file is given."""
_PORT = 8421
_IN_TERMINAL = ("resume", "plain", "think", "pace")


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
    page = parser.add_argument_group("in the browser")
    page.add_argument("--port", type=int, default=_PORT, metavar="P", help=f"the port of the page ({_PORT})")
    page.add_argument(
        "--host", default="127.0.0.1", metavar="H", help="0.0.0.0 lets others in your network play, too"
    )
    page.add_argument("--no-open", action="store_true", help="only say where the page is")
    page.add_argument("--database", metavar="URL", help="where games are kept (your data folder)")
    text = parser.add_argument_group("in the terminal")
    text.add_argument("--terminal", action="store_true", help="play in the terminal")
    text.add_argument("--think", type=float, metavar="SECONDS", help="how long a bot may think (1)")
    text.add_argument(
        "--pace",
        type=float,
        metavar="SECONDS",
        help="seconds to show every turn of a bot (1 if only bots play, else 0)",
    )
    text.add_argument(
        "--resume",
        nargs="?",
        const=LATEST,
        type=Path,
        metavar="FILE",
        help="resume a saved game; without a file, the last one",
    )
    text.add_argument("--plain", action="store_true", help="text only: no drawing, no colours")
    parser.epilog = "example: goldenspike play --edition usa-classic --seats me,easy,easy"


def run(options: argparse.Namespace) -> int:
    """Play in the browser, or in the terminal."""
    if not options.terminal:
        for name in _IN_TERMINAL:
            if getattr(options, name) not in {None, False}:
                raise ValueError(f"--{name} belongs to the game in the terminal: add --terminal.")
        with ending_on_ctrl_c():
            from goldenspike.cli.browser import open_page  # noqa: PLC0415  # help does not wait for the server
        return open_page(options)
    with ending_on_ctrl_c():
        from goldenspike.cli.terminal.start import start  # noqa: PLC0415  # help does not wait for Numba
    options.think = 1.0 if options.think is None else options.think
    return start(options)
