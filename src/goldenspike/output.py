"""Tables and progress bars that commands print."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Any

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

TASK: Any = 0
"""The only task of a progress bar."""
NOT_CREATED = "The game could not be created"
"""The beginning of the line that `goldenspike play` prints instead of the link to a seat."""


class _Out(Console):
    """Standard output; a broken pipe is left to the command line's `main`."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def print_table(
    headings: Iterable[str], rows: Iterable[Iterable[object]], left: int = 1, wrap: int | None = None
) -> None:
    """Print a table; all columns except the first `left` ones are aligned to the right.

    In a narrow terminal all columns get narrower, or only the one that may be wrapped (`wrap`).
    """
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for i, heading in enumerate(headings):
        is_whole = wrap not in {None, i}
        table.add_column(heading, justify="left" if i < left else "right", no_wrap=is_whole)
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))  # Text, because square brackets in a str are markup
    # A pipe or a file has no width, so nothing is wrapped or cut there.
    _Out(width=None if sys.stdout.isatty() else 200, highlight=False).print(table)


@contextmanager
def progress_bar(text: str, total: int) -> Generator[Progress]:
    """Show a progress bar on stderr while the block runs; advance its :data:`TASK`.

    What the block prints appears above the bar, or goes to the pipe or file that it is redirected to.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(
        *columns,
        console=console,
        transient=True,
        redirect_stdout=sys.stdout.isatty(),
        disable=not console.is_terminal,  # in a pipe or a log it would be an empty line
    ) as progress:
        progress.add_task(text, total=total)
        yield progress
