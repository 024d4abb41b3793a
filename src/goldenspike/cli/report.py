"""``goldenspike report FILE``."""

from __future__ import annotations

import argparse
from pathlib import Path

from goldenspike.arena.file import read_match
from goldenspike.arena.report.report import write_report
from goldenspike.cli.files import require_writable, whole_file
from goldenspike.exit_codes import OK


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's options."""
    parser.add_argument("file", type=Path, help="a match that was kept with 'match --out FILE.parquet'")
    parser.add_argument("--out", type=Path, metavar="PAGE", help="the page to write (FILE.html)")
    parser.epilog = "example: goldenspike report match.parquet --out match.html"


def run(options: argparse.Namespace) -> int:
    """Write the report of a match."""
    match = read_match(options.file)
    out = options.out or options.file.with_suffix(".html")
    require_writable(out)
    page = write_report(match)
    with whole_file(out) as file:
        file.write_text(page, encoding="utf-8")
    print(f"wrote {out} ({len(page.encode()) // 1024} KiB): open it in a browser")
    return OK
