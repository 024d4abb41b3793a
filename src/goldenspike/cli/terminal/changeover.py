"""Playing while the rules compile: the game starts with interpreted rules and continues with compiled ones.

The game is saved after every action, so the changeover restarts this command and resumes the game.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from goldenspike.cli.prepare import interpret_unless_compiled
from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.table import GameTable
from goldenspike.compilation import TO_PLAY, CompilationError, Compiler, is_compiled
from goldenspike.engine.compile import IS_INTERPRETED

_OURS = "GOLDENSPIKE_COMPILING"
"""Environment variable of a process that is interpreted only until the rules are compiled."""


def begin_interpreted() -> None:
    """Restart this command with interpreted rules, unless the rules are compiled."""
    if not IS_INTERPRETED and not is_compiled(TO_PLAY):
        os.environ[_OURS] = "1"
        interpret_unless_compiled(TO_PLAY)


class Changeover:
    """The state of a compilation that runs during a game."""

    def __init__(self) -> None:
        self.is_due = False
        """Whether everything is compiled, so that the process may be restarted."""
        self.has_failed = False
        """Whether the compilation failed."""

    def has_news(self, table: GameTable) -> bool:
        """Tell whether :meth:`apply` would do something."""
        return self.has_failed or (self.is_due and not table.trouble)

    def apply(self, table: GameTable, options: Sequence[str]) -> None:
        """Go on with compiled rules if they are ready; report a failed compilation, once."""
        if self.is_due and not table.trouble:
            table.keep()
            if not table.trouble:
                self._go_on_compiled(table.kept, options)
        if self.has_failed:
            self.has_failed = False
            table.to_say.append(texts.NOT_COMPILED)

    def _go_on_compiled(self, kept: Path, options: Sequence[str]) -> None:
        """Replace this process by one that resumes a saved game with compiled rules."""
        environment = {name: text for name, text in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
        command = [sys.executable, "-m", "goldenspike", "play", "--terminal", "--resume", str(kept), *options]
        sys.stdout.flush()
        os.execve(sys.executable, command, environment)


@contextmanager
def compiled_meanwhile() -> Generator[Changeover | None]:
    """Compile in another process while the block runs; None if that is not needed."""
    if os.environ.pop(_OURS, None) is None:
        yield None
        return
    compiler, changeover = Compiler(TO_PLAY, is_background=True), Changeover()

    def wait() -> None:
        try:
            compiler.wait(lambda _done: None)
            changeover.is_due = True
        except CompilationError:
            changeover.has_failed = True
        except ValueError:  # our own cleanup closes the pipe it reads from
            pass

    threading.Thread(target=wait, daemon=True).start()
    try:
        yield changeover
    finally:
        compiler.stop()
