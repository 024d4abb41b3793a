"""A process and its children: holding all of them, and knowing when they are dead.

Process groups would not do: each child of a PostgreSQL server makes a session of its own.
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
    """What `ps` tells of a process."""

    parent: int
    state: str

    @property
    def is_alive(self) -> bool:
        """Whether it is more than an entry that its parent has not read yet."""
        return not self.state.startswith("Z")

    @property
    def is_held(self) -> bool:
        """Whether it stands still until it is told to go on."""
        return self.state.startswith("T")


def processes() -> dict[int, Member]:
    """Return all processes of the machine by their ids."""
    command = ["ps", "-A", "-o", "pid=", "-o", "ppid=", "-o", "stat="]
    listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = (line.split() for line in listing.splitlines())
    return {int(pid): Member(int(parent), state) for pid, parent, state in rows}


def send(number: signal.Signals, pids: Iterable[int]) -> None:
    """Send a signal to those of the processes that are still there."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def hold(pid: int) -> list[int]:
    """Hold a process and return its living children.

    A held parent starts no more children. It does not read of their deaths either, so their ids stay theirs.
    """
    send(signal.SIGSTOP, [pid])
    wait_until(lambda: are_still([pid]), f"process {pid} stands still")
    return [child for child, member in processes().items() if member.parent == pid and member.is_alive]


def are_still(pids: Iterable[int]) -> bool:
    """Return whether each of the processes is held or dead."""
    known = processes()
    return not any(pid in known and known[pid].is_alive and not known[pid].is_held for pid in pids)


def are_dead(pids: Iterable[int]) -> bool:
    """Return whether none of the processes is alive."""
    known = processes()
    return not any(pid in known and known[pid].is_alive for pid in pids)
