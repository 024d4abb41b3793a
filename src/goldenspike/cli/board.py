"""``goldenspike board new NAME``, ``board check FILE`` and ``board layout FILE``."""

from __future__ import annotations

import argparse

from goldenspike.cli import board_layout, board_new
from goldenspike.editions import check_file
from goldenspike.exit_codes import OK


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    board_new.configure(actions.add_parser("new", help="write a small board and its edition to start from"))
    check = actions.add_parser(
        "check", help="say what is in a board or edition file, or what is wrong with it"
    )
    check.add_argument(
        "file", help="a board file, or an edition file that names its board, or the id of either"
    )
    check.epilog = "example: goldenspike board check my-board.toml"
    board_layout.configure(actions.add_parser("layout", help="place everything for a drawing of a board"))
    parser.epilog = "example: goldenspike board new island"


def run(options: argparse.Namespace) -> int:
    """Create a board, print a summary of a board or edition file, or make a layout."""
    if options.action == "new":
        return board_new.run(options)
    if options.action == "layout":
        return board_layout.run(options)
    print(check_file(options.file))
    return OK
