"""The server as a real process on a free port, and HTTP requests to it."""

from __future__ import annotations

import asyncio
import copy
import functools
import http.client
import json
import os
import resource
import selectors
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec, TypeVar
from urllib.parse import urlsplit

import msgspec
import pytest

from goldenspike.server.protocol.messages import Created, Refusal, Welcome
from tests.server.orphan_cleanup import OrphanCleanup

START_S = 600.0
"""Longer than a first compilation of the bots, in case a test is the first to need them."""
STOP_S = 20.0
ANSWER_S = 60.0

METRICS_SERVED = "metrics are served"
"""The log line that has the port of the metrics."""

P = ParamSpec("P")
T = TypeVar("T")


def within(seconds: float) -> Callable[[Callable[P, Awaitable[None]]], Callable[P, None]]:
    """Run a test coroutine, and fail if it takes longer than this."""

    def bounded(test: Callable[P, Awaitable[None]]) -> Callable[P, None]:
        @functools.wraps(test)
        def run(*args: P.args, **kwargs: P.kwargs) -> None:
            async def story() -> None:
                async with asyncio.timeout(seconds):
                    await test(*args, **kwargs)

            asyncio.run(story())

        return run

    return bounded


class HttpAnswer(NamedTuple):
    """The response to a request."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body, decoded as JSON."""
        return json.loads(self.body)

    def read(self, kind: type[T]) -> T:
        """Return the body as a message; the request must have succeeded."""
        assert self.status < 300, (self.status, self.body)
        return msgspec.json.decode(self.body, type=kind)

    @property
    def refusal(self) -> Refusal:
        """The refusal: always a typed message with a sentence, never a server error."""
        assert 400 <= self.status < 600, (self.status, self.body)
        assert self.status != 500, self.body
        refusal = msgspec.json.decode(self.body, type=Refusal)
        assert refusal.message.endswith((".", "?", "!")), refusal.message
        return refusal


