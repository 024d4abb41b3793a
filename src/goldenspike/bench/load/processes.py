"""Starting the server to be measured and the load process, and reading the latter's output."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO, NamedTuple, TypeVar

import msgspec

from goldenspike.bench.load.meters import children
from goldenspike.bench.load.requests import Address

T = TypeVar("T")

_PREFIX = "GOLDENSPIKE_"
PROGRAM = (sys.executable, "-m", "goldenspike")
_READY_SECONDS = 1800.0
"""Long, because the first start compiles the bots."""
_NO_LIMITS = {
    "create_rate": "1000000",
    "message_rate": "1000000",
    "address_connections": "1000000",
    "undo_seconds": "0",
    "log": "warning",
}
"""No rate limits, because the load puts a thousand players behind one address."""


class LoadServer(NamedTuple):
    """A running server: its address and its processes, without those of its bots."""

    address: Address
    metrics: Address
    """The address of its metrics."""
    pids: list[int]


def migrate(database: str) -> None:
    """Create the tables of a database, if they do not exist."""
    command = [*PROGRAM, "serve", "--migrate", "--database", database]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"The database cannot be used: {done.stderr.strip().splitlines()[-1]}")


@contextmanager
def start_server(
    database: str,
    workers: int = 1,
    program: Sequence[str] = PROGRAM,
    errors: IO[bytes] | None = None,
    **settings: str | None,
) -> Generator[LoadServer]:
    """Run a server while the block runs; it ends with this process, unless that is killed.

    A setting that is None has the server's default. Settings are passed in the environment, because older
    versions of the program would reject flags that they do not know. The server writes errors to this
    process's stderr unless `errors` is given.
    """
    metrics = Address("127.0.0.1", _free_port())
    chosen = {"port": "0", "database": database, "workers": str(workers)} | _NO_LIMITS
    chosen |= {"metrics": f"{metrics.host}:{metrics.port}"} | settings
    environment = {name: value for name, value in os.environ.items() if not name.startswith(_PREFIX)}
    environment |= {_PREFIX + name.upper(): value for name, value in chosen.items() if value is not None}
    before = signal.signal(signal.SIGTERM, _end)
    process = subprocess.Popen(
        [*program, "serve"], stdout=subprocess.PIPE, stderr=errors, text=True, env=environment
    )
    assert process.stdout is not None
    try:
        found = re.search(r"http://([^:]+):(\d+)/", process.stdout.readline())
        if found is None:
            raise OSError("The server did not start; what it said is above.")
        address = Address(found[1], int(found[2]))
        _wait_until_ready(process, address, workers)
        # The bots' processes are children of the workers, one level down.
        workers_pids = children(process.pid) if workers > 1 else []
        yield LoadServer(address, metrics, [process.pid, *workers_pids])
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()
        signal.signal(signal.SIGTERM, before)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _end(number: int, _frame: object) -> None:
    sys.exit(128 + number)


def _wait_until_ready(process: subprocess.Popen[str], address: Address, workers: int) -> None:
    """Wait for enough ready answers in a row that each worker has probably been asked."""
    deadline = time.monotonic() + _READY_SECONDS
    left = wanted = 1 if workers == 1 else 8 * workers
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://{address.host}:{address.port}/readyz", timeout=5):
                left -= 1
        except OSError:
            left = wanted
            time.sleep(0.2)
        if not left:
            return
    raise OSError("The server did not get ready; what it said is above.")


class _OutputLine(msgspec.Struct):
    """A line of the load process's output: its progress, its result, or an error."""

    progress: str | None = None
    error: str | None = None
    result: msgspec.Raw = msgspec.Raw()


def run_load(order: Mapping[str, object], result: type[T], say: Callable[[str], None]) -> T:
    """Run an order in a new process, and return its result."""
    command = [sys.executable, "-m", "goldenspike.bench.load"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(msgspec.json.encode(order))
            process.stdin.close()
            for text in process.stdout:
                line = msgspec.json.decode(text, type=_OutputLine)
                if line.error is not None:
                    raise OSError(line.error)
                if line.result:
                    return msgspec.json.decode(line.result, type=result)
                say(line.progress or "")
        finally:
            process.kill()
    raise OSError("The load process ended without a result; what it said is above.")
