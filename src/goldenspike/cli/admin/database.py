"""``goldenspike admin backup`` and ``vacuum``: maintenance of the whole database."""

from __future__ import annotations

import argparse
import sys

from goldenspike.cli.files import require_writable, whole_file
from goldenspike.exit_codes import OK
from goldenspike.server.settings import Settings
from goldenspike.server.storage.maintenance import copy_database, existing_database, vacuum_database

_KIB = 1024


def run_backup(options: argparse.Namespace, settings: Settings) -> int:
    """Write a backup of all games to a file."""
    require_writable(options.file)
    with whole_file(options.file) as file:
        copy_database(settings.database, file)
    print(f"wrote {options.file} ({options.file.stat().st_size // _KIB + 1} KiB)")
    return OK


def run_vacuum(_options: argparse.Namespace, settings: Settings) -> int:
    """Return the space of removed games to the system."""
    with existing_database(settings.database) as engine:
        if sys.stderr.isatty():
            print("rewriting the database; players wait meanwhile ...", file=sys.stderr, flush=True)
        before, after = vacuum_database(engine)
    print(
        f"gave back {max(0, before - after) // _KIB} KiB: "
        f"the games took {before // _KIB} KiB and now take {after // _KIB} KiB"
    )
    return OK
