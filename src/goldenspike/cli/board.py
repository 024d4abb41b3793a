"""``goldenspike board check FILE`` and ``goldenspike board layout FILE``."""

from __future__ import annotations

import argparse

from goldenspike.cli import OK, board_layout
from goldenspike.editions import check_file


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    check = actions.add_parser(
        "check", help="say what is in a board or edition file, or what is wrong with it"
    )
    check.add_argument("file", help="a board file, or an edition file that names its board")
    check.epilog = "example: goldenspike board check my-board.toml"
    board_layout.configure(actions.add_parser("layout", help="place everything for a drawing of a board"))
    parser.epilog = "example: goldenspike board check my-board.toml"


def run(options: argparse.Namespace) -> int:
    """Print a summary of a board or edition file, or make a layout; what is wrong is raised."""
    if options.action == "layout":
        return board_layout.run(options)
    print(check_file(options.file))
    return OK
