"""Cleaning up after tests that died before they could do it themselves."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

from tests.server.waiting import PATIENCE

SCRIPT = """
while read -r line; do pid=$line; done
if [ "$pid" ]; then
    kill -s "$1" "$pid"; kill -s CONT "$pid"
    until case $(ps -o stat= -p "$pid") in "" | Z*) ;; *) false ;; esac; do sleep 0.1; done
fi
rm -rf "$2"
"""
"""Remember the last line of the input. The input ends when the tests do, however they end."""


class Guard:
    """A process that outlives the tests, and then ends a server with a signal and removes its folder."""

    def __init__(self, number: signal.Signals, folder: Path) -> None:
        self._process = subprocess.Popen(
            ["sh", "-c", SCRIPT, "guard", number.name.removeprefix("SIG"), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def watch(self, pid: int | None) -> None:
        """Say which process the server is now."""
        assert self._process.stdin
        self._process.stdin.write(f"{pid or ''}\n".encode())
        self._process.stdin.flush()

    def dismiss(self) -> None:
        """End the guard, because all is clean."""
        self._process.kill()
        self._process.communicate(timeout=PATIENCE)
