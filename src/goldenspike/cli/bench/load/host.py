"""A server to be measured, and the process that measures it: starting both, and listening to them."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import NamedTuple, TypeVar

import msgspec

from goldenspike.cli.bench.load.ask import Address
from goldenspike.cli.bench.load.meters import children

T = TypeVar("T")

_READY_SECONDS = 1800.0
"""Loading bots takes long the first time, when they are compiled."""
_NO_LIMITS = {"create_rate": "1000000", "message_rate": "1000000", "log": "warning"}
"""Limits are for people; the load is a thousand of them behind one address."""


class Server(NamedTuple):
    """A server that runs: where, and as which processes, without those of its bots."""

    address: Address
    pids: list[int]


def migrate(database: str) -> None:
    """Make the tables of a database, if they are not there."""
    command = [sys.executable, "-m", "goldenspike", "serve", "--migrate", "--database", database]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"The database cannot be used: {done.stderr.strip().splitlines()[-1]}")


@contextmanager
def start_server(database: str, workers: int = 1, **settings: str | None) -> Generator[Server]:
    """Run a server while the block runs; it does not outlive this process, unless that is killed."""
    flags = {"port": "0", "database": database, "workers": str(workers)} | _NO_LIMITS | settings
    command = [sys.executable, "-m", "goldenspike", "serve"]
    for name, value in flags.items():
        if value is not None:
            command += [f"--{name.replace('_', '-')}", value]
    before = signal.signal(signal.SIGTERM, _end)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://([^:]+):(\d+)/", process.stdout.readline())
        if found is None:
            raise OSError("The server did not start; what it said is above.")
        address = Address(found[1], int(found[2]))
        _wait_until_ready(process, address, workers)
        # Bots are children of each worker: one generation further down.
        workers_pids = children(process.pid) if workers > 1 else []
        yield Server(address, [process.pid, *workers_pids])
    finally:
        process.terminate()
        process.wait()
        signal.signal(signal.SIGTERM, before)


def _end(number: int, _frame: object) -> None:
    sys.exit(128 + number)


def _wait_until_ready(process: subprocess.Popen[str], address: Address, workers: int) -> None:
    """Wait until the server says so many times in a row that each worker is likely to have been asked."""
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


class _Line(msgspec.Struct):
    """A line of the load process: how far it is, its result, or why there is none."""

    progress: str | None = None
    error: str | None = None
    result: msgspec.Raw = msgspec.Raw()


def run_load(order: Mapping[str, object], result: type[T], say: Callable[[str], None]) -> T:
    """Have a process of its own carry out an order, and return its result."""
    command = [sys.executable, "-m", "goldenspike.cli.bench.load"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(msgspec.json.encode(order))
            process.stdin.close()
            for text in process.stdout:
                line = msgspec.json.decode(text, type=_Line)
                if line.error is not None:
                    raise OSError(line.error)
                if line.result:
                    return msgspec.json.decode(line.result, type=result)
                say(line.progress or "")
        finally:
            process.kill()
    raise OSError("The load process ended without a result; what it said is above.")
