"""The terminal itself: what it can show, how lines are read from it, how it is cleared."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.status import Status
from rich.text import Text

from goldenspike.cli.terminal.palette import Look

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

Complete = Callable[[str], Iterable[str]]
"""From what was typed so far to whole lines it could become."""

_PLAIN_TERMINALS = {"", "dumb", "linux", "unknown"}
_NO_WIDTH = 100
_PATIENCE_S = 4.0
_CLEAR = "\x1b[H\x1b[2J\x1b[3J"
"""Home, clear the screen, then the lines that scrolled off: some terminals move the screen there first."""


def _is_utf8(stream: Any) -> bool:
    return (getattr(stream, "encoding", None) or "").lower().replace("-", "") == "utf8"


def _replace_what_cannot_be_shown(stream: Any) -> None:
    """Let a terminal without an é still show the rest of Montréal."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="replace")


class Terminal:
    """Where one game is shown and typed. With `is_plain`, nothing is drawn, coloured or wiped."""

    def __init__(self, is_plain: bool = False) -> None:
        _replace_what_cannot_be_shown(sys.stdout)
        kind = os.environ.get("TERM", "" if sys.platform != "win32" else "windows")
        self.is_interactive = sys.stdin.isatty() and sys.stdout.isatty()
        is_able = sys.stdout.isatty() and kind not in _PLAIN_TERMINALS and _is_utf8(sys.stdout)
        is_bare = is_plain or bool(os.environ.get("NO_COLOR"))
        self.look = Look(is_drawn=is_able and not is_bare, has_signs=_is_utf8(sys.stdout) and kind != "linux")
        self.can_edit = self.is_interactive and kind not in {"", "dumb", "unknown"}
        self.console = Console(
            highlight=False,
            emoji=False,
            markup=False,
            no_color=is_bare or None,
            width=None if sys.stdout.isatty() else _NO_WIDTH,
        )
        self._sessions: dict[str, PromptSession[str]] = {}

    @property
    def width(self) -> int:
        """Columns."""
        return self.console.size.width

    @property
    def height(self) -> int:
        """Rows."""
        return self.console.size.height

    def say(self, *parts: str | Text, style: str | None = None) -> None:
        """Print a line."""
        for part in parts or ("",):
            self.console.print(part, style=style, soft_wrap=not sys.stdout.isatty())

    def say_all(self, lines: Iterable[str | Text]) -> None:
        """Print lines."""
        for line in lines:
            self.say(line)

    def fresh_page(self) -> None:
        """Begin a new page: on a clear screen where the board is drawn, after a blank line elsewhere."""
        if self.look.is_drawn:
            self.console.file.write("\x1b[H\x1b[2J")
            self.console.file.flush()
        else:
            self.say()

    def hide_everything(self) -> None:
        """Clear the screen and what scrolled off it, so that the next person sees nothing."""
        if self.can_edit:
            self.console.file.write(_CLEAR)
            self.console.file.flush()
        elif sys.stdout.isatty():  # a terminal that cannot be cleared: push everything out of sight
            self.say("\n" * max(60, 2 * self.height))

    def ask(self, prompt: str, who: str = "", complete: Complete | None = None) -> str:
        """Read a line, with editing, Tab and a history of `who`'s own where the terminal can.

        Only the last line of the prompt stands before the cursor. Raise `EOFError` at the end of input and
        `KeyboardInterrupt` on Ctrl-C.
        """
        *before, prompt = prompt.split("\n")
        self.say_all(before)
        if self.can_edit:
            return self._edit(prompt, who, complete).strip()
        line = input(prompt)
        if not sys.stdin.isatty():
            print(line)  # so that the output of a script reads like a session
        return line.strip()

    def _edit(self, prompt: str, who: str, complete: Complete | None) -> str:
        from prompt_toolkit import PromptSession  # noqa: PLC0415  # only a person at a terminal waits for it
        from prompt_toolkit.completion import Completer, Completion  # noqa: PLC0415
        from prompt_toolkit.document import Document  # noqa: PLC0415
        from prompt_toolkit.shortcuts import CompleteStyle  # noqa: PLC0415

        class Moves(Completer):
            def get_completions(self, document: Document, complete_event: Any) -> Iterator[Completion]:  # noqa: ARG002
                typed = document.text_before_cursor
                for line in complete(typed) if complete else ():
                    yield Completion(line, start_position=-len(typed))

        if who not in self._sessions:  # a history each: nobody looks up what another one typed
            self._sessions[who] = PromptSession(
                complete_style=CompleteStyle.READLINE_LIKE, complete_while_typing=False, enable_suspend=True
            )
        return self._sessions[who].prompt(prompt, completer=Moves() if complete else None)

    @contextmanager
    def busy(self, text: str, long_text: str) -> Generator[None]:
        """Show that something takes a while; another text, if it takes long."""
        if self.look.is_drawn:
            status = Status(text, console=self.console)
            change: Callable[[str], None] = status.update
        else:
            status, change = nullcontext(), self.say
        timer = threading.Timer(_PATIENCE_S, change, (long_text,))
        timer.daemon = True
        timer.start()
        try:
            with status:
                yield
        finally:
            timer.cancel()
