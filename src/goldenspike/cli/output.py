"""The tables that commands print."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from rich import box
from rich.console import Console
from rich.table import Table


class _Out(Console):
    """Standard output; that nobody reads it any more is left to the command line to deal with."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def print_table(headings: Iterable[str], rows: Iterable[Iterable[object]], left: int = 1) -> None:
    """Print a table; all columns but the first ones (`left`) are aligned to the right."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for i, heading in enumerate(headings):
        table.add_column(heading, justify="left" if i < left else "right")
    for row in rows:
        table.add_row(*map(str, row))
    # A pipe or a file has no width of its own: nothing is wrapped or cut there.
    _Out(width=None if sys.stdout.isatty() else 200, highlight=False).print(table)
