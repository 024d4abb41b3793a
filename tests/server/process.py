"""A server in a process of its own, for tests to stop, kill and pause."""

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

from tests.server.family import are_dead, are_still, hold, send
from tests.server.guard import Guard
from tests.server.waiting import wait_until

PORTS = range(20_000, 32_000)
"""Below those that systems hand out for connections.

Among those, a connection could take the port of a server that is down, or even be made with itself.
"""


class ServerProcess(ABC):
    """A server on a loopback port, with its data in a temporary folder.

    As a context manager it runs from entry to exit, and then the folder is gone. In between, tests do to it
    what happens to servers: `stop` or `kill` and then `start`, `pause` and then `resume`.
    """

    title: ClassVar[str]
    stop_signal: ClassVar[signal.Signals] = signal.SIGTERM
    """Makes it save what it has to and end, whether or not it has clients."""
    drop_signal: ClassVar[signal.Signals] = signal.SIGTERM
    """Makes it end as soon as it can, for its data is not needed any more."""

    def __init__(self, account: struct_passwd | None = None) -> None:
        self.account = account
        """Whose the process and the folder are; None for whoever runs the tests."""
        self.folder = Path()
        self.port = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._guard: Guard | None = None
        self._paused: list[int] = []

    @abstractmethod
    def command(self) -> Sequence[str]:
        """Return the command that runs the server in the foreground."""

    @abstractmethod
    def answers(self) -> bool:
        """Return whether a query is answered, and by this server: the port may have gone to another."""

    def prepare(self) -> None:
        """Make in the folder what the server needs before its first start."""
        return

    def sweep(self) -> None:
        """Remove what a killed server left outside its folder."""
        return

    def __enter__(self) -> Self:
        self.folder = Path(tempfile.mkdtemp(prefix=f"goldenspike-{self.title.lower()}-"))
        self.port = free_port()
        self._guard = Guard(self.drop_signal, self.folder)
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
        """Whether its process is there, paused or not."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """The id of its process; an error tells why it has none."""
        if self._process is None:
            raise RuntimeError(f"{self.title} is not running: start() it first.")
        code = self._process.poll()
        if code is not None:
            raise RuntimeError(f"{self.title} has ended by itself with code {code}. {self.last_words()}")
        return self._process.pid

    def start(self) -> None:
        """Start it on its port with the data it has, and return when it answers."""
        if self.is_running:
            raise RuntimeError(f"{self.title} is running already: stop() or kill() it first.")
        self._forget()
        self._process = self.launch(self.command())
        wait_until(lambda: self.pid > 0 and self.answers(), f"{self.title} answers")

    def stop(self) -> None:
        """Let it save what it has to, and end."""
        self._end(self.stop_signal)

    def kill(self) -> None:
        """End all its processes at once, without a chance to save anything."""
        pid = self.pid
        children = hold(pid)
        send(signal.SIGKILL, children)
        # Before their parent, because it starts again only if none of them is left.
        wait_until(lambda: are_dead(children), f"the children of {self.title} are dead")
        send(signal.SIGKILL, [pid])
        wait_until(lambda: not self.is_running, f"{self.title} is dead")
        self._forget()

    def pause(self) -> None:
        """Hold all its processes: it still can be connected to, but it does not answer."""
        pid = self.pid
        self._paused = [pid]
        children = hold(pid)
        self._paused += children
        send(signal.SIGSTOP, children)
        wait_until(lambda: are_still(children), f"the children of {self.title} stand still")

    def resume(self) -> None:
        """Let its processes go on where `pause` held them."""
        send(signal.SIGCONT, self._paused)
        self._paused = []

    def restore(self) -> None:
        """Have it running and answering, whatever was done to it."""
        if not self.is_running:
            self.start()
        self.resume()
        wait_until(self.answers, f"{self.title} answers again")

    def launch(self, command: Sequence[str]) -> subprocess.Popen[bytes]:
        """Run a command for the server's account in its folder; what it prints goes to the log.

        In a session of its own, because an interrupt from the keyboard is for the tests, which then end it.
        """
        if self._guard is None:
            raise RuntimeError(f"{self.title} has no folder yet: it is started by a `with` statement.")
        with self._log.open("ab") as log:
            process = subprocess.Popen(
                command,
                cwd=self.folder,
                user=self.account and self.account.pw_uid,
                group=self.account and self.account.pw_gid,
                extra_groups=[] if self.account else None,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._guard.watch(process.pid)
        return process

    def last_words(self) -> str:
        """Return the end of the log, for an error."""
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
        """Let go of a process that has ended."""
        self._process = None
        self._paused = []
        if self._guard:
            self._guard.watch(None)

    def _close(self) -> None:
        try:
            if self.is_running:
                self._end(self.drop_signal)
            self.sweep()
        finally:
            shutil.rmtree(self.folder)
            if self._guard:
                self._guard.dismiss()
            self._process = self._guard = None


def free_port() -> int:
    """Return a loopback port that nobody has now."""
    while True:
        port = secrets.choice(PORTS)  # not `random`, which test tools set to the same start in each worker
        with socket.socket() as attempt:
            try:
                attempt.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
