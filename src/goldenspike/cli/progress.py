"""Progress bars, and what is said when the rules are compiled meanwhile."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from numba.core import event  # pyright: ignore[reportMissingTypeStubs]
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from goldenspike.cli.texts import COMPILING

TASK: Any = 0
"""The one task of a progress bar."""
_event: Any = event


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
        with _tell_of_compiling(progress.console):
            yield progress


@contextmanager
def _tell_of_compiling(console: Console) -> Generator[None]:
    """Say so if something is compiled, which nobody would expect: what was compiled before is only loaded."""
    listener = _Listener(console)
    _event.register("numba:compile", listener)
    try:
        yield
    finally:
        _event.unregister("numba:compile", listener)


class _Listener(_event.Listener):
    def __init__(self, console: Console) -> None:
        self._console = console
        self._has_told = False

    def on_start(self, event: object) -> None:  # noqa: ARG002  # what Numba calls
        if not self._has_told:
            self._has_told = True
            self._console.print(COMPILING)

    def on_end(self, event: object) -> None:
        """Do nothing: the bar goes on."""
