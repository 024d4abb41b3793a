"""No cookies, no telemetry, and nothing from other hosts."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from goldenspike.server.protocol.client import Client
from goldenspike.server.protocol.messages import Created
from tests.server.people import known
from tests.server.processes import GameServer
from tests.server.serving import Server

DRIVER = Path(__file__).with_name("drive_audited.py")
OURS = {"'self'", "'none'", "data:"}
"""Sources of a content security policy that are not other hosts."""


def test_no_route_sets_a_cookie_or_allows_another_host(server: Server) -> None:
    created = server.create("new-york", "here", "easy")
    paths = server.get("/api/schema").json["paths"]
    routes = [(method.upper(), path) for path, methods in paths.items() for method in methods]
    routes += [("GET", "/"), ("GET", "/nothing")]
    assert len(routes) > 15
    for method, path in routes:
        place = path.replace("{game}", created.game).replace("{edition}", "new-york")
        for link in (None, created.seats[0]):
            answer = server.call(method, place, {} if method == "POST" else None, link)
            assert answer.status != 500
            headers = {name.lower(): value for name, value in answer.headers.items()}
            assert "set-cookie" not in headers, (method, place)
            policy = [part.split()[1:] for part in headers["content-security-policy"].split(";")]
            assert {source for sources in policy for source in sources} <= OURS, (method, place)


def test_logs_contain_no_names_and_no_chat(server: Server) -> None:
    seats = [{"who": "here", "name": "Annabella"}, {"who": "here", "name": "Benedetto"}]
    created = server.post("/api/games/", {"edition": "new-york", "seats": seats, "options": {}}).read(Created)
    link = known(created.seats[0])
    assert server.command(link, type="say", id="1", text="Nobody must know.").status < 300
    assert server.command(link, type="say", id="2", text="x" * 5000).status == 400  # a refusal
    assert server.command(link, type="play", id="3", move="Nobody").status >= 400
    assert "started" in server.log
    for private in ("Annabella", "Benedetto", "Nobody", "xxxxx"):
        assert private not in server.log


class AuditedServer(GameServer):
    """A server that records which hosts it contacts."""

    def command(self) -> Sequence[str]:
        command = super().command()
        return [sys.executable, str(DRIVER), *command[command.index("serve") :]]


@pytest.mark.slow
def test_the_server_calls_no_other_host() -> None:
    async def play(server: GameServer) -> None:
        game = server.new_game(
            seats=[{"who": "here", "name": "Ann"}, {"who": "bot", "level": "medium"}], first=0
        )
        async with Client.connect(server.url, known(game.seats[0])) as ann:
            await ann.play("keep all")
            await ann.wait(lambda: ann.is_my_turn)
            await ann.play("draw deck")

    with AuditedServer() as server:
        server.wait_ready()
        asyncio.run(play(server))
        printed = (server.folder / "log").read_text(encoding="utf-8")
    assert '"message":"ready"' in printed
    assert "calls out" not in printed
