"""Stopping a process with its children, and checking that they are dead.

Process groups are not enough, because each child of a PostgreSQL server creates its own session.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from tests.server.waiting import wait_until


class Member(NamedTuple):
    """A process as listed by `ps`."""

    parent: int
    state: str

    @property
    def is_alive(self) -> bool:
        """Whether it is running, not a zombie."""
        return not self.state.startswith("Z")

    @property
    def is_held(self) -> bool:
        """Whether it is stopped by a signal."""
        return self.state.startswith("T")


def processes() -> dict[int, Member]:
    """Return all processes of the machine by id."""
    command = ["ps", "-A", "-o", "pid=", "-o", "ppid=", "-o", "stat="]
    listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = (line.split() for line in listing.splitlines())
    return {int(pid): Member(int(parent), state) for pid, parent, state in rows}


def send(number: signal.Signals, pids: Iterable[int]) -> None:
    """Send a signal to those of the processes that still exist."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def hold(pid: int) -> list[int]:
    """Stop a process with a signal and return its living children.

    A stopped parent starts no more children. It does not reap them either, so their ids are not reused.
    """
    send(signal.SIGSTOP, [pid])
    wait_until(lambda: are_still([pid]), f"process {pid} is stopped")
    return [child for child, member in processes().items() if member.parent == pid and member.is_alive]


def are_still(pids: Iterable[int]) -> bool:
    """Return whether each of the processes is stopped or dead."""
    known = processes()
    return not any(pid in known and known[pid].is_alive and not known[pid].is_held for pid in pids)


def are_dead(pids: Iterable[int]) -> bool:
    """Return whether none of the processes is alive."""
    known = processes()
    return not any(pid in known and known[pid].is_alive for pid in pids)
