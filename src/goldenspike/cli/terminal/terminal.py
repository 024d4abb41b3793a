"""The terminal: what it can show, reading lines from it, clearing it."""

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
    from prompt_toolkit.application import Application
    from prompt_toolkit.output import Output

Complete = Callable[[str], Iterable[str]]
"""Returns the completions of a typed beginning, as whole lines."""

Draw = Callable[[], None]
"""Draws a whole page, for the terminal's current size."""

_PLAIN_TERMINALS = {"", "dumb", "linux", "unknown"}
_NO_WIDTH = 100
_PATIENCE_S = 4.0
_CLEAR = "\x1b[H\x1b[2J\x1b[3J"
"""Home, clear the screen, then the scrollback: some terminals move the screen there first."""


def _is_utf8(stream: Any) -> bool:
    return (getattr(stream, "encoding", None) or "").lower().replace("-", "") == "utf8"


def _replace_what_cannot_be_shown(stream: Any) -> None:
    """Let a terminal whose encoding has no é still show the rest of Montréal."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="replace")


class Terminal:
    """The terminal of one game. With `is_plain`, nothing is drawn, coloured or cleared."""

    def __init__(self, is_plain: bool = False) -> None:
        _replace_what_cannot_be_shown(sys.stdout)
        kind = os.environ.get("TERM", "" if sys.platform != "win32" else "windows")
        self.is_interactive = sys.stdin.isatty() and sys.stdout.isatty()
        is_able = sys.stdout.isatty() and kind not in _PLAIN_TERMINALS and _is_utf8(sys.stdout)
        self.is_plain = is_plain or bool(os.environ.get("NO_COLOR"))
        self.look = Look(
            is_drawn=is_able and not self.is_plain, has_signs=_is_utf8(sys.stdout) and kind != "linux"
        )
        self.can_edit = self.is_interactive and kind not in {"", "dumb", "unknown"}
        self.console = Console(
            highlight=False,
            emoji=False,
            markup=False,
            no_color=self.is_plain or None,
            width=None if sys.stdout.isatty() else _NO_WIDTH,
        )
        self._sessions: dict[str, PromptSession[str]] = {}
        self._draw: Draw | None = None
        self._said: list[tuple[str | Text, str | None]] = []
        """Lines printed below the page, to be printed again when it is redrawn."""
        self._is_drawing = False
        self._drawn_at = (0, 0)

    @property
    def is_live(self) -> bool:
        """Whether the screen can be redrawn and keys read one by one."""
        return self.can_edit and self.look.is_drawn

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.console.size.width

    @property
    def height(self) -> int:
        """The number of rows."""
        return self.console.size.height

    def say(self, *parts: str | Text, style: str | None = None) -> None:
        """Print a line."""
        for part in parts or ("",):
            if self._draw is not None and not self._is_drawing:
                self._said.append((part, style))
            self.console.print(part, style=style, soft_wrap=not sys.stdout.isatty())

    def say_all(self, lines: Iterable[str | Text]) -> None:
        """Print lines."""
        for line in lines:
            self.say(line)

    def show_page(self, draw: Draw) -> None:
        """Show a page. Where the board is drawn, it is redrawn whenever the terminal's size changes."""
        self._said = []
        self._draw = draw if self.look.is_drawn else None
        self._draw_page(draw)

    def _draw_page(self, draw: Draw) -> None:
        self._is_drawing = True
        try:
            self._drawn_at = (self.width, self.height)
            self._begin_page()
            draw()
        finally:
            self._is_drawing = False

    def follow_size(self, app: Application[Any]) -> None:
        """Redraw the page when the size changes while an application runs.

        prompt_toolkit erases its own lines first and draws them again afterwards, with the typed text.
        """

        def redraw(app: Application[Any]) -> None:
            is_erased = app.renderer.last_rendered_screen is None
            if self._draw is None or not is_erased or self._drawn_at == (self.width, self.height):
                return
            said, self._said = self._said, []
            self._draw_page(self._draw)
            for part, style in said:
                self.say(part, style=style)

        app.before_render += redraw

    def output(self) -> Output:
        """Return the output of prompt_toolkit."""
        from prompt_toolkit.output import create_output  # noqa: PLC0415
        from prompt_toolkit.output.vt100 import Vt100_Output  # noqa: PLC0415

        output = create_output()
        if isinstance(output, Vt100_Output):
            # The reply to a cursor position request would arrive after the page was redrawn elsewhere.
            output.enable_cpr = False
        return output

    def _begin_page(self) -> None:
        """Begin a new page: on a clear screen where the board is drawn, after a blank line elsewhere."""
        if self.look.is_drawn:
            self.console.file.write("\x1b[H\x1b[2J")
            self.console.file.flush()
        else:
            self.say()

    def hide_everything(self) -> None:
        """Clear the screen and the scrollback, so that the next person sees nothing."""
        self._draw, self._said = None, []
        if self.can_edit:
            self.console.file.write(_CLEAR)
            self.console.file.flush()
        elif sys.stdout.isatty():  # a terminal that cannot be cleared: scroll everything out of sight
            self.say("\n" * max(60, 2 * self.height))

    def ask(self, prompt: str, who: str = "", complete: Complete | None = None) -> str:
        """Read a line, with editing, Tab and a separate history for `who` where the terminal supports it.

        Only the last line of the prompt is before the cursor. Raise `EOFError` at the end of input and
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

        if who not in self._sessions:  # separate histories, so that people cannot look up what others typed
            self._sessions[who] = PromptSession(
                complete_style=CompleteStyle.READLINE_LIKE,
                complete_while_typing=False,
                enable_suspend=True,
                output=self.output(),
            )
            self.follow_size(self._sessions[who].app)
        return self._sessions[who].prompt(prompt, completer=Moves() if complete else None)

    @contextmanager
    def busy(self, text: str, long_text: str) -> Generator[None]:
        """Show that something takes a while, with another text if it takes long."""
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
