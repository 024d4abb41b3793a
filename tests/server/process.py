"""A server in a separate process, which tests can stop, kill and pause."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from pwd import struct_passwd
from typing import ClassVar, Self

from tests.server.orphan_cleanup import OrphanCleanup
from tests.server.process_tree import are_dead, are_still, hold, send
from tests.server.waiting import wait_until

PORTS = range(20_000, 32_000)
"""Ports below the range that systems use for outgoing connections.

In that range, a connection could take the port of a server that is down, or even connect to itself.
"""


class ServerProcess(ABC):
    """A server on a loopback port, with its data in a temporary folder.

    As a context manager it runs from entry to exit, and then removes the folder. In between, tests can call
    `stop` or `kill` and then `start`, or `pause` and then `resume`.
    """

    title: ClassVar[str]
    stop_signal: ClassVar[signal.Signals] = signal.SIGTERM
    """Makes it save its data and end, even if it has clients."""
    drop_signal: ClassVar[signal.Signals] = signal.SIGTERM
    """Makes it end as soon as possible, because its data is no longer needed."""

    def __init__(self, account: struct_passwd | None = None) -> None:
        self.account = account
        """The owner of the process and the folder; None for the account that runs the tests."""
        self.folder = Path()
        self.port = 0
        self.environment: dict[str, str] = {}
        """Environment variables in addition to those of the tests."""
        self._process: subprocess.Popen[bytes] | None = None
        self._cleanup: OrphanCleanup | None = None
        self._paused: list[int] = []

    @abstractmethod
    def command(self) -> Sequence[str]:
        """Return the command that runs the server in the foreground."""

    @abstractmethod
    def answers(self) -> bool:
        """Return whether a query is answered by this server: another one may have got the port."""

    def prepare(self) -> None:
        """Create in the folder what the server needs before its first start."""
        return

    def sweep(self) -> None:
        """Remove what a killed server left outside its folder."""
        return

    def __enter__(self) -> Self:
        self.folder = Path(tempfile.mkdtemp(prefix=f"goldenspike-{self.title.lower()}-"))
        self.port = free_port()
        self._cleanup = OrphanCleanup(self.drop_signal, self.folder)
        try:
            if self.account:
                os.chown(self.folder, self.account.pw_uid, self.account.pw_gid)
            self.prepare()
            self.start()
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    @property
    def is_running(self) -> bool:
        """Whether its process exists, paused or not."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """The id of its process; raises an error with the reason if there is none."""
        if self._process is None:
            raise RuntimeError(f"{self.title} is not running: start() it first.")
        code = self._process.poll()
        if code is not None:
            raise RuntimeError(f"{self.title} has ended by itself with code {code}. {self.last_words()}")
        return self._process.pid

    def start(self) -> None:
        """Start it on its port with its existing data, and return when it answers."""
        if self.is_running:
            raise RuntimeError(f"{self.title} is running already: stop() or kill() it first.")
        self._forget()
        self._process = self.launch(self.command())
        wait_until(lambda: self.pid > 0 and self.answers(), f"{self.title} answers")

    def stop(self) -> None:
        """Make it save its data and end."""
        self._end(self.stop_signal)

    def kill(self) -> None:
        """Kill all its processes, without a chance to save anything."""
        pid = self.pid
        children = hold(pid)
        send(signal.SIGKILL, children)
        # Kill children before their parent, because it starts again only if none of them is left.
        wait_until(lambda: are_dead(children), f"the children of {self.title} are dead")
        send(signal.SIGKILL, [pid])
        wait_until(lambda: not self.is_running, f"{self.title} is dead")
        self._forget()

    def pause(self) -> None:
        """Pause all its processes: it accepts connections but does not answer."""
        pid = self.pid
        self._paused = [pid]
        children = hold(pid)
        self._paused += children
        send(signal.SIGSTOP, children)
        wait_until(lambda: are_still(children), f"the children of {self.title} stand still")

    def resume(self) -> None:
        """Resume the processes that `pause` stopped."""
        send(signal.SIGCONT, self._paused)
        self._paused = []

    def restore(self) -> None:
        """Make it run and answer, whatever was done to it."""
        if not self.is_running:
            self.start()
        self.resume()
        wait_until(self.answers, f"{self.title} answers again")

    def launch(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        """Run a command as the server's account in its folder; its output goes to the log.

        It runs in a new session, so that Ctrl-C reaches only the tests, which then stop it.
        """
        if self._cleanup is None:
            raise RuntimeError(f"{self.title} has no folder yet: it is started by a `with` statement.")
        with self._log.open("ab") as log:
            process = subprocess.Popen(
                command,
                cwd=self.folder,
                env=os.environ | self.environment,
                user=self.account and self.account.pw_uid,
                group=self.account and self.account.pw_gid,
                extra_groups=[] if self.account else None,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._cleanup.watch(process.pid)
        return process

    def last_words(self) -> str:
        """Return the end of the log, for an error message."""
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join(["The end of its log:", *lines[-20:]])

    @property
    def _log(self) -> Path:
        return self.folder / "log"

    def _end(self, number: signal.Signals) -> None:
        pid = self.pid
        self.resume()
        send(number, [pid])
        try:
            wait_until(lambda: not self.is_running, f"{self.title} has ended")
        except TimeoutError:
            self.kill()
            raise
        self._forget()

    def _forget(self) -> None:
        """Forget a process that has ended."""
        self._process = None
        self._paused = []
        if self._cleanup:
            self._cleanup.watch(None)

    def _close(self) -> None:
        try:
            if self.is_running:
                self._end(self.drop_signal)
            self.sweep()
        finally:
            shutil.rmtree(self.folder)
            if self._cleanup:
                self._cleanup.dismiss()
            self._process = self._cleanup = None


def free_port() -> int:
    """Return a free loopback port."""
    while True:
        port = secrets.choice(PORTS)  # not `random`, which test tools seed equally in each worker
        with socket.socket() as attempt:
            try:
                attempt.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
