"""The game server as real processes, which tests kill, restart on the same port, and inspect."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from goldenspike.server.protocol.messages import Created
from goldenspike.server.storage.database import Database, open_engine
from goldenspike.server.storage.migrate import upgrade
from tests.server.process import ServerProcess
from tests.server.process_tree import processes, send
from tests.server.serving import METRICS_SERVED, read_metrics
from tests.server.waiting import PATIENCE, wait_until

Seats = list[dict[str, str]]
PEOPLE: Seats = [{"who": "here", "name": "Ann"}, {"who": "here", "name": "Ben"}]
"""Two people, each with a link."""
START = 600.0
"""Seconds; longer than a first compilation of the rules and the bots."""


class GameServer(ServerProcess):
    """`goldenspike serve` on its own port; the default database is SQLite in its own folder.

    Settings are those of the command: `bot_seconds=0.05` means `--bot-seconds 0.05`.
    """

    title = "Golden Spike"

    def __init__(self, database: str | None = None, redis: str | None = None, **settings: object) -> None:
        super().__init__()
        self._database = database
        self._settings: dict[str, object] = {
            "redis": redis,
            "bot_seconds": 0.05,
            "undo_seconds": 0,
            "message_rate": 10_000,  # rate limits are not tested here
            "chat_rate": 600_000,
            "create_rate": 600_000,
            "address_connections": 100_000,
            "metrics": "127.0.0.1:0",
        } | settings

    @property
    def url(self) -> str:
        """Its URL."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def database(self) -> str:
        """The URL of its database."""
        return self._database or f"sqlite:///{self.folder}/games.db"

    def metrics(self) -> str:
        """Return the Prometheus metrics."""
        return read_metrics([line["port"] for line in self.log() if line["message"] == METRICS_SERVED][-1])

    def prepare(self) -> None:
        """Create the tables, which `serve` does by itself only for SQLite."""
        if self._database is not None:
            engine = open_engine(self._database, 1)
            upgrade(engine)
            engine.dispose()

    def command(self) -> Sequence[str]:
        """Return the command that runs the server in the foreground."""
        settings = {"port": self.port, "database": self.database} | self._settings
        flags = [(f"--{name.replace('_', '-')}", str(v)) for name, v in settings.items() if v is not None]
        return [sys.executable, "-m", "goldenspike", "serve", *(part for flag in flags for part in flag)]

    def answers(self) -> bool:
        """Return whether it is alive."""
        try:
            return self.call("/healthz")[0] == 200
        except OSError:
            return False

    def start(self) -> None:
        """Start it on its port with its existing data, and return when it answers."""
        self._forget()
        self._process = self.launch(self.command())
        wait_until(lambda: self.pid > 0 and self.answers(), f"{self.title} answers", START)

    def wait_ready(self) -> None:
        """Return when its bots are loaded, and the database and Redis are reachable."""
        wait_until(lambda: self.call("/readyz")[0] == 200, f"{self.title} is ready", START)

    def kill(self) -> None:
        """Kill its first process; the processes it started must notice that themselves."""
        send(signal.SIGKILL, [self.pid])
        wait_until(lambda: not self.is_running, f"{self.title} is dead")
        self._forget()

    def children(self) -> list[int]:
        """Return the processes that it started, and their children."""
        known, found = processes(), [self.pid]
        for parent in found:
            found += [pid for pid, member in known.items() if member.parent == parent and member.is_alive]
        return found[1:]

    def log(self) -> list[dict[str, Any]]:
        """Return its log."""
        lines = (self.folder / "log").read_text(encoding="utf-8", errors="replace").splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]

    def failures(self) -> list[str]:
        """Return log lines that must never occur: errors and tracebacks."""
        lines = (self.folder / "log").read_text(encoding="utf-8", errors="replace").splitlines()
        return [line for line in lines if "Traceback" in line or '"level":"error"' in line]

    # Requests

    def call(self, path: str, link: str | None = None, body: object = None) -> tuple[int, Any]:
        """Return the status and the JSON, or the text, of a response; a body of bytes is sent unchanged."""
        headers = {"Content-Type": "application/json"}
        if link is not None:
            headers["Authorization"] = f"Bearer {link}"
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        try:
            answer = urlopen(Request(self.url + path, data, headers), timeout=PATIENCE)
        except HTTPError as error:
            answer = error
        with answer:
            text = answer.read().decode()
            is_json = "json" in answer.headers["Content-Type"]
            return int(answer.status or 0), json.loads(text) if is_json else text

    def get(self, path: str, link: str | None = None, body: object = None) -> Any:
        """Return the requested resource; if refused as too fast, wait as long as the server says."""
        status, content = self.call(path, link, body)
        while status == 429:
            time.sleep(content["retry_after"])
            status, content = self.call(path, link, body)
        assert status < 300, (status, content)
        return content

    def new_game(self, edition: str = "new-york", seats: Seats = PEOPLE, **options: object) -> Created:
        """Deal a game."""
        made = self.get("/api/games/", body={"edition": edition, "seats": seats, "options": options})
        return Created(**made)

    def record(self, game: Created) -> str:
        """Return the record of a finished game."""
        return self.get(f"/api/games/{game.game}/record", game.watch)

    @contextmanager
    def store(self) -> Iterator[Database]:
        """Open its database."""
        store = Database(self.database, 1)
        try:
            yield store
        finally:
            store.close()