class Server:
    """`goldenspike serve` on a free port. `flags` are added to those that every test needs."""

    source = "127.0.0.1"
    """The address that requests come from."""

    def __init__(
        self, folder: Path, *flags: str, database: str | None = None, most_files: int | None = None
    ) -> None:
        self.folder = folder
        self.file = folder / "games.db"
        self.log_file = folder / "log"
        self.database = database or f"sqlite:///{self.file}"
        command = [sys.executable, "-m", "goldenspike", "serve", "--port", "0", "--database", self.database]
        command += ["--metrics", "127.0.0.1:0"]
        # A new process group, so that all its processes can be killed; and a cleanup process, in case the
        # tests are killed first.
        self._cleanup: OrphanCleanup | None = OrphanCleanup(signal.SIGTERM, folder)
        limit = None if most_files is None else lambda: _limit_files(most_files)
        with self.log_file.open("ab") as log:
            self.process = subprocess.Popen(
                [*command, *flags],
                stdout=subprocess.PIPE,
                stderr=log,
                env=clean_environment(folder),
                start_new_session=True,
                preexec_fn=limit,  # noqa: PLW1509  # no thread has started yet that could hold a lock
            )
        self._cleanup.watch(self.process.pid)
        self.url = self._read_address().rstrip("/")

    def _read_address(self) -> str:
        """Return the URL in the first line; the port is bound by then."""
        assert self.process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            line = self.process.stdout.readline().decode() if selector.select(START_S) else ""
        if "http://" not in line:
            self.stop()
            raise AssertionError(f"The server did not say where it is: {line!r}, {self.log}")
        return line[line.index("http://") :].split()[0]

    @property
    def log(self) -> str:
        """Everything that the process has written to standard error."""
        return self.log_file.read_text(errors="replace")

    def wait_ready(self, path: str = "/readyz") -> Server:
        """Wait until games can be played."""
        deadline = time.monotonic() + START_S
        while True:
            assert self.process.poll() is None, self.log
            try:
                if self.call("GET", path).status == 200:
                    return self
            except OSError:
                pass
            assert time.monotonic() < deadline, self.log
            time.sleep(0.05)

    def stop(self, with_signal: int = signal.SIGTERM) -> int:
        """Stop the process, and only this one; return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(with_signal)
            try:
                self.process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
        if self.process.stdout is not None:
            self.process.stdout.close()
        code = self.process.wait(STOP_S)
        if self._cleanup is not None:
            self._cleanup.dismiss()
            self._cleanup = None
        return code

    # Requests

    def seen_from(self, source: str) -> Server:
        """Return the same server, with requests from another address."""
        seen = copy.copy(self)
        seen.source = source
        return seen

    def call(
        self,
        method: str,
        path: str,
        body: object = None,
        link: str | None = None,
        headers: Mapping[str, str] | None = None,
        address: str | None = None,
    ) -> HttpAnswer:
        """Send a request; a body that is not text or bytes is sent as JSON."""
        place = urlsplit(self.url)
        assert place.hostname is not None
        connection = http.client.HTTPConnection(
            place.hostname, place.port, timeout=ANSWER_S, source_address=(address or self.source, 0)
        )
        sent: dict[str, str] = {}
        if link is not None:
            sent["Authorization"] = f"Bearer {link}"
        if body is not None and not isinstance(body, str | bytes):
            body = msgspec.json.encode(body)
            sent["Content-Type"] = "application/json"
        data = body.encode() if isinstance(body, str) else body
        try:
            connection.request(method, path, data, sent | dict(headers or {}))
            response = connection.getresponse()
            return HttpAnswer(response.status, dict(response.getheaders()), response.read())
        finally:
            connection.close()

    def get(self, path: str, link: str | None = None) -> HttpAnswer:
        """Send a GET request."""
        return self.call("GET", path, link=link)

    def metrics(self) -> str:
        """Return the Prometheus metrics."""
        return read_metrics(self.metrics_port())

    def metrics_port(self) -> int:
        """Return the port of the metrics."""
        lines = [json.loads(line) for line in self.log.splitlines() if line.startswith("{")]
        return next(line["port"] for line in lines if line["message"] == METRICS_SERVED)

    def post(self, path: str, body: object = None, link: str | None = None) -> HttpAnswer:
        """Send a POST request."""
        return self.call("POST", path, body, link)

    def create(self, edition: str, *seats: str, **options: object) -> Created:
        """Deal a game; a seat is ``here``, ``link``, ``open`` or a bot's level."""
        return self.post("/api/games/", new_game(edition, *seats, **options)).read(Created)

    def show(self, link: str) -> Welcome:
        """Return a game as the holder of a link may see it."""
        return self.get(f"/api/games/{link.partition('.')[0]}", link).read(Welcome)

    def command(self, link: str, **command: object) -> HttpAnswer:
        """Send a command over HTTP."""
        return self.post(f"/api/games/{link.partition('.')[0]}/commands", command, link)


def _limit_files(most: int) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def read_metrics(port: int) -> str:
    """Return the Prometheus metrics that are served at a port."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=ANSWER_S) as answer:
        return answer.read().decode()


def new_game(edition: str, *seats: str, **options: object) -> dict[str, object]:
    """Return a request for a game."""
    return {"edition": edition, "seats": [wish(seat) for seat in seats], "options": options}


def wish(seat: str) -> dict[str, str]:
    """Return a seat request: ``here``, ``link``, ``open`` or a bot's level."""
    return {"who": seat} if seat in {"here", "link", "open"} else {"who": "bot", "level": seat}


def clean_environment(home: Path) -> dict[str, str]:
    """Return an environment without server settings, and with an empty home folder."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GOLDENSPIKE_")}
    return kept | {"XDG_DATA_HOME": str(home)}


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server with short thinking times, high limits for one address, and full logging."""
    hurry = ["--bot-seconds", "0.02", "--undo-seconds", "0", "--patience", "3", "--idle-seconds", "3"]
    plenty = [
        "--create-rate",
        "100000",
        "--message-rate",
        "10000",
        "--address-connections",
        "100000",
        "--log",
        "debug",
    ]
    running = Server(tmp_path_factory.mktemp("server"), *hurry, *plenty)
    try:
        yield running.wait_ready()
    finally:
        running.stop()
