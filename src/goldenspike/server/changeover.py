"""Serve with interpreted rules while they are compiled, then switch to a compiled server.

The parent process keeps the listening socket and serves nothing itself. A first process serves with
interpreted rules; a second one compiles at low priority. Then a third process loads the compiled rules and
waits, the first one stops, and the third takes over. Nothing is lost, because games are in the database: new
connections wait in the listening socket's backlog, and clients whose connection closes reconnect.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib import import_module

from goldenspike.compilation import PARTS, TO_PLAY, CompilationError, Compiler
from goldenspike.server.run import run_server
from goldenspike.server.settings import load_settings
from goldenspike.server.warmup import load_engine

_LOGGER = logging.getLogger(__name__)
_TICK = 0.1
_READY = "ready"
_GO = "go"


def serve_while_compiling(listener: socket.socket) -> int:
    """Serve with the settings of the environment until stopped; return the exit code."""
    has_changed = threading.Event()
    with _told_to_stop() as stopped, _compiled_meanwhile(has_changed) as is_compiled:
        server = _ServerProcess(listener, is_interpreted=True)
        try:
            while server.is_running() and not stopped.wait(_TICK):
                if is_compiled.is_set():
                    is_compiled.clear()
                    server = _change(server, listener, stopped)
                    has_changed.set()
        finally:
            code = server.stop() if stopped.is_set() else server.wait()
    if stopped.is_set() and code == 0:
        raise KeyboardInterrupt
    return code


def _change(old: _ServerProcess, listener: socket.socket, stopped: threading.Event) -> _ServerProcess:
    """Replace an interpreted server by a compiled one; return the one that serves now."""
    new = _ServerProcess(listener, is_interpreted=False)
    if stopped.is_set() or not new.is_ready():
        new.stop()
        _LOGGER.error("The compiled server could not start; the interpreted one goes on.")
        return old
    old.stop()
    new.begin()
    _LOGGER.info("the compiled server has taken over", extra={"pid": new.pid})
    return new


@contextmanager
def _told_to_stop() -> Generator[threading.Event]:
    """Make Ctrl-C and SIGTERM set an event while the block runs."""
    stopped = threading.Event()

    def stop(_number: int, _frame: object) -> None:
        stopped.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _compiled_meanwhile(has_changed: threading.Event) -> Generator[threading.Event]:
    """Compile in another process while the block runs; set the event once a server can use the result.

    Parts that only other commands need are compiled after the switch, so that the page's progress bar ends.
    """
    is_compiled = threading.Event()
    compilers: list[Compiler] = []

    def compile_parts(parts: Sequence[str]) -> None:
        compilers.append(Compiler(parts, is_background=True))
        compilers[-1].wait(lambda _done: None)

    def compile_all() -> None:
        try:
            compile_parts(TO_PLAY)
            is_compiled.set()
            has_changed.wait()
            compile_parts(PARTS)
        except CompilationError as error:
            if not is_over:
                _LOGGER.error("%s The server keeps running without compiled code.", error)  # noqa: TRY400  # a sentence is enough

    is_over = False
    threading.Thread(target=compile_all, daemon=True).start()
    try:
        yield is_compiled
    finally:
        is_over = True
        for compiler in compilers:
            compiler.stop()


class _ServerProcess:
    """A server process. It ends with its parent, even if the parent is killed."""

    def __init__(self, listener: socket.socket, *, is_interpreted: bool) -> None:
        environment = dict(os.environ)
        environment.pop("NUMBA_DISABLE_JIT", None)
        if is_interpreted:
            environment["NUMBA_DISABLE_JIT"] = "1"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "goldenspike.server.changeover", str(listener.fileno())],
            pass_fds=[listener.fileno()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            start_new_session=True,  # Ctrl-C is handled by the parent
        )
        self.pid = self._process.pid
        if is_interpreted:
            self.begin()

    def is_running(self) -> bool:
        return self._process.poll() is None

    def is_ready(self) -> bool:
        """Wait until everything is loaded; return False if the process ends before that."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip() == _READY

    def begin(self) -> None:
        """Tell the process to serve."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{_GO}\n")
        self._process.stdin.flush()

    def wait(self) -> int:
        code = self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        return code

    def stop(self) -> int:
        """Stop the process; it first answers its requests and writes its entries."""
        self._process.terminate()
        return self.wait()


def _serve_in_turn(listener: socket.socket) -> int:
    """Load everything, report that it is ready, and serve when told to."""
    import_module("goldenspike.server.app")  # load it now, because run_server needs it at once
    load_engine()
    sys.stdout.write(f"{_READY}\n")
    sys.stdout.flush()
    if sys.stdin.readline().strip() != _GO:
        return 0
    threading.Thread(target=_stop_with_parent, daemon=True).start()
    return run_server(load_settings({}), listener)


def _stop_with_parent() -> None:
    sys.stdin.read()  # until the pipe is closed
    os.kill(os.getpid(), signal.SIGTERM)


def _exit(_number: int, _frame: object) -> None:
    sys.exit(0)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _exit)  # until Uvicorn installs its handler
    sys.exit(_serve_in_turn(socket.socket(fileno=int(sys.argv[1]))))
