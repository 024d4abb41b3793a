"""``goldenspike editions``."""

from __future__ import annotations

import argparse

from goldenspike.editions import edition_ids, load_edition
from goldenspike.exit_codes import OK
from goldenspike.output import print_table


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options: it has none."""
    parser.epilog = "example: goldenspike editions"


def run(_options: argparse.Namespace) -> int:
    """List the editions."""
    rows = [
        (
            e.id,
            e.name,
            e.board.name,
            "-".join(map(str, e.players)),
            "-".join(map(str, e.minutes)),
            len(e.tickets),
        )
        for e in map(load_edition, edition_ids())
    ]
    print_table(("edition", "name", "board", "players", "minutes", "tickets"), rows, left=3)
    return OK
