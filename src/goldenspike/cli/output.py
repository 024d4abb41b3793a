"""What commands print with: tables and progress bars."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Any

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

TASK: Any = 0
"""The one task of a progress bar."""


def print_table(headings: Iterable[str], rows: Iterable[Iterable[object]], left: int = 1) -> None:
    """Print a table; all columns but the first ones (`left`) are aligned to the right."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for i, heading in enumerate(headings):
        table.add_column(heading, justify="left" if i < left else "right")
    for row in rows:
        table.add_row(*map(str, row))
    # A pipe or a file has no width of its own: nothing is wrapped or cut there.
    Console(width=None if sys.stdout.isatty() else 200, highlight=False).print(table)


@contextmanager
def progress_bar(text: str, total: int) -> Generator[Progress]:
    """Show a progress bar on the error stream while the block runs; advance its :data:`TASK`.

    What the block prints appears above the bar, or goes into the pipe or file that it was meant for.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    is_shared = sys.stdout.isatty()
    with Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=is_shared
    ) as progress:
        progress.add_task(text, total=total)
        yield progress
