"""The server of games as real processes: to be killed, restarted on the same port, and looked into."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from goldenspike.server.messages import Created
from goldenspike.server.migrate import upgrade
from goldenspike.server.store import Store, open_engine
from tests.server.family import processes, send
from tests.server.process import ServerProcess
from tests.server.waiting import PATIENCE, wait_until

Seats = list[dict[str, str]]
PEOPLE: Seats = [{"who": "link", "name": "Ann"}, {"who": "link", "name": "Ben"}]
"""Two people, each by a link."""
START = 600.0
"""Seconds; longer than a first compilation of the rules and the bots."""


class GameServer(ServerProcess):
    """`goldenspike serve` on a port of its own; without a database, on SQLite in its own folder.

    Settings are those of the command, `bot_seconds=0.05` for `--bot-seconds 0.05`.
    """

    title = "Golden Spike"

    def __init__(self, database: str | None = None, redis: str | None = None, **settings: object) -> None:
        super().__init__()
        self._database = database
        self._settings: dict[str, object] = {
            "redis": redis,
            "bot_seconds": 0.05,
            "message_rate": 10_000,  # what is tested is not how fast clients may be
            "chat_rate": 600_000,
            "create_rate": 600_000,
        } | settings

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def database(self) -> str:
        """Where its games are."""
        return self._database or f"sqlite:///{self.folder}/games.db"

    def prepare(self) -> None:
        """Make the tables, which `serve` does by itself only in SQLite."""
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
        """Start it on its port with the data it has, and return when it answers."""
        self._forget()
        self._process = self.launch(self.command())
        wait_until(lambda: self.pid > 0 and self.answers(), f"{self.title} answers", START)

    def wait_ready(self) -> None:
        """Return when its bots are loaded, and database and Redis are there."""
        wait_until(lambda: self.call("/readyz")[0] == 200, f"{self.title} is ready", START)

    def kill(self) -> None:
        """End its first process at once; what it has started must find out by itself."""
        send(signal.SIGKILL, [self.pid])
        wait_until(lambda: not self.is_running, f"{self.title} is dead")
        self._forget()

    def children(self) -> list[int]:
        """Return the processes it has started, and those that they have."""
        known, found = processes(), [self.pid]
        for parent in found:
            found += [pid for pid, member in known.items() if member.parent == parent and member.is_alive]
        return found[1:]

    def log(self) -> list[dict[str, Any]]:
        """Return what it has logged."""
        lines = (self.folder / "log").read_text(encoding="utf-8", errors="replace").splitlines()
        return [json.loads(line) for line in lines if line.startswith("{")]

    def failures(self) -> list[str]:
        """Return what must never be in its log: errors and tracebacks."""
        lines = (self.folder / "log").read_text(encoding="utf-8", errors="replace").splitlines()
        return [line for line in lines if "Traceback" in line or '"level":"error"' in line]

    # What is asked of it

    def call(self, path: str, link: str | None = None, body: object = None) -> tuple[int, Any]:
        """Return the status and the JSON, or the text, of an answer; a body of bytes is sent as it is."""
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
        """Return what was asked for."""
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
    def store(self) -> Iterator[Store]:
        """Open its database."""
        store = Store(self.database, 1)
        try:
            yield store
        finally:
            store.close()
