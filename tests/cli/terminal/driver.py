"""A driver for the terminal game: starts it in a pseudo-terminal, reads the output, types."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

import pexpect

_ESCAPES = re.compile(
    r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][0-9A-Za-z]|[=>78NOM])"
)
TIMEOUT_S = 120
"""Longer than a first compilation, in case a test is the first to need it."""


def plain(text: str) -> str:
    """Return the text of a terminal's output, without its escape sequences."""
    return _ESCAPES.sub("", text).replace("\r", "")


def environment(state: Path, more: Mapping[str, str] | None = None) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "COLUMNS", "LINES"}}
    return kept | {
        "TERM": "xterm-256color",
        "PYTHONIOENCODING": "utf-8",
        "PROMPT_TOOLKIT_NO_CPR": "1",  # nothing here answers a cursor position request
        "XDG_STATE_HOME": str(state),
        **(more or {}),
    }


class TerminalGame:
    """The game as a process in its own pseudo-terminal."""

    def __init__(
        self,
        state: Path,
        *arguments: str,
        size: tuple[int, int] = (24, 80),
        more: Mapping[str, str] | None = None,
    ) -> None:
        command = [sys.executable, "-m", "goldenspike", "play", "--terminal", *arguments]
        self.child = pexpect.spawn(
            command[0],
            command[1:],
            dimensions=size,
            env=environment(state, more),  # pyright: ignore[reportArgumentType]  # a dict will do
            encoding="utf-8",
            timeout=TIMEOUT_S,
        )
        self.child.delaybeforesend = None  # we type only after a prompt was shown
        self.seen = ""
        """All output so far, unprocessed."""
        self.raw = ""
        """The output read by the last wait, unprocessed."""

    def wait(self, *texts: str) -> str:
        """Wait until one of these texts is shown; return the output up to and including it."""
        self.child.expect_exact(list(texts))
        return self._shown()

    def wait_turn(self, name: str = "You", *stops: str) -> str:
        """Wait until a person is asked for a move, or one of these texts is shown."""
        menu = rf"(?s)(?:Your move:|Your second card:|Keep at least).*?{name}>"
        self.child.expect([menu, *map(re.escape, stops)])
        return self._shown()

    def _shown(self) -> str:
        self.raw = f"{self.child.before}{self.child.after}"
        self.seen += self.raw
        return plain(self.raw)

    @property
    def page(self) -> list[str]:
        """The lines on the screen since it was last cleared."""
        return plain(re.split(r"\x1b\[H\x1b\[2J(?:\x1b\[3J)?", self.seen)[-1]).split("\n")

    @property
    def watched_turn(self) -> int:
        """The number of the turn on the screen of a watched game."""
        return int(re.findall(r"the bots play, turn (\d+)", "\n".join(self.page))[-1])

    def type(self, line: str) -> None:
        """Type a line."""
        self.child.send(line + "\r")

    def ask(self, line: str, *texts: str) -> str:
        """Type a line and wait for one of these texts."""
        self.type(line)
        return self.wait(*texts)

    def command(self, line: str, prompt: str = "You>") -> str:
        """Type a line that is answered on its own page or with the board; return the page."""
        self.type(line)
        self.child.expect(rf"(?s)\x1b\[H\x1b\[2J.*?{re.escape(prompt)}")
        self._shown()
        return "\n".join(self.page)

    def resize(self, rows: int, columns: int) -> None:
        """Change the size of the terminal, like a person who drags its window."""
        self.child.setwinsize(rows, columns)

    def end(self) -> str:
        """Wait until the game has exited; return its output."""
        self.child.expect(pexpect.EOF)
        shown = self.child.before or ""
        self.seen += shown
        self.child.close()
        return plain(shown)


ROUTE, PAY, SURE = "Which route?", "How do you pay for", "Enter to claim"


def number_of(screen: str, entry: str) -> str | None:
    """Return the number of an entry in the last menu that was shown."""
    found = re.findall(rf"(\d+) +{entry}", screen)
    return found[-1] if found else None


def move_by_number(player: TerminalGame, screen: str, name: str, *stops: str) -> str:
    """Make one move of a simple plan by menu numbers alone; return the output up to the next prompt."""
    offer = re.search(r"Keep at least (\d)", screen)
    claim = number_of(screen, r"claim \(")
    if offer:
        player.type(" ".join(map(str, range(1, int(offer[1]) + 1))))
    elif claim:
        player.ask(claim, ROUTE)
        player.ask("1", PAY, SURE)
        player.type("")
    else:
        menu = screen[max(screen.rfind("Your move:"), screen.rfind("Your second card:")) :]
        number = number_of(menu, r"deck \(") or number_of(menu, r"[a-z]+\b") or number_of(menu, "pass")
        assert number is not None, menu
        player.type(number)
    return player.wait_turn(name, *stops)
