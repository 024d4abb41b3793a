"""How a server starts and stops, and the messages it prints then."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from goldenspike.server.storage.database import open_engine
from goldenspike.server.storage.migrate import upgrade
from tests.cli.test_ctrl_c import SOON
from tests.server.people import gather_at
from tests.server.process_tree import are_dead
from tests.server.processes import GameServer
from tests.server.serving import Server, within
from tests.server.waiting import wait_until

DRIVER = Path(__file__).with_name("drive_ctrl_c.py")
WITHOUT_EDITIONS = """
import sys
from goldenspike.server import run
from goldenspike.server.settings import Settings

run._check = lambda _: None  # the folder has gone since
database, redis, folder = sys.argv[1:]
sys.exit(run.serve(Settings(port=0, database=database, redis=redis, workers=2, editions=folder)))
"""


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as listener:
            listener.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.slow
def test_ctrl_c_counts_before_the_server_listens_to_it(tmp_path: Path):
    command = [sys.executable, str(DRIVER), "--database", f"sqlite:///{tmp_path}/games.db", "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 130  # as for any interrupted command
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_several_workers_that_cannot_start_are_a_failure(
    postgres_url: str, redis_url: str, tmp_path: Path
) -> None:
    engine = open_engine(postgres_url, 1)
    upgrade(engine)
    engine.dispose()
    command = [sys.executable, "-c", WITHOUT_EDITIONS, postgres_url, redis_url, str(tmp_path / "gone")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert "There is no folder" in done.stderr
    assert "The workers cannot start" in done.stderr
    assert done.returncode == 1


@pytest.mark.slow
@pytest.mark.skipif(not has_ipv6(), reason="this machine has no such addresses")
def test_the_address_with_colons_that_a_server_says_can_be_opened(tmp_path: Path) -> None:
    server = Server(tmp_path, "--host", "::1").seen_from("::1")
    try:
        assert server.url.startswith("http://[::1]:")
        server.wait_ready("/healthz")
    finally:
        server.stop()


# Time to stop


UNFINISHED = (
    (
        b"GET /api/socket?game=x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ),
    b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /hea",
    b"POST /api/games/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{",
)
"""An idle WebSocket, a connection that is kept open, and two requests that never end."""


def press_ctrl_c(server: Server) -> None:
    """Send SIGINT to all processes of the server, as a terminal does; it must end soon and quietly."""
    start = time.monotonic()
    os.killpg(server.process.pid, signal.SIGINT)
    assert server.process.wait(60) == 130, server.log
    assert time.monotonic() - start < SOON


@pytest.mark.slow
@within(120)
async def test_ctrl_c_ends_a_server_with_open_sockets_and_thinking_bots(tmp_path: Path) -> None:
    server = Server(tmp_path, "--bot-seconds", "30").wait_ready()
    try:
        created = server.create("usa-classic", "here", "hard", first=1)
        async with gather_at(server, created) as ([person], _):
            await person.move("keep all")
            assert person.view.to_move == [1]  # the bot, which is choosing its tickets
            await asyncio.to_thread(press_ctrl_c, server)
        assert "Traceback" not in server.log
    finally:
        server.stop()


@pytest.mark.slow
def test_ctrl_c_does_not_wait_for_clients_that_do_not_answer(tmp_path: Path) -> None:
    server = Server(tmp_path).wait_ready()
    address = urlsplit(server.url)
    assert address.hostname
    assert address.port
    clients = [socket.create_connection((address.hostname, address.port)) for _ in UNFINISHED]
    try:
        for client, request in zip(clients, UNFINISHED, strict=True):
            client.sendall(request)
        for client in clients[:2]:
            assert client.recv(12) in {b"HTTP/1.1 101", b"HTTP/1.1 200"}
        press_ctrl_c(server)
    finally:
        for client in clients:
            client.close()
        server.stop()


@pytest.mark.slow
def test_ctrl_c_does_not_wait_until_the_rules_are_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "cache"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(cache))
    server = Server(tmp_path)
    try:
        wait_until(lambda: any(cache.rglob("*.nbi")), "the first functions are compiled", 120)
        press_ctrl_c(server)
    finally:
        server.stop()


@pytest.mark.slow
def test_ctrl_c_ends_all_workers(postgres_url: str, redis_url: str) -> None:
    with GameServer(postgres_url, redis_url, workers=2) as server:
        server.wait_ready()
        workers = server.children()
        start = time.monotonic()
        os.killpg(server.pid, signal.SIGINT)
        wait_until(lambda: not server.is_running, "it has ended", 60)
        assert time.monotonic() - start < SOON
        wait_until(lambda: are_dead(workers), "its processes have ended", 5)
        assert server.failures() == [], server.last_words()
