"""Compile the rules before a command that plays many games, or use interpreted rules for a few."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from goldenspike.compilation import Compiler, is_compiled
from goldenspike.engine.compile import IS_INTERPRETED
from goldenspike.game.words import count_of
from goldenspike.output import TASK, progress_bar

_HUNDRED = 100
_ENOUGH = 0.1
"""The share of the work after which the rest is estimated."""
_NOTICE = "compiling for this machine, once"


def compile_first(parts: Sequence[str]) -> None:
    """Compile what is not compiled yet, with a progress bar; if another process is compiling, wait for it."""
    if IS_INTERPRETED or is_compiled(parts):
        return
    with compiling_bar() as show:
        compiler = Compiler(parts)
        try:
            compiler.wait(show)
        finally:
            compiler.stop()


@contextmanager
def compiling_bar() -> Generator[Callable[[float], None]]:
    """Show a progress bar while the block compiles; the yielded function takes the progress, from 0 to 1."""
    if not sys.stderr.isatty():  # where no bar is drawn
        print(f"Golden Spike is {_NOTICE} ...", file=sys.stderr, flush=True)
        yield _Estimate().show
        return
    with progress_bar(_NOTICE, _HUNDRED) as progress:
        yield lambda done: progress.update(TASK, completed=int(done * _HUNDRED))


class _Estimate:
    """Prints once how long the rest may take, after a share of the work has shown the speed."""

    def __init__(self) -> None:
        self._start: tuple[float, float] | None = None
        """Time and value of the first progress, which is not 0 if another process began before."""
        self._is_told = False

    def show(self, done: float) -> None:
        now = time.monotonic()
        if self._start is None:
            self._start = now, done
        begun, first = self._start
        if not self._is_told and done - first >= _ENOUGH:
            self._is_told = True
            seconds = (now - begun) * (1 - done) / (done - first)
            print(f"About {count_of(math.ceil(seconds), 'second')} to go.", file=sys.stderr, flush=True)


def interpret_unless_compiled(parts: Sequence[str]) -> None:
    """Restart this command with interpreted rules, if parts would have to be compiled for it.

    Only for commands that play a few games, because that is faster than compiling.
    """
    if not IS_INTERPRETED and not is_compiled(parts):
        os.environ["NUMBA_DISABLE_JIT"] = "1"
        sys.stdout.flush()
        os.execv(sys.executable, [sys.executable, "-m", "goldenspike", *sys.argv[1:]])
