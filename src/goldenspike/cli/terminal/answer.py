"""Answers to commands, and paging through an answer that is longer than the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field

from rich.text import Text

from goldenspike.cli.terminal import texts
from goldenspike.cli.terminal.layout import wrap
from goldenspike.cli.terminal.screen import title_bar, told_lines
from goldenspike.cli.terminal.terminal import Terminal

_AROUND = 3
"""Lines of a page that are not part of the answer: title, hint and prompt."""


@dataclass
class CommandAnswer:
    """The result of a command: lines to read and routes to highlight, or a page of its own."""

    title: str = ""
    lines: list[str | Text] = field(default_factory=list[str | Text])
    path: Set[int] = frozenset()
    draw: Callable[[], None] | None = None

    def say(self, *lines: str | Text) -> None:
        """Add lines; a text with line breaks is several."""
        for line in lines:
            self.lines += line.split("\n") if isinstance(line, str) else [line]


class Reader:
    """Shows an answer page by page, as many lines at once as the screen has."""

    def __init__(
        self,
        terminal: Terminal,
        title: str,
        lines: Sequence[str | Text],
        footer: str = texts.BACK_TO_GAME,
    ) -> None:
        self._terminal = terminal
        self._title = title
        self._lines = lines
        self._footer = footer
        self._first = 0
        """The first line of the page."""

    @property
    def _room(self) -> int:
        return max(self._terminal.height - _AROUND, 1)

    def _wrapped(self) -> list[Text]:
        return told_lines(self._lines, self._terminal.width)

    def draw(self) -> None:
        """Draw the page."""
        lines, room, width = self._wrapped(), self._room, self._terminal.width
        page = lines[self._first : self._first + room]
        left = len(lines) - self._first - len(page)
        footer = texts.MORE_LINES.of(left) if left > 0 else self._footer
        self._terminal.say_all([title_bar(self._title, width), *page, Text(footer, "dim")])

    def turn_page(self) -> bool:
        """Turn to the next page; tell whether there is one."""
        if self._first + self._room >= len(self._wrapped()):
            return False
        self._first += self._room
        return True


def say_plainly(terminal: Terminal, answer: CommandAnswer) -> None:
    """Print an answer below the earlier output, where nothing is drawn."""
    for line in answer.lines:
        terminal.say_all([line] if isinstance(line, Text) else wrap(line, terminal.width) or [Text()])
