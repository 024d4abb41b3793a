"""Cleaning up after test runs that were killed."""

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
"""Keep the last line of the input. The input ends when the tests end, even if they are killed."""


class OrphanCleanup:
    """A process that outlives the tests, then stops a server with a signal and removes its folder."""

    def __init__(self, number: signal.Signals, folder: Path) -> None:
        self._process = subprocess.Popen(
            ["sh", "-c", SCRIPT, "orphan_cleanup", number.name.removeprefix("SIG"), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def watch(self, pid: int | None) -> None:
        """Set the process id of the server."""
        assert self._process.stdin
        self._process.stdin.write(f"{pid or ''}\n".encode())
        self._process.stdin.flush()

    def dismiss(self) -> None:
        """Stop it, because nothing is left to clean up."""
        self._process.kill()
        self._process.communicate(timeout=PATIENCE)
